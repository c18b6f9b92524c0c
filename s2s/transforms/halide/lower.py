"""Lowering: a pipeline becomes a loop nest all of whose bounds are known."""

from __future__ import annotations

from s2s.scop.expressions import Expr
from s2s.scop.nest import Check, Nest, Node
from s2s.scop.pipeline import LevelKind, Pipeline
from s2s.scop.rewrite import block
from s2s.scop.simplify.interval import ValueBounds
from s2s.scop.simplify.simplify import Simplifier
from s2s.transforms.halide.allocation_bounds import bound_allocations
from s2s.transforms.halide.bounds_inference import BoundsInference
from s2s.transforms.halide.constant_extents import with_constant_extents
from s2s.transforms.halide.initial import Initial, initial_nest
from s2s.transforms.halide.inline import can_be_inlined
from s2s.transforms.halide.signature import Signature, Sizes, given_bounds, output_box
from s2s.transforms.halide.simplify_nest import simplified_nest
from s2s.transforms.halide.sliding_window import SlidingWindow
from s2s.transforms.halide.stages import stages_of, value_bounds
from s2s.transforms.halide.storage_folding import StorageFolding


def lower(pipeline: Pipeline, sizes: Sizes | None = None, *, strided: bool = False) -> Nest:
    """The nest of a pipeline.

    ``sizes`` gives extents (or minimum and extent) of outputs, and of input images that are larger
    than what is needed; extents of outputs that it leaves out are scalar arguments, as are bounds
    of images that the program asks for. ``strided``: the caller describes each array by minima,
    extents and strides, and the nest says what it needs of the inputs. Raises Illegal for a
    schedule or size that cannot be.
    """
    return finish_lowering(pipeline, initial_nest(pipeline), sizes, strided=strided)


def finish_lowering(
    pipeline: Pipeline, initial: Initial, sizes: Sizes | None = None, *, strided: bool = False
) -> Nest:
    """The nest that ``lower`` gives, from the initial one of the same pipeline."""
    known = given_bounds(pipeline, sizes or {}, strided=strided)
    by = Simplifier()
    values = value_bounds([f for g in initial.groups for f in (initial.funcs[n] for n in g)], by)
    body = bound_regions(pipeline, initial, known, values, by)
    slide = SlidingWindow(initial.funcs, by)
    body = slide(body)
    by = Simplifier()
    body = simplified_nest(body, by, known)
    body = bound_allocations(body, initial.funcs, by, values)
    body = StorageFolding(initial.funcs, slide.slid, values)(body, by)
    checks: list[Node] = [Check(c, message) for c, message in pipeline.requirements]
    signature = Signature(pipeline, block([*checks, body]), known, by, values, strided)
    body = block([*checks, *signature.checks, body])
    final = Simplifier(final=True)
    body = simplified_nest(body, final, known)
    body = with_constant_extents(body, final, initial.funcs)
    tables = tuple(signature.tables)
    return Nest(pipeline.name, signature.arguments, body, tables, needs=signature.needs)


def bound_regions(
    pipeline: Pipeline,
    initial: Initial,
    known: dict[str, Expr],
    values: ValueBounds,
    by: Simplifier,
) -> Node:
    """The initial nest with the regions of all stages defined around their loops."""
    funcs = [initial.funcs[name] for group in initial.groups for name in group]
    inlined = {
        func.name
        for func in funcs
        if func.name not in pipeline.outputs
        and func.schedule.compute_level.kind is LevelKind.INLINE
        and can_be_inlined(func)
    }
    stages = stages_of(funcs, inlined, by, values)
    for stage in stages:
        if stage.func.name in pipeline.outputs:
            box = output_box(stage.func.name, len(stage.func.vars), known)
            stage.needed[stage.name] = box
    inference = BoundsInference(stages, initial.groups, initial.pairs, by, values)
    return inference.root(initial.body)
