"""Integer intrinsics on 64 bits, for which no wider type exists, with the results of one.

The signed ones compute in unsigned integers, which wrap::

    halving_add(a, b)    ->  (a & b) + ((a ^ b) >> 1)
    saturating_add(a, b) ->  a > largest - b ? largest : a + b
"""

from __future__ import annotations

from s2s.scop.build import binary
from s2s.scop.expressions import Cast, Const, Expr, Select, Type

_UINT64 = Type("uint", 64)


def halve_sum(op: str, rounding: int, a: Expr, b: Expr) -> Expr:
    """Half of a sum or of a difference, rounded down; up with ``rounding``."""
    if op == "sub":
        return _half_of_difference(a, b)
    together = binary("shr", binary("bxor", a, b), Const(a.type, 1))
    if rounding:
        return binary("sub", binary("bor", a, b), together)
    return binary("add", binary("band", a, b), together)


def _half_of_difference(a: Expr, b: Expr) -> Expr:
    """A difference is the sum with the complement, and one more; unsigned ones may be negative."""
    half = halve_sum("add", 1, a, binary("bxor", b, _ones(b.type)))
    if a.type.code == "int":
        return half
    return binary("bxor", half, Const(a.type, 1 << 63))


def _ones(type: Type) -> Const:
    return Const(type, -1 if type.code == "int" else type.largest)


def limited(op: str, a: Expr, b: Expr) -> Expr:
    """A sum or a difference brought into the range of its type."""
    type, zero = a.type, Const(a.type, 0)
    if type.code == "uint" and op == "add":
        over = binary("gt", a, binary("sub", Const(type, type.largest), b))
        return Select(type, over, Const(type, type.largest), binary("add", a, b))
    if type.code == "uint":
        return Select(type, binary("lt", a, b), zero, binary("sub", a, b))
    result = Cast(type, binary(op, Cast(_UINT64, a), Cast(_UINT64, b)))
    other = b if op == "add" else binary("bxor", b, _ones(type))
    differ = binary("band", binary("bxor", a, result), binary("bxor", other, result))
    limit = Select(
        type, binary("lt", a, zero), Const(type, type.smallest), Const(type, type.largest)
    )
    return Select(type, binary("lt", differ, zero), limit, result)


def shifted(a: Expr, distance: Expr, left: bool) -> Expr:
    """``a`` shifted to nearest, halves up; a negative distance shifts the other way."""
    kind = distance.type
    zero, one = Const(kind, 0), Const(kind, 1)
    if left:
        distance = binary("sub", zero, distance)
    before = binary("sub", binary("max", distance, one), one)
    last = binary("band", binary("shr", a, before), Const(a.type, 1))
    rounded = Select(a.type, binary("gt", distance, zero), last, Const(a.type, 0))
    return binary("add", binary("shr", a, distance), rounded)
