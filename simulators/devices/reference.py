"""A region's own C beside its device: how far results are from what the host computes."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import TYPE_CHECKING, Any

from s2s.simulators.devices.libraries import load_library
from s2s.source.offload import Region

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]


class Reference:
    """The function that the region was made of, compiled."""

    def __init__(self, folder: Path, region: Region) -> None:
        text = (folder / region.name / f"{region.name}.c").read_text()
        self._names = [argument.name for argument in region.arguments]
        self._function = load_library(text, "gcc")[region.name]

    def run(self, arrays: Mapping[str, Array]) -> dict[str, Array]:
        """All arrays after a call; those that are given stay."""
        copies = {name: array.copy() for name, array in arrays.items()}
        self._function(*(ctypes.c_void_p(copies[name].ctypes.data) for name in self._names))
        return copies


def farthest(made: Array, wanted: Array) -> float:
    """The largest difference of two elements; infinity where one of them is no number."""
    import numpy as np

    same = (
        (made == wanted) | (np.isnan(made) & np.isnan(wanted))
        if made.dtype.kind == "f"
        else (made == wanted)
    )
    with np.errstate(invalid="ignore"):
        off = np.abs(made.astype(np.float64) - wanted.astype(np.float64))
    off[same] = 0.0
    return float(np.nan_to_num(off, nan=np.inf).max(initial=0.0))
