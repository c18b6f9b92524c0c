"""Updates whose instances need not be computed one after the other.

``f(args) = f(args) + e`` where nothing else reads ``f``: all values of ``e`` are known beforehand,
and are added in the order of the reduction domain. Without any read of ``f`` they are stored in
that order.
"""

from __future__ import annotations

from s2s.scop.expressions import Binary, Expr, Load, walk
from s2s.scop.pipeline import Definition, Func
from s2s.source.records import dataclass

_ADDS = {"add": "add", "sub": "subtract"}
_LEAST_AND_GREATEST = {"min": "minimum", "max": "maximum"}


@dataclass(frozen=True)
class Update:
    """``value`` is added by numpy's ufunc of name ``add``, stored if that is None."""

    value: Expr
    add: str | None


def as_update(func: Func, update: Definition) -> Update | None:
    """What an update adds or stores, None if its instances depend on one another otherwise."""
    if len(update.values) != 1:
        return None
    (value,) = update.values
    others = [*update.args, *([] if update.predicate is None else [update.predicate])]
    if any(_reads(func, other) for other in others):
        return None
    if not _reads(func, value):
        return Update(value, None)
    if not isinstance(value, Binary) or func.types[0].code == "bfloat":
        return None
    left, right = value.left, value.right
    if _is_itself(func, update, right) and value.op != "sub":
        left, right = right, left
    name = _ADDS.get(value.op)
    if func.types[0].is_integer:
        name = name or _LEAST_AND_GREATEST.get(value.op)
    if name is None or not _is_itself(func, update, left) or _reads(func, right):
        return None
    return Update(right, name)


def _reads(func: Func, expr: Expr) -> bool:
    return any(isinstance(node, Load) and node.tensor == func.name for node in walk(expr))


def _is_itself(func: Func, update: Definition, expr: Expr) -> bool:
    return (
        isinstance(expr, Load)
        and expr.tensor == func.name
        and all(a is b for a, b in zip(expr.subscripts, update.args, strict=True))
    )
