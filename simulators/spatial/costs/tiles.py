"""The tiles of a buffer, one after the other: what is inside of each, and what it waits for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import Protocol

from s2s.simulators.spatial.costs.dram import Dram, Move, wherever
from s2s.simulators.spatial.costs.steps import Tile
from s2s.simulators.spatial.costs.sums import Sums
from s2s.simulators.spatial.cuts import Plan
from s2s.simulators.spatial.machine import Machine


class Inside(Protocol):
    """What is inside of a tile: steps of the array, or tiles of the next buffer."""

    def inside(self, tile: Tile, fresh: bool = True) -> Sums:
        """All but the last of them."""

    def crossing(
        self, before: Tile, after: Tile, by: Tile, ends: str = "", fresh: bool = True
    ) -> Sums:
        """The last one, and the move to the first one of the next tile."""


class Tiles:
    """The tiles of ``buffer`` in a plan's extents, as its outer cuts say; ``machine`` has the
    bandwidth and blocks of what is outside of it, which is DRAM or (not ``from_dram``) L3.
    """

    def __init__(
        self, plan: Plan, machine: Machine, inner: Inside, buffer: str, from_dram: bool = True
    ) -> None:
        self.plan, self.inner, self.buffer, self.from_dram = plan, inner, buffer, from_dram
        self.dims, self.dram = tuple(plan.extents), Dram(plan, machine)
        self.rate = machine.dram_bandwidth

    def ends(self) -> list[Move]:
        """From the last tile to the first one."""
        return [self.dram.at_ends(dim) for dim in self.dims]

    def last_start(self, place: int) -> int:
        """The first iteration of the last tile along a dimension."""
        move = self.dram.at_ends(self.dims[place])
        return move.before[0] - move.after[0]

    def between(self, fresh: bool = True) -> Sums:
        """All tiles but the last one; not ``fresh``: sums were begun before the first of them."""
        total = Sums()
        for place, cut in enumerate(self.plan.cuts):
            if cut.outer and self.dram.moves(cut.dim, place):
                kinds = {dim: _begun(self.dram.moves(dim, place), fresh) for dim in self.dims}
                self._count(total, kinds)
                self._add(total, list(kinds.values()))
        return total

    def tile(self, moves: Sequence[Move], ends: str) -> Sums:
        """One tile with what it moves; ``ends``: "first" for what comes before all, "last" for
        what is left, none for one between others.
        """
        kinds = {dim: Counter([move]) for dim, move in zip(self.dims, moves, strict=True)}
        found = Sums()
        self._count(found, kinds, ends)
        if ends == "first":
            into, _ = self.dram.blocks(dict(zip(self.dims, moves, strict=True)), ends)
            found.add(self._crossing(moves, ends), 1)
            found.cycles += -(-into // self.rate)
            return found
        inside, crossing = self._parts(moves, ends)
        found.add(inside, 1)
        found.add(crossing, 1)
        self._wait(found, self.dram.waits(moves, inside.cycles, crossing.cycles, ends))
        return found

    def _add(self, total: Sums, kinds: list[Counter[Move]]) -> None:
        """Add the tiles at whose ends an outer cut goes on, and the cycles that they wait.

        Where DRAM has time enough wherever blocks begin, it does not matter where they do.
        """
        for combination in product(*(wherever(one).items() for one in kinds)):
            times = prod(sum(count for _, count in moves) for _, moves in combination)
            moves = [move for move, _ in combination]
            inside, crossing = self._parts(moves, "")
            total.add(inside, times)
            total.add(crossing, times)
            if not self.dram.waits(moves, inside.cycles, crossing.cycles, wide=True):
                continue
            for placed in product(*(moves for _, moves in combination)):
                count = prod(count for _, count in placed)
                own = [move for move, _ in placed]
                self._wait(total, count * self.dram.waits(own, inside.cycles, crossing.cycles))

    def _parts(self, moves: Sequence[Move], ends: str) -> tuple[Sums, Sums]:
        """What is inside of a tile, all but the last and the last."""
        before = tuple(move.before[1] for move in moves)
        fresh = self._all(moves, "first")
        return self.inner.inside(before, fresh), self._crossing(moves, ends)

    def _crossing(self, moves: Sequence[Move], ends: str) -> Sums:
        before, after = (tuple(m.before[1] for m in moves), tuple(m.after[1] for m in moves))
        by = tuple(move.after[0] - move.before[0] for move in moves)
        if ends == "first":
            before, by = after, (0,) * len(moves)
        return self.inner.crossing(before, after, by, ends, self._all(moves, "anew"))

    def _all(self, moves: Sequence[Move], what: str) -> bool:
        """Whether it is so of all dimensions over which is added up."""
        own = zip(self.dims, moves, strict=True)
        return all(getattr(move, what) for dim, move in own if dim in self.plan.accumulating)

    def _count(self, total: Sums, kinds: dict[str, Counter[Move]], ends: str = "") -> None:
        found: Counter[str] = Counter()
        self.dram.count(found, kinds, ends)
        for name, value in found.items():
            if name.startswith("l2"):
                total.moved[f"{self.buffer}{name[2:]}"] += value
            elif self.from_dram:
                total.moved[name] += value

    def _wait(self, total: Sums, cycles: int) -> None:
        total.cycles += cycles
        total.moved[f"waits {self.buffer}"] += cycles


def _begun(kinds: Counter[Move], fresh: bool) -> Counter[Move]:
    if fresh:
        return kinds
    found: Counter[Move] = Counter()
    for move, count in kinds.items():
        found[replace(move, anew=False)] += count
    return found
