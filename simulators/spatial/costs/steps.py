"""The steps of the array inside one tile of L2, and from one tile to the next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from math import prod

from s2s.simulators.spatial.costs import pieces, subscripts
from s2s.simulators.spatial.costs.pieces import Change, Dimension, Split, Spread
from s2s.simulators.spatial.costs.sums import Sums, groups_of
from s2s.simulators.spatial.cuts import Plan
from s2s.simulators.spatial.machine import Machine

Part = tuple[int, ...]
"""Iterations of the busiest unit, then for each tensor four ``subscripts.Counts``: what operands
need at the next step, what outputs have at this one."""

Tile = tuple[int, ...]
"""Iterations of each dimension in one tile of L2."""


class Steps:
    """What happens on chip; ``ends`` is "first" for what comes to the first step, "last" for what
    leaves the last one.
    """

    def __init__(self, plan: Plan, machine: Machine) -> None:
        self.plan, self.machine = plan, machine
        self.dims = tuple(plan.extents)
        self.tensors = plan.computation.tensors
        self.outer = {cut.dim: cut for cut in plan.cuts if cut.outer}
        self.inner = {
            dim: tuple(
                Split(cut.tile, cut.units, place)
                for place, cut in enumerate(plan.cuts)
                if cut.dim == dim and not cut.outer
            )
            for dim in self.dims
        }
        together = [frozenset(d for d, _ in a.terms) for t in self.tensors for a in t.axes]
        self.apart = {d: any(d in dims and len(dims) > 1 for dims in together) for d in self.dims}
        self.groups = groups_of(self.dims, together)
        self.others = [
            prod(cut.units for cut in plan.cuts if cut.dim not in tensor.dims)
            for tensor in self.tensors
        ]
        self._dimensions: dict[tuple[str, int], Dimension] = {}
        self._parts: dict[object, Part] = {}
        self._insides: dict[Tile, Sums] = {}
        self._crossings: dict[object, Sums] = {}

    def _dimension(self, dim: str, extent: int) -> Dimension:
        found = self._dimensions.get((dim, extent))
        if found is None:
            found = Dimension(self._given(dim, extent), self.inner[dim], self.apart[dim])
            self._dimensions[dim, extent] = found
        return found

    def _given(self, dim: str, extent: int) -> Spread:
        """What the clusters of the outermost level have of one tile."""
        cut = self.outer.get(dim)
        if cut is None or cut.units == 1:
            return pieces.whole(extent)
        split = Split(cut.tile, cut.units, -1)
        return pieces.spread(pieces.whole(extent), split, 0, self.apart[dim])

    def inside(self, tile: Tile, fresh: bool = True) -> Sums:
        """All steps of a tile but the last one, each with what comes after it; whether sums are
        ``fresh`` is nothing to them.
        """
        del fresh
        found = self._insides.get(tile)
        if found is None:
            found = Sums()
            for place, cut in enumerate(self.plan.cuts):
                if not cut.outer:
                    for part, times in self._kinds(tile, place).items():
                        found.add(self._step(part), times)
            self._insides[tile] = found
        return found

    def _kinds(self, tile: Tile, place: int) -> Counter[Part]:
        """The changes at which the cut at a place goes on."""
        found: Counter[Part] = Counter({(1,) * (1 + 4 * len(self.tensors)): 1})
        extents = dict(zip(self.dims, tile, strict=True))
        moving = self.plan.cuts[place].dim
        if not self._dimension(moving, extents[moving]).changes(place):
            return Counter()
        for group in self.groups:
            kinds = [self._dimension(dim, extents[dim]).changes(place).items() for dim in group]
            own: Counter[Part] = Counter()
            for combination in product(*kinds):
                times = prod(times for _, times in combination)
                own[self._part(group, tuple(change for change, _ in combination))] += times
            more: Counter[Part] = Counter()
            for one, times in found.items():
                for other, again in own.items():
                    more[tuple(a * b for a, b in zip(one, other, strict=True))] += times * again
            found = more
        return found

    def _part(self, group: tuple[str, ...], changes: tuple[Change, ...]) -> Part:
        key = group, changes
        found = self._parts.get(key)
        if found is None:
            found = tuple(self._counts(dict(zip(group, changes, strict=True))))
            self._parts[key] = found
        return found

    def _counts(self, changes: dict[str, Change]) -> Iterator[int]:
        yield prod(before[0][1] for before, _ in changes.values())
        for index, tensor in enumerate(self.tensors):
            leaves = index + 1 == len(self.tensors)
            total = (1, 1, 1, 1)
            for axis in tensor.axes:
                if not axis.terms or axis.terms[0][0] not in changes:
                    continue
                now = [changes[dim][0 if leaves else 1] for dim, _ in axis.terms]
                then = [changes[dim][1 if leaves else 0] for dim, _ in axis.terms]
                if len(now) == 1:
                    counts = subscripts.single(now[0], now[0] == then[0])
                else:
                    factors = tuple(f for _, f in axis.terms)
                    counts = subscripts.several(factors, tuple(now), tuple(then))
                total = tuple(a * b for a, b in zip(total, counts, strict=True))  # type: ignore[assignment]
            yield from total

    def _step(self, part: Part, first: bool = False, last: bool = False) -> Sums:
        """One step, and the move to the next; ``first``: to the first one, ``last``: to none."""
        moved: Counter[str] = Counter()
        bus = 0
        for index in range(len(self.tensors)):
            needs, kept, received, held = part[1 + 4 * index : 5 + 4 * index]
            leaves = index + 1 == len(self.tensors)
            if (leaves and first) or (not leaves and last):
                continue
            if first or last:
                kept = held = 0
            bus += needs - kept
            moved[f"noc {index}"] += needs - kept
            moved[f"l1 {index}"] += (received - held) * self.others[index]
        cycles = -(-bus // self.machine.noc_bandwidth)
        if first:
            return Sums(0, cycles, 0, moved)
        return Sums(1, max(part[0], cycles), part[0], moved)

    def crossing(
        self, before: Tile, after: Tile, by: Tile, ends: str = "", fresh: bool = True
    ) -> Sums:
        """The last step of a tile, and the move to the first one of the next."""
        del fresh
        key = before, after, by, ends
        found = self._crossings.get(key)
        if found is None:
            part: Part = (1,) * (1 + 4 * len(self.tensors))
            for group in self.groups:
                changes = []
                for dim in group:
                    place = self.dims.index(dim)
                    apart, splits = self.apart[dim], self.inner[dim]
                    old = pieces.last(self._given(dim, before[place]), splits, apart)
                    new = pieces.first(self._given(dim, after[place]), splits, apart)
                    start = old[0][0]
                    changes.append((pieces.moved(old, -start),
                                    pieces.moved(new, by[place] - start)))  # fmt: skip
                own = self._part(group, tuple(changes))
                part = tuple(a * b for a, b in zip(part, own, strict=True))
            found = self._step(part, ends == "first", ends == "last")
            self._crossings[key] = found
        return found
