"""Which elements an innermost loop touches again a constant number of iterations later.

::

    for i: a[i] = a[i - 1] + b[i]        a[i - 1] is what the iteration before has written

A local variable can carry such an element, so that the next iteration need not wait until the
store has reached memory (Carr and Kennedy, "Scalar replacement in the presence of conditional
control flow", 1994, section 2; only accesses that happen in each iteration count here).

The proof for a generator G, a reader R and a distance k: whenever the loop has run the iteration
k before R's, G touched R's element in it; and no other access writes the element from that
iteration on until R reads it. Both are checked on the access relations under the target schedule.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from functools import cache

import islpy as isl

from s2s.scop.fixed import are_apart, fixed_outputs
from s2s.scop.nodes import Access, Scop, Statement
from s2s.scop.remembered import (
    composition,
    intersection,
    inverse,
    is_empty,
    meeting,
    remembered,
)
from s2s.scop.schedule import Reader, Rotated
from s2s.source.records import dataclass

# More locals than this for one generator would only move values around.
_FARTHEST = 4


@dataclass(frozen=True)
class _Place:
    """An access and where it stands."""

    name: str
    index: int
    statement: Statement = field(compare=False)

    @property
    def access(self) -> Access:
        return self.statement.accesses[self.index]


def recurrences(scop: Scop, position: int) -> tuple[Rotated, ...]:
    """What locals can carry along dimension ``position`` of the target schedule.

    Only arrays that the region writes are looked at: of what is only read, a compiler that finds
    the loads alike can keep the values itself.
    """
    loop = _Loop(scop, position)
    places = [p for p in _places(scop) if loop.is_plain(p) and not _is_update(p)]
    chosen: dict[_Place, list[Reader]] = {}
    served: set[_Place] = set()
    for writes in (True, False):
        # What one of several references touches, a local would have only after all of them.
        single = [p for p in places if not p.access.also]
        generators = [p for p in single if p.access.write == writes and p not in served]
        for reader in places:
            if reader.access.write or reader in served or reader in chosen:
                continue
            found = _source(loop, generators, reader, nearest=writes)
            if found is not None and found[0] not in served:
                generator, distance = found
                served.add(reader)
                entry = Reader(reader.name, reader.index, distance)
                chosen.setdefault(generator, []).append(entry)
    name = loop.name
    return tuple(Rotated(name, g.name, g.index, tuple(r)) for g, r in chosen.items())


def element_at(scop: Scop, position: int, statement: Statement, access: Access) -> isl.Map:
    """From a time's first entries, up to dimension ``position``, to the element touched then."""
    times = _prefix(scop, statement, position + 1)
    return times.reverse().apply_range(access.relation)


def _places(scop: Scop) -> Iterator[_Place]:
    written = {a.array for s in scop.statements for a in s.accesses if a.write}
    for statement in scop.statements:
        for index, access in enumerate(statement.accesses):
            if access.array in written:
                yield _Place(statement.name, index, statement)


def _writes(statement: Statement) -> Iterator[_Place]:
    for index, access in enumerate(statement.accesses):
        if access.write:
            yield _Place(statement.name, index, statement)


def _is_update(place: _Place) -> bool:
    """Whether a read is part of an update, as in ``a[i] += x``: its text stays."""
    written = {span for w in _writes(place.statement) for span in w.access.spans}
    return not place.access.write and not written.isdisjoint(place.access.spans)


def _source(
    loop: _Loop, generators: list[_Place], reader: _Place, *, nearest: bool
) -> tuple[_Place, int] | None:
    """The generator that a reader takes its element from, and the distance."""
    distances = range(1, _FARTHEST + 1)
    able = [g for g in generators if _may_meet(g, reader) and g != reader]
    for distance in (distances if nearest else reversed(distances)) if able else ():
        for generator in able:
            if loop.carries(generator, reader, distance):
                return generator, distance
    return None


def _may_meet(generator: _Place, reader: _Place) -> bool:
    """Whether two plain accesses ever touch one element."""
    one, other = reader.access, generator.access
    if one.array != other.array:
        return False
    if are_apart(fixed_outputs(one.relation), fixed_outputs(other.relation)):
        return False
    return not is_empty(meeting(one.relation, other.relation))


def _prefix(scop: Scop, statement: Statement, count: int) -> isl.Map:
    """The first entries of a statement's times."""
    assert scop.target is not None
    return _first_entries(scop.target.maps[statement.name], statement.domain, count)


