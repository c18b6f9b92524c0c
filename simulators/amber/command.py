"""``s2s simulate OUT --machine amber``: a design's cycles, its values, and what it uses."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from s2s.simulators.machine import Machine, Ran, wants_picture
from s2s.source.diagnostics import Diagnostic, Severity, UsageError, UserError
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.simulators.amber.beside import Beside
    from s2s.simulators.amber.configuration import Configuration
    from s2s.simulators.amber.data import Words
    from s2s.simulators.amber.design import Design
    from s2s.simulators.amber.execute import Execution, Run
    from s2s.simulators.amber.host import Host
    from s2s.simulators.amber.machine import Array
    from s2s.simulators.amber.netlist import Netlist
    from s2s.simulators.amber.placement import Placement
    from s2s.source.clockwork.programs import Program


def add_arguments(group: argparse._ArgumentGroup) -> None:
    """Declare the options of ``s2s simulate`` for this machine."""
    add = group.add_argument
    add(
        "--input", action="append", default=[], metavar="[NAME=]FILE",
        help="a stream from an image, a .npy file or raw words; the others are made up",
    )  # fmt: skip
    add(
        "--output", action="append", default=[], metavar="[NAME=]FILE",
        help="write a stream to such a file",
    )  # fmt: skip
    add("--program", default="", metavar="NAME", help="one of several in a memory file")
    add("--seed", type=int, default=0, help="of data that is made up (default: 0)")
    add(
        "--stalls", type=int, choices=range(100), default=0, metavar="PERCENT",
        help="cycles in which streams stand still, of a design with handshakes (default: 0)",
    )  # fmt: skip
    add("--no-check", action="store_true", help="without the comparison with the program order")
    add(
        "--set", dest="numbers", action="append", type=_number, default=[],
        metavar="NAME=NUMBER", help="another number of the machine: memory_tile_words=1024",
    )  # fmt: skip


def run(args: argparse.Namespace) -> Ran:
    """Run a design, or a memory file with its compute file in program order.

    The status is 0, or 1 for what cannot be read, compiled or run.
    """
    try:
        return _run(args)
    except UserError as error:
        paths = {d.location.path for d in error.diagnostics if d.location}
        sources = {path: Path(path).read_bytes() for path in paths if Path(path).is_file()}
        return Ran(said=error.diagnostics, sources=sources, status=1)


def _run(args: argparse.Namespace) -> Ran:
    path = _file(args.file)
    if path.endswith(".json"):
        if args.arguments:
            raise UsageError(f"a design names its files itself: '{args.arguments[0]}'")
        return _run_design(path, args)
    return _run_program(path, args)


def _file(given: str) -> str:
    """The design in a folder, or the file. Raises UserError."""
    from s2s.simulators.amber.problems import problem

    if not Path(given).exists():  # before options are judged by what kind of file it is
        raise problem(f"{given}: No such file or directory")
    if not Path(given).is_dir():
        return given
    found = sorted(Path(given).glob("*_design.json")) or sorted(Path(given).glob("*_memory.cpp"))
    if not found:
        raise problem(f"{given}: has no design (NAME_design.json) and no memory file")
    if len(found) > 1:
        raise problem(f"{given}: has several designs: {', '.join(one.name for one in found)}")
    return str(found[0])


@dataclass(frozen=True)
class DesignRun:
    """A run of a design; ``record`` is all that was counted (``report.record``)."""

    program: Program
    netlist: Netlist
    execution: Execution
    record: dict[str, Any]
    placed: Configuration | None = None


def run_design(
    path: str,
    array: Array | None = None,
    *,
    inputs: Sequence[str] = (),
    seed: int = 0,
    check: bool = True,
    trace: int = 0,
    name: str = "",
    stalls: int = 0,
) -> DesignRun:
    """Run a design cycle by cycle, ``inputs`` as with ``--input``; ``name`` is the program's where
    the memory file has several. Raises UserError.
    """
    from s2s.simulators.amber.data import input_words, named_files

    loaded = load_design(path, array, name)
    program = loaded.program
    words = input_words(program, named_files(inputs, program.inputs, "input"), seed)
    with loaded.compiled(stalls) as run:
        execution = run(words, check=check, trace=trace)
        return loaded.ran(execution, run, checked=check)


@dataclass(frozen=True)
class LoadedDesign:
    """A design with its program, ready to be run."""

    design: Design
    program: Program
    netlist: Netlist
    placed: Placement | None

    @property
    def bodies(self) -> Mapping[str, Sequence[str]] | None:
        """Bodies of the functions as they are placed."""
        return self.placed.functions.texts if self.placed else None

    @contextmanager
    def compiled(self, stalls: int = 0) -> Iterator[Run | Beside]:
        """What runs it on words, with its handshakes where it has some. Raises UserError."""
        from s2s.simulators.amber.beside import with_handshakes
        from s2s.simulators.amber.execute import compiled

        parts = self.program, self.design.compute, self.netlist
        with (
            compiled(*parts, placed=self.bodies) as run,
            with_handshakes(run, self.design, stalls) as both,
        ):
            yield both

    def ran(self, execution: Execution, run: Run | Beside, *, checked: bool) -> DesignRun:
        """A run, with what it counted. Raises UserError for another number of cycles."""
        from s2s.simulators.amber import report
        from s2s.simulators.amber.beside import Beside

        _check_cycles(self.design.path, self.design.cycles, execution.counted["cycles"])
        found = report.record(self.netlist, execution, checked=checked)
        if self.placed:
            found["placement"] = self.placed.record()
        if isinstance(run, Beside):
            found["handshakes"] = {"stalls": run.stalls, **run.runs[-1].record()}
        placed = self.placed.configuration if self.placed else None
        return DesignRun(self.program, self.netlist, execution, found, placed)


def load_design(path: str, array: Array | None = None, name: str = "") -> LoadedDesign:
    """Read a design. Raises UserError."""
    from s2s.simulators.amber.design import read_design
    from s2s.simulators.amber.machine import load
    from s2s.simulators.amber.netlist import flatten
    from s2s.source.clockwork.memory_file import read_program

    design = read_design(path)
    program = replace(read_program(design.memory, name), streamed=design.streamed)
    try:
        netlist = flatten(design, program, array or load())
    except UserError as error:
        raise _about(design.path, error) from None
    return LoadedDesign(design, program, netlist, _placed(design, program, array or load()))


def _run_design(path: str, args: argparse.Namespace) -> Ran:
    from s2s.simulators.amber import picture, report
    from s2s.simulators.amber.design import read_design
    from s2s.simulators.amber.host import whole_program
    from s2s.simulators.amber.machine import load
    from s2s.source.clockwork.memory_file import read_program

    array = load().with_values(dict(args.numbers))
    host = whole_program(path, args, read_program(read_design(path).memory, args.program))
    ran = _run_tile(path, array, args) if host is None else _run_tiles(path, array, args, host)
    found = ran.record
    record = (json.dumps(found, indent=1) + "\n").encode() if args.json else b""
    drawn = None
    if wants_picture(args):
        drawn = picture.draw(ran.netlist, ran.execution, found, ran.placed)
    said = _warnings(found, array)
    return Ran(report.text(found, array), said=said, record=record, picture=drawn)


def _run_tile(path: str, array: Array, args: argparse.Namespace) -> DesignRun:
    """One run of the array: its streams are the files' or made up."""
    from s2s.simulators.amber.data import check_output, named_files
    from s2s.simulators.amber.design import read_design
    from s2s.simulators.amber.picture import LIMIT
    from s2s.source.clockwork.memory_file import read_program

    own = read_program(read_design(path).memory, args.program)
    outputs = named_files(args.output, own.outputs, "output")
    for file in outputs.values():
        check_output(file)
    ran = run_design(
        path, array, inputs=args.input, seed=args.seed, check=not args.no_check,
        trace=LIMIT if wants_picture(args) else 0, name=args.program, stalls=args.stalls,
    )  # fmt: skip
    _write_outputs(ran.program, outputs, ran.execution.words)
    return ran


