"""What DRAM moves from one tile of the buffer next to it to the next tile, in blocks; or what L3
moves from one tile of L2 to the next, in blocks of one element.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product
from math import gcd, prod

from s2s.simulators.spatial.costs import subscripts
from s2s.simulators.spatial.costs.sums import groups_of
from s2s.simulators.spatial.cuts import Cut, Plan
from s2s.simulators.spatial.machine import Machine
from s2s.source.records import dataclass
from s2s.source.spatial.layers import Index, Tensor

Piece = tuple[int, int]
"""The first iteration and how many."""


@dataclass(frozen=True)
class Move:
    """A change of one dimension between tiles of L2: (first, how many) before and after.

    ``first``: the one before begins with iteration 0, ``anew``: the next one does.
    """

    before: Piece
    after: Piece
    anew: bool
    first: bool = False


class Dram:
    """The tiles of L2; ``ends`` is "first" for what comes before all, "last" for what is left."""

    def __init__(self, plan: Plan, machine: Machine) -> None:
        self.plan, self.machine = plan, machine
        self.dims = tuple(plan.extents)
        self.tensors = plan.computation.tensors
        self.outer = {cut.dim: (place, cut) for place, cut in enumerate(plan.cuts) if cut.outer}
        self._separate = [
            groups_of(
                tuple(range(len(tensor.axes))),
                [
                    frozenset(a for a, axis in enumerate(tensor.axes) if dim in dict(axis.terms))
                    for dim in self.dims
                ],
            )
            for tensor in self.tensors
        ]

    def moves(self, dim: str, place: int) -> Counter[Move]:
        """What a dimension does when the outer cut at a place goes on; empty if it never does."""
        extent = self.plan.extents[dim]
        own, cut = self.outer.get(dim, (-1, Cut(dim, extent, 1, True)))
        width = min(cut.width, extent)
        steps = -(-extent // width)
        found: Counter[Move] = Counter()
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

    def _move(self, extent: int, width: int, step: int, to: int, dim: str) -> Move:
        start, end = step * width, to * width
        low = start % self.machine.dram_block if dim in self._aligned else 0
        before, after = min(width, extent - start), min(width, extent - end)
        return Move((low, before), (low + end - start, after), to == 0, step == 0)

    @cached_property
    def _aligned(self) -> frozenset[str]:
        """The dimensions of which the place in a block of DRAM matters."""
        return frozenset(
            dim
            for tensor, inner in zip(self.tensors, self.plan.layouts, strict=True)
            for dim, _ in (tensor.axes[inner].terms if tensor.axes else ())
        )

    def waits(
        self, moves: Sequence[Move], cycles: int, last: int, ends: str = "", wide: bool = False
    ) -> int:
        """The cycles that a tile takes longer, for DRAM, than its steps and its last step.

        ``wide``: at most, wherever blocks begin.
        """
        into, out = self.blocks(dict(zip(self.dims, moves, strict=True)), ends, wide)
        rate = self.machine.dram_bandwidth
        busy = max(cycles, -(-into // rate)) + last
        return max(busy, -(-(into + out) // rate)) - cycles - last

    def blocks(self, moves: dict[str, Move], ends: str = "", wide: bool = False) -> tuple[int, int]:
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

    def count(self, moved: Counter[str], kinds: dict[str, Counter[Move]], ends: str = "") -> None:
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
        self, index: int, kinds: dict[str, Counter[Move]], leaves: bool, keeps: bool
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
        self, axis: Index, moves: dict[str, Move], leaves: bool, wide: bool = False
    ) -> tuple[int, int, int, int]:
        pairs = [(moves[d].before, moves[d].after) for d, _ in axis.terms]
        now = tuple(before if leaves else after for before, after in pairs)
        then = tuple(after if leaves else before for before, after in pairs)
        return self._coordinates(axis, now, then, wide)

    def _tile(
        self, index: int, tensor: Tensor, moves: dict[str, Move], leaves: bool, keeps: bool,
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
        self, axis: Index, now: tuple[Piece, ...], then: tuple[Piece, ...], wide: bool
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

    def at_ends(self, dim: str) -> Move:
        """From the last tile of a dimension to the first one."""
        extent = self.plan.extents[dim]
        cut = self.outer.get(dim, (-1, Cut(dim, extent, 1, True)))[1]
        width = min(cut.width, extent)
        return self._move(extent, width, -(-extent // width) - 1, 0, dim)


def wherever(kinds: Counter[Move]) -> dict[Move, list[tuple[Move, int]]]:
    """Moves that differ in where blocks begin alone are together, counted from 0 on."""
    found: dict[Move, list[tuple[Move, int]]] = {}
    for move, count in kinds.items():
        (low, before), (end, after) = move.before, move.after
        alike = Move((0, before), (end - low, after), move.anew, move.first)
        found.setdefault(alike, []).append((move, count))
    return found
