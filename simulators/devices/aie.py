"""Regions as kernels of the AI Engine: packed as their headers say, run on the simulator.

The header beside a kernel has ``pack_KERNEL_ARRAY`` for an array that the kernel takes in another
order than the program, ``unpack_KERNEL_ARRAY`` for outputs; what it has neither for is as it is.
"""

from __future__ import annotations

import ctypes
import re
from pathlib import Path
from typing import TYPE_CHECKING

from s2s.simulators.aie.execute import execute
from s2s.simulators.aie.reading.read import read
from s2s.simulators.aie.report import average_trips
from s2s.simulators.aie.timing.estimate import estimate
from s2s.simulators.aie.timing.machine import load
from s2s.simulators.devices.engines import EngineError, Spent, register_engine
from s2s.simulators.devices.libraries import load_library
from s2s.source.offload import Region

if TYPE_CHECKING:
    from s2s.simulators.devices.engines import Arrays


class AieEngine:
    """A kernel with its header."""

    def __init__(self, folder: Path, region: Region) -> None:
        text, header = ((folder / name).read_text() for name in region.files[:2])
        self._program = read(text, region.files[0])
        self._machine = load("aie1")
        name = self._program.name
        if f"struct {name}_core" in header:
            raise EngineError("it is spread over several cores")
        prototype = re.search(rf"void {name}\(([^)]*)\);", header)
        if prototype is None:
            raise EngineError(f"{region.files[1]} does not declare '{name}'")
        self._arrays = re.findall(r"\*\s*(\w+)", prototype[1])
        self._types = dict(
            zip(self._arrays, re.findall(r"(u?int\d+)_t", prototype[1]), strict=True)
        )
        self._sizes = {
            array: int(size)
            for array, size in re.findall(rf"enum {{ {name}_(\w+)_elements = (\d+) }};", header)
        }
        self._packs = _functions(header, f"pack_{name}_")
        self._unpacks = _functions(header, f"unpack_{name}_")
        exported = header.replace("static inline ", "")
        self._library = load_library(exported, "gcc")
        self._name = name

    def run(self, arrays: Arrays) -> Spent:
        import numpy as np

        packed = {}
        for name in self._arrays:
            room = np.zeros(self._sizes[name], self._types[name])
            if name in self._packs:
                given = [_pointer(arrays[name])] if self._packs[name] > 1 else []
                self._library[f"pack_{self._name}_{name}"](*given, _pointer(room))
            elif name not in self._unpacks:
                flat = arrays[name].reshape(-1)[: room.size]
                room[: flat.size] = flat
            packed[name] = room
        done = execute(self._program, packed)
        for name in self._arrays:
            left = np.ascontiguousarray(done.arrays[name].ravel().astype(self._types[name]))
            if name in self._unpacks:
                self._library[f"unpack_{self._name}_{name}"](_pointer(left), _pointer(arrays[name]))
            elif name not in self._packs:
                flat = arrays[name].reshape(-1)
                flat[: left.size] = left[: flat.size]
        trips = average_trips(self._program, done.counts)
        return Spent(estimate(self._program, self._machine, trips).total)


def _functions(header: str, begin: str) -> dict[str, int]:
    """By array, the number of arguments of the functions that a header has for arrays."""
    found = re.findall(rf"static inline void {begin}(\w+)\(([^)]*)\)", header)
    return {array: words.count("*") for array, words in found}


def _pointer(array: object) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)  # type: ignore[attr-defined]


register_engine("aie")(AieEngine)
