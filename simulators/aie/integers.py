"""C's integers: wrapping to a type, and operations on numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from s2s.simulators.aie.values import ScalarType


def wrapped(value: int, kind: ScalarType) -> int:
    """The value of this type that has the same low bits."""
    value &= (1 << kind.bits) - 1
    return value - (1 << kind.bits) if kind.signed and value >> (kind.bits - 1) else value


def divide(a: int, b: int) -> int:
    """C's quotient: towards zero."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


OPERATIONS: dict[str, Callable[..., int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": divide,
    "%": lambda a, b: a - b * divide(a, b),
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "min": min,
    "max": max,
    "abs": abs,
    "neg": lambda a: -a,
    "~": lambda a: ~a,
    "!": lambda a: int(a == 0),
    "cast": lambda a: a,
    "select": lambda a, b, c: b if a else c,
}


def evaluate(operation: str, numbers: Sequence[int]) -> int | None:
    """The result without wrapping; None where C leaves it undefined."""
    if operation in ("/", "%") and numbers[1] == 0:
        return None
    if operation in ("<<", ">>") and not 0 <= numbers[1] < 64:
        return None
    return OPERATIONS[operation](*numbers)
