"""Engines: what runs a region's code on a device, built once for each region.

An engine is built of the region's files, before the region first runs; it keeps constants and what
it has read or compiled. ``BUILDERS`` has how, by the name of the device.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from s2s.source.installed import find_installed
from s2s.source.offload import Region
from s2s.source.records import dataclass

if TYPE_CHECKING:
    import numpy as np

    Arrays = Mapping[str, np.ndarray[Any, np.dtype[Any]]]

GROUP = "s2s.devices"
OURS = {
    "aie": "s2s.simulators.devices.aie",
    "davinci": "s2s.simulators.devices.davinci",
    "clockwork": "s2s.simulators.devices.amber",
    "spatial": "s2s.simulators.devices.spatial",
    "cuda": "s2s.simulators.devices.cuda",
    "emu": "s2s.simulators.devices.emu",
}


class EngineError(Exception):
    """A region that a device cannot run, and why, in one line."""


@dataclass(frozen=True)
class Spent:
    """What a run took on the device: cycles, or another ``unit``."""

    amount: float
    unit: str = "cycles"


class Engine(Protocol):
    """``run`` gets the region's arrays by name, shaped as the manifest says, and fills outputs.

    Constants are among them in each call, always the same. It raises EngineError, or whatever goes
    wrong: the host's own text runs then.
    """

    def run(self, arrays: Arrays) -> Spent: ...


Builder = Callable[[Path, Region], Engine]
BUILDERS: dict[str, Builder] = {}
"""By the device's name; the folder has the region's files."""


def register_engine(device: str) -> Callable[[Builder], Builder]:
    """A decorator for what builds a device's engines."""

    def register(builder: Builder) -> Builder:
        BUILDERS[device] = builder
        return builder

    return register


def find_builder(device: str) -> Builder:
    """How a device's engines are built. Raises EngineError where nobody brings it."""
    if device not in BUILDERS:
        if device in OURS:
            importlib.import_module(OURS[device])
        else:
            installed = find_installed(GROUP, OURS)
            if device in installed:
                installed[device].load()
    if device not in BUILDERS:
        raise EngineError(f"no device is named '{device}'")
    return BUILDERS[device]
