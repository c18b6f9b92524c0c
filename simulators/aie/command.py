"""``s2s simulate --machine aie1``: run an AI Engine kernel and say where the cycles go.

Arrays that the kernel reads are random, from a seed, or come from files; those that it writes can
go to files, or be compared with expected ones and with what g++ makes of the same text.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from s2s.simulators.aie.data import (
    Given,
    data_error,
    differences,
    load,
    pairs,
    prepared,
    save,
    select_changed,
    without_extents,
)
from s2s.simulators.machine import Machine, Ran, wants_picture
from s2s.source import work_done
from s2s.source.diagnostics import Diagnostic, Location, Severity, UsageError, UserError
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.simulators.aie.execute import Execution
    from s2s.simulators.aie.program import Program
    from s2s.simulators.aie.reading.read import Modes
    from s2s.simulators.aie.report import Report
    from s2s.simulators.aie.timing.machine import Machine as Numbers


def add_arguments(group: argparse._ArgumentGroup) -> None:
    """Declare the options of ``s2s simulate`` for this machine."""
    add = group.add_argument
    add("--profile", action="store_true", help="say for each loop where its cycles go")
    add("--parameters", action="store_true", help="list the machine's numbers and their sources")
    add(
        "--assume", action="append", default=[], metavar="NAME=VALUE",
        help="another number of the machine, as addressing.same_pointer=false",
    )  # fmt: skip
    add("--function", metavar="NAME", help="the kernel, where the file has several")
    add("--seed", type=int, default=0, help="of the random inputs (default: 0)")
    add(
        "--input", action="append", default=[], metavar="NAME=FILE",
        help="an array from a .npy, .npz or text file",
    )  # fmt: skip
    add("--inputs", metavar="FILE.npz", help="arrays by their names")
    add("--value", action="append", default=[], metavar="NAME=NUMBER", help="a parameter")
    add(
        "--size", action="append", default=[], metavar="[NAME=]COUNT",
        help="elements of an array, or of all whose extents the kernel does not say",
    )  # fmt: skip
    add(
        "--output", action="append", default=[], metavar="NAME=FILE",
        help="write an array to a .npy or text file",
    )  # fmt: skip
    add("--outputs", metavar="FILE.npz", help="write all arrays that the kernel writes")
    add(
        "--expect", action="append", default=[], metavar="NAME=FILE",
        help="an array has to be as in this file in the end",
    )  # fmt: skip
    add("--check", action="store_true", help="compare with the kernel as g++ compiles it")
    add("--rounding", choices=_roundings(), default="rnd_floor", help="of srs (default: rnd_floor)")
    add("--saturate", action="store_true", help="srs saturates from the start")


def _roundings() -> tuple[str, ...]:
    from s2s.simulators.aie.intrinsics import ROUNDINGS

    return ROUNDINGS


def run(args: argparse.Namespace) -> Ran:
    """Run a kernel. The status is 0, or 1 for an error, a fault of the kernel or a difference."""
    if args.arguments:
        raise UsageError(f"a kernel has no arguments of its own: '{args.arguments[0]}'")
    if os.path.isdir(args.file):
        return _run_graph(args)
    path, text = _text(args.file)
    sources = {path: text.encode()}
    try:
        done = _executed(args, path, text)
        wrong, compared = _compared(done, args)
        _written(done, args)
        report = replace(_timed(done, args), compared=compared, ends=done.ends)
    except UserError as error:
        return Ran(said=error.diagnostics, sources=sources, status=1)
    from s2s.simulators.aie.report import as_json, as_text

    drawn = None
    if wants_picture(args):
        from s2s.simulators.aie.picture import draw

        drawn = draw(report)

    return Ran(
        as_text(report, profile=args.profile, parameters=args.parameters),
        said=tuple(Diagnostic(Severity.ERROR, text, "simulate") for text in wrong),
        sources=sources,
        record=as_json(report).encode() if args.json else b"",
        picture=drawn,
        status=1 if wrong else 0,
    )


_OF_KERNELS = (
    "profile", "parameters", "function", "seed", "input", "inputs", "value", "size", "output",
    "outputs", "expect", "check", "saturate", "json", "report", "trace",
)  # fmt: skip


def _run_graph(args: argparse.Namespace) -> Ran:
    """The graph of a folder."""
    from s2s.simulators.aie.graph.command import report, run_folder

    given = next((name for name in _OF_KERNELS if getattr(args, name, None)), None)
    if given is not None:
        raise UsageError(f"'--{given}' has no effect on a graph")
    try:
        machine = _machine(args)
        return Ran(report(run_folder(args.file, machine), machine))
    except UserError as error:
        return Ran(said=error.diagnostics, status=1)


@dataclass(frozen=True)
class Run:
    """A kernel that ran: its file's name and text, what it got, what it left."""

    path: str
    text: str
    modes: Modes
    defines: tuple[str, ...]
    program: Program
    inputs: dict[str, Any]
    execution: Execution
    ends: tuple[str, ...]
    """Inputs about whose extents nothing was said."""


