"""A Halide-like C++ file through the house: metaprogram, loop nest, proof, C."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from s2s.driver import hardware
from s2s.driver.options import Options, Outcome
from s2s.source import SourceBuffer, Span
from s2s.source.diagnostics import Diagnostic, Severity, UsageError, UserError
from s2s.source.records import dataclass
from s2s.targets.forms import NestProgram

if TYPE_CHECKING:
    from s2s.driver.pipeline_proof import Proof
    from s2s.net.source import Caller
    from s2s.scop.errors import Illegal
    from s2s.scop.nest import Nest
    from s2s.scop.pipeline import Pipeline
    from s2s.targets.request import Request
    from s2s.targets.source_options import SourceOptions
    from s2s.targets.target import Nests
    from s2s.transforms.halide.initial import Initial
    from s2s.transforms.halide.signature import Sizes


@dataclass(frozen=True)
class Lowered:
    """A pipeline on its way: what was evaluated, its nests, and the proof."""

    pipeline: Pipeline
    initial: Initial
    nest: Nest
    proof: Proof
    sizes: Sizes

    def program(self, buffer: SourceBuffer) -> NestProgram:
        """What a target is given of it."""
        funcs = len([f for f in self.initial.funcs.values() if f.definition is not None])
        return NestProgram(
            self.nest,
            f"pipeline {self.pipeline.name}: {funcs} Funcs",
            buffer.place(None),
            _Unscheduled(self.pipeline, self.sizes),
            self.pipeline,
            self.proof.unknown,
        )


def is_pipeline(path: str, flags: Sequence[str], data: bytes) -> bool:
    """Whether a file is C++ that includes Halide.h, itself or by its own headers."""
    from s2s.driver.halide_programs import includes_halide
    from s2s.frontends.c.parse import language_is_cxx

    return language_is_cxx(path, flags) and includes_halide(path, flags, data)


def transform(way: Nests, request: Request, options: Options) -> Outcome:
    """What a target makes of a pipeline. Raises UserError for what is refused."""
    buffer = request.buffer
    strided = getattr(request.options, "strided", False)
    found = lower_pipeline(buffer, request.flags, request.given, strided=strided)
    output = way.emit(found.program(buffer), request)
    checked = output.check(options.check)
    said = *_said(buffer, found), *hardware.remarks(buffer, found.pipeline)
    output = replace(output, diagnostics=(*output.diagnostics, *said))
    if options.explain:
        from s2s.driver.explain.pipeline import explained

        text = explained(buffer, found, checked.words) + output.explanation
        output = replace(output, explanation=text)
    return Outcome.of(buffer, output, checked)


@dataclass(frozen=True)
class _Unscheduled:
    """The program of a pipeline's definitions, whatever its schedule says."""

    pipeline: Pipeline
    sizes: Sizes

    def caller(self, arrays: Sequence[str]) -> Caller:
        """The C of the definitions, and a call. Raises NotCallable."""
        from s2s.frontends.halide.algorithm import drop_schedule
        from s2s.net.source import OfNest
        from s2s.transforms.halide import lower
        from s2s.transforms.nest.prepare import prepare

        nest = lower(drop_schedule(self.pipeline), self.sizes)
        return OfNest(nest, prepare).caller(arrays)


def lower_pipeline(
    buffer: SourceBuffer, flags: Sequence[str], given: SourceOptions, *, strided: bool = False
) -> Lowered:
    """Evaluate, lower and prove; raises UserError."""
    pipeline = evaluate_file(buffer, flags, given)
    known = sizes(pipeline, given.sizes)
    return lower_evaluated(buffer, pipeline, known, strided=strided)


def evaluate_file(buffer: SourceBuffer, flags: Sequence[str], given: SourceOptions) -> Pipeline:
    """The pipeline that a file builds; raises UserError."""
    from s2s.frontends.halide.evaluate import evaluate

    return evaluate(
        buffer.path,
        buffer.data,
        flags,
        generator=given.generator or None,
        parameters=dict(given.parameters),
    )


def lower_evaluated(
    buffer: SourceBuffer, pipeline: Pipeline, known: Sizes, *, strided: bool = False
) -> Lowered:
    """Lower and prove a pipeline for the sizes that are known; raises UserError."""
    from s2s.driver.pipeline_proof import prove
    from s2s.scop.errors import Illegal
    from s2s.transforms.halide import finish_lowering
    from s2s.transforms.halide.initial import initial_nest
    from s2s.transforms.halide.signature import given_bounds

    try:
        initial = initial_nest(pipeline)
        nest = finish_lowering(pipeline, initial, known, strided=strided)
    except Illegal as error:
        raise refusal(buffer, error) from None
    proof = prove(nest, initial.funcs, given_bounds(pipeline, known, strided=strided))
    if proof.wrong:
        text, store = proof.wrong[0]
        raise UserError(_error(buffer, f"this schedule is not legal: {text}", store.at))
    return Lowered(pipeline, initial, nest, proof, known)


def sizes(
    pipeline: Pipeline, given: Sequence[tuple[str, tuple[int, ...]]]
) -> dict[str, tuple[int, ...]]:
    """Sizes by name; a pipeline with one output has it under the name ``output``, too.

    Raises UsageError for names of nothing.
    """
    known = {*pipeline.outputs, *pipeline.images}
    found = {}
    for name, extents in given:
        place = name
        if name not in known and name == "output" and len(pipeline.outputs) == 1:
            place = pipeline.outputs[0]
        if place not in known:
            names = ", ".join(sorted(known))
            text = f"--size: there is no '{name}' (there are {names})"
            raise UsageError(text)
        found[place] = extents
    return found


def refusal(buffer: SourceBuffer, error: Illegal) -> UserError:
    """An error of the frontend with lines and columns."""
    notes = tuple(
        Diagnostic(Severity.NOTE, text, "halide", None if at is None else buffer.place(at))
        for text, at in error.notes
    )
    location = buffer.place(error.at)
    return UserError(Diagnostic(Severity.ERROR, error.text, "halide", location, notes))


def _error(buffer: SourceBuffer, text: str, at: Span | None) -> Diagnostic:
    return Diagnostic(Severity.ERROR, text, "halide", buffer.place(at))


def _said(buffer: SourceBuffer, found: Lowered) -> list[Diagnostic]:
    """What is odd about a file, and what is not proved."""
    from s2s.transforms.halide.remarks import warnings

    said = []
    for text, at in warnings(found.initial.funcs):
        said.append(Diagnostic(Severity.WARNING, text, "halide", buffer.place(at)))
    if found.proof.unknown:
        text = f"the schedule follows Halide's rules; not proved: {found.proof.unknown}"
        said.append(Diagnostic(Severity.MISSED, text, "proof", buffer.place(None)))
    return said
