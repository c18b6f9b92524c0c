"""Inlining: a Func's value in the place of each load of it."""

from __future__ import annotations

from s2s.scop.errors import Illegal
from s2s.scop.expressions import Expr, Load
from s2s.scop.nest import Node
from s2s.scop.pipeline import ForKind, Func, LevelKind, shown
from s2s.scop.rewrite import map_expressions, substitute, transform
from s2s.transforms.halide.reads import tensors_read, tensors_read_in


def can_be_inlined(func: Func) -> bool:
    """Whether a Func is one value for each element: no updates, no specializations."""
    return not func.updates and not func.stages[0].specializations


def inlined(nest: Node, func: Func) -> Node:
    """The nest without loads of ``func``."""
    values = func.stages[0].values

    def at_loads(node: Expr) -> Expr:
        if isinstance(node, Load) and node.tensor == func.name:
            arguments = dict(zip(func.vars, node.subscripts, strict=True))
            return substitute(values[node.component], arguments)
        return node

    def change(expr: Expr) -> Expr:
        return transform(expr, at_loads) if func.name in tensors_read(expr) else expr

    return map_expressions(nest, change, lambda node: func.name in tensors_read_in(node))


def check_inline_schedule(func: Func) -> None:
    """Refuse a schedule that means nothing for a Func that is computed inline."""
    definition, schedule = func.stages[0], func.schedule
    if schedule.store_level.kind is not LevelKind.INLINE:
        raise Illegal(
            f"{func.name} is computed inline, so it is stored nowhere", schedule.store_level.at
        )
    if definition.specializations:
        raise Illegal(
            f"{func.name} is computed inline, so it has no specializations; legal: compute_root "
            "or compute_at, or to specialize what uses it",
            definition.specializations[0].at,
        )
    for dim in definition.schedule.dims:
        if dim.kind is not ForKind.SERIAL:
            raise Illegal(
                f"loop '{shown(dim.name)}' of {func.name} cannot be {dim.kind.value}: {func.name} "
                "is computed inline and has no loops; legal: compute_root or compute_at",
                dim.at,
            )
