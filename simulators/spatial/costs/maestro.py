"""The cost model of MAESTRO (Kwon et al., MICRO 2019), as its binary computes it.

A level's loops are Init (first step) or Steady (others). What a case moves depends on its innermost
Steady loop alone. ``compat`` has MAESTRO's error: where a loop that a tensor does not have goes on
and one that it has begins anew inside, nothing is charged though the tile has to be fetched again.
Without it that tile is charged. Tiles at the edges are counted as full ones; outputs leave at every
step. Energies are those of MACs, L1 and L2 alone: it has no DRAM and no network.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from s2s.simulators.spatial.costs.figures import Figures, Traffic
from s2s.simulators.spatial.machine import Machine
from s2s.source.records import dataclass
from s2s.source.spatial.layers import Computation, Layer, Tensor
from s2s.source.spatial.tiles import TileLevel, TileLoop


@dataclass(frozen=True)
class _Level:
    """Loops with more than one step or not, the clusters, the sizes that one cluster gets."""

    loops: tuple[TileLoop, ...]
    units: int
    sizes: dict[str, int]

    def steps(self, loop: TileLoop) -> int:
        """Steps in time."""
        return -(-loop.steps // self.units) if loop.spatial else loop.steps


@dataclass(frozen=True)
class _Case:
    """``times`` steps at which ``loop`` (None: the first step) goes on."""

    times: int
    loop: TileLoop | None
    restarted: frozenset[str]


def evaluate(
    layer: Layer, levels: Sequence[TileLevel], machine: Machine, compat: bool = True
) -> Figures:
    """The figures of a mapping, whose levels say how many clusters they have."""
    sizes = dict(layer.loops)
    found = []
    for level in levels:
        sizes = sizes | {loop.dim: loop.tile for loop in level.loops}
        found.append(_Level(level.loops, level.units or 1, sizes))
    return _Model(layer.computation, tuple(found), machine, compat).figures()


@dataclass(frozen=True)
class _Model:
    computation: Computation
    levels: tuple[_Level, ...]
    machine: Machine
    compat: bool

    def figures(self) -> Figures:
        operands, output = self.computation.operands, self.computation.output
        top = self.levels[0]
        inputs = [0] * len(operands)
        outputs = fill = steps = 0
        for case in _cases(top):
            for place, tensor in enumerate(operands):
                inputs[place] += case.times * self._ingress(top, case, tensor)
            outputs += case.times * self._egress(top)
            steps += case.times
            if case.loop is None:
                fill = self._delay(sum(self._ingress(top, case, tensor) for tensor in operands))
        extents = {loop.dim: loop.extent for level in reversed(self.levels) for loop in level.loops}
        extents = self.levels[-1].sizes | extents
        macs = prod(extents.values())
        cycles = self._runtime(0)
        compute = self._busy()
        once = [tensor.volume(extents) for tensor in (*operands, output)]
        traffic = [
            Traffic(tensor.name, noc_in=moved, l2_in=size)
            for tensor, moved, size in zip(operands, inputs, once, strict=False)
        ]
        traffic.append(Traffic(output.name, noc_out=outputs))
        first = next(case for case in _cases(top) if case.loop is None)
        needs = sum(self._ingress(top, first, tensor) for tensor in operands) + self._egress(top)
        inner = self.levels[-1].sizes
        return Figures(
            "maestro" if self.compat else "maestro-refetching",
            cycles, compute, fill, cycles - compute - fill, 0, steps, macs,
            2 * sum(tensor.volume(inner) for tensor in (*operands, output)), 2 * needs,
            len(operands), tuple(traffic),
        )  # fmt: skip

    def _busy(self) -> int:
        """Cycles in which the busiest element multiplies."""
        steps = prod(level.steps(loop) for level in self.levels for loop in level.loops)
        return steps * prod(self.levels[-1].sizes.values())

    def _runtime(self, depth: int) -> int:
        level = self.levels[depth]
        inner = depth + 1 == len(self.levels)
        compute = prod(level.sizes.values()) if inner else self._runtime(depth + 1)
        operands = self.computation.operands
        egress = self._delay(self._egress(level))
        cycles = 0
        for case in _cases(level):
            moved = sum(self._ingress(level, case, tensor) for tensor in operands)
            if case.loop is None:
                cycles += compute + self._delay(moved)
                continue
            phase = max(egress, compute, self._delay(moved))
            if depth == 0:
                rate = self.machine.dram_bandwidth
                phase = max(phase, moved // rate, self._egress(level) // rate)
            cycles += case.times * phase
        return cycles

    def _delay(self, elements: int) -> int:
        return -(-elements // self.machine.noc_bandwidth)

    def _ingress(self, level: _Level, case: _Case, tensor: Tensor) -> int:
        """Elements of an operand that come over the network in a case."""
        dims = _leading(tensor)
        again = case.restarted & dims
        if case.loop is None:
            mine = other = tensor.volume(level.sizes)
        elif case.loop.dim not in dims:
            if self.compat or not again:
                return 0
            mine = other = tensor.volume(level.sizes)
        else:
            mine = other = _volume(tensor, level.sizes, set() if again else {case.loop.dim})
        spatial = next((loop for loop in level.loops if loop.spatial), None)
        if spatial is None or spatial.dim not in dims:
            return mine
        if case.loop is not None and (spatial is case.loop or spatial.dim in case.restarted):
            shared = {spatial.dim} if again or case.loop is not spatial else {case.loop.dim}
            other = _volume(tensor, level.sizes, shared)
        active = min(level.units, spatial.steps)
        return mine + (active - 1) * other

    def _egress(self, level: _Level) -> int:
        """Elements of the output that leave at each step."""
        output = self.computation.output
        spatial = next((loop for loop in level.loops if loop.spatial), None)
        volume = output.volume(level.sizes)
        if spatial is None or spatial.dim not in output.dims:
            return volume
        return volume * min(level.units, spatial.steps)


def _cases(level: _Level) -> list[_Case]:
    """The first step, then for each loop the steps at which no loop inside it goes on, too."""
    found = [_Case(1, None, frozenset())]
    outside = 1
    for place, loop in enumerate(level.loops):
        steps = level.steps(loop)
        inside = frozenset(one.dim for one in level.loops[place + 1 :] if level.steps(one) > 1)
        if steps > 1:
            found.append(_Case(outside * (steps - 1), loop, inside))
        outside *= steps
    return found


def _leading(tensor: Tensor) -> frozenset[str]:
    """The dimensions that MAESTRO knows of a tensor: of a window, what it slides over."""
    return frozenset(axis.terms[0][0] for axis in tensor.axes if axis.terms)


def _volume(tensor: Tensor, sizes: dict[str, int], fresh: set[str]) -> int:
    """Elements of a tile, of some dimensions only what the tile before did not have."""
    found = 1
    for axis in tensor.axes:
        width = axis.width(sizes)
        if axis.terms and axis.terms[0][0] in fresh:
            dim, factor = axis.terms[0]
            width = min(width, abs(factor) * sizes[dim])
        found *= width
    return found
