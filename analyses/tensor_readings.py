"""Readings of tensors: which memory means which element, and which instances have a sense."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from functools import reduce
from typing import TYPE_CHECKING

import islpy as isl

from s2s.scop.nodes import Access, Scop, Statement
from s2s.scop.unions import union_of_maps
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.scop.nest import Store

SET, IN, OUT = isl.dim_type.set, isl.dim_type.in_, isl.dim_type.out


@dataclass(frozen=True)
class Problem:
    """What a nest does that its definitions do not say, and the store that shows it.

    ``sure``: all that matters is affine; else the nest may be right all the same.
    """

    text: str
    store: Store
    sure: bool = True


@dataclass(frozen=True)
class Sense:
    """Which instances compute something that has a meaning.

    Whole tiles at an edge may run over elements that nothing needs: an update on elements that
    were never set, a pure definition from elements that were never set. What these read does not
    matter by itself, but who needs what they write finds nothing there. ``reasons`` are what was
    met first, for the message if an output needs it.
    """

    scop: Scop
    reasons: list[Problem] = field(default_factory=list)
    _known: dict[str, isl.UnionSet] = field(default_factory=dict)
    _lost: dict[str, isl.UnionSet] = field(default_factory=dict)

    def of(self, statement: Statement, keys: isl.UnionMap) -> isl.UnionMap:
        """The readings of the instances of a statement that have a sense."""
        if statement.name in self._lost:
            keys = keys.subtract_domain(self._lost[statement.name])
        if statement.store.stage == 0 or not statement.write.exact:
            return keys
        if statement.name not in self._known:
            self._known[statement.name] = self._instances(statement)
        return keys.intersect_domain(self._known[statement.name])

    def lose(self, statement: Statement, instances: isl.UnionSet, reason: Problem) -> None:
        """Note instances that read what nothing has computed."""
        self.reasons.append(reason)
        known = self._lost.get(statement.name)
        self._lost[statement.name] = instances if known is None else known.union(instances)

    def lost(self, statements: Sequence[Statement]) -> isl.UnionSet | None:
        """All instances of some statements that have no sense."""
        found = [self._lost[s.name] for s in statements if s.name in self._lost]
        return reduce(isl.UnionSet.union, found) if found else None

    def _instances(self, statement: Statement) -> isl.UnionSet:
        tensor = statement.write.array
        setters = [
            s for s in self.scop.statements if s.write.array == tensor and s.store.stage == 0
        ]
        if not setters:
            return isl.UnionSet.from_set(statement.domain)
        pure = union_of_maps([s.write.relation for s in setters])
        written = isl.UnionMap.from_map(statement.write.relation)
        times = union_of_maps([s.schedule for s in setters])
        reader = isl.UnionMap.from_map(statement.schedule)
        before = times.lex_lt_union_map(reader)
        return pure.apply_range(written.reverse()).intersect(before).range()


def value_of(number: int) -> isl.Val:
    return isl.Val.int_from_si(isl.DEFAULT_CONTEXT, number)


def keyed(access: Access, fold: isl.Map | None) -> isl.UnionMap:
    """Readings with their memory to the elements that they mean."""
    if access.element is None:
        return isl.UnionMap.from_map(access.relation.range_map())
    # [reader -> element] -> memory, from the loops around its allocation and the element's fold.
    pairs = access.element.wrap()
    reader, element = access.element.domain_map(), access.element.range_map()
    folded = element if fold is None else element.apply_range(fold)
    outside = access.relation.dim(OUT) - access.element.dim(OUT)
    home = access.relation.project_out(OUT, outside, access.element.dim(OUT)).reset_tuple_id(OUT)
    place = reader.apply_range(home).flat_range_product(folded.reset_tuple_id(OUT))
    place = place.set_tuple_name(OUT, access.array).intersect_domain(pairs)
    keys = reader.range_product(place)
    return isl.UnionMap.from_map(keys.reverse().apply_range(element))


def last_writers(reached: isl.UnionMap, order: isl.UnionMap) -> isl.UnionMap:
    """Of the writers of a reading those that no other one follows."""
    times = reached.reverse().apply_range(order)
    latest = times.lexmax()
    return latest.apply_range(order.reverse()).intersect(reached.reverse()).reverse()
