"""Functions of C for targets that take what they leave in memory, however they are written."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from s2s.driver.c_nests import Words, only
from s2s.driver.options import Options, Outcome
from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.targets.forms import TracedProgram

if TYPE_CHECKING:
    from s2s.net.source import OfFunction
    from s2s.targets.request import Output, Request
    from s2s.targets.target import Traces


def transform(way: Traces, request: Request, options: Options) -> Outcome:
    """What a target makes of the file's only function that it has a use for.

    Raises UserError for what is refused, Mismatch for a wrong result.
    """

    def taken(function: OfFunction) -> tuple[TracedProgram, Output]:
        program = _run(function, options)
        return program, way.emit(program, request)

    words = Words(options.target, "operator", "operators")
    program, output = only(request.buffer, request.flags, request.given, words, taken)
    checked = output.check(options.check)
    if options.explain:
        where = f"{program.at.path}:{program.at.line}: {program.described}"
        text = f"{where}\n\n{output.explanation}\nexecution: {checked.words}\n"
        output = replace(output, explanation=text)
    return Outcome.of(request.buffer, output, checked)


def _run(function: OfFunction, options: Options) -> TracedProgram:
    """What a function leaves. Raises UserError."""
    from s2s.frontends.c.traces import trace_function
    from s2s.scop.symbols import NotSymbolic

    name, unit = function.name, function.unit
    place = unit.buffer.place(function.node.span)
    try:
        trace = trace_function(name, function.node, function.numbers, unit)
    except NotSymbolic as error:
        text = (
            f"'--target {options.target}' has no use for this file: "
            f"no operator in '{name}': {error.reason}"
        )
        at = unit.buffer.place(error.at) if error.at else place
        raise UserError(Diagnostic(Severity.ERROR, text, options.target, at)) from None
    return TracedProgram(trace, f"function {name}", place, function)
