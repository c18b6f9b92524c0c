"""Clockwork programs of others: which files belong together, and what they say."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from s2s.driver.options import Options
from s2s.source.clockwork.heads import is_memory_file
from s2s.source.clockwork.memory_file import read_program
from s2s.source.clockwork.problems import problem
from s2s.source.clockwork.programs import Program
from s2s.source.diagnostics import Diagnostic, Severity, UsageError
from s2s.source.reading import read_source
from s2s.source.records import dataclass
from s2s.targets.forms import AcceleratorProgram, ProgramFiles

if TYPE_CHECKING:
    from s2s.scop.accelerator import Accelerator
    from s2s.targets.request import Request

HEADERS = (".h", ".hh", ".hpp", ".H", ".hxx")


def without_compute_files(files: Sequence[str]) -> list[str]:
    """The files without the compute files of memory files among them.

    Raises UsageError for a header that could be that of several.
    """
    headers = [name for name in files if os.path.splitext(name)[1] in HEADERS]
    programs = [
        name
        for name in files
        if name != "-" and os.path.isfile(name) and is_memory_file(read_source(name))
    ]
    if not headers or not programs:
        return list(files)
    if len(programs) > 1 or len(headers) > 1:
        raise UsageError("one memory file and its compute file at a time")
    return [name for name in files if name not in headers]


@dataclass(frozen=True)
class Given:
    """A program with what is to be said about it."""

    program: AcceleratorProgram
    said: tuple[Diagnostic, ...] = ()


def program_of(request: Request, options: Options) -> Given:
    """The accelerator of a memory file and its compute file. Raises UserError."""
    from s2s.frontends.clockwork.accelerator import accelerator_of
    from s2s.source.clockwork.signatures import read_compute_file

    path = request.buffer.path
    headers = [name for name, _ in options.others if os.path.splitext(name)[1] in HEADERS]
    name = request.given.generator or ""
    program = read_program(path, name, headers[0] if headers else "", option="--generator")
    compute = headers[0] if headers else _beside(path, program)
    found = accelerator_of(program, read_compute_file(compute))
    made = AcceleratorProgram(
        found,
        f"program {program.name}",
        program.at,
        None,
        files=ProgramFiles(path, compute, program.name),
    )
    return Given(made, _undefined(program, compute, found, options))


def _undefined(
    program: Program, compute: str, accelerator: Accelerator, options: Options
) -> tuple[Diagnostic, ...]:
    """A warning for a load of what nothing wrote before. Raises UserError where an output depends
    on it, which a run of the program tells.
    """
    from s2s.analyses.undefined_loads import undefined_loads
    from s2s.net.clockwork.programs import run_program

    found = undefined_loads(accelerator)
    if not found:
        return ()
    run_program(program, compute)
    first = found[0]
    operation = next(o for o, _ in program.operations if o.name == first.operation)
    at = next(load.at for load in operation.loads if load.buffer == first.buffer)
    element = ", ".join(map(str, reversed(first.element)))
    text = f"{first.operation} loads {first.buffer}[{element}], which nothing wrote before; no"
    return (Diagnostic(Severity.WARNING, f"{text} output depends on it", "clockwork", at),)


def _beside(path: str, program: Program) -> str:
    """The compute file that stands beside the memory file, under its name or the one it says."""
    folder = os.path.dirname(path)
    own = path.replace("_memory.cpp", "_compute.h")
    said = os.path.join(folder, os.path.basename(program.compute)) if program.compute else path
    for name in (own, said):
        if name != path and os.path.isfile(name):
            return name
    raise problem(f"{path}: say which compute file belongs to it")
