"""The loops of one tile, cut out of the nest of the whole pipeline."""

from __future__ import annotations

from dataclasses import field, replace

from s2s.scop.build import add, const, var
from s2s.scop.errors import Illegal
from s2s.scop.expressions import Const, Expr
from s2s.scop.nest import Check, For, Hoist, Node, Produce, children
from s2s.scop.pipeline import OUTERMOST, Func, HardwarePrimitive, Pipeline, matches
from s2s.scop.rewrite import NOTHING, block, map_children, substitute_in
from s2s.scop.simplify.interval import ValueBounds
from s2s.scop.simplify.simplify import Simplifier
from s2s.source import Span
from s2s.source.records import dataclass
from s2s.transforms.clockwork.extract_boundary import STARTS, with_boundary
from s2s.transforms.halide.allocation_bounds import bound_allocations
from s2s.transforms.halide.constant_extents import with_constant_extents
from s2s.transforms.halide.environment import Environment
from s2s.transforms.halide.initial import initial_nest
from s2s.transforms.halide.lower import bound_regions
from s2s.transforms.halide.signature import Sizes, given_bounds
from s2s.transforms.halide.simplify_nest import simplified_nest
from s2s.transforms.halide.stages import value_bounds

MARK = "$accelerator"
"""What the loops of the tile produce, for a while."""


@dataclass(frozen=True)
class Tile:
    """The body of the loops that run on the array; ``outer`` are the host's loops around it.

    All loops in ``body`` start from 0. ``output`` is the Func that it makes. ``whole`` is the nest
    of all the pipeline (with its ``boundary``), in which the tile's loops stand in a ``MARK``.
    """

    body: Node
    output: Func
    outer: tuple[For, ...]
    funcs: Environment
    values: ValueBounds
    by: Simplifier
    known: dict[str, Expr]
    whole: Node
    boundary: Pipeline
    remarks: list[tuple[str, Span | None]] = field(default_factory=list)


def cut_tile(pipeline: Pipeline, sizes: Sizes | None) -> Tile:
    """The tile of the pipeline's accelerator.

    Raises Illegal where no or several Funcs end one, or where its loops have no constant bounds.
    """
    pipeline = with_boundary(pipeline)
    initial = initial_nest(pipeline, _whole_funcs(pipeline))
    output, primitive = _accelerated(initial.funcs)
    known = given_bounds(pipeline, sizes or {}) | _declared_bounds(pipeline, sizes or {})
    funcs = [f for group in initial.groups for f in (initial.funcs[n] for n in group)]
    values = value_bounds(funcs, Simplifier())
    body = bound_regions(pipeline, initial, known, values, Simplifier())
    body = _mark(body, output.name, str(primitive.arguments[-1]))
    body = simplified_nest(body, Simplifier(), known)
    body = bound_allocations(body, initial.funcs, Simplifier(), values)
    final = Simplifier(final=True)
    body = with_constant_extents(simplified_nest(body, final, known), final, initial.funcs)
    found = _find(body, ())
    if found is None:
        text = f"{output.name} has no loop '{primitive.arguments[-1]}' around an accelerator"
        raise Illegal(text, primitive.at)
    inside, outer = found
    by = final.inner({loop.name: _range(loop, final) for loop in outer})
    tile = _rebase(_drop_brackets(inside), by, output)
    return Tile(tile, output, outer, initial.funcs, values, by, known, body, pipeline)


def _whole_funcs(pipeline: Pipeline) -> frozenset[str]:
    """Funcs of which a run of the array has all loops."""
    return frozenset(
        name
        for name, func in pipeline.funcs.items()
        for primitive in func.schedule.hardware
        if primitive.name in STARTS and OUTERMOST in primitive.arguments[-1:]
    )


def _declared_bounds(pipeline: Pipeline, sizes: Sizes) -> dict[str, Expr]:
    """Sizes of outputs that ``bound`` gives, where no others are given."""
    found: dict[str, Expr] = {}
    for name in pipeline.outputs:
        if name in sizes:
            continue
        func = pipeline.funcs[name]
        for bound in func.schedule.bounds:
            place = func.vars.index(bound.var)
            if isinstance(bound.extent, Const):
                found[f"{name}.extent.{place}"] = bound.extent
            if isinstance(bound.minimum, Const):
                found[f"{name}.min.{place}"] = bound.minimum
    return found


def _accelerated(funcs: Environment) -> tuple[Func, HardwarePrimitive]:
    found = [
        (func, primitive)
        for func in funcs.values()
        for primitive in func.schedule.hardware
        if primitive.name in STARTS and primitive.arguments
    ]
    if not found:
        raise Illegal("no Func of the pipeline is accelerated; legal: to call hw_accelerate on one")
    if len(found) > 1:
        names = ", ".join(func.name for func, _ in found)
        text = f"the pipeline has more than one accelerator: {names}"
        raise Illegal(text, found[1][1].at)
    return found[0]


def _mark(node: Node, func: str, variable: str) -> Node:
    if isinstance(node, For) and node.func == func and matches(node.var, variable):
        return replace(node, body=Produce(MARK, node.body))
    return map_children(node, lambda child: _mark(child, func, variable))


def _find(node: Node, outer: tuple[For, ...]) -> tuple[Node, tuple[For, ...]] | None:
    """The marked body, with the loops around it."""
    if isinstance(node, Produce) and node.func == MARK:
        return node.body, outer
    inside = (*outer, node) if isinstance(node, For) else outer
    for child in children(node):
        found = _find(child, inside)
        if found is not None:
            return found
    return None


def _range(loop: For, by: Simplifier) -> tuple[int | None, int | None]:
    low, _ = by.bounds(loop.minimum)
    _, high = by.bounds(by(add(loop.minimum, loop.extent)))
    return low, None if high is None else high - 1


def _drop_brackets(node: Node) -> Node:
    """Without brackets and checks."""
    if isinstance(node, Produce | Hoist):
        return _drop_brackets(node.body)
    if isinstance(node, Check):
        return NOTHING
    return map_children(node, _drop_brackets)


def _rebase(node: Node, by: Simplifier, output: Func) -> Node:
    """Loops from 0, unrolled where the schedule says so."""
    if not isinstance(node, For):
        return map_children(node, lambda child: _rebase(child, by, output))
    low, extent = by(node.minimum), by(node.extent)
    if not isinstance(extent, Const):
        text = f"loop '{node.var}' of {node.func} has no constant number of iterations"
        raise Illegal(f"{text}, which the array needs; legal: to bound it", output.at)
    count = int(extent.value)
    if node.kind in ("unrolled", "vectorized"):
        copies = [
            substitute_in(node.body, {node.name: by(add(low, const(k)))}) for k in range(count)
        ]
        return block([_rebase(copy, by, output) for copy in copies])
    body = node.body
    if not (isinstance(low, Const) and low.value == 0):
        body = substitute_in(body, {node.name: add(var(node.name), low)})
    scope = by.inner({node.name: (0, count - 1)})
    body = _rebase(body, scope, output)
    return replace(node, minimum=const(0), extent=const(count), kind="serial", body=body)
