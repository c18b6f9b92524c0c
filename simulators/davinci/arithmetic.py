"""C's arithmetic on numbers of the scalar unit, as text of Python: types of results, wrapping."""

from __future__ import annotations

import re

from s2s.simulators.davinci.kinds import FLOAT, HALF, SCALARS, Scalar


def literal(kind: str, text: str) -> tuple[str, Scalar] | None:
    """A constant of the kind that the parser says; None for what is no number."""
    if kind in ("float", "double", "long double"):
        return repr(float(text.rstrip("fFlL"))), FLOAT
    if "int" not in kind:
        return None
    digits = text.rstrip("uUlL")
    octal = len(digits) > 1 and digits[0] == "0" and digits.isdigit()
    number = int(digits, 8 if octal else 0)
    wide = len(text) - len(digits) > 1 or number >= 1 << 31
    unsigned = "u" in text.lower()[len(digits) :]
    name = ("unsigned " if unsigned else "") + ("long" if wide else "int")
    return str(number), SCALARS[name]


def common(first: Scalar, second: Scalar) -> Scalar:
    """The type of arithmetic between two, by C's usual conversions."""
    if first.is_float or second.is_float:
        return FLOAT if HALF not in (first, second) or FLOAT in (first, second) else HALF
    widths = [max(one.bytes, 4) for one in (first, second)]
    widest = max(widths)
    unsigned = any(one.kind == "uint" and one.bytes == widest for one in (first, second))
    return SCALARS[f"{'u' if unsigned else ''}int{8 * widest}_t"]


def wrapped(text: str, kind: Scalar) -> str:
    """What an operation gives in its type; signed 64 bits and int are left as they are."""
    return f"({text} & {(1 << 8 * kind.bytes) - 1})" if kind.kind == "uint" else text


def stored_as(text: str, have: Scalar, kind: Scalar) -> str:
    """A number stored in another type."""
    if kind.is_float:
        return text
    if have.is_float:
        text = f"int({text})"
    if re.fullmatch(r"\d+", text) and int(text) < 1 << (8 * kind.bytes - 1):
        return text
    if kind.kind == "uint":
        return text if have == kind else f"({text} & {(1 << 8 * kind.bytes) - 1})"
    if have.kind == "int" and have.bytes <= kind.bytes:
        return text
    half = 1 << (8 * kind.bytes - 1)
    return f"((({text} + {half}) & {2 * half - 1}) - {half})"


def quotient(left: int, right: int) -> int:
    """C's division, towards zero."""
    found = abs(left) // abs(right)
    return found if (left < 0) == (right < 0) else -found


def remainder(left: int, right: int) -> int:
    """C's remainder, with the sign of what is divided."""
    return left - right * quotient(left, right)