def _run_tiles(path: str, array: Array, args: argparse.Namespace, host: Host) -> DesignRun:
    """The host's whole program; what is told is the first of the array's runs."""
    from s2s.simulators.amber.host import run_tiles
    from s2s.simulators.amber.picture import LIMIT
    from s2s.simulators.amber.problems import problem

    loaded = load_design(path, array, args.program)
    first, count = None, 0
    with loaded.compiled(args.stalls) as run:
        for execution in run_tiles(host, run, args, LIMIT if wants_picture(args) else 0):
            ran = loaded.ran(execution, run, checked=not args.no_check)
            first, count = first or ran, count + 1
    if first is None:
        raise problem(f"{host.path}: the host's program does not run the array")
    first.record.update(tiles=count, cycles_of_all=first.record["cycles"] * count)
    return first


def _placed(design: Design, program: Program, array: Array) -> Placement | None:
    """The configuration beside a design, compared with it; None where there is none."""
    from s2s.simulators.amber.placement import read_placement

    path = Path(design.path).with_name(f"{design.name}.place.json")
    return read_placement(str(path), design, program, array) if path.is_file() else None


def _about(path: str, error: UserError) -> UserError:
    """An error of a design, with its file where it has no place in another one."""
    first = error.diagnostics[0]
    return error if first.location else UserError(replace(first, text=f"{path}: {first.text}"))


