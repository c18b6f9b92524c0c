"""Regions as CUDA kernels, compiled by nvcc: no simulator, the machine's own device.

What it takes is measured, in nanoseconds, transfers included. Without a device the host goes on.
"""

from __future__ import annotations

import ctypes
import time
from pathlib import Path
from typing import TYPE_CHECKING

from s2s.simulators.devices.engines import EngineError, Spent, register_engine
from s2s.simulators.devices.libraries import load_library
from s2s.source.offload import C_TYPES, Region

if TYPE_CHECKING:
    from s2s.simulators.devices.engines import Arrays


class CudaEngine:
    """A file with kernels and the function that launches them."""

    def __init__(self, folder: Path, region: Region) -> None:
        self._names = [argument.name for argument in region.arguments]
        library = load_library(_text((folder / region.files[0]).read_text(), region), "nvcc")
        if library.s2s_devices() < 1:
            raise EngineError("there is no device for CUDA on this machine")
        self._function = library.s2s_run

    def run(self, arrays: Arrays) -> Spent:
        pointers = [arrays[name].ctypes.data for name in self._names]
        start = time.perf_counter_ns()
        self._function((ctypes.c_void_p * len(pointers))(*pointers))
        return Spent(time.perf_counter_ns() - start, "nanoseconds")


def _text(kernels: str, region: Region) -> str:
    """The file with a call that takes addresses, and the number of devices."""
    # An array of several dimensions is a pointer to rows.
    words = []
    for place, argument in enumerate(region.arguments):
        rows = "".join(f"[{extent}]" for extent in argument.extents[1:])
        type_ = C_TYPES[argument.type]
        words.append(f"({type_} (*){rows})arrays[{place}]" if rows else
                     f"({type_} *)arrays[{place}]")  # fmt: skip
    return (
        f"{kernels}\n"
        'extern "C" int s2s_devices(void) {\n    int count = 0;\n'
        "    return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;\n}\n"
        f'extern "C" void s2s_run(void **arrays) {{ {region.name}({", ".join(words)}); }}\n'
    )


register_engine("cuda")(CudaEngine)
