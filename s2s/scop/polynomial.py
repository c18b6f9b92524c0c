"""Integer polynomials over iterators and parameters: subscripts and bounds before isl sees them.

A subscript such as ``(i * n + j) * m + k`` is not affine, but it is a polynomial whose division by
``m`` and ``n`` gives the affine subscripts of a three-dimensional array (delinearization).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

Monomial = tuple[str, ...]


@dataclass(frozen=True)
class Polynomial:
    """``sum(coefficient * product(names))``.

    A name is an isl identifier, or a quasi-affine isl term such as ``floor((i)/2)``. One that
    begins with ``#`` is a value that isl cannot be told of: no polynomial with it is affine.
    """

    terms: Mapping[Monomial, int] = field(default_factory=dict)

    @staticmethod
    def constant(value: int) -> Polynomial:
        return Polynomial({(): value} if value else {})

    @staticmethod
    def name(name: str) -> Polynomial:
        return Polynomial({(name,): 1})

    def __add__(self, other: Polynomial) -> Polynomial:
        total = dict(self.terms)
        for monomial, coefficient in other.terms.items():
            total[monomial] = total.get(monomial, 0) + coefficient
        return Polynomial({m: c for m, c in total.items() if c})

    def __neg__(self) -> Polynomial:
        return Polynomial({m: -c for m, c in self.terms.items()})

    def __sub__(self, other: Polynomial) -> Polynomial:
        return self + -other

    def __mul__(self, other: Polynomial) -> Polynomial:
        total: dict[Monomial, int] = {}
        for left, a in self.terms.items():
            for right, b in other.terms.items():
                monomial = tuple(sorted(left + right))
                total[monomial] = total.get(monomial, 0) + a * b
        return Polynomial({m: c for m, c in total.items() if c})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Polynomial) and dict(self.terms) == dict(other.terms)

    def __hash__(self) -> int:
        return hash(frozenset(self.terms.items()))

    @property
    def degree(self) -> int:
        return max((len(m) for m in self.terms), default=0)

    @property
    def is_affine(self) -> bool:
        hidden = any(name.startswith("#") for name in self.names)
        return self.degree <= 1 and not hidden

    @property
    def constant_value(self) -> int | None:
        """The value where the polynomial is a number."""
        return self.terms.get((), 0) if all(not m for m in self.terms) else None

    @property
    def names(self) -> frozenset[str]:
        return frozenset(name for monomial in self.terms for name in monomial)

    def coefficient(self, name: str) -> int:
        """Coefficient of the linear term of a name."""
        return self.terms.get((name,), 0)

    def divide(self, name: str) -> tuple[Polynomial, Polynomial]:
        """Quotient and remainder of the division by a name, term by term."""
        quotient: dict[Monomial, int] = {}
        remainder: dict[Monomial, int] = {}
        for monomial, coefficient in self.terms.items():
            if name in monomial:
                reduced = list(monomial)
                reduced.remove(name)
                quotient[tuple(reduced)] = coefficient
            else:
                remainder[monomial] = coefficient
        return Polynomial(quotient), Polynomial(remainder)

    def isl(self) -> str:
        """The text of an affine polynomial in isl's notation."""
        if not self.is_affine:
            raise ValueError(f"not affine: {self.terms}")
        parts = [f"{c}*{m[0]}" if m else str(c) for m, c in sorted(self.terms.items())]
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
        shift = Polynomial.constant(int(carry))
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