def _run_program(path: str, args: argparse.Namespace) -> Ran:
    """A memory file alone: its values in program order."""
    from s2s.simulators.amber.data import check_output, input_words, named_files
    from s2s.simulators.amber.execute import execute
    from s2s.source.clockwork.memory_file import read_program
    from s2s.source.clockwork.signatures import check_agreement, read_compute_file

    if wants_picture(args) or args.numbers or args.no_check or args.stalls:
        option = "--set" if args.numbers else "--stalls" if args.stalls else "--no-check"
        if wants_picture(args):
            option = "--trace" if args.trace else "--report"
        raise UsageError(f"'{option}' has no effect for a memory file, which has no cycles")
    compute = _compute_file(path, args.arguments)
    program = read_program(path, args.program, compute)
    check_agreement(program, read_compute_file(compute))
    outputs = named_files(args.output, program.outputs, "output")
    for file in outputs.values():
        check_output(file)
    words = input_words(program, named_files(args.input, program.inputs, "input"), args.seed)
    execution = execute(program, compute, None, words)
    _write_outputs(program, outputs, execution.words)
    count = len(program.operations)
    text = f"{program.name}: {count} operations in program order; no schedule, so no cycles\n"
    record = {"machine": "amber", "program": program.name, "operations": count, "cycles": None}
    written = (json.dumps(record) + "\n").encode() if args.json else b""
    return Ran(text, said=undefined_loads(program, execution.counted), record=written)


def undefined_loads(program: Program, counted: Mapping[str, Any]) -> tuple[Diagnostic, ...]:
    """A warning for a load of what nothing wrote, on which no output depends."""
    place, load, element = counted["undefined"]
    if place < 0:
        return ()
    operation = program.operations[place][0]
    text = f"{operation.name} loads {program.element(element)}, which nothing wrote before; no"
    access = operation.loads[load]
    return (Diagnostic(Severity.WARNING, f"{text} output depends on it", "amber", access.at),)


def _compute_file(path: str, arguments: list[str]) -> str:
    """The compute file: as given, or beside the memory file."""
    from s2s.simulators.amber.problems import problem

    if len(arguments) > 1:
        raise UsageError(f"one compute file belongs to a memory file: '{arguments[1]}'")
    if arguments:
        return arguments[0]
    beside = path.replace("_memory.cpp", "_compute.h")
    if beside == path or not Path(beside).is_file():
        raise problem(f"{path}: say which compute file belongs to it")
    return beside


def _check_cycles(path: str, said: int | None, ran: int) -> None:
    from s2s.simulators.amber.problems import problem

    if said is not None and said != ran:
        raise problem(f"{path}: says {said} cycles, the run takes {ran}")


def _write_outputs(program: Program, files: dict[str, str], words: Words) -> None:
    from s2s.simulators.amber.data import write_words

    first = program.count(program.inputs)
    for name, path in files.items():
        box = program.boxes[name]
        values = words[box.first - first : box.first - first + box.size].reshape(box.extents)
        write_words(path, values, program.width(name))


def _warnings(found: dict[str, Any], array: Array) -> tuple[Diagnostic, ...]:
    """What is too much for the array."""
    said = []
    for what, name in (("PEs", "pes"), ("memory tiles", "memory_tiles")):
        if found[name] > array[name]:
            text = f"the design takes {found[name]} {what}, the array has {array[name]}"
            said.append(Diagnostic(Severity.WARNING, text, "amber"))
    there = array["global_buffer_banks"] * array["global_buffer_words"]
    if found["global_buffer_words"] > there:
        text = f"the design takes {found['global_buffer_words']} words of the global buffer, which"
        said.append(Diagnostic(Severity.WARNING, f"{text} has {there}", "amber"))
    return tuple(said)


def _number(text: str) -> tuple[str, int]:
    name, _, value = text.partition("=")
    if not name or not value.isascii() or not value.isdigit():
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=NUMBER")
    return name, int(value)


AMBER = Machine("amber", add_arguments, run)
