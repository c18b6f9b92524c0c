"""``s2s simulate --machine ascend910-...`` and ``s2s check``: CCE C, executed, timed, checked."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from s2s.simulators.machine import Machine, Ran, wants_picture
from s2s.source.diagnostics import Diagnostic, Severity, UsageError, UserError
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.simulators.davinci.core.execute import Execution
    from s2s.simulators.davinci.core.findings import Findings
    from s2s.simulators.davinci.facts import Facts
    from s2s.simulators.davinci.machine import Chip


def add_arguments(group: argparse._ArgumentGroup) -> None:
    """Declare the options of ``s2s simulate`` for these machines."""
    add = group.add_argument
    add("--function", metavar="NAME", help="the kernel, where the file has several")
    add(
        "--blocks",
        type=_count,
        metavar="COUNT",
        help="cores that run it (default: as the file says)",
    )
    add("--seed", type=int, default=0, help="of arrays that are made up (default: 0)")
    add(
        "--input", action="append", default=[], metavar="NAME=FILE",
        help="an array from a .npy file; the others are made up",
    )  # fmt: skip
    add("--value", action="append", default=[], metavar="NAME=NUMBER", help="a parameter")
    add("--size", action="append", default=[], metavar="NAME=COUNT", help="elements of an array")
    add(
        "--output", action="append", default=[], metavar="NAME=FILE",
        help="write an array to a .npy file",
    )  # fmt: skip
    add("--parameters", action="store_true", help="list the machine's numbers and their sources")
    add(
        "--set", dest="numbers", action="append", type=_number, default=[],
        metavar="NAME=NUMBER", help="another number of the machine: vector_start=2",
    )  # fmt: skip


@dataclass(frozen=True)
class Loaded:
    """A file, and what ran of it."""

    path: str
    text: str
    facts: Facts
    chip: Chip
    execution: Execution


def run(machine: str, args: argparse.Namespace) -> Ran:
    """Run a kernel. The status is 0, or 1 for what cannot be read or is wrong with it."""
    from s2s.simulators.davinci import picture, report

    if args.arguments:
        raise UsageError(f"a kernel has no arguments of its own: '{args.arguments[0]}'")
    path, text = read_text(args.file)
    sources = {path: text.encode()}
    try:
        keep = picture.LIMIT if wants_picture(args) else 0
        loaded = _execute(machine, path, text, args, trace=keep)
    except UserError as error:
        return Ran(said=error.diagnostics, sources=sources, status=1)
    execution = loaded.execution
    said = tuple(diagnose(path, execution.findings))
    if execution.findings.errors:
        return Ran(said=said, sources=sources, status=1)
    try:
        _write(loaded, args.output)
    except UserError as error:
        return Ran(said=error.diagnostics, sources=sources, status=1)
    lines = text.splitlines()
    found = report.record(execution, loaded.chip)
    shown = report.as_text(found, lines)
    shown += report.parameters(loaded.chip) if args.parameters else ""
    record = (json.dumps(found, indent=1) + "\n").encode() if args.json else b""
    drawn = picture.draw(execution, found, text) if wants_picture(args) else None
    return Ran(shown, said=said, sources=sources, record=record, picture=drawn)


def check(machine: str, args: argparse.Namespace) -> Ran:
    """Run a kernel and say what is wrong with it; the status is 1 where anything is."""
    from s2s.simulators.davinci.problems import line_of

    path, text = read_text(args.file)
    sources = {path: text.encode()}
    try:
        loaded = _execute(machine, path, text, args, deep=True)
    except UserError as error:
        return Ran(said=error.diagnostics, sources=sources, status=1)
    said = diagnose(path, loaded.execution.findings)
    buffers = loaded.execution.cores[0].buffers
    if any(one.id == "overflow" for one in said):
        said += [
            Diagnostic(
                Severity.NOTE, f"{b.name}: {b.describe()}", "buffers", line_of(path, b.declared)
            )
            for b in buffers.known.values()
        ]  # fmt: skip
    shown = "" if said else f"{path}: nothing found\n"
    return Ran(shown + buffers.table() if args.buffers else shown, said=tuple(said),
               sources=sources, status=1 if said else 0)  # fmt: skip


def read_text(path: str) -> tuple[str, str]:
    """A file's name and text. Raises UserError."""
    from s2s.simulators.davinci.problems import problem

    try:
        with open(path, encoding="utf-8") as file:
            return path, file.read()
    except (OSError, UnicodeDecodeError) as error:
        said = error.strerror if isinstance(error, OSError) else "is no text"
        raise problem(f"{path}: {said}") from None


