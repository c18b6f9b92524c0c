"""``--target clockwork``: an accelerator as Clockwork's files, and mapped to the array."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.targets.clockwork.options import ClockworkOptions
from s2s.targets.request import Checked, Output
from s2s.targets.target import Accelerators, Nests, Target

if TYPE_CHECKING:
    from s2s.scop.accelerator import Accelerator, Operation
    from s2s.scop.netlist import Netlist
    from s2s.targets.clockwork.design import Compiled
    from s2s.targets.forms import AcceleratorProgram, NestProgram
    from s2s.targets.request import Request


Check = Callable[["Compiled", dict[str, str]], Checked]
"""Runs the files of a design beside what they came from. Raises Mismatch."""


def print_design(program: AcceleratorProgram, request: Request) -> Output:
    """All files of a design; the memory file is the text. Raises UserError."""
    return _print(program, request, partial(_check, program))


def print_function(found: NestProgram, request: Request) -> Output:
    """The same of a C function."""
    from s2s.targets.clockwork.c_function import accelerator_of, check_function

    program, extracted = accelerator_of(found, request)
    return _print(program, request, lambda _, files: check_function(found, extracted, files))


def _print(program: AcceleratorProgram, request: Request, check: Check) -> Output:
    from s2s.scop.errors import Inexpressible
    from s2s.targets.clockwork.design import compile_design, print_files
    from s2s.targets.clockwork.explain import explained
    from s2s.targets.clockwork.fitting import check_fits
    from s2s.transforms.clockwork.errors import MappingError

    try:
        compiled = compile_design(program, request.options or ClockworkOptions())
        check_fits(compiled.accelerator, compiled.netlist)
        files = print_files(compiled, program.host, program.updated)
    except (MappingError, Inexpressible) as error:
        raise UserError(_unmapped(program, request, str(error))) from None
    (name, text), *others = files.items()
    return Output(
        text.encode(),
        lambda execute: check(compiled, files) if execute else Checked(),
        (_said(program, compiled.netlist), *_placed(program, compiled)),
        tuple((other, data.encode()) for other, data in others),
        explanation=explained(compiled) if request.explain else "",
        name=name,
    )


def _check(program: AcceleratorProgram, compiled: Compiled, files: dict[str, str]) -> Checked:
    """Run the files against the program that they came from. Raises Mismatch."""
    from s2s.net.clockwork.check import ALONE, LONG, check

    if program.files is not None:
        from s2s.net.clockwork.programs import check_program

        given = program.files
        return Checked(check_program(compiled.accelerator.name, files, given.memory, given.compute))
    found = program.surroundings
    if found is None:
        return Checked("none, the program has no definitions")
    name = compiled.accelerator.name
    words = check(name, files, found.pipeline, found.around, found.streams)
    alone = Diagnostic(Severity.MISSED, words, "check", program.at)
    return Checked(words, (alone,) if words.startswith((ALONE, LONG)) else ())


def _said(program: AcceleratorProgram, netlist: Netlist) -> Diagnostic:
    text = (
        f"{program.described} becomes a design of {netlist.cycles} cycles, {netlist.pes} PEs,"
        f" {netlist.registers} registers"
    )
    return Diagnostic(Severity.REMARK, text, "clockwork", program.at)


def _placed(program: AcceleratorProgram, compiled: Compiled) -> Iterator[Diagnostic]:
    """How fast a placed design can be clocked."""
    found = compiled.configuration
    if found is not None:
        text = (
            f"{program.described} is placed and routed: {found.fabric.count('pe')} PE tiles,"
            f" {found.fabric.count('memory')} memory tiles, {found.fabric.count('io')} streams;"
            f" its longest path of {found.path} ps (assumed delays) ends at {found.through[-1]}"
        )
        yield Diagnostic(Severity.REMARK, text, "clockwork", program.at)


def _unmapped(program: AcceleratorProgram, request: Request, text: str) -> Diagnostic:
    """An error about an operation or a buffer, at the definition in the source that it is about."""
    from s2s.targets.clockwork.fitting import with_users

    users = with_users(program.accelerator, text)
    said = f"'{program.accelerator.name}' cannot be mapped: {users}"
    places = (operation.store.at for operation in _mentioned(program.accelerator, users))
    at = next((at for at in places if at is not None), None)
    location = program.at if at is None else request.buffer.place(at)
    return Diagnostic(Severity.ERROR, said, "clockwork", location)


def _mentioned(accelerator: Accelerator, text: str) -> list[Operation]:
    """Operations that a text names."""
    words = set(re.findall(r"\w+", text))
    return [o for o in accelerator.operations if o.name in words]


CLOCKWORK = Target(
    name="clockwork",
    help="Clockwork's files and a mapped design, for an array of processing elements (Amber)",
    c=Nests(print_function),
    halide=Accelerators(print_design),
    options=ClockworkOptions,
    machines=("amber",),
    names_files=True,
)
