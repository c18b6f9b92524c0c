"""A pipeline in Halide-like C++ as one nest, without its schedule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from s2s.source import SourceBuffer
from s2s.source.diagnostics import UsageError

if TYPE_CHECKING:
    from s2s.scop.nest import Nest
    from s2s.scop.pipeline import Pipeline
    from s2s.targets.source_options import SourceOptions


def nest_of(
    buffer: SourceBuffer, flags: Sequence[str], given: SourceOptions
) -> tuple[Pipeline, Nest]:
    """A file's pipeline, and its nest without its schedule. Raises UserError."""
    from s2s.driver import pipelines as tensor_pipelines
    from s2s.frontends.halide.algorithm import drop_schedule
    from s2s.frontends.halide.evaluate import evaluate
    from s2s.scop.errors import Illegal
    from s2s.transforms.halide import lower

    pipeline = evaluate(
        buffer.path,
        buffer.data,
        flags,
        generator=given.generator or None,
        parameters=dict(given.parameters),
    )
    sizes = _by_variable(pipeline, given.sizes)
    try:
        return pipeline, lower(drop_schedule(pipeline), tensor_pipelines.sizes(pipeline, sizes))
    except Illegal as error:
        raise tensor_pipelines.refusal(buffer, error) from None


def _by_variable(
    pipeline: Pipeline, given: Sequence[tuple[str, tuple[int, ...]]]
) -> list[tuple[str, tuple[int, ...]]]:
    """Sizes of which those of single variables are gathered to the size of the output."""
    if len(pipeline.outputs) != 1:
        return list(given)
    output = pipeline.funcs[pipeline.outputs[0]]
    single = {name: sizes[0] for name, sizes in given if len(sizes) == 1 and name in output.vars}
    rest = [(name, sizes) for name, sizes in given if name not in single]
    if not single:
        return rest
    missing = [name for name in output.vars if name not in single]
    if missing:
        text = f"--size: how large is '{missing[0]}'?"
        raise UsageError(text)
    return [*rest, (output.name, tuple(single[name] for name in output.vars))]
