"""Conditions on one loop's variable: for which of its values they hold."""

from __future__ import annotations

from functools import lru_cache

from s2s.scop.expressions import Const, Expr, Type, Variable, walk
from s2s.scop.literals import decide
from s2s.scop.rewrite import substitute, transform


@lru_cache(maxsize=1 << 12)
def where(condition: Expr, name: str, values: range) -> list[int] | None:
    """The values of a loop's variable for which a condition on it alone holds."""
    if set(condition.variables) != {name} or condition.reads:
        return None
    type_ = type_of(name, condition)
    found = []
    for value in values:
        truth = transform(substitute(condition, {name: Const(type_, value)}), decide)
        if not isinstance(truth, Const):
            return None
        if truth.value:
            found.append(value)
    return found


def type_of(name: str, expr: Expr) -> Type:
    """The type of a variable that stands in an expression."""
    return next(e.type for e in walk(expr) if isinstance(e, Variable) and e.name == name)