def _execute(
    machine: str, path: str, text: str, args: argparse.Namespace, trace: int = 0, deep: bool = False
) -> Loaded:
    from s2s.simulators.davinci.core.data import pairs
    from s2s.simulators.davinci.machine import load

    chip = load(machine).with_values(dict(args.numbers))
    return execute_text(
        path, text, chip, function=args.function, blocks=args.blocks, seed=args.seed,
        files=pairs(args.input, "FILE"), numbers=_numbers(args.value),
        sizes={name: int(value) for name, value in _numbers(args.size).items()},
        trace=trace, deep=deep,
    )  # fmt: skip


def execute_text(
    path: str,
    text: str,
    chip: Chip,
    *,
    function: str | None = None,
    blocks: int | None = None,
    seed: int = 0,
    files: dict[str, str] | None = None,
    numbers: dict[str, float] | None = None,
    sizes: dict[str, int] | None = None,
    trace: int = 0,
    deep: bool = False,
) -> Loaded:
    """Run a program's text with arrays from files or made up. Raises UserError."""
    from s2s.simulators.davinci.core.data import make_arrays
    from s2s.simulators.davinci.core.execute import Given, execute
    from s2s.simulators.davinci.facts import read_facts
    from s2s.simulators.davinci.source import read
    from s2s.simulators.davinci.translate import translate

    facts = read_facts(text, path)
    kernel = translate(read(text, path), function)
    arrays = make_arrays(kernel.parameters, facts, files or {}, sizes or {}, seed)
    given = Given(arrays, numbers or {}, blocks or facts.blocks, seed, deep, trace)
    return Loaded(path, text, facts, chip, execute(kernel, chip, given))


def diagnose(path: str, findings: Findings) -> list[Diagnostic]:
    """What is wrong, as diagnostics at their lines."""
    from s2s.simulators.davinci.problems import line_of

    return [
        Diagnostic(
            Severity.ERROR if one.is_error else Severity.WARNING, one.text, one.kind,
            line_of(path, one.line),
        )
        for one in findings.found.values()
    ]  # fmt: skip


def _write(loaded: Loaded, words: Sequence[str]) -> None:
    from s2s.simulators.davinci.core.data import pairs, save
    from s2s.simulators.davinci.problems import problem

    arrays = {array.name: array for array in loaded.execution.arrays}
    for name, file in pairs(words, "FILE").items():
        if name not in arrays:
            raise problem(f"there is no array '{name}', only {', '.join(arrays)}")
        save(file, arrays[name].values(), loaded.facts.shapes.get(name))


def _numbers(words: Sequence[str]) -> dict[str, float]:
    from s2s.simulators.davinci.core.data import pairs
    from s2s.simulators.davinci.problems import problem

    found: dict[str, float] = {}
    for name, value in pairs(words, "NUMBER").items():
        try:
            found[name] = float(value) if "." in value or "e" in value else int(value, 0)
        except ValueError:
            raise problem(f"'{name}={value}' is no number") from None
    return found


_MOST_BLOCKS = 65535


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text) <= _MOST_BLOCKS):
        raise argparse.ArgumentTypeError(f"'{text}' is no number of cores")
    return int(text)


def _number(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    try:
        return name, float(value)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=NUMBER") from None


def _machine(name: str) -> Machine:
    return Machine(name, add_arguments, partial(run, name), partial(check, name))


DOCUMENTED = _machine("ascend910-documented")
PAPER = _machine("ascend910-paper")
