"""The cost models by name, behind one interface."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from s2s.simulators.spatial.costs import exact, maestro
from s2s.simulators.spatial.costs.figures import Figures
from s2s.simulators.spatial.cuts import plan
from s2s.simulators.spatial.machine import Machine
from s2s.source.spatial.layers import Layer
from s2s.source.spatial.tiles import TileLevel

CostModel = Callable[[Layer, Sequence[TileLevel], Machine], Figures]
"""The figures of a layer under a mapping, whose levels say how many clusters they have."""


def _exact(layer: Layer, levels: Sequence[TileLevel], machine: Machine) -> Figures:
    return exact.evaluate(
        plan(layer, levels, block=machine.dram_block, deep=bool(machine.l3)), machine
    )


def _charged(layer: Layer, levels: Sequence[TileLevel], machine: Machine) -> Figures:
    return maestro.evaluate(layer, levels, machine, compat=False)


MODELS: dict[str, CostModel] = {
    "exact": _exact,
    "maestro": maestro.evaluate,
    "maestro-refetching": _charged,
}
"""``maestro-refetching`` charges the tiles that MAESTRO forgets to fetch again."""
