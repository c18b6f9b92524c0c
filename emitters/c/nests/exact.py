"""How large values of narrow integers get: whether int has their sums and products exactly.

What int has exactly is narrowed once, at its end: sums, differences and products modulo a power of
two do not change if what they are made of is not narrowed before.
"""

from __future__ import annotations

from s2s.scop.expressions import BOOL, Const, Expr, Type

Exact = tuple[str, int, int]
"""Text, the precedence of its outermost operator, and a bound on the size of the value."""

EXACT = frozenset(("add", "sub", "mul"))


def largest(type: Type) -> int:
    """A bound on the size of the values of an integer type."""
    return 1 if type == BOOL else max(type.largest, -type.smallest)


def magnitude(value: Expr) -> int:
    """A bound on the size of a value of an integer type."""
    return abs(int(value.value)) if isinstance(value, Const) else largest(value.type)


def of_operation(op: str, left: int, right: int) -> int:
    """A bound on the size of a sum, difference or product."""
    return left * right if op == "mul" else left + right
