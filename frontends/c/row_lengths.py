"""Lengths of rows as they are written where they are used: ``i * (n + 1)``, ``y * (w / 2)``."""

from __future__ import annotations

from collections.abc import Callable

from s2s.scop.nodes import Parameter
from s2s.scop.polynomial import Polynomial


class RowLengths:
    """Gives sums and quotients of parameters, by which something else is multiplied, a parameter.

    ``parameters`` are the region's, to which these are added; ``fresh_name`` makes identifiers.
    """

    def __init__(self, parameters: dict[str, Parameter], fresh_name: Callable[[str], str]) -> None:
        self._parameters = parameters
        self._fresh_name = fresh_name
        self._names: dict[str, str] = {}
        self._quotients: dict[str, str] = {}
        """C text of quotients of parameters, by their names in polynomials."""

    def quotient(self, dividend: Polynomial, divisor: int) -> Polynomial:
        """An affine value that is not negative, divided as C does."""
        name = f"floor({dividend.isl()}/{divisor})"
        if dividend.names <= self._parameters.keys():
            text = self._text(dividend)
            self._quotients[name] = f"{f'({text})' if _is_sum(dividend) else text} / {divisor}"
        return Polynomial.name(name)

    def name_lengths(self, left: Polynomial, right: Polynomial) -> tuple[Polynomial, Polynomial]:
        """The factors of a product with a parameter in place of a length."""
        if self._is_fixed(left) and not self._is_fixed(right):
            return self._named(left), right
        if self._is_fixed(right) and not self._is_fixed(left):
            return left, self._named(right)
        return left, right

    def _is_fixed(self, value: Polynomial) -> bool:
        return all(n in self._parameters or n in self._quotients for n in value.names)

    def _named(self, value: Polynomial) -> Polynomial:
        if not value.is_affine or not value.terms:
            return value
        if not _is_sum(value) and value.names <= self._parameters.keys():
            return value
        text = value.isl()
        if text not in self._names:
            name = self._names[text] = self._fresh_name("row")
            spelling = f"({self._text(value)})"
            self._parameters[name] = Parameter(name, spelling, "long", False, 8, equals=text)
        return Polynomial.name(self._names[text])

    def _text(self, value: Polynomial) -> str:
        """C text of type ``long``."""
        text = " + ".join(self._term(name, factor) for (name,), factor in value.terms.items())
        if value.constant:
            text += f" {'-' if value.constant < 0 else '+'} {abs(value.constant)}"
        return text

    def _term(self, name: str, factor: int) -> str:
        quotient = self._quotients.get(name)
        text = quotient or _as_long(self._parameters[name].spelling)
        if factor == 1:
            return text
        return f"{factor}L * ({text})" if quotient else f"{factor}L * {text}"


def _is_sum(value: Polynomial) -> bool:
    return len(value.terms) + (value.constant != 0) > 1


def _as_long(spelling: str) -> str:
    return f"(long){spelling}" if spelling.isidentifier() else f"(long)({spelling})"
