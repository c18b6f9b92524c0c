"""The exact model: what the executing machine counts, by closed forms over few kinds of steps.

Each dimension has few kinds of changes from one step to the next (``pieces``), and what a tensor
needs and keeps at a change is a product over its axes (``subscripts``). So sums over all steps are
sums over kinds, with how often there is each. Unlike the model of MAESTRO it knows edges, strides,
halos that are kept or multicast, and tiles that are fetched again; time is that of the machine:

    step:  max(multiplications of the busiest element, (to the next step + leaving) / network)
    tile:  max(all its steps but the last, DRAM to the next tile / DRAM) + the last step,
           at least what DRAM moves in both directions
    total: the first tile from DRAM, the first step's data, then the tiles one after the other

Where there is an L3, its tiles consist of tiles of L2 as these consist of steps.
"""

from __future__ import annotations

from dataclasses import replace

from s2s.simulators.spatial.costs.dram import Move
from s2s.simulators.spatial.costs.figures import Figures, Traffic
from s2s.simulators.spatial.costs.steps import Steps, Tile
from s2s.simulators.spatial.costs.sums import Sums
from s2s.simulators.spatial.costs.tiles import Inside, Tiles
from s2s.simulators.spatial.cuts import Plan, footprint
from s2s.simulators.spatial.machine import Machine


def evaluate(plan: Plan, machine: Machine) -> Figures:
    """What the machine counts for a mapping; its limits are not looked at."""
    inner: Inside = Steps(plan, machine)
    if machine.l3:
        inner = _Shared(plan, machine)
    top = [replace(cut, outer=cut.deep if machine.l3 else cut.outer) for cut in plan.cuts]
    tiles = Tiles(replace(plan, cuts=tuple(top)), machine, inner, "l3" if machine.l3 else "l2")
    ends = tiles.ends()
    total = tiles.between()
    total.add(tiles.tile(ends, "last"), 1)
    first = tiles.tile(ends, "first")
    total.moved.update(first.moved)
    return _figures(plan, machine, total, first.cycles)


class _Shared:
    """The tiles of L2 inside of one of L3, which moves single elements to it."""

    def __init__(self, plan: Plan, machine: Machine) -> None:
        cuts = tuple(cut for cut in plan.cuts if not cut.deep)
        self.plan = replace(plan, cuts=cuts)
        self.machine = replace(machine, dram_bandwidth=machine.l3_bandwidth, dram_block=1)
        self.steps = Steps(self.plan, machine)
        self._boxes: dict[Tile, Tiles] = {}
        self._insides: dict[tuple[Tile, bool], Sums] = {}

    def _tiles(self, box: Tile) -> Tiles:
        found = self._boxes.get(box)
        if found is None:
            extents = dict(zip(self.plan.extents, box, strict=True))
            inside = replace(self.plan, extents=extents)
            found = self._boxes[box] = Tiles(inside, self.machine, self.steps, "l2", False)
        return found

    def inside(self, tile: Tile, fresh: bool = True) -> Sums:
        """All tiles of L2 but the last one; ``fresh``: what is added up may begin in it."""
        found = self._insides.get((tile, fresh))
        if found is None:
            found = self._insides[tile, fresh] = self._tiles(tile).between(fresh)
        return found

    def crossing(
        self, before: Tile, after: Tile, by: Tile, ends: str = "", fresh: bool = True
    ) -> Sums:
        """The last tile of L2, and the move to the first one of the next tile of L3."""
        old, new = self._tiles(before), self._tiles(after)
        moves: list[Move] = []
        for last, first, start in zip(old.ends(), new.ends(), by, strict=True):
            low = start - old.last_start(len(moves))
            moves.append(Move((0, last.before[1]), (low, first.after[1]), fresh))
        return old.tile(moves, ends)


def _figures(plan: Plan, machine: Machine, total: Sums, fill: int) -> Figures:
    moved = total.moved
    tensors = plan.computation.tensors
    traffic = []
    for index, tensor in enumerate(tensors):
        leaves = index + 1 == len(tensors)
        way = "out" if leaves else "in"
        found = {f"noc_{way}": moved[f"noc {index}"], f"l1_{way}": moved[f"l1 {index}"]}
        for key in ("dram_in", "dram_out", "l2_in", "l2_out", "l3_in", "l3_out"):
            found[key] = moved[f"{key} {index}"]
        if leaves:
            found["rereads"] = found["noc_out"] - footprint(tensor, plan.extents)
        traffic.append(Traffic(tensor.name, **found))
    needs = [plan.tile(False), plan.tile(True), *([plan.deep_tile()] if machine.l3 else [])]
    l1, l2, *l3 = (2 * sum(footprint(tensor, tile) for tensor in tensors) for tile in needs)
    waits = {name: moved[f"waits {name}"] for name in ("l2", "l3")}
    outer, deep = (waits["l3"], waits["l2"]) if machine.l3 else (waits["l2"], 0)
    return Figures(
        "exact", fill + total.cycles, total.compute, fill,
        total.cycles - total.compute - outer - deep, outer, total.steps, plan.macs, l1, l2,
        len(tensors) - 1, tuple(traffic), sum(l3), deep,
    )  # fmt: skip
