"""What arrays of edge lists hold, in the steps in which they are built.

::

    count[src[e]]++             Counts     the edges with a key, for each key
    off[v + 1] += off[v]        Offsets    the edges with a key below
    nbr[pos[src[e]]++] = dst[e] Filled     the edges in the order of their keys
"""

from __future__ import annotations

from collections import Counter as Bag
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from s2s.rewriters.graphs.edge_lists.terms import Array, Lin
from s2s.source.records import dataclass

Guards = frozenset[tuple[Lin, bool]]


@dataclass(frozen=True)
class Flat:
    """Edges by number: ``first`` to ``last`` (exclusive)."""

    first: Lin
    last: Lin


@dataclass(frozen=True)
class Rows:
    """Edges in compressed rows that were not built here: those of vertices 0 to ``count``."""

    count: Lin
    offsets: Array
    version: Any


Space = Flat | Rows


@dataclass(frozen=True)
class Entry:
    """Each edge for which the guards hold is put under ``key``."""

    guards: Guards
    key: Lin

    def moved(self, by: int) -> Entry:
        return replace(self, key=self.key + by)


@dataclass(frozen=True)
class Keyed:
    """Edges and their keys. ``limits``: forms that keys are known to be below, by entry."""

    space: Space
    entries: tuple[Entry, ...]
    limits: tuple[frozenset[Lin], ...]

    def moved(self, by: int) -> Keyed:
        limits = tuple(frozenset(x + by for x in known) for known in self.limits)
        return Keyed(self.space, tuple(e.moved(by) for e in self.entries), limits)

    def same(self, other: Keyed) -> bool:
        """Whether the edges and their keys are the same."""
        return self.space == other.space and Bag(self.entries) == Bag(other.entries)

    def below(self, count: Lin) -> bool:
        """Whether all keys are known to be below a number."""
        return all(any(at_most(x, count) for x in known) for known in self.limits)


@dataclass(frozen=True)
class Unknown:
    """Anything. ``why`` says what wrote it: a node of the syntax, and words."""

    why: tuple[Any, str] | None = None


@dataclass(frozen=True)
class Zeros:
    """Zeros from the first element on, before ``last``."""

    last: Lin


@dataclass(frozen=True)
class Counts:
    """Element k is the number of edges with that key, before ``last``."""

    keyed: Keyed
    last: Lin


@dataclass(frozen=True)
class Offsets:
    """Element k is the number of edges with a key below k, from ``first`` to before ``last``."""

    keyed: Keyed
    first: Lin
    last: Lin


@dataclass(frozen=True)
class Filled:
    """Values of edges, those of key k after those of lower keys, in the order of ``visit``."""

    keyed: Keyed
    values: tuple[Lin, ...]
    visit: int


Content = Unknown | Zeros | Counts | Offsets | Filled


def at_most(one: Lin, other: Lin) -> bool:
    """Whether a form is known not to be above another."""
    difference = (other - one).number
    return difference is not None and difference >= 0


def bag(items: Iterable[Any]) -> frozenset[tuple[Any, int]]:
    """Items with how often they are there."""
    return frozenset(Bag(items).items())
