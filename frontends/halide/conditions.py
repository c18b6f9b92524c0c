"""Conditions that hold together."""

from __future__ import annotations

from s2s.scop.expressions import Binary, Const, Expr


def conjuncts(condition: Expr | None) -> list[Expr]:
    """The conditions that hold together where one holds, in their order."""
    if condition is None or (isinstance(condition, Const) and condition.value):
        return []
    if isinstance(condition, Binary) and condition.op == "and":
        return [*conjuncts(condition.left), *conjuncts(condition.right)]
    return [condition]
