"""A Halide-like C++ file through the house: metaprogram, loop nest, proof, C."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from s2s.source import SourceBuffer, Span
from s2s.source.diagnostics import Diagnostic, Location, Severity, UserError

if TYPE_CHECKING:
    from s2s.driver.options import Options, Outcome
    from s2s.driver.pipeline_proof import Proof
    from s2s.emitters.c.nests import Emitted
    from s2s.net.pipelines.check import Checked, Remake
    from s2s.scop.errors import Illegal
    from s2s.scop.nest import Nest
    from s2s.scop.pipeline import Pipeline
    from s2s.transforms.halide.initial import Initial

_IS_HALIDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*[<"][^">\n]*\bHalide\.h[">]', re.MULTILINE)


@dataclass(frozen=True)
class PipelineOptions:
    """What the command line says about a pipeline.

    ``sizes`` are extents by name of outputs and inputs, innermost dimension first; ``parameters``
    the values of generator parameters; ``generator`` the registered name of one of several;
    ``header`` the name by which the C includes its header, empty if there is no file for it.
    """

    sizes: tuple[tuple[str, tuple[int, ...]], ...] = ()
    parameters: tuple[tuple[str, str], ...] = ()
    generator: str = ""
    header: str = ""


@dataclass(frozen=True)
class Lowered:
    """A pipeline on its way: what was evaluated, its nests, and the proof."""

    pipeline: Pipeline
    initial: Initial
    nest: Nest
    proof: Proof


def is_pipeline(path: str, flags: Sequence[str], data: bytes) -> bool:
    """Whether a file is C++ that includes Halide.h."""
    from s2s.frontends.c.parse import language_is_cxx

    return language_is_cxx(path, flags) and _IS_HALIDE.search(data) is not None


def transform(buffer: SourceBuffer, flags: Sequence[str], options: Options) -> Outcome:
    """The C of a pipeline with its header; raises UserError for what is refused."""
    from s2s.driver.options import Outcome
    from s2s.scop.errors import Inexpressible

    asked = options.pipeline
    found = lowered(buffer, flags, asked)
    try:
        emitted = print_nest(found.nest, asked.header or None)
    except Inexpressible as error:
        from s2s.emitters.c.nests.whereabouts import inexpressible
        from s2s.transforms.nest.narrow_floats import widen_floats

        at = error.at or inexpressible(widen_floats(found.nest))
        raise UserError(_error(buffer, f"no C for this pipeline: {error}", at)) from None
    executed = _executed(found, emitted, options)
    explanation = ""
    if options.explain:
        from s2s.driver.explain.pipeline import explained

        explanation = explained(buffer, found, executed)
    companions = ((asked.header, emitted.header.encode()),) if asked.header else ()
    return Outcome(
        buffer.path,
        buffer.data,
        emitted.source.encode(),
        tuple(_said(buffer, found, executed)),
        explanation,
        companions,
        suffix=".c",
    )


def print_nest(nest: Nest, header: str | None) -> Emitted:
    """The C of a lowered nest, after the passes on nests. Raises Inexpressible."""
    from s2s.emitters.c.nests import emit
    from s2s.transforms.nest.prepare import prepare

    return emit(prepare(nest), header)


def _executed(found: Lowered, emitted: Emitted, options: Options) -> Checked | None:
    """Whether the text does what the definitions say; raises Mismatch, None if it is not asked."""
    if not options.check:
        return None
    from s2s.net.pipelines.check import check

    return check(found.pipeline, found.nest, emitted, options.pipeline.header, _remade(found))


def _remade(found: Lowered) -> Remake:
    """The same pipeline for other sizes, through the same steps."""

    def remade(sizes: Mapping[str, tuple[int, ...]]) -> tuple[Nest, Emitted]:
        from s2s.transforms.halide import lower

        nest = lower(found.pipeline, sizes)
        return nest, print_nest(nest, None)

    return remade


def lowered(buffer: SourceBuffer, flags: Sequence[str], options: PipelineOptions) -> Lowered:
    """Evaluate, lower and prove; raises UserError."""
    from s2s.driver.pipeline_proof import prove
    from s2s.frontends.halide.evaluate import evaluate
    from s2s.scop.errors import Illegal
    from s2s.transforms.halide import finished
    from s2s.transforms.halide.initial import initial_nest
    from s2s.transforms.halide.signature import given_bounds

    pipeline = evaluate(
        buffer.path,
        buffer.data,
        flags,
        generator=options.generator or None,
        parameters=dict(options.parameters),
    )
    try:
        known = sizes(pipeline, options.sizes)
        initial = initial_nest(pipeline)
        nest = finished(pipeline, initial, known)
    except Illegal as error:
        raise refusal(buffer, error) from None
    proof = prove(nest, initial.funcs, given_bounds(pipeline, known))
    if proof.wrong:
        text, store = proof.wrong[0]
        raise UserError(_error(buffer, f"this schedule is not legal: {text}", store.at))
    return Lowered(pipeline, initial, nest, proof)


def sizes(
    pipeline: Pipeline, given: Sequence[tuple[str, tuple[int, ...]]]
) -> dict[str, tuple[int, ...]]:
    """Sizes by name; a pipeline with one output has it under the name ``output``, too."""
    known = {*pipeline.outputs, *pipeline.images}
    found = {}
    for name, extents in given:
        place = name
        if name not in known and name == "output" and len(pipeline.outputs) == 1:
            place = pipeline.outputs[0]
        if place not in known:
            names = ", ".join(sorted(known))
            text = f"--size: there is no '{name}' (there are {names})"
            raise UserError(Diagnostic(Severity.ERROR, text, "size"))
        found[place] = extents
    return found


def refusal(buffer: SourceBuffer, error: Illegal) -> UserError:
    """An error of the frontend with lines and columns."""
    notes = tuple(
        Diagnostic(Severity.NOTE, text, "halide", None if at is None else _location(buffer, at))
        for text, at in error.notes
    )
    location = _location(buffer, error.at)
    return UserError(Diagnostic(Severity.ERROR, error.text, "halide", location, notes))


def _error(buffer: SourceBuffer, text: str, at: Span | None) -> Diagnostic:
    return Diagnostic(Severity.ERROR, text, "halide", _location(buffer, at))


def _location(buffer: SourceBuffer, at: Span | None) -> Location:
    if at is None or not buffer.is_own(at.start):
        return Location(buffer.path, 1, 1, 1, 1)
    line, column = buffer.line_column(at.start)
    end_line, end_column = buffer.line_column(at.end)
    return Location(buffer.path, line, column, end_line, end_column)


def _said(buffer: SourceBuffer, found: Lowered, executed: Checked | None) -> list[Diagnostic]:
    """What was made of the file, what is odd about it, and what is neither proved nor tried."""
    from s2s.transforms.halide.remarks import warnings

    funcs = len([f for f in found.initial.funcs.values() if f.definition is not None])
    place = Location(buffer.path, 1, 1, 1, 1)
    text = f"pipeline {found.pipeline.name}: {funcs} Funcs become a C function"
    said = [Diagnostic(Severity.REMARK, text, "halide", place)]
    for text, at in warnings(found.initial.funcs):
        said.append(Diagnostic(Severity.WARNING, text, "halide", _location(buffer, at)))
    if found.proof.unknown:
        text = f"the schedule follows Halide's rules; not proved: {found.proof.unknown}"
        said.append(Diagnostic(Severity.MISSED, text, "proof", place))
        if executed is not None and executed.unknown:
            text = f"the C was not executed against its definitions: {executed.unknown}"
            said.append(Diagnostic(Severity.MISSED, text, "net", place))
    return said


def header_name(destination: str | None) -> str:
    """The header beside a C file; empty where the text does not go to a file."""
    if destination is None:
        return ""
    stem, _ = os.path.splitext(os.path.basename(destination))
    return f"{stem}.h"
