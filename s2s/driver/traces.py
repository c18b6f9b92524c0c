"""Functions of C for targets that take what they leave in memory, however they are written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from s2s.driver.c_nests import Words, only
from s2s.driver.options import Options, Outcome
from s2s.scop.symbols import NotSymbolic
from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.targets.forms import TracedProgram

if TYPE_CHECKING:
    from s2s.net.source import OfFunction
    from s2s.targets.request import Output, Request
    from s2s.targets.target import Traces

T = TypeVar("T")


def transform(way: Traces, request: Request, options: Options) -> Outcome:
    """What a target makes of the file's only function that it has a use for.

    Raises UserError for what is refused, Mismatch for a wrong result.
    """

    def taken(function: OfFunction) -> tuple[TracedProgram, Output]:
        program = _run(function, options.target)
        return program, way.emit(program, request)

    words = Words(options.target, "operator", "operators")
    program, output = only(request.buffer, request.flags, request.given, words, taken)
    checked = output.check(options.check)
    if options.explain:
        where = f"{program.at.path}:{program.at.line}: {program.described}"
        text = f"{where}\n\n{output.explanation}\nexecution: {checked.words}\n"
        output = replace(output, explanation=text)
    return Outcome.of(request.buffer, output, checked)


def only_traced(
    request: Request, target: str, take: Callable[[TracedProgram], T | None]
) -> T | None:
    """What is taken of a file's pipeline, or of its only function of which something is."""
    from s2s.driver.pipelines import is_pipeline

    buffer = request.buffer

    def taken(function: OfFunction) -> T:
        found = take(_run(function, target))
        if found is None:
            raise UserError
        return found

    try:
        if is_pipeline(buffer.path, request.flags, buffer.data):
            return take(_traced_pipeline(request))
        words = Words(target, "kernel", "maxima")
        return only(buffer, request.flags, request.given, words, taken)
    except (UserError, NotSymbolic):
        return None


def _traced_pipeline(request: Request) -> TracedProgram:
    """What a pipeline leaves. Raises UserError, NotSymbolic."""
    from s2s.analyses.operators.symbolic import trace_nest
    from s2s.driver.plain_nests import nest_of
    from s2s.net.source import OfNest
    from s2s.transforms.nest.prepare import prepare

    pipeline, nest = nest_of(request.buffer, request.flags, request.given)
    at, source = request.buffer.place(None), OfNest(nest, prepare)
    return TracedProgram(trace_nest(nest), f"pipeline {pipeline.name}", at, source)


def _run(function: OfFunction, target: str) -> TracedProgram:
    """What a function leaves. Raises UserError."""
    from s2s.frontends.c.traces import trace_function

    name, unit = function.name, function.unit
    place = unit.buffer.place(function.node.span)
    try:
        trace = trace_function(name, function.node, function.numbers, unit)
    except NotSymbolic as error:
        text = (
            f"'--target {target}' has no use for this file: no operator in '{name}': {error.reason}"
        )
        at = unit.buffer.place(error.at) if error.at else place
        raise UserError(Diagnostic(Severity.ERROR, text, target, at)) from None
    return TracedProgram(trace, f"function {name}", place, function)
