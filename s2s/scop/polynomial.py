"""Integer polynomials over iterators and parameters: subscripts and bounds before isl sees them.

A subscript such as ``(i * n + j) * m + k`` is not affine, but it is a polynomial whose division by
``m`` and ``n`` gives the affine subscripts of a three-dimensional array (delinearization).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import gcd

from s2s.scop.linear import Linear
from s2s.source.records import dataclass

Monomial = tuple[str, ...]


class Polynomial(Linear[Monomial]):
    """``sum(coefficient * product(names)) + constant``.

    A name is an isl identifier, or a quasi-affine isl term such as ``floor((i)/2)``. One that
    begins with ``#`` is a value that isl cannot be told of: no polynomial with it is affine.
    """

    @staticmethod
    def name(name: str) -> Polynomial:
        return Polynomial.of((name,))

    def __mul__(self, other: Polynomial) -> Polynomial:
        total = self.scaled(other.constant)
        for right, b in other.terms.items():
            moved = {tuple(sorted(left + right)): a for left, a in self.terms.items()}
            total = total.plus(Polynomial(moved), b)
            total = total.plus(Polynomial.of(right), b * self.constant)
        return total

    @property
    def degree(self) -> int:
        return max((len(m) for m in self.terms), default=0)

    @property
    def is_affine(self) -> bool:
        for monomial in self.terms:
            if len(monomial) > 1:
                return False
            if monomial and monomial[0].startswith("#"):
                return False
        return True

    @property
    def names(self) -> frozenset[str]:
        return frozenset(name for monomial in self.terms for name in monomial)

    def divide(self, name: str, factor: int = 1) -> tuple[Polynomial, Polynomial]:
        """Quotient and remainder of the division by a multiple of a name, term by term."""
        found = Polynomial()
        left = self.part(lambda monomial: name not in monomial, self.constant)
        for monomial, coefficient in self.terms.items():
            if name in monomial:
                rest = list(monomial)
                rest.remove(name)
                part = Polynomial.of(tuple(rest)) if rest else Polynomial.integer(1)
                found = found.plus(part, coefficient // factor)
                if coefficient % factor:
                    left = left.plus(Polynomial.of(monomial), coefficient % factor)
        return found, left

    def with_named(self, value: Polynomial, name: str) -> Polynomial:
        """The same number with ``name`` for ``value``, as often as that goes into it.

        Division of polynomials in several names by the graded lexicographic order; each step
        replaces a monomial by smaller ones.
        """
        lead = max(value.terms, key=lambda monomial: (len(monomial), monomial))
        for monomial, coefficient in self.terms.items():
            rest = _quotient(monomial, lead)
            if rest is not None and coefficient % value.terms[lead] == 0:
                times = Polynomial({rest: 1}) if rest else Polynomial.integer(1)
                times = times.scaled(coefficient // value.terms[lead])
                less = self - times * value + times * Polynomial.name(name)
                return less.with_named(value, name)
        return self

    def isl(self) -> str:
        """The text of an affine polynomial in isl's notation."""
        if not self.is_affine:
            raise ValueError(f"not affine: {self.terms}")
        parts = [str(self.constant)] if self.constant else []
        parts += [f"{c}*{m[0]}" for m, c in sorted(self.terms.items())]
        return "(" + " + ".join(parts) + ")" if parts else "0"


def _quotient(monomial: Monomial, divisor: Monomial) -> Monomial | None:
    """The other factors of a monomial; None where the divisor is no factor of it."""
    rest = list(monomial)
    for name in divisor:
        if name not in rest:
            return None
        rest.remove(name)
    return tuple(rest)


@dataclass(frozen=True)
class RowSize:
    """How many elements a row has: a parameter, or a multiple of one (``3 * width``)."""

    name: str
    factor: int = 1

    @staticmethod
    def parse(text: str) -> RowSize:
        """The size that ``isl`` has written."""
        factor, star, name = text.partition("*")
        return RowSize(name, int(factor)) if star else RowSize(text)

    def isl(self) -> str:
        """The size in isl's notation."""
        return self.name if self.factor == 1 else f"{self.factor}*{self.name}"

    def c(self, spelling: str) -> str:
        """The size in C, of a parameter that is spelled like this."""
        return spelling if self.factor == 1 else f"({self.factor}L * {spelling})"

    def polynomial(self) -> Polynomial:
        """The size as a number."""
        return Polynomial.name(self.name).scaled(self.factor)

    def divide(self, value: Polynomial) -> tuple[Polynomial, Polynomial]:
        """The row and the place in it, where ``value`` counts elements and places are columns."""
        return value.divide(self.name, self.factor)


def delinearize(
    subscript: Polynomial, sizes: Iterable[RowSize], carries: Sequence[int] = ()
) -> list[Polynomial] | None:
    """Subscripts of the array whose inner sizes (outermost first) are ``sizes``.

    ``(q, r)`` and ``(q + k, r - k * size)`` name the same element; ``carries`` has the ``k`` for
    each size, innermost first (0 where it ends). None where a quotient or remainder is not affine.
    The caller has to show that each inner subscript lies within its size; without that the result
    is wrong.
    """
    subscripts: list[Polynomial] = []
    rest = subscript
    for place, size in enumerate(reversed(list(sizes))):
        rest, inner = size.divide(rest)
        shift = Polynomial.integer(carries[place] if place < len(carries) else 0)
        subscripts.append(inner - shift * size.polynomial())
        rest = rest + shift
    subscripts.append(rest)
    subscripts.reverse()
    return subscripts if all(s.is_affine for s in subscripts) else None


def size_candidates(
    subscripts: Sequence[Polynomial], parameters: frozenset[str]
) -> list[tuple[RowSize, ...]]:
    """Inner sizes that would make polynomial subscripts affine, fewest dimensions first.

    Of ``(y * w + x) * 3 + c`` the rows have ``3 * w`` elements; ``w`` comes after it.
    """
    high = [m for s in subscripts for m in s.terms if len(m) >= 2]
    if all(s.is_affine for s in subscripts):
        return [()]
    found: list[tuple[RowSize, ...]] = []
    for name in sorted({n for m in high for n in m if n in parameters}):
        common = gcd(*(s.terms[m] for s in subscripts for m in s.terms if name in m and len(m) > 1))
        for factor in dict.fromkeys((common, 1)):
            size = RowSize(name, factor)
            parts = [size.divide(s) for s in subscripts]
            if all(rest.is_affine for _, rest in parts):
                outer = size_candidates([row for row, _ in parts], parameters)
                found += [(*sizes, size) for sizes in outer]
    return sorted(found, key=len)
