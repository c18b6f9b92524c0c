"""Typed expressions as quasi-affine functions.

Integer expressions over a space's dimensions become isl's piecewise quasi-affine expressions,
conditions become sets. What is not affine (products of variables, loads, narrow types that may
wrap) is None: the caller says what it takes that for.
"""

from __future__ import annotations

from collections.abc import Mapping

import islpy as isl

from s2s.scop.expressions import (
    Binary,
    Call,
    Cast,
    Const,
    Expr,
    Let,
    Select,
    Type,
    Unary,
    Variable,
)

_HINTS = frozenset({"likely", "likely_if_innermost"})
_PROMISES = frozenset({"promise_clamped", "unsafe_promise_clamped"})
"""A value that is promised to lie in a range: it is what it is."""
_COMPARISONS = {
    "eq": isl.PwAff.eq_set,
    "ne": isl.PwAff.ne_set,
    "lt": isl.PwAff.lt_set,
    "le": isl.PwAff.le_set,
    "gt": isl.PwAff.gt_set,
    "ge": isl.PwAff.ge_set,
}


class Affine:
    """Conversion in one space (of a set): ``names`` gives the value of each variable."""

    def __init__(self, space: isl.Space, names: Mapping[str, isl.PwAff | None]) -> None:
        self._universe = isl.Set.universe(space)
        self._space = isl.LocalSpace.from_space(space)
        self._names = dict(names)
        self._known: dict[Expr, isl.PwAff | None] = {}

    def define(self, name: str, value: isl.PwAff | None) -> None:
        """Let ``name`` stand for a value (None: an unknown one)."""
        self._names[name] = value
        self._known.clear()

    def value(self, expr: Expr) -> isl.PwAff | None:
        """An integer expression; None where it is not affine."""
        if expr not in self._known:
            self._known[expr] = self._value(expr)
        return self._known[expr]

    def constant(self, value: int) -> isl.PwAff:
        """The function that is the same everywhere."""
        return isl.PwAff.from_aff(
            isl.Aff.zero_on_domain(self._space).set_constant_val(
                isl.Val.int_from_si(isl.DEFAULT_CONTEXT, value)
            )
        )

    def _value(self, expr: Expr) -> isl.PwAff | None:
        match expr:
            case Const(_, int() as number):
                return self.constant(number)
            case Variable(_, name):
                return self._names.get(name)
            case Cast(type, inner) if _counts(type) and _counts(inner.type):
                return self.value(inner)
            case Call(_, name, (inner,)) if name in _HINTS:
                return self.value(inner)
            case Call(_, name, (inner, *_)) if name in _PROMISES:
                return self.value(inner)
            case Select(_, condition, then, otherwise):
                return self._select(condition, then, otherwise)
            case Binary(type, op, left, right) if _counts(type):
                first, second = self.value(left), self.value(right)
                return None if first is None or second is None else _operate(op, first, second)
            case Let(_, name, inner, body):
                around = self._names.get(name)
                self.define(name, self.value(inner))
                found = self.value(body)
                self.define(name, around)
                return found
        return None

    def _select(self, condition: Expr, then: Expr, otherwise: Expr) -> isl.PwAff | None:
        where, first, second = self.where(condition), self.value(then), self.value(otherwise)
        if where is None or first is None or second is None:
            return None
        outside = second.intersect_domain(where.complement())
        return first.intersect_domain(where).union_add(outside)

    def where(self, condition: Expr) -> isl.Set | None:
        """The points at which a condition holds; None where it is not affine."""
        match condition:
            case Const(_, value):
                return self._universe if value else self._universe.complement()
            case Call(_, name, (inner,)) if name in _HINTS:
                return self.where(inner)
            case Unary(_, "not", inner):
                found = self.where(inner)
                return None if found is None else found.complement()
            case Binary(_, "and" | "or" as op, left, right):
                first, second = self.where(left), self.where(right)
                if first is None or second is None:
                    return None
                return first.intersect(second) if op == "and" else first.union(second)
            case Binary(_, op, left, right) if op in _COMPARISONS:
                one, other = self.value(left), self.value(right)
                return None if one is None or other is None else _COMPARISONS[op](one, other)
        return None

    def surely(self, condition: Expr) -> tuple[isl.Set, bool]:
        """A superset of where a condition holds, and whether it is exactly that."""
        found = self.where(condition)
        if found is not None:
            return found, True
        match condition:
            case Call(_, name, (inner,)) if name in _HINTS:
                return self.surely(inner)
            case Binary(_, "and", left, right):
                return self.surely(left)[0].intersect(self.surely(right)[0]), False
        return self._universe, False


def _counts(type: Type) -> bool:
    """Whether values of a type may be taken for integers: their overflow is undefined."""
    return type.code == "int" and not type.wraps


def _operate(op: str, left: isl.PwAff, right: isl.PwAff) -> isl.PwAff | None:
    match op:
        case "add":
            return left.add(right)
        case "sub":
            return left.sub(right)
        case "min":
            return left.min(right)
        case "max":
            return left.max(right)
        case "mul":
            return left.mul(right) if left.is_cst() or right.is_cst() else None
        case "div" | "mod":
            return _divide(op, left, _number(right))
    return None


def _divide(op: str, left: isl.PwAff, by: int | None) -> isl.PwAff | None:
    """Division whose remainder is never negative: by zero it gives zero."""
    if by is None:
        return None
    if by == 0:
        return left.scale_val(isl.Val.zero(isl.DEFAULT_CONTEXT))
    size = isl.Val.int_from_si(isl.DEFAULT_CONTEXT, abs(by))
    if op == "mod":
        return left.mod_val(size)
    quotient = left.scale_down_val(size).floor()
    return quotient if by > 0 else quotient.neg()


def _number(value: isl.PwAff) -> int | None:
    """The value of a function that is the same number everywhere."""
    if not value.is_cst() or value.n_piece() != 1:
        return None
    found: list[int] = []

    def look(_: isl.Set, piece: isl.Aff) -> None:
        if piece.get_constant_val().is_int() and piece.is_cst():
            found.append(piece.get_constant_val().to_python())

    value.foreach_piece(look)
    return found[0] if len(found) == 1 else None
