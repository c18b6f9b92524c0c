"""Operators on two components at once: an extreme value with its place, complex products."""

from __future__ import annotations

from s2s.scop.expressions import BOOL, Binary, Const, Expr, Select
from s2s.scop.operators import (
    Part,
    has,
    identity_of,
    taken_apart,
    x_var,
    y_var,
)


def pair(first: Expr, second: Expr, i: int, j: int, xs: set[str]) -> tuple[Part, Part] | None:
    return _extreme_with_place(first, second, i, j, xs) or _complex_product(first, second, i, j, xs)


def _extreme_with_place(
    first: Expr, second: Expr, i: int, j: int, xs: set[str]
) -> tuple[Part, Part] | None:
    """``max(x0, y0), select(y0 < x0, x1, y1)``, and the same for the minimum."""
    x0, x1 = x_var(i, first.type), x_var(j, second.type)
    taken = taken_apart(first, x0, xs)
    if taken is None or taken[0] not in ("min", "max") or not isinstance(second, Select):
        return None
    op, y0 = taken
    kept = (x0, y0) if op == "min" else (y0, x0)
    condition = second.condition
    if not isinstance(condition, Binary) or second.then is not x1 or has(second.otherwise, xs):
        return None
    sides = (condition.left, condition.right)
    if (condition.op == "lt" and sides == kept) or (condition.op == "gt" and sides == kept[::-1]):
        y0_var, y1_var = y_var(i, first.type), y_var(j, second.type)
        ordered = (x0, y0_var) if op == "min" else (y0_var, x0)
        chosen = Select(second.type, Binary(BOOL, "lt", *ordered), x1, y1_var)
        identity = identity_of(op, first.type)
        return (
            (Binary(first.type, op, x0, y0_var), y0, identity),
            (chosen, second.otherwise, Const(second.type, 0)),
        )
    return None


def _complex_product(
    first: Expr, second: Expr, i: int, j: int, xs: set[str]
) -> tuple[Part, Part] | None:
    """``x0 * y0 - x1 * y1, x1 * y0 + x0 * y1``."""
    type_ = first.type
    if type_ != second.type:
        return None
    x0, x1 = x_var(i, type_), x_var(j, type_)
    real = _two_products(first, "sub", (x0, x1), xs)
    imaginary = _two_products(second, "add", (x1, x0), xs)
    if real is None or real != imaginary:
        return None
    y0, y1 = y_var(i, type_), y_var(j, type_)
    values: dict[str, Expr] = {"x0": x0, "x1": x1, "y0": y0, "y1": y1}

    def product(left: str, right: str) -> Expr:
        return Binary(type_, "mul", values[left], values[right])

    return (
        (Binary(type_, "sub", product("x0", "y0"), product("x1", "y1")), real[0], Const(type_, 1)),
        (Binary(type_, "add", product("x1", "y0"), product("x0", "y1")), real[1], Const(type_, 0)),
    )


def _two_products(
    value: Expr, op: str, factors: tuple[Expr, Expr], xs: set[str]
) -> tuple[Expr, Expr] | None:
    """The other factors of two products that are added or subtracted, in the order given."""
    if not isinstance(value, Binary) or value.op != op:
        return None
    orders = [(value.left, value.right)]
    if op == "add":
        orders.append((value.right, value.left))
    for sides in orders:
        others = [_cofactor(s, f) for s, f in zip(sides, factors, strict=True)]
        if all(o is not None and not has(o, xs) for o in others):
            return others[0], others[1]  # type: ignore[return-value]
    return None


def _cofactor(product: Expr, factor: Expr) -> Expr | None:
    if isinstance(product, Binary) and product.op == "mul":
        if product.left is factor:
            return product.right
        if product.right is factor:
            return product.left
    return None
