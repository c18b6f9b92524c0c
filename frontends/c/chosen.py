"""Values that conditions choose: clamped and wrapped subscripts are affine in pieces.

``y < 0 ? 0 : y`` is ``max(0, y)``, ``y >= h ? h - 1 : y`` is ``min(h - 1, y)``: isl reads both as
terms. Others, as ``i == 0 ? n - 1 : i - 1``, are variables with a formula that says what they are.
They are hidden in polynomials (a ``#`` before the name), so that nobody takes them for iterators
or parameters: who knows what to do with them asks for ``Chosen.shown``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import field

from s2s.frontends.c.evaluated import Context
from s2s.frontends.c.syntax import CType, Decl
from s2s.scop.nodes import LoopVariable
from s2s.scop.polynomial import Polynomial
from s2s.source.records import dataclass

_HIDDEN = "#"


@dataclass(frozen=True)
class Comparison:
    """A comparison of integers."""

    left: Polynomial
    op: str
    right: Polynomial

    def extreme(self, then: Polynomial, otherwise: Polynomial) -> Polynomial | None:
        """What ``self ? then : otherwise`` is, None where it is no minimum and no maximum.

        The comparison is ``d >= least`` for a difference ``d``. Where the other side exceeds this
        one by ``q * d + m`` with numbers ``q`` and ``m``, it is known which one is larger.
        """
        compared = self._at_least()
        if compared is None or not (then.is_affine and otherwise.is_affine):
            return None
        difference, least = compared
        for function, excess in (("min", otherwise - then), ("max", then - otherwise)):
            for factor in (1, 2):
                more = (excess - difference.scaled(factor)).number
                if more is None:
                    continue
                if factor * least + more >= 0 >= factor * (least - 1) + more:
                    return _extreme(function, then, otherwise)
        return None

    def _at_least(self) -> tuple[Polynomial, int] | None:
        """A difference of the sides and the number that it has to reach."""
        if self.op in (">", ">="):
            return self.left - self.right, int(self.op == ">")
        if self.op in ("<", "<="):
            return self.right - self.left, int(self.op == "<")
        return None


def _extreme(function: str, one: Polynomial, other: Polynomial) -> Polynomial:
    first, second = sorted((one.isl(), other.isl()))
    return Polynomial.name(f"{function}({first}, {second})")


@dataclass(frozen=True)
class Condition:
    """A condition in isl's notation, and what it compares."""

    formula: str
    compared: Comparison | None


@dataclass
class Chosen:
    """The hidden variables of a region, each with what it is."""

    fresh_name: Callable[[str], str]
    _definitions: dict[str, tuple[str, frozenset[str]]] = field(default_factory=dict)
    """For each name the formula and the other names in it."""
    _formulas: dict[str, str] = field(default_factory=dict)
    _known: dict[tuple[str, Polynomial, Polynomial], Polynomial] = field(default_factory=dict)

    def choose(
        self, condition: Condition, then: Polynomial, otherwise: Polynomial
    ) -> Polynomial | None:
        """What ``condition ? then : otherwise`` is, None where a side is not affine."""
        if then == otherwise:
            return then
        compared = condition.compared
        extreme = compared.extreme(then, otherwise) if compared is not None else None
        if extreme is not None:
            return extreme
        key = condition.formula, then, otherwise
        if key not in self._known:
            value = self._define(*key)
            if value is None:
                return None
            self._known[key] = value
        return self._known[key]

    def _define(
        self, formula: str, then: Polynomial, otherwise: Polynomial
    ) -> Polynomial | None:  # fmt: skip
        sides = self.shown(then), self.shown(otherwise)
        if not all(side.is_affine for side in sides):
            return None
        name = self.fresh_name("chosen")
        first, second = (side.isl() for side in sides)
        self._definitions[name] = (
            f"((({formula}) and {name} = {first}) or (not ({formula}) and {name} = {second}))",
            self._names((then, otherwise)),
        )
        return Polynomial.name(_HIDDEN + name)

    def _names(self, values: Iterable[Polynomial]) -> frozenset[str]:
        """All hidden variables of values, those that they are chosen from included."""
        if not self._definitions:
            return frozenset()
        direct = {n[1:] for v in values for n in v.names if n[1:] in self._definitions}
        return frozenset(direct.union(*(self._definitions[n][1] for n in direct)))

    def shown(self, value: Polynomial) -> Polynomial:
        """A value with names that isl can read, for formulas in which they are defined."""
        if not self._definitions or not any(n[1:] in self._definitions for n in value.names):
            return value
        terms = {
            tuple(sorted(n[1:] if n[1:] in self._definitions else n for n in monomial)): factor
            for monomial, factor in value.terms.items()
        }
        return Polynomial(terms, value.constant)

    def formula(self, values: Iterable[Polynomial], text: str) -> str:
        """A formula that speaks of shown values, with what they are."""
        names = sorted(self._names(values))
        if not names:
            return text
        whole = " and ".join([*(self._definitions[n][0] for n in names), text])
        if whole not in self._formulas:
            # Where the values are used, there are variables of these names around it.
            own = {name: self.fresh_name(name) for name in names}
            inside = re.sub(r"\w+", lambda word: own.get(word[0], word[0]), whole)
            self._formulas[whole] = f"(exists ({', '.join(own.values())} : {inside}))"
        return self._formulas[whole]

    def around(self, values: Iterable[Polynomial], context: Context) -> Context:
        """Where shown values are used: inside of loops over what they may be."""
        for name in sorted(self._names(values)):
            variable = LoopVariable(name, name, _VALUE.type.spelling, declared=True)
            context = context.inside(variable, _VALUE, self._definitions[name][0])
        return context


_VALUE = Decl("", "VAR_DECL", CType("long", "int", 8), "", 0, False, False, False)
"""What is in the place of a declaration: no expression refers to it."""
