"""Regions as mapped nests for a spatial accelerator.

The values come from the mapped nest, compiled as it stands; the cycles from the machine, which
executes the same mapping on data of its own and compares that with the plain nest.
"""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import TYPE_CHECKING

from s2s.simulators.devices.engines import EngineError, Spent, register_engine
from s2s.simulators.devices.libraries import load_library
from s2s.simulators.spatial.cuts import plan
from s2s.simulators.spatial.execution import execute
from s2s.simulators.spatial.fitting import overflows
from s2s.simulators.spatial.machine import load
from s2s.source.offload import Region
from s2s.source.reading import read_source
from s2s.source.spatial.reading import read_network
from s2s.source.spatial.tiles import tile_levels

if TYPE_CHECKING:
    from s2s.simulators.devices.engines import Arrays


class SpatialEngine:
    """A layer with its mapping, and the nest that it is."""

    def __init__(self, folder: Path, region: Region) -> None:
        layer_file, nest = (folder / name for name in region.files[:2])
        machine = load(str(region.options.get("machine", "p1")))
        path = str(layer_file)
        (layer,) = read_network(path, read_source(path)).layers
        levels = tile_levels(layer, None, machine.elements)
        found = plan(layer, levels, block=machine.dram_block)
        too_much = overflows(found, machine)
        if too_much:
            raise EngineError("; ".join(too_much))
        done = execute(found, machine)
        if done.wrong:
            raise EngineError(f"the machine computes {done.wrong} wrong elements")
        self._cycles = done.figures.cycles
        self._names = [argument.name for argument in region.arguments]
        self._function = load_library(nest.read_text(), "gcc")[region.name]

    def run(self, arrays: Arrays) -> Spent:
        self._function(*(ctypes.c_void_p(arrays[name].ctypes.data) for name in self._names))
        return Spent(self._cycles)


register_engine("spatial")(SpatialEngine)