def _executed(args: argparse.Namespace, path: str, text: str) -> Run:
    from s2s.simulators.aie.execute import KernelFault, count_turns, execute
    from s2s.simulators.aie.reading.read import Modes, read

    modes = Modes(args.rounding, args.saturate)
    defines = _defines(args.cflags)
    program = read(text, path, function=args.function, defines=defines, modes=modes)
    given = Given(
        pairs(args.input, "FILE"),
        args.inputs,
        _values(args.value),
        _numbers([word for word in args.size if not word.isdecimal()], "COUNT"),
        max((int(word) for word in args.size if word.isdecimal()), default=None),
        args.seed,
    )
    inputs = prepared(program, given)
    work_done.begin(count_turns(program))
    try:
        execution = execute(program, inputs, without_extents(program, given))
    except KernelFault as fault:
        place = Location(path, fault.line or 1, 1, fault.line or 1, 1)
        raise UserError(Diagnostic(Severity.ERROR, str(fault), "simulate", place)) from None
    ends = tuple(sorted(without_extents(program, given) & inputs.keys()))
    return Run(path, text, modes, defines, program, inputs, execution, ends)


def _defines(flags: Sequence[str]) -> tuple[str, ...]:
    """The macros of compiler flags; there is nothing else in them for a simulator."""
    joined = " ".join(flags).replace("-D ", "-D").split()
    return tuple(flag[2:] for flag in joined if flag.startswith("-D"))


def _timed(run: Run, args: argparse.Namespace) -> Report:
    """The run with its cycles, loops at the iterations that they had."""
    from s2s.simulators.aie.report import Report, average_trips
    from s2s.simulators.aie.timing.estimate import estimate

    machine = _machine(args)
    trips = average_trips(run.program, run.execution.counts)
    return Report(run.text, run.program, run.execution, estimate(run.program, machine, trips))


def _machine(args: argparse.Namespace) -> Numbers:
    """The machine with the numbers that are assumed otherwise. Raises UserError."""
    from s2s.simulators.aie.timing.machine import load as load_machine

    machine = load_machine(args.machine)
    for name, value in pairs(args.assume, "VALUE").items():
        if name not in machine.numbers:
            raise data_error(f"the machine has no number '{name}' ('--parameters' lists them)")
        machine = machine.replace(**{name.replace(".", "__"): _machine_value(value)})
    return machine


def _machine_value(text: str) -> Any:
    """A value as TOML has it. Raises UserError."""
    import tomllib

    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        raise data_error(f"'{text}' is no value of a machine's number") from None


def _text(name: str) -> tuple[str, str]:
    try:
        if name == "-":
            return "<stdin>", sys.stdin.read()
        with open(name, encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError as problem:
        raise data_error(f"{name}: {problem.strerror or problem}") from None
    if "\0" in text:
        raise data_error(f"{name}: not a text file")
    return name, text


def _numbers(words: list[str], what: str) -> dict[str, int]:
    try:
        return {name: int(value, 0) for name, value in pairs(words, what).items()}
    except ValueError as problem:
        raise data_error(str(problem)) from None


def _values(words: list[str]) -> dict[str, Any]:
    """Values of parameters: integers, or floats."""
    try:
        return {
            name: float(value) if re.search(r"[.einf]", value.lower()) and "0x" not in value.lower()
            else int(value, 0)
            for name, value in pairs(words, "NUMBER").items()
        }  # fmt: skip
    except ValueError as problem:
        raise data_error(str(problem)) from None


def _compared(run: Run, args: argparse.Namespace) -> tuple[list[str], tuple[str, ...]]:
    """Differences to what is expected, and what was compared."""
    arrays = run.execution.arrays
    wanted = {name: load(path, name) for name, path in pairs(args.expect, "FILE").items()}
    wrong = differences(arrays, wanted)
    said = [f"compared with '--expect': {', '.join(wanted)}"] if wanted else []
    if args.check:
        from s2s.simulators.aie.host import run_on_host

        if run.path == "<stdin>":
            raise data_error("'--check' needs a file that g++ can read")
        host = run_on_host(run.program, run.path, run.inputs, defines=run.defines, modes=run.modes)
        both = select_changed(run.program, arrays)
        shown = {name: host[name] for name in both if name in host}
        wrong += [f"g++: {text}" for text in differences(_cut(both, shown), shown)]
        counts = ", ".join(f"{name} ({values.size} elements)" for name, values in shown.items())
        said.append(f"compared with the kernel as g++ compiles it: {counts or 'no array is left'}")
    return wrong, tuple(said)


def _cut(found: dict[str, Any], like: dict[str, Any]) -> dict[str, Any]:
    """Arrays of unknown extents only as far as they were used."""
    for name, values in found.items():
        if name in like and like[name].size > values.size:
            like[name] = like[name].ravel()[: values.size]
    return found


def _written(run: Run, args: argparse.Namespace) -> None:
    for name, path in pairs(args.output, "FILE").items():
        if name not in run.execution.arrays:
            raise data_error(f"the kernel has no array '{name}'")
        save(path, {name: run.execution.arrays[name]})
    if args.outputs:
        save(args.outputs, select_changed(run.program, run.execution.arrays))


AIE1 = Machine("aie1", add_arguments, run)
