"""Assignments that change what was there: ``t += e``, ``t = max(t, e)``."""

from __future__ import annotations

from collections.abc import Iterator

from s2s.scop.expressions import Binary, Call, Cast, Const, Expr, Load, Select, Type, walk
from s2s.scop.nest import Store
from s2s.source.records import dataclass

_EXTREMA = frozenset({"fmax", "fmaxf", "fmin", "fminf"})


@dataclass(frozen=True)
class Step:
    """``op`` (add, max or min) of what was there and ``value``."""

    op: str
    value: Expr


def step_of(store: Store) -> Step | None:
    """How a store changes its own element by a value without it; None where it does not."""
    own, value = Load(store.values[0].type, store.tensor, store.subscripts), store.values[0]
    found = _extreme(value, own) or _sum(value, own)
    return None if found is None or any(e is own for e in walk(found.value)) else found


def _extreme(value: Expr, own: Expr) -> Step | None:
    match value:
        case Binary(_, "max" | "min" as op, left, right) if own in (left, right):
            return Step(op, right if left is own else left)
        case Call(_, name, (left, right)) if name in _EXTREMA and own in (left, right):
            return Step(name[1:4], right if left is own else left)
        case Select(_, Binary(_, "gt" | "ge" | "lt" | "le" as test, a, b), then, otherwise):
            if {a, b} != {then, otherwise} or own not in (a, b):
                return None
            takes_larger = (test in ("gt", "ge")) == (then is a)
            return Step("max" if takes_larger else "min", b if a is own else a)
    return None


def _sum(value: Expr, own: Expr) -> Step | None:
    terms = list(signed_terms(value))
    if [sign for term, sign in terms if term is own] != [1]:
        return None
    rest = [(term, sign) for term, sign in terms if term is not own]
    return Step("add", summed(rest, value)) if rest else None


def signed_terms(value: Expr, sign: int = 1) -> Iterator[tuple[Expr, int]]:
    """The terms of a sum, each with 1 or -1."""
    match value:
        case Binary(_, "add" | "sub" as op, left, right):
            if not (op == "sub" and is_zero(left)):
                yield from signed_terms(left, sign)
            yield from signed_terms(right, sign if op == "add" else -sign)
        case _:
            yield value, sign


def summed(terms: list[tuple[Expr, int]], like: Expr) -> Expr:
    """The sum of terms."""
    (first, sign), *more = terms
    total = first if sign > 0 else Binary(like.type, "sub", zero(like), first)
    for term, sign in more:
        total = Binary(like.type, "add" if sign > 0 else "sub", total, term)
    return total


def is_zero(value: Expr) -> bool:
    """Whether a value is the literal 0, of either sign."""
    return isinstance(value, Const) and value.value == 0


def number_of(value: Expr) -> float | None:
    """The number that a literal is, perhaps converted or with its sign apart; None for others."""
    match value:
        case Cast(type_, inner):
            number = number_of(inner)
            return number if number is not None and _holds(type_, number) else None
        case Binary(type_, "sub", left, right) if is_zero(left) and type_.code != "uint":
            number = number_of(right)
            return None if number is None else -number
        case Const(_, number):
            return number
    return None


def _holds(type_: Type, number: float) -> bool:
    """Whether a conversion leaves a number as it is, but for rounding."""
    if type_.is_float:
        return True
    return number == int(number) and type_.smallest <= number <= type_.largest


def zero(like: Expr) -> Const:
    """Minus nothing, in the type of an expression."""
    return Const(like.type, -0.0 if like.type.is_float else 0)
