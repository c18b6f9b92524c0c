"""Allocation bounds: how much memory each Func needs where it is stored."""

from __future__ import annotations

from dataclasses import replace

from s2s.scop.build import add, div, le, mul, sub
from s2s.scop.errors import Illegal
from s2s.scop.expressions import Expr
from s2s.scop.nest import Allocate, Check, Dimension, Node
from s2s.scop.pipeline import Func
from s2s.scop.rewrite import block, map_children
from s2s.scop.simplify.interval import Interval, ValueBounds
from s2s.scop.simplify.intervals import Bounds
from s2s.scop.simplify.simplify import Simplifier
from s2s.transforms.halide.bounds_inference import aligned
from s2s.transforms.halide.boxes import find_touched
from s2s.transforms.halide.environment import Environment


def bound_allocations(node: Node, funcs: Environment, by: Simplifier, values: ValueBounds) -> Node:
    """The nest with the bounds of all allocations; what nothing touches is not allocated.

    Raises Illegal for a Func that is accessed over an unbounded region.
    """
    node = map_children(node, lambda child: bound_allocations(child, funcs, by, values))
    if not isinstance(node, Allocate):
        return node
    func = funcs[node.tensor.name]
    box = find_touched(node.body, Bounds(by, {}, values), func.name).get(func.name)
    if box is None and func.vars:
        return node.body
    checks: list[Node] = []
    dimensions: list[Dimension] = []
    for name, interval in zip(func.vars, box.bounds if box else (), strict=True):
        dimension, needed = _dimension(func, name, interval, by)
        dimensions.append(dimension)
        checks += needed
    tensor = replace(node.tensor, dimensions=tuple(dimensions))
    return block([*checks, replace(node, tensor=tensor)])


def _dimension(
    func: Func, name: str, interval: Interval, by: Simplifier
) -> tuple[Dimension, list[Node]]:
    """One dimension of the memory, with checks that what ``bound`` says is enough."""
    if interval.low is None or interval.high is None:
        raise Illegal(
            f"{func.name} is accessed over an unbounded domain in dimension {name}; legal: to "
            "clamp the coordinate",
            func.at,
        )
    low, high = interval.low, interval.high
    checks: list[Node] = []
    for bound in func.schedule.bounds:
        if bound.var != name:
            continue
        if bound.minimum is not None:
            low = bound.minimum
            checks.append(_enough(func, name, le(low, interval.low), by))
        if bound.extent is not None:
            high = sub(add(low, bound.extent), 1)
            checks.append(_enough(func, name, le(interval.high, high), by))
        if bound.modulus is not None:
            low, high = aligned(low, high, bound)
    extent = add(sub(high, low), 1)
    align = func.schedule.storage_align.get(name)
    if align is not None:
        extent = mul(div(sub(add(extent, align), 1), align), align)
    return Dimension(by(low), by(extent)), checks


def _enough(func: Func, name: str, condition: Expr, by: Simplifier) -> Node:
    message = f"bounds of {name} of {func.name} are smaller than what is accessed"
    return Check(by(condition), message)
