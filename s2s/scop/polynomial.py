"""Integer polynomials over iterators and parameters: subscripts and bounds before isl sees them.

A subscript such as ``(i * n + j) * m + k`` is not affine, but it is a polynomial whose division by
``m`` and ``n`` gives the affine subscripts of a three-dimensional array (delinearization).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from s2s.scop.linear import Linear

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
        hidden = any(name.startswith("#") for name in self.names)
        return self.degree <= 1 and not hidden

    @property
    def names(self) -> frozenset[str]:
        return frozenset(name for monomial in self.terms for name in monomial)

    def divide(self, name: str) -> tuple[Polynomial, Polynomial]:
        """Quotient and remainder of the division by a name, term by term."""
        found = Polynomial()
        for monomial, coefficient in self.terms.items():
            if name in monomial:
                rest = list(monomial)
                rest.remove(name)
                part = Polynomial.of(tuple(rest)) if rest else Polynomial.integer(1)
                found = found.plus(part, coefficient)
        return found, self.part(lambda monomial: name not in monomial, self.constant)

    def isl(self) -> str:
        """The text of an affine polynomial in isl's notation."""
        if not self.is_affine:
            raise ValueError(f"not affine: {self.terms}")
        parts = [str(self.constant)] if self.constant else []
        parts += [f"{c}*{m[0]}" for m, c in sorted(self.terms.items())]
        return "(" + " + ".join(parts) + ")" if parts else "0"


def delinearize(
    subscript: Polynomial, sizes: Iterable[str], carries: Sequence[int] = ()
) -> list[Polynomial] | None:
    """Subscripts of the array whose inner sizes (outermost first) are ``sizes``.

    ``(q, r)`` and ``(q + k, r - k * size)`` name the same element; ``carries`` has the ``k`` for
    each size, innermost first (0 where it ends). None where a quotient or remainder is not affine.
    The caller has to show that each inner subscript lies within its size; without that the result
    is wrong.
    """
    subscripts: list[Polynomial] = []
    rest = subscript
    for size, carry in zip_longest(reversed(list(sizes)), carries, fillvalue=0):
        rest, inner = rest.divide(str(size))
        shift = Polynomial.integer(int(carry))
        subscripts.append(inner - shift * Polynomial.name(str(size)))
        rest = rest + shift
    subscripts.append(rest)
    subscripts.reverse()
    return subscripts if all(s.is_affine for s in subscripts) else None


def size_candidates(subscript: Polynomial, parameters: frozenset[str]) -> list[tuple[str, ...]]:
    """Inner sizes that would make a polynomial subscript affine, fewest dimensions first."""
    if subscript.is_affine:
        return [()]
    high = [m for m in subscript.terms if len(m) >= 2]
    found: list[tuple[str, ...]] = []
    for size in sorted({n for m in high for n in m if n in parameters}):
        quotient, remainder = subscript.divide(size)
        if not remainder.is_affine:
            continue
        found += [(*outer, size) for outer in size_candidates(quotient, parameters)]
    return sorted(found, key=len)
