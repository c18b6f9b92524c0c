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
from itertools import product
from math import prod

from s2s.simulators.spatial.costs.dram import Dram, Move, wherever
from s2s.simulators.spatial.costs.figures import Figures, Traffic
from s2s.simulators.spatial.costs.steps import Steps
from s2s.simulators.spatial.costs.sums import Sums
from s2s.simulators.spatial.cuts import Plan, footprint
from s2s.simulators.spatial.machine import Machine


def evaluate(plan: Plan, machine: Machine) -> Figures:
    """What the machine counts for a mapping; its limits are not looked at."""
    return _Model(plan, machine).figures()


class _Model:
    def __init__(self, plan: Plan, machine: Machine) -> None:
        self.plan, self.machine = plan, machine
        self.dims = tuple(plan.extents)
        self.tensors = plan.computation.tensors
        self.steps, self.dram = Steps(plan, machine), Dram(plan, machine)

    def figures(self) -> Figures:
        total = Sums()
        stalls = 0
        for place, cut in enumerate(self.plan.cuts):
            if cut.outer and self.dram.moves(cut.dim, place):
                kinds = {dim: self.dram.moves(dim, place) for dim in self.dims}
                self.dram.count(total.moved, kinds)
                stalls += self._add_tiles(total, list(kinds.values()))
        ends = [self.dram.at_ends(dim) for dim in self.dims]
        only = {dim: Counter([move]) for dim, move in zip(self.dims, ends, strict=True)}
        self.dram.count(total.moved, only, "last")
        inside, crossing = self._add_tile(total, ends, 1, "last")
        stalls += self.dram.waits(ends, inside, crossing, "last")
        self.dram.count(total.moved, only, "first")
        return self._made(total, self._fill(total, ends), stalls)

    def _add_tiles(self, total: Sums, kinds: list[Counter[Move]]) -> int:
        """Add the tiles at whose ends an outer cut goes on; the cycles that they wait for DRAM.

        Where DRAM has time enough wherever blocks begin, it does not matter where they do.
        """
        alike = [wherever(one) for one in kinds]
        waits = 0
        for combination in product(*(one.items() for one in alike)):
            times = prod(sum(count for _, count in moves) for _, moves in combination)
            moves = [move for move, _ in combination]
            inside, crossing = self._add_tile(total, moves, times)
            if not self.dram.waits(moves, inside, crossing, wide=True):
                continue
            for placed in product(*(moves for _, moves in combination)):
                count = prod(count for _, count in placed)
                waits += count * self.dram.waits([m for m, _ in placed], inside, crossing)
        return waits

    def _add_tile(
        self, total: Sums, moves: list[Move], times: int, ends: str = ""
    ) -> tuple[int, int]:
        """Add so many tiles of a kind; the cycles of all steps but the last, and of that one."""
        before, after = tuple(m.before[1] for m in moves), tuple(m.after[1] for m in moves)
        by = tuple(m.after[0] - m.before[0] for m in moves)
        inside = self.steps.inside(before)
        crossing = self.steps.crossing(before, after, by, ends)
        total.add(inside, times)
        total.add(crossing, times)
        return inside.cycles, crossing.cycles

    def _fill(self, total: Sums, ends: list[Move]) -> int:
        """The first tile from DRAM, then the first step's data."""
        into, _ = self.dram.blocks(dict(zip(self.dims, ends, strict=True)), "first")
        after = tuple(move.after[1] for move in ends)
        step = self.steps.crossing(after, after, (0,) * len(ends), "first")
        total.moved.update(step.moved)
        return -(-into // self.machine.dram_bandwidth) + step.cycles

    def _made(self, total: Sums, fill: int, stalls: int) -> Figures:
        moved = total.moved
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