@remembered
def _first_entries(times: isl.Map, domain: isl.Set, count: int) -> isl.Map:
    times = times.intersect_domain(domain)
    return times.project_out(isl.dim_type.out, count, times.dim(isl.dim_type.out) - count)


@remembered
def _is_subset(one: isl.Map, other: isl.Map) -> bool:
    return one.is_subset(other)


@remembered
def _touches_one(relation: isl.Map, domain: isl.Set) -> bool:
    """Whether each instance of a domain is related to one element."""
    return relation.is_single_valued() and domain.is_subset(relation.domain())


class _Loop:
    """One dimension of a target schedule whose loop is an innermost one."""

    def __init__(self, scop: Scop, position: int) -> None:
        assert scop.target is not None
        self.scop = scop
        self.position = position
        self.length = len(scop.target.dimensions)
        self.name = scop.target.dimensions[position].name
        self._times = {s.name: _prefix(scop, s, self.length) for s in scop.statements}
        self._prefixes = {s.name: _prefix(scop, s, position + 1) for s in scop.statements}
        self._steps: dict[tuple[str, str, int], isl.Map] = {}
        self._windows: dict[tuple[str, int], isl.Map] = {}
        self._once = {name for name, item in self._prefixes.items() if item.is_injective()}

    def is_plain(self, place: _Place) -> bool:
        """Whether each iteration touches one element by an access, whatever the data is."""
        access, statement = place.access, place.statement
        array = self.scop.arrays[access.array]
        plain = array.rank > 0 and not array.row_rank and not array.external and array.base
        return bool(
            plain
            and access.exact
            and access.commutes is None
            and statement.name in self._once
            and _touches_one(access.relation, statement.domain)
        )

    def carries(self, generator: _Place, reader: _Place, distance: int) -> bool:
        """Whether the reader's element is the one of the generator ``distance`` before.

        The two may meet.
        """
        same = meeting(reader.access.relation, generator.access.relation)
        step = self._step(generator.name, reader.name, distance)
        if is_empty(step) or not _is_subset(step, same):
            return False
        return not any(
            self._kills(other, generator, reader, distance, step)
            for statement in self.scop.statements
            for other in _writes(statement)
        )

    def _step(self, generator: str, reader: str, distance: int) -> isl.Map:
        """From one statement's instances to another's in the iteration ``distance`` before."""
        key = generator, reader, distance
        if key not in self._steps:
            self._steps[key] = self._new_step(*key)
        return self._steps[key]

    def _new_step(self, generator: str, reader: str, distance: int) -> isl.Map:
        before = composition(self._prefixes[reader], _back(self.position, distance))
        return composition(before, inverse(self._prefixes[generator]))

    def _kills(
        self, other: _Place, generator: _Place, reader: _Place, distance: int, step: isl.Map
    ) -> bool:
        """Whether a write may change the reader's element since the generator has touched it."""
        array = reader.access.array
        alias = frozenset((array, other.access.array)) in self.scop.may_alias
        if other.access.array != array and not alias:
            return False
        since = self._since(reader.name, distance)
        since = composition(since, inverse(self._times[other.name]))
        if other.access.array == array:
            since = intersection(since, meeting(reader.access.relation, other.access.relation))
        if other == generator:
            since = since.subtract(step)
        return not since.is_empty()

    def _since(self, reader: str, distance: int) -> isl.Map:
        """From a statement's instances to the times in the window before them."""
        key = reader, distance
        if key not in self._windows:
            window = _window(self.length, self.position, distance)
            self._windows[key] = composition(self._times[reader], window)
        return self._windows[key]


@cache
def _back(position: int, distance: int) -> isl.Map:
    """From the first entries of times, up to a loop's, to those of an iteration before."""
    inputs = [f"t{i}" for i in range(position + 1)]
    outputs = [*inputs[:-1], f"{inputs[-1]} - {distance}"]
    return isl.Map(f"{{ [{', '.join(inputs)}] -> [{', '.join(outputs)}] }}")


@cache
def _window(length: int, position: int, distance: int) -> isl.Map:
    """From times to those in the same loop, not later, at most ``distance`` iterations ago."""
    here = [f"a{i}" for i in range(length)]
    past = [f"b{i}" for i in range(length)]
    parts = [f"{past[i]} = {here[i]}" for i in range(position)]
    parts.append(f"{past[position]} >= {here[position]} - {distance}")
    space = isl.Map(f"{{ [{', '.join(here)}] -> [{', '.join(past)}] : {' and '.join(parts)} }}")
    return space.intersect(isl.Map.lex_ge(space.get_space().domain()))
