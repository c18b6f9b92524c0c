"""Whether two unordered accesses surely meet in one element, for values of the parameters.

Parameters get numbers: a race counts if it is there for all of several choices, in which sizes,
strides and offsets are large and small and of every order. So subscripts such as ``i * n + j`` are
affine, and what races only if one parameter happens to be less than another one does not count.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

import islpy as isl

from s2s.analyses.concurrency.orders import Relation, Way
from s2s.scop.executions import Among, Atom, Both, Condition, Event, Execution, names_in
from s2s.scop.polynomial import Polynomial
from s2s.source.records import dataclass

_CHOICES = 6


class NotAffine(Exception):
    """Symbols that differ from instance to instance are multiplied."""


@dataclass(frozen=True)
class Numbers:
    """One choice: rising or falling values of the parameters by their names, or random ones."""

    turn: int

    def of(self, names: Iterable[str]) -> dict[str, int]:
        """Values of parameters; large and far apart in the first two choices."""
        listed = sorted(names)
        if self.turn < 2:
            ordered = listed if self.turn else listed[::-1]
            return {name: 24 + 11 * k for k, name in enumerate(ordered)}
        drawn = random.Random(f"{self.turn}:{','.join(listed)}")
        values = drawn.sample(range(7, 60 + 4 * len(listed)), len(listed))
        return dict(zip(listed, values, strict=True))


def meets(execution: Execution, first: Event, second: Event, way: Way) -> bool:
    """Whether unordered instances of both events surely touch one element."""
    question = _Question(execution, first, second, way)
    try:
        return all(question.holds(Numbers(turn)) for turn in range(_CHOICES))
    except NotAffine:
        return False


@dataclass(frozen=True)
class _Question:
    execution: Execution
    first: Event
    second: Event
    way: Way

    def holds(self, numbers: Numbers) -> bool:
        names = self._names()
        values = numbers.of(n for n in names if n not in self.execution.local)
        text = self._text(sorted(names & self.execution.local), values)
        return _has_points(text)

    def _names(self) -> set[str]:
        names: set[str] = set()
        for event in (self.first, self.second):
            for subscript in event.place.subscripts:
                names |= subscript.names
            for condition in event.conditions:
                names.update(names_in(condition))
        for relation in self.way.relations:
            names.update(relation.scope.symbols)
        for number in list(names & self.execution.threads.keys()):
            names |= self.execution.threads[number].names
        return names

    def _text(self, local: list[str], values: Mapping[str, int]) -> str:
        variables = ", ".join(f"{name}_{side}" for side in "ab" for name in local)
        text = f"{{ [{variables}] : {' and '.join(self._parts(local, values))} }}"
        short = {name: f"s{k}_" for k, name in enumerate(sorted(local, key=_turn))}
        return _LOCAL.sub(lambda found: short[found[1]], text)

    def _parts(self, local: list[str], values: Mapping[str, int]) -> Iterator[str]:
        sides = [_Side(side, frozenset(local), values) for side in "ab"]
        yield "0 = 0"
        for side, event in zip(sides, (self.first, self.second), strict=True):
            for condition in event.conditions:
                yield side.formula(condition)
            yield from self._within_rows(side, event)
            for number in self.execution.threads.keys() & set(local):
                bound = side.value(self.execution.threads[number])
                yield f"0 <= {number}_{side.side} < {bound}"
        pairs = zip(self.first.place.subscripts, self.second.place.subscripts, strict=True)
        for one, other in pairs:
            yield f"{sides[0].value(one)} = {sides[1].value(other)}"
        for relation in self.way.relations:
            yield _compared(relation)
        for team in self.way.teams:
            yield from (f"{s}_a != {s}_b" for s in team.symbols if s in local)

    def _within_rows(self, side: _Side, event: Event) -> Iterator[str]:
        """Subscripts with parameters do not leave rows of constant size."""
        for index, size in event.place.bounds:
            used = set(index.names).union(*(names_in(c) for c in event.conditions))
            if used - self.execution.local:
                yield f"0 <= {side.value(index)} < {size}"


_LOCAL = re.compile(r"\b([a-z]\d+)_(?=[ab]\b)")


def _turn(name: str) -> int:
    return int(name[1:])


@lru_cache(maxsize=4096)
def _has_points(text: str) -> bool:
    """Whether a set has any; names in the order of their making let like loops share the answer."""
    return not isl.Set(text).is_empty()


@dataclass(frozen=True)
class _Side:
    """Writes the conditions of one of the two events."""

    side: str
    local: frozenset[str]
    values: Mapping[str, int]

    def formula(self, condition: Condition) -> str:
        if isinstance(condition, Atom):
            return f"{self.value(condition.value)} {condition.relation} 0"
        if isinstance(condition, Among):
            return self._among(condition)
        if not condition.parts:
            return "0 = 0" if isinstance(condition, Both) else "0 = 1"
        word = " and " if isinstance(condition, Both) else " or "
        return "(" + word.join(self.formula(part) for part in condition.parts) + ")"

    def _among(self, condition: Among) -> str:
        index, value = self.value(condition.index), f"{condition.value}_{self.side}"
        rows = [
            f"({first} <= {index} <= {last} and {value} = {start} + {step} * ({index} - {first}))"
            for first, last, start, step in _pieces(condition.table)
        ]
        return "(" + " or ".join(rows) + ")"

    def value(self, polynomial: Polynomial) -> str:
        """An affine term, with numbers for the parameters. Raises NotAffine."""
        parts = [str(polynomial.constant)]
        for monomial, coefficient in polynomial.terms.items():
            unknown = []
            for name in monomial:
                if name in self.local:
                    unknown.append(f"{name}_{self.side}")
                else:
                    coefficient *= self.values[name]
            if len(unknown) > 1:
                raise NotAffine
            parts.append("*".join([str(coefficient), *unknown]))
        return "(" + " + ".join(parts) + ")"


def _pieces(table: tuple[int, ...]) -> Iterator[tuple[int, int, int, int]]:
    """Parts of a table with one step: the first and last index, the first value and the step."""
    first = 0
    while first < len(table):
        last = min(first + 1, len(table) - 1)
        step = table[last] - table[first]
        while last + 1 < len(table) and table[last + 1] - table[last] == step:
            last += 1
        yield first, last, table[first], step
        first = last + 1


def _compared(relation: Relation) -> str:
    left = [f"{s}_a" for s in relation.scope.symbols]
    right = [f"{s}_b" for s in (relation.other or relation.scope).symbols]
    pairs = list(zip(left, right, strict=False))
    if relation.kind == "=":
        return " and ".join(f"{a} = {b}" for a, b in pairs)
    if relation.kind == "next":
        return " and ".join(f"{b} = {a} + 1" for a, b in pairs)
    if relation.kind == "!=":
        return "(" + " or ".join(f"{a} != {b}" for a, b in pairs) + ")"
    return _lexicographic(pairs, relation)


def _lexicographic(pairs: list[tuple[str, str]], relation: Relation) -> str:
    """The first side's iteration before the second's (``<``), closer than safelen, or after it."""
    cases = []
    for k, (a, b) in enumerate(pairs):
        equal = [f"{x} = {y}" for x, y in pairs[:k]]
        cases.append(" and ".join([*equal, f"{a} {relation.kind} {b}"]))
    found = "(" + " or ".join(f"({case})" for case in cases) + ")"
    safelen = relation.scope.safelen
    if safelen is not None and relation.kind == "<":
        a, b = pairs[-1]
        found += f" and {b} - {a} < {safelen}"
    return found
