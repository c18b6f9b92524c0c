"""Accelerators of files: of a Halide-like pipeline, and of a C function."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from s2s.driver.options import Options, Outcome
from s2s.scop.expressions import Const
from s2s.source import SourceBuffer
from s2s.source.clockwork.heads import is_memory_file
from s2s.source.diagnostics import Diagnostic, Severity, UserError
from s2s.targets.forms import AcceleratorProgram, Surroundings

if TYPE_CHECKING:
    from s2s.scop.pipeline import Pipeline
    from s2s.targets.request import Request
    from s2s.targets.target import Accelerators


def transform(way: Accelerators, request: Request, options: Options) -> Outcome:
    """What a target makes of a file's accelerator. Raises UserError, and Mismatch if wrong."""
    said: tuple[Diagnostic, ...] = ()
    if is_memory_file(request.buffer.data):
        from s2s.driver.clockwork_files import program_of

        found = program_of(request, options)
        program, said = found.program, found.said
    else:
        program = accelerator_of(request)
    output = way.emit(program, request)
    output = replace(output, diagnostics=(*said, *output.diagnostics))
    checked = output.check(options.check)
    if options.explain:
        from s2s.driver.explain.accelerator import explained

        text = explained(request.buffer, program, output.explanation, checked.words)
        output = replace(output, explanation=text)
    return Outcome.of(request.buffer, output, checked)


def accelerator_of(request: Request) -> AcceleratorProgram:
    """The accelerator of a file. Raises UserError with places where there is none."""
    from s2s.driver import pipelines
    from s2s.scop.errors import Illegal
    from s2s.transforms.clockwork.extract import extract

    buffer, given = request.buffer, request.given
    pipeline = accelerated(request)
    if pipeline is None:
        text = "no Func of the pipeline is accelerated; legal: to call hw_accelerate on one"
        raise UserError(_no_use(buffer, text))
    try:
        sizes = _bounds(pipeline) | pipelines.sizes(pipeline, given.sizes)
        found = extract(pipeline, sizes)
    except Illegal as error:
        raise pipelines.refusal(buffer, error) from None
    return AcceleratorProgram(
        found.accelerator,
        f"pipeline {pipeline.name}",
        buffer.place(None),
        None,
        found.host,
        Surroundings(pipeline, found.around, found.streams, found.remarks),
    )


def accelerated(request: Request) -> Pipeline | None:
    """The pipeline with its schedule for an array. Raises UserError.

    A program may choose it by a feature of its target: where none is given, those of arrays are
    tried.
    """
    from s2s.driver.hardware import primitives
    from s2s.frontends.halide.evaluate import evaluate
    from s2s.transforms.clockwork.extract_boundary import STARTS

    buffer, given = request.buffer, request.given
    parameters = dict(given.parameters)
    targets = [parameters["target"]] if "target" in parameters else _TARGETS
    for target in targets:
        pipeline = evaluate(
            buffer.path,
            buffer.data,
            request.flags,
            generator=given.generator or None,
            parameters={**parameters, "target": target},
        )
        if any(primitive.name in STARTS for _, primitive in primitives(pipeline)):
            return pipeline
    return None


_TARGETS = ("host-clockwork", "host-coreir", "host-hls")


def _bounds(pipeline: Pipeline) -> dict[str, tuple[int | tuple[int, int], ...]]:
    """Minimum and extent of the outputs that ``bound`` gives in all their dimensions.

    An array computes tiles of fixed sizes; so the host's function may as well have fixed sizes.
    """
    found: dict[str, tuple[int | tuple[int, int], ...]] = {}
    for name in pipeline.outputs:
        func = pipeline.funcs[name]
        known = {}
        for bound in func.schedule.bounds:
            match bound.minimum, bound.extent:
                case Const(_, int() as low), Const(_, int() as extent):
                    known[bound.var] = low, extent
        if all(variable in known for variable in func.vars):
            found[name] = tuple(known[variable] for variable in func.vars)
    return found


def _no_use(buffer: SourceBuffer, reason: str) -> Diagnostic:
    text = f"'--target clockwork' has no use for this file: {reason}"
    return Diagnostic(Severity.ERROR, text, "clockwork", buffer.place(None))
