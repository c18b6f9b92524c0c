"""Edges in rows that were built before, as the edges that they were built of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from s2s.rewriters.graphs.edge_lists.contents import Entry, Filled, Guards, Offsets, at_most
from s2s.rewriters.graphs.edge_lists.memory import State
from s2s.rewriters.graphs.edge_lists.terms import (
    Atom,
    Counter,
    Elem,
    Lin,
    atoms,
    number,
    of,
    replaced,
)
from s2s.rewriters.graphs.edge_lists.trace import Loop, Store
from s2s.source.records import dataclass


@dataclass(frozen=True)
class _Edge:
    """One of the entries that rows were built of: what an edge in the rows is there."""

    state: State
    held: Offsets
    number: int

    @property
    def entry(self) -> Entry:
        return self.held.keyed.entries[self.number]

    def term(self, term: Lin) -> Lin | None:
        """A term of a row's edge as one of the original edge; None where it cannot be said."""
        found = replaced(term, self._atom)
        inner = {a for a in atoms(found) if isinstance(a, Counter) and a.depth}
        return None if inner else found

    def _atom(self, atom: Atom) -> Lin | None:
        if atom == Counter(0):
            return self.entry.key
        if not isinstance(atom, Elem) or atom.index != of(Counter(1)):
            return None
        listed = self.state.content(atom.array)
        current = atom.version == self.state.version(atom.array)
        if not isinstance(listed, Filled) or not current or not listed.keyed.same(self.held.keyed):
            return None
        if len(set(listed.keyed.entries)) != len(listed.keyed.entries):
            return None
        return listed.values[listed.keyed.entries.index(self.entry)]

    def guards(self, guards: Guards) -> Guards | None:
        result = set(self.entry.guards)
        for term, holds in guards:
            found = self.term(term)
            if found is None:
                return None
            result.add((found, holds))
        return frozenset(result)


def expanded(loop: Loop, stores: Sequence[Store]) -> list[Store] | None:
    """Stores for the edges of rows as ones for the edges that the rows were built of.

    None where the rows were not built in sight.
    """
    ((array, _),) = loop.trace.rows
    held = loop.before.content(array)
    count = loop.range.last
    if not isinstance(held, Offsets) or held.first != number(0):
        return None
    if not at_most(count + 1, held.last) or not held.keyed.below(count):
        return None
    terms = [t for s in stores for t in (s.index, s.value, *(g for g, _ in s.guards))]
    arrays = {
        a.array for t in terms for a in atoms(t)
        if isinstance(a, Elem) and a.index == of(Counter(1))
    }  # fmt: skip
    listed = [loop.before.content(a) for a in arrays]
    if len({c.visit for c in listed if isinstance(c, Filled)}) > 1:
        return None
    result = []
    for store in stores:
        for edge in [_Edge(loop.before, held, i) for i in range(len(held.keyed.entries))]:
            index, value = edge.term(store.index), edge.term(store.value)
            guards = edge.guards(store.guards)
            if index is None or value is None or guards is None:
                return None
            result.append(replace(store, index=index, value=value, guards=guards))
    return result
