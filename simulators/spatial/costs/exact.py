"""The exact model: what the executing machine counts, by closed forms over few kinds of steps.

Each dimension has few kinds of changes from one step to the next (``pieces``), and what a tensor
needs and keeps at a change is a product over its axes (``subscripts``). So sums over all steps are
sums over kinds, with how often there is each. Unlike the model of MAESTRO it knows edges, strides,
halos that are kept or multicast, and tiles that are fetched again; time is that of the machine:

    step:  max(multiplications of the busiest element, (to the next step + leaving) / network)
    tile:  max(all its steps but the last, DRAM to the next tile / DRAM) + the last step,
           at least what DRAM moves in both directions
    total: the first tile from DRAM, the first step's data, then the tiles one after the other
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import gcd, prod
from typing import TypeVar

from s2s.simulators.spatial.costs import pieces, subscripts
from s2s.simulators.spatial.costs.figures import Figures, Traffic
from s2s.simulators.spatial.costs.pieces import Change, Dimension, Split, Spread
from s2s.simulators.spatial.cuts import Cut, Plan, footprint
from s2s.simulators.spatial.machine import Machine
from s2s.source.spatial.layers import Index, Tensor

T = TypeVar("T")

Part = tuple[int, ...]
"""Iterations of the busiest unit, then for each tensor four ``subscripts.Counts``: what operands
need at the next step, what outputs have at this one."""

Tile = tuple[int, ...]
"""Iterations of each dimension in one tile of L2."""


_Piece = tuple[int, int]
"""The first iteration and how many."""


@dataclass(frozen=True)
class _Move:
    """A change of one dimension between tiles of L2: (first, how many) before and after.

    ``anew``: the next one begins with iteration 0.
    """

    before: _Piece
    after: _Piece
    anew: bool


@dataclass
class _Sums:
    """Over steps: their number, cycles, multiplications of the busiest, what is moved."""

    steps: int = 0
    cycles: int = 0
    compute: int = 0
    moved: Counter[str] | None = None

    def add(self, other: _Sums, times: int) -> None:
        """So many of the other."""
        self.steps += other.steps * times
        self.cycles += other.cycles * times
        self.compute += other.compute * times
        assert self.moved is not None and other.moved is not None
        for name, value in other.moved.items():
            self.moved[name] += value * times


def evaluate(plan: Plan, machine: Machine) -> Figures:
    """What the machine counts for a mapping; its limits are not looked at."""
    return _Model(plan, machine).figures()


class _Model:
    def __init__(self, plan: Plan, machine: Machine) -> None:
        self.plan, self.machine = plan, machine
        self.dims = tuple(plan.extents)
        self.tensors = plan.computation.tensors
        self.outer = {cut.dim: (place, cut) for place, cut in enumerate(plan.cuts) if cut.outer}
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
        self.groups = _groups(self.dims, together)
        self.others = [
            prod(cut.units for cut in plan.cuts if cut.dim not in tensor.dims)
            for tensor in self.tensors
        ]
        self._separate = [
            _groups(tuple(range(len(tensor.axes))), [
                frozenset(a for a, axis in enumerate(tensor.axes) if dim in dict(axis.terms))
                for dim in self.dims
            ])
            for tensor in self.tensors
        ]  # fmt: skip
        self._dimensions: dict[tuple[str, int], Dimension] = {}
        self._parts: dict[object, Part] = {}
        self._insides: dict[Tile, _Sums] = {}
        self._crossings: dict[object, _Sums] = {}

    # ------------------------------------------------------------------- steps inside a tile

    def _dimension(self, dim: str, extent: int) -> Dimension:
        found = self._dimensions.get((dim, extent))
        if found is None:
            found = Dimension(self._given(dim, extent), self.inner[dim], self.apart[dim])
            self._dimensions[dim, extent] = found
        return found

    def _given(self, dim: str, extent: int) -> Spread:
        """What the clusters of the outermost level have of one tile."""
        cut = self.outer.get(dim, (0, None))[1]
        if cut is None or cut.units == 1:
            return pieces.whole(extent)
        split = Split(cut.tile, cut.units, -1)
        return pieces.spread(pieces.whole(extent), split, 0, self.apart[dim])

    def _inside(self, tile: Tile) -> _Sums:
        """All steps of a tile but the last one, each with what comes after it."""
        found = self._insides.get(tile)
        if found is None:
            found = _Sums(moved=Counter())
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

    def _step(self, part: Part, first: bool = False, last: bool = False) -> _Sums:
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
            return _Sums(0, cycles, 0, moved)
        return _Sums(1, max(part[0], cycles), part[0], moved)

    # ------------------------------------------------------------------ from tile to tile

    def _crossing(self, before: Tile, after: Tile, by: tuple[int, ...], ends: str = "") -> _Sums:
        """The last step of a tile, and the move to the first one of the next."""
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

    def _moves(self, dim: str, place: int) -> Counter[_Move]:
        """What a dimension does when the outer cut at a place goes on; empty if it never does."""
        extent = self.plan.extents[dim]
        own, cut = self.outer.get(dim, (-1, Cut(dim, extent, 1, True)))
        width = min(cut.width, extent)
        steps = -(-extent // width)
        found: Counter[_Move] = Counter()
        if own == place:
            for step, times in self._kinds_of_tiles(dim, width, steps - 1):
                found[self._move(extent, width, step, step + 1, dim)] += times
        elif own > place:
            found[self._move(extent, width, steps - 1, 0, dim)] += 1
        else:
            for step, times in self._kinds_of_tiles(dim, width, steps):
                found[self._move(extent, width, step, step, dim)] += times
        return found

    def _kinds_of_tiles(self, dim: str, width: int, steps: int) -> Iterator[tuple[int, int]]:
        """Tiles of a dimension, each with how many are like it; the first and last are apart."""
        block = self.machine.dram_block
        period = block // gcd(width, block) if dim in self._aligned else 1
        yield from ((step, 1) for step in sorted({0, steps - 1}) if 0 <= step < steps)
        for rest in range(min(period, max(0, steps - 2))):
            yield 1 + rest, -(-(steps - 2 - rest) // period)

    def _move(self, extent: int, width: int, step: int, to: int, dim: str) -> _Move:
        start, end = step * width, to * width
        low = start % self.machine.dram_block if dim in self._aligned else 0
        before, after = min(width, extent - start), min(width, extent - end)
        return _Move((low, before), (low + end - start, after), to == 0)

    @property
    def _aligned(self) -> frozenset[str]:
        """The dimensions of which the place in a block of DRAM matters."""
        found = getattr(self, "_aligned_dims", None)
        if found is None:
            found = frozenset(
                dim
                for tensor, inner in zip(self.tensors, self.plan.layouts, strict=True)
                for dim, _ in (tensor.axes[inner].terms if tensor.axes else ())
            )
            self._aligned_dims = found
        return found

    def _waits(
        self, moves: Sequence[_Move], cycles: int, last: int, ends: str = "", wide: bool = False
    ) -> int:
        """The cycles that a tile takes longer, for DRAM, than its steps and its last step.

        ``wide``: at most, wherever blocks begin.
        """
        into, out = self._blocks(dict(zip(self.dims, moves, strict=True)), ends, wide)
        rate = self.machine.dram_bandwidth
        busy = max(cycles, -(-into // rate)) + last
        return max(busy, -(-(into + out) // rate)) - cycles - last

    def _blocks(
        self, moves: dict[str, _Move], ends: str = "", wide: bool = False
    ) -> tuple[int, int]:
        """Elements, of whole blocks, that DRAM brings for the next tile and that leave this one."""
        into = out = 0
        fresh = all(moves[dim].anew for dim in self.plan.accumulating)
        block = self.machine.dram_block
        for index, tensor in enumerate(self.tensors):
            leaves = index + 1 == len(self.tensors)
            if ends != "last" and not (leaves and fresh):
                into += self._tile(index, tensor, moves, False, ends != "first", wide)[1] * block
            if leaves and ends != "first":
                out += self._tile(index, tensor, moves, True, ends != "last", wide)[1] * block
        return into, out

    def _count_dram(
        self, moved: Counter[str], kinds: dict[str, Counter[_Move]], ends: str = ""
    ) -> None:
        """Add what DRAM moves at all changes of a kind.

        A sum of products over dimensions is the product of sums; of partial sums nothing comes
        where all that is added up begins anew.
        """
        anew = {
            dim: Counter({move: n for move, n in kinds[dim].items() if move.anew})
            for dim in self.plan.accumulating
        }
        block = self.machine.dram_block
        for index in range(len(self.tensors)):
            leaves = index + 1 == len(self.tensors)
            if ends != "last":
                elements, blocks = self._all_tiles(index, kinds, False, ends != "first")
                if leaves:
                    known = self._all_tiles(index, kinds | anew, False, ends != "first")
                    elements, blocks = elements - known[0], blocks - known[1]
                moved[f"l2_in {index}"] += elements
                moved[f"dram_in {index}"] += blocks * block
            if leaves and ends != "first":
                elements, blocks = self._all_tiles(index, kinds, True, ends != "last")
                moved[f"l2_out {index}"] += elements
                moved[f"dram_out {index}"] += blocks * block

    def _all_tiles(
        self, index: int, kinds: dict[str, Counter[_Move]], leaves: bool, keeps: bool
    ) -> tuple[int, int]:
        """Elements and blocks of a tensor at all changes."""
        tensor, inner = self.tensors[index], self.plan.layouts[index]
        total = [1, 1, 1, 1]
        for dim in self.dims:
            if dim not in tensor.dims:
                total = [value * kinds[dim].total() for value in total]
        for axes in self._separate[index]:
            dims = [d for d in self.dims if any(d in dict(tensor.axes[a].terms) for a in axes)]
            sums = [0, 0, 0, 0]
            for combination in product(*(kinds[dim].items() for dim in dims)):
                moves = {dim: move for dim, (move, _) in zip(dims, combination, strict=True)}
                part = [prod(count for _, count in combination)] * 4
                for place in axes:
                    counts = self._counted(tensor.axes[place], moves, leaves)
                    own = 2 if place == inner else 0
                    chosen = *counts[:2], *counts[own : own + 2]
                    part = [a * b for a, b in zip(part, chosen, strict=True)]
                sums = [a + b for a, b in zip(sums, part, strict=True)]
            total = [a * b for a, b in zip(total, sums, strict=True)]
        elements, kept, blocks, kept_blocks = total
        return elements - kept * keeps, blocks - kept_blocks * keeps

    def _counted(
        self, axis: Index, moves: dict[str, _Move], leaves: bool, wide: bool = False
    ) -> tuple[int, int, int, int]:
        pairs = [(moves[d].before, moves[d].after) for d, _ in axis.terms]
        now = tuple(before if leaves else after for before, after in pairs)
        then = tuple(after if leaves else before for before, after in pairs)
        return self._coordinates(axis, now, then, wide)

    def _tile(
        self, index: int, tensor: Tensor, moves: dict[str, _Move], leaves: bool, keeps: bool,
        wide: bool = False,
    ) -> tuple[int, int]:  # fmt: skip
        """Elements and blocks that come to L2, or leave it; ``wide``: the most blocks."""
        inner = self.plan.layouts[index]
        elements = kept = blocks = kept_blocks = 1
        for place, axis in enumerate(tensor.axes):
            if not axis.terms:
                continue
            counts = self._counted(axis, moves, leaves, wide and place == inner)
            elements, kept = elements * counts[0], kept * counts[1]
            blocks *= counts[2 if place == inner else 0]
            kept_blocks *= counts[3 if place == inner else 1]
        return elements - kept * keeps, blocks - kept_blocks * keeps

    def _coordinates(
        self, axis: Index, now: tuple[_Piece, ...], then: tuple[_Piece, ...], wide: bool
    ) -> tuple[int, int, int, int]:
        """Of an axis: coordinates, those that stay, and the same in blocks."""
        block = self.machine.dram_block
        factors = tuple(f for _, f in axis.terms)
        same = now == then
        if wide:
            width = 1 + sum(
                abs(f) * (count - 1) for f, (_, count) in zip(factors, now, strict=True)
            )
            most = (width - 1) // block + 2
            return 1, same, most, most * same
        shift = -sum(f * (self.plan.extents[d] - 1) for d, f in axis.terms if f < 0)
        if len(now) > 1:
            return subscripts.several_blocks(factors, now, then, shift, block)
        low, count = now[0]
        touched = subscripts.interval_blocks(factors[0] * low + shift, factors[0], count, block)
        return count, count * same, touched, touched * same

    # -------------------------------------------------------------------------- all in all

    def figures(self) -> Figures:
        total = _Sums(moved=Counter())
        assert total.moved is not None
        stalls = 0
        for place, cut in enumerate(self.plan.cuts):
            if cut.outer and self._moves(cut.dim, place):
                kinds = {dim: self._moves(dim, place) for dim in self.dims}
                self._count_dram(total.moved, kinds)
                stalls += self._add_tiles(total, list(kinds.values()))
        ends = [self._at_ends(dim) for dim in self.dims]
        only = {dim: Counter([move]) for dim, move in zip(self.dims, ends, strict=True)}
        self._count_dram(total.moved, only, "last")
        inside, crossing = self._add_tile(total, ends, 1, "last")
        stalls += self._waits(ends, inside, crossing, "last")
        self._count_dram(total.moved, only, "first")
        return self._made(total, self._fill(total, ends), stalls)

    def _add_tiles(self, total: _Sums, kinds: list[Counter[_Move]]) -> int:
        """Add the tiles at whose ends an outer cut goes on; the cycles that they wait for DRAM.

        Where DRAM has time enough wherever blocks begin, it does not matter where they do.
        """
        alike = [_wherever(one) for one in kinds]
        waits = 0
        for combination in product(*(one.items() for one in alike)):
            times = prod(sum(count for _, count in moves) for _, moves in combination)
            moves = [move for move, _ in combination]
            inside, crossing = self._add_tile(total, moves, times)
            if not self._waits(moves, inside, crossing, wide=True):
                continue
            for placed in product(*(moves for _, moves in combination)):
                count = prod(count for _, count in placed)
                waits += count * self._waits([m for m, _ in placed], inside, crossing)
        return waits

    def _add_tile(
        self, total: _Sums, moves: list[_Move], times: int, ends: str = ""
    ) -> tuple[int, int]:
        """Add so many tiles of a kind; the cycles of all steps but the last, and of that one."""
        before, after = tuple(m.before[1] for m in moves), tuple(m.after[1] for m in moves)
        by = tuple(m.after[0] - m.before[0] for m in moves)
        inside = self._inside(before)
        crossing = self._crossing(before, after, by, ends)
        total.add(inside, times)
        total.add(crossing, times)
        return inside.cycles, crossing.cycles

    def _at_ends(self, dim: str) -> _Move:
        """From the last tile of a dimension to the first one."""
        extent = self.plan.extents[dim]
        cut = self.outer.get(dim, (-1, Cut(dim, extent, 1, True)))[1]
        width = min(cut.width, extent)
        return self._move(extent, width, -(-extent // width) - 1, 0, dim)

    def _fill(self, total: _Sums, ends: list[_Move]) -> int:
        """The first tile from DRAM, then the first step's data."""
        into, _ = self._blocks(dict(zip(self.dims, ends, strict=True)), "first")
        after = tuple(move.after[1] for move in ends)
        step = self._crossing(after, after, (0,) * len(ends), "first")
        assert total.moved is not None and step.moved is not None
        total.moved.update(step.moved)
        return -(-into // self.machine.dram_bandwidth) + step.cycles

    def _made(self, total: _Sums, fill: int, stalls: int) -> Figures:
        moved = total.moved
        assert moved is not None
        traffic = []
        for index, tensor in enumerate(self.tensors):
            leaves = index + 1 == len(self.tensors)
            way = "out" if leaves else "in"
            found = {f"noc_{way}": moved[f"noc {index}"],
                     f"l1_{way}": moved[f"l1 {index}"]}  # fmt: skip
            for key in ("dram_in", "dram_out", "l2_in", "l2_out"):
                found[key] = moved[f"{key} {index}"]
            if leaves:
                found["rereads"] = found["noc_out"] - footprint(tensor, self.plan.extents)
            traffic.append(Traffic(tensor.name, **found))
        l1, l2 = (
            2 * sum(footprint(tensor, self.plan.tile(outer)) for tensor in self.tensors)
            for outer in (False, True)
        )
        return Figures(
            "exact", fill + total.cycles + stalls, total.compute, fill,
            total.cycles - total.compute, stalls, total.steps, self.plan.macs, l1, l2,
            len(self.tensors) - 1, tuple(traffic),
        )  # fmt: skip


def _wherever(kinds: Counter[_Move]) -> dict[_Move, list[tuple[_Move, int]]]:
    """Moves that differ in where blocks begin alone are together, counted from 0 on."""
    found: dict[_Move, list[tuple[_Move, int]]] = {}
    for move, count in kinds.items():
        (low, before), (end, after) = move.before, move.after
        alike = _Move((0, before), (end - low, after), move.anew)
        found.setdefault(alike, []).append((move, count))
    return found


def _groups(members: tuple[T, ...], together: list[frozenset[T]]) -> list[tuple[T, ...]]:
    """The members in groups: those that are together, or with a third one."""
    found: list[set[T]] = [{member} for member in members]
    for some in together:
        joined = [group for group in found if group & some]
        if len(joined) > 1:
            rest = [group for group in found if not group & some]
            found = [*rest, {member for group in joined for member in group}]
    return [tuple(member for member in members if member in group) for group in found]
