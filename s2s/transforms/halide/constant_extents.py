"""Unrolled and vectorized loops get extents that are numbers.

Where the extent varies but has a constant bound, the loop runs to that bound and its body is
guarded; where it has none, the schedule is refused.
"""

from __future__ import annotations

from dataclasses import replace

from s2s.scop.build import add, const, lt, var
from s2s.scop.errors import Illegal
from s2s.scop.expressions import Const
from s2s.scop.nest import For, If, Node
from s2s.scop.rewrite import map_children
from s2s.scop.simplify.simplify import Simplifier
from s2s.source import Span
from s2s.transforms.halide.environment import Environment
from s2s.transforms.halide.simplify_nest import assuming
from s2s.transforms.halide.storage_folding import scope_of


def with_constant_extents(node: Node, by: Simplifier, funcs: Environment) -> Node:
    """The nest with such loops; ``by`` knows the loops and conditions around it.

    Raises Illegal for an unrolled or vectorized loop without a constant bound on its extent.
    """
    match node:
        case For():
            body = with_constant_extents(node.body, scope_of(node, by), funcs)
            loop = replace(node, body=body)
            return _bounded(loop, by, funcs) if node.kind in ("unrolled", "vectorized") else loop
        case If():
            then = with_constant_extents(node.then, assuming(by, node.condition), funcs)
            if node.otherwise is None:
                return replace(node, then=then)
            return replace(
                node, then=then, otherwise=with_constant_extents(node.otherwise, by, funcs)
            )
    return map_children(node, lambda child: with_constant_extents(child, by, funcs))


def _bounded(loop: For, by: Simplifier, funcs: Environment) -> For:
    if isinstance(loop.extent, Const):
        return loop
    _, most = by.bounds(by(loop.extent))
    if most is None:
        raise Illegal(
            f"loop '{loop.var}' of {loop.func} cannot be {loop.kind}: its extent is not a "
            "constant; legal: to split it by a constant first, or to bound it",
            _place(loop, funcs),
        )
    inside = lt(var(loop.name), add(loop.minimum, loop.extent))
    return replace(loop, extent=const(most), body=If(by(inside), loop.body))


def _place(loop: For, funcs: Environment) -> Span | None:
    func = funcs.get(loop.func)
    if func is None:
        return None
    dims = func.stages[loop.stage].schedule.dims
    return next((d.at for d in dims if d.name == loop.var), func.at)
