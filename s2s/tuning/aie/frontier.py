"""The mappings of a space that are not measured yet, those first that promise the fewest cycles.

A mapping begins with a bound by its factors alone, gets a better one when it was looked at (its
steps done, ``bound.least``), and leaves when it is simulated. What is promised stands near these
bounds, but not for all kinds of mappings (loop of the vectors, layouts): where kernels of a kind
come out worse, so much is added to what its others promise. Nothing depends on time.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import field
from math import inf, log
from typing import NamedTuple

from s2s.scop.contraction import Contraction
from s2s.source.records import dataclass
from s2s.transforms.aie.mapping import Mapping
from s2s.transforms.aie.space import Size, size_of
from s2s.tuning.aie.measured import machine

CLOSE = 0.002
"""The part of the best mapping's cycles that is not worth a further look."""
_SAME = 0.002
"""Cycles that differ by this part of them promise the same; then the shorter body is the first."""
_AROUND = 18
"""Cycles around one run of a pipelined loop that ``bound.least`` does not count."""
_LONG = 64
"""Products of a body that may still be pipelined."""
_FAILED = 1.1
"""Times that the others of a kind promise more cycles for each of it that is no kernel."""
_HOPELESS = 500
_LOOKS = 6
"""Looks after which the best of those that were seen is simulated, whatever others promise."""

Kind = tuple[object, ...]


@dataclass(frozen=True)
class Entry:
    """A mapping with its size and the number by which its turn comes among equals."""

    mapping: Mapping
    size: Size
    number: int

    @property
    def kind(self) -> Kind:
        """What mappings share for which bounds are equally near."""
        one = self.mapping
        shape = self.size.body > _LONG, bool(one.keep), one.wrap
        return one.vector, one.image, one.weight, one.output, shape

    def around(self) -> int:
        return 0 if self.size.body > _LONG else _AROUND * self.size.entries


_Item = tuple[int, int, int, float, Entry]
"""The rank of a mapping (promise, length of the body, number), its bound, and it."""


@dataclass
class _Kind:
    """Those of one kind: not looked at, and looked at (with bounds), each by promise."""

    unseen: list[_Item] = field(default_factory=list)
    seen: list[_Item] = field(default_factory=list)
    looked: float = inf
    """The least ratio of what was promised after a look to what was before it."""
    simulated: float = inf
    """The least ratio of cycles to what was promised after a look."""
    failed: int = 0
    good: int = 0

    def factor(self, is_seen: bool) -> float:
        worse = float(_FAILED ** min(self.failed / (1 + self.good), _HOPELESS))
        found = max(1.0, self.simulated) if self.good else 1.0
        if not is_seen and self.looked < inf:
            found *= max(1.0, self.looked)
        return worse * found


class _Heap(NamedTuple):
    """Those of a kind that were looked at, or were not, ranked by the first of them."""

    rank: tuple[float, int, int]
    heap: list[_Item]
    is_seen: bool


class Frontier:
    """What is left of a space."""

    def __init__(self, contraction: Contraction, space: Iterable[Mapping]) -> None:
        self._contraction = contraction
        self._kinds: dict[Kind, _Kind] = {}
        self._entries: dict[Mapping, Entry] = {}
        self._looks = 0
        for number, mapping in enumerate(space):
            entry = Entry(mapping, size_of(contraction, mapping), number)
            self._entries[mapping] = entry
            kind = self._kinds.setdefault(entry.kind, _Kind())
            heapq.heappush(
                kind.unseen, _item(entry, entry.size.cycles, floor(contraction, mapping))
            )

    def shortest(self) -> list[list[Mapping]]:
        """The mappings of each kind, those with short bodies first."""
        kinds: dict[Kind, list[Entry]] = {}
        for entry in self._entries.values():
            kinds.setdefault(entry.kind, []).append(entry)
        for entries in kinds.values():
            entries.sort(key=lambda e: (e.size.body, e.size.cycles, e.number))
        return [[entry.mapping for entry in entries] for entries in kinds.values()]

    def has(self, mapping: Mapping) -> bool:
        """Whether a mapping belongs to the space, looked at or not."""
        return mapping in self._entries

    def size(self, mapping: Mapping) -> Size:
        """The size of a mapping, of this space or another."""
        entry = self._entries.get(mapping)
        return size_of(self._contraction, mapping) if entry is None else entry.size

    def pop(self, best: int) -> tuple[Mapping, bool] | None:
        """The next mapping that may be faster than the best one (0: any); whether it was seen."""
        limit = best * (1 - CLOSE) if best else inf
        while heaps := self._heaps():
            seen = [one for one in heaps if one.is_seen]
            one = min(seen if seen and self._looks >= _LOOKS else heaps, key=lambda o: o.rank)
            *_, bound, entry = heapq.heappop(one.heap)
            if bound < limit:
                self._looks = 0 if one.is_seen else self._looks + 1
                return entry.mapping, one.is_seen
        return None

    def _heaps(self) -> list[_Heap]:
        return [
            _Heap((heap[0][0] + log(kind.factor(is_seen)) / _SAME, *heap[0][1:3]), heap, is_seen)
            for kind in self._kinds.values()
            for heap, is_seen in ((kind.unseen, False), (kind.seen, True))
            if heap
        ]

    def bounded(self, mapping: Mapping, bound: int) -> None:
        """A mapping was looked at: it takes so many cycles or more."""
        entry = self._entries.get(mapping)
        if entry is None:
            return
        kind = self._kinds[entry.kind]
        promised = bound + entry.around()
        kind.looked = min(kind.looked, promised / entry.size.cycles)
        heapq.heappush(kind.seen, _item(entry, promised, bound))

    def settled(self, mapping: Mapping, bound: int, cycles: int) -> None:
        """A mapping with this bound (0: not known) was simulated; 0 ``cycles``: it is no kernel."""
        entry = self._entries.get(mapping)
        if entry is None:
            return
        kind = self._kinds[entry.kind]
        if not cycles:
            kind.failed += 1
            return
        kind.good += 1
        promised = bound + entry.around() if bound else entry.size.cycles
        kind.simulated = min(kind.simulated, cycles / promised)


def _item(entry: Entry, promised: float, bound: float) -> _Item:
    return round(log(max(promised, 1)) / _SAME), entry.size.body, entry.number, bound, entry


def floor(contraction: Contraction, mapping: Mapping) -> int:
    """Cycles below which no kernel of a mapping can come, by its factors alone."""
    size = size_of(contraction, mapping)
    cycles = size.products
    if size.is_even and size.products > size.body * size.entries:
        cycles += machine().number("function.loops")
        cycles += size.entries * machine().number("loop.setup")
        if size.body > machine().number("loop.operations"):
            cycles += size.products // size.body * _waits(contraction, mapping)
    return cycles


def _waits(contraction: Contraction, mapping: Mapping) -> int:
    """Cycles in which one iteration of a body that is not pipelined cannot multiply.

    A load where the innermost loop moves the operand that is loaded as vectors, and the last sum.
    """
    moved = contraction.image if mapping.vector in contraction.image.loops else contraction.weight
    loads = mapping.order[-1] in moved.loops and not mapping.wrap
    found = machine().latency("load") if loads else 0
    return found if mapping.keep else found + machine().latency("multiply")
