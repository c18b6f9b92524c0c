"""Linear forms: integer multiples of atoms and a constant, whatever the atoms are.

Atoms are expressions for the simplifier, names of loops for contractions, products of names for
subscripts that are to be taken apart (``polynomial``), values of a run for traces of programs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import field
from functools import cached_property
from math import gcd
from typing import Generic, Self, TypeVar

from s2s.scop.expressions import INT32, Binary, Const, Expr
from s2s.source.records import dataclass

A = TypeVar("A", bound=Hashable)


@dataclass(frozen=True, eq=False)
class Linear(Generic[A]):
    """``sum(coefficient * atom) + constant``; no coefficient is 0.

    Terms stand in the order in which they came in; forms are equal in whatever order.
    """

    terms: Mapping[A, int] = field(default_factory=dict)
    constant: int = 0

    @classmethod
    def of(cls, atom: A) -> Self:
        """An atom as a form."""
        return cls({atom: 1})

    @classmethod
    def integer(cls, value: int) -> Self:
        """A number as a form."""
        return cls({}, value)

    def plus(self, other: Linear[A], times: int = 1) -> Self:
        """``self + times * other``."""
        terms = dict(self.terms)
        for atom, coefficient in other.terms.items():
            total = terms.get(atom, 0) + times * coefficient
            if total:
                terms[atom] = total
            else:
                terms.pop(atom, None)
        return type(self)(terms, self.constant + times * other.constant)

    def minus(self, other: Linear[A]) -> Self:
        """``self - other``."""
        return self.plus(other, -1)

    def shifted(self, constant: int) -> Self:
        """``self + constant``."""
        return type(self)(self.terms, self.constant + constant) if constant else self

    def scaled(self, factor: int) -> Self:
        """``factor * self``."""
        if factor == 0:
            return type(self)()
        terms = {atom: c * factor for atom, c in self.terms.items()}
        return type(self)(terms, self.constant * factor)

    def times(self, other: Linear[A]) -> Self | None:
        """The product, where one of the two is a number."""
        if not other.terms:
            return self.scaled(other.constant)
        return (
            type(self)(other.terms, other.constant).scaled(self.constant)
            if not self.terms
            else None
        )

    def divided(self, by: int) -> Self | None:
        """``self / by`` where ``by`` divides all coefficients and the constant."""
        if by == 0 or self.constant % by or any(c % by for c in self.terms.values()):
            return None
        terms = {atom: c // by for atom, c in self.terms.items()}
        return type(self)(terms, self.constant // by)

    def __add__(self, other: Linear[A] | int) -> Self:
        return self.shifted(other) if isinstance(other, int) else self.plus(other)

    def __sub__(self, other: Linear[A] | int) -> Self:
        return self.shifted(-other) if isinstance(other, int) else self.plus(other, -1)

    def __neg__(self) -> Self:
        return self.scaled(-1)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Linear):
            return NotImplemented
        return self.constant == other.constant and self.terms == other.terms

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((frozenset(self.terms.items()), self.constant))

    def __getstate__(self) -> dict[str, object]:
        # Hashes of names differ from process to process.
        return {"terms": self.terms, "constant": self.constant}

    def coefficient(self, atom: A) -> int:
        """The multiple of an atom; 0 where it does not stand as a term."""
        return self.terms.get(atom, 0)

    @property
    def number(self) -> int | None:
        """The value of a form without terms."""
        return None if self.terms else self.constant

    @property
    def atom(self) -> A | None:
        """The atom that the form is, None where it is more."""
        if self.constant or len(self.terms) != 1:
            return None
        ((atom, coefficient),) = self.terms.items()
        return atom if coefficient == 1 else None

    @property
    def content(self) -> int:
        """The greatest common divisor of the coefficients, 0 without terms."""
        return gcd(*self.terms.values())

    def part(self, where: Callable[[A], bool], constant: int = 0) -> Self:
        """The terms whose atoms fulfil a condition, and a constant."""
        return type(self)({a: c for a, c in self.terms.items() if where(a)}, constant)

    def without(self, atom: A) -> Self:
        """The sum with one term left out."""
        terms = {a: c for a, c in self.terms.items() if a is not atom}
        return type(self)(terms, self.constant)

    def split(self, by: int) -> tuple[Self, Self]:
        """What ``by`` divides, divided, and the rest: ``self`` is ``by * first + second``.

        The constant of the rest is at least 0 and less than ``by``.
        """
        whole = {a: c // by for a, c in self.terms.items() if c % by == 0}
        rest = {a: c for a, c in self.terms.items() if c % by}
        return type(self)(whole, self.constant // by), type(self)(rest, self.constant % by)

    def bounds(self, ranges: Mapping[A, tuple[int, int]]) -> tuple[int, int]:
        """The least and the greatest value; KeyError for an atom without range."""
        low = high = self.constant
        for atom, c in self.terms.items():
            one, other = ranges[atom]
            low, high = low + min(c * one, c * other), high + max(c * one, c * other)
        return low, high

    def with_values(self, values: Mapping[A, Linear[A]]) -> Self:
        """The form with atoms replaced."""
        found = type(self)({}, self.constant)
        for atom, c in self.terms.items():
            value = values.get(atom)
            found = found.plus(type(self)({atom: 1}) if value is None else value, c)
        return found


def common(sums: Iterable[Linear[A]]) -> Linear[A]:
    """The terms, without constant, that all sums share with equal coefficients."""
    first, *others = sums
    return first.part(lambda a: all(o.terms.get(a) == first.terms[a] for o in others))


# ---- of typed expressions

Sum = Linear[Expr]


def combined(op: str, left: Linear[A], right: Linear[A]) -> Linear[A] | None:
    """The sum, the difference or the product of two forms; None where it is none."""
    match op:
        case "add":
            return left.plus(right)
        case "sub":
            return left.plus(right, -1)
        case "mul":
            return left.times(right)
    return None


def of_expression(expr: Expr, form: Callable[[Expr], Sum]) -> Sum:
    """An expression as a sum, where ``form`` gives the sums that its operands are.

    The caller knows that its operations do not overflow, or that nobody sees it if they do.
    """
    if isinstance(expr, Const) and isinstance(expr.value, int):
        return Linear({}, expr.value)
    if isinstance(expr, Binary) and expr.op in ("add", "sub", "mul"):
        found = combined(expr.op, form(expr.left), form(expr.right))
        if found is not None:
            return found
    return Linear({expr: 1})


def expression(form: Sum, order: Callable[[Expr], int] | None = None) -> Expr:
    """The INT32 sum as an expression: added terms, then subtracted ones, the constant last.

    Terms stand by ``order`` (None: as they came in). Where all are subtracted, it is from the
    constant.
    """
    terms = sorted(
        form.terms.items(), key=lambda item: (item[1] < 0, order(item[0]) if order else 0)
    )
    constant = form.constant
    result: Expr | None = None
    for atom, coefficient in terms:
        if result is None and coefficient < 0:
            result, constant = Const(INT32, constant), 0
        size = abs(coefficient)
        value = atom if size == 1 else Binary(INT32, "mul", atom, Const(INT32, size))
        if result is None:
            result = value
        else:
            result = Binary(INT32, "add" if coefficient > 0 else "sub", result, value)
    if result is None:
        return Const(INT32, constant)
    if constant:
        op = "add" if constant > 0 else "sub"
        result = Binary(INT32, op, result, Const(INT32, abs(constant)))
    return result
