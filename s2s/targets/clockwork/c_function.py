"""The door for C: a function's loop nest as a design."""

from __future__ import annotations

from typing import TYPE_CHECKING

from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.targets.clockwork.options import ClockworkOptions
from s2s.targets.forms import AcceleratorProgram
from s2s.targets.request import Checked

if TYPE_CHECKING:
    from s2s.targets.forms import NestProgram
    from s2s.targets.request import Request
    from s2s.transforms.clockwork.extract_nest import ExtractedNest


def accelerator_of(
    found: NestProgram, request: Request
) -> tuple[AcceleratorProgram, ExtractedNest]:
    """The accelerator of a C function. Raises UserError for what the array does not have."""
    from s2s.scop.errors import Illegal
    from s2s.transforms.clockwork.extract_nest import extract_nest

    options = request.options or ClockworkOptions()
    try:
        extracted = extract_nest(found.nest, options.unroll)
    except Illegal as error:
        place = request.buffer.place(error.at) if error.at else found.at
        text = f"'{found.nest.name}' is nothing for the array: {error}"
        raise UserError(Diagnostic(Severity.ERROR, text, "clockwork", place)) from None
    program = AcceleratorProgram(
        extracted.accelerator,
        found.described,
        found.at,
        found.source,
        extracted.host,
        updated=extracted.updated,
    )
    return program, extracted


def check_function(found: NestProgram, extracted: ExtractedNest, files: dict[str, str]) -> Checked:
    """Run the files beside the function. Raises Mismatch."""
    from s2s.net.clockwork.functions import check_design

    why = check_design(found.source, found.nest, extracted.streams, files)
    if not why:
        return Checked("the emitted design gave what the function gives")
    text = f"the design of '{found.nest.name}' is not compared with its source: {why}"
    return Checked(why, (Diagnostic(Severity.MISSED, text, "check", found.at),))
