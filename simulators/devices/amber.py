"""Regions as designs for the array of Amber: the design's own host around the simulated array.

``host.c`` is compiled as it stands; where it calls the accelerator, the array runs.
"""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import TYPE_CHECKING, Any

from s2s.simulators.amber.command import LoadedDesign, load_design
from s2s.simulators.amber.execute import execute
from s2s.simulators.amber.host import c_type, read_host, stream_elements, stream_words
from s2s.simulators.devices.engines import EngineError, Spent, register_engine
from s2s.simulators.devices.libraries import load_library
from s2s.source.offload import Region

if TYPE_CHECKING:
    from s2s.simulators.devices.engines import Arrays


class AmberEngine:
    """A design with its host."""

    def __init__(self, folder: Path, region: Region) -> None:
        own = folder / region.name
        designs = sorted(own.glob("*_design.json"))
        if not designs:
            raise EngineError(f"{own.name} has no design")
        self._loaded: LoadedDesign = load_design(str(designs[0]))
        self._host = host = read_host(own / "host.json")
        self._cycles, self._problem = 0, ""
        library = load_library(self._text((own / "host.c").read_text()), "gcc", ["-std=gnu11"])
        self._callback = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_void_p))(self._launch)
        library.s2s_set(self._callback)
        self._function = library[host.function]

    def _text(self, host: str) -> str:
        streams = self._host.streams
        parameters = ", ".join(
            f"{'' if s.output else 'const '}{c_type(s)} *{s.name}" for s in streams
        )
        given = ", ".join(f"(void *){s.name}" for s in streams)
        return (
            f"{host}\n"
            "static void (*s2s_launch)(void **);\n"
            "void s2s_set(void (*launch)(void **)) { s2s_launch = launch; }\n"
            f"void {self._host.accelerator}({parameters or 'void'})\n{{\n"
            f"    void *given[] = {{{given or '0'}}};\n    s2s_launch(given);\n}}\n"
        )

    def _launch(self, given: Any) -> None:
        """Run the array on one tile of the streams."""
        import numpy as np

        try:
            views = {}
            for stream, address in zip(self._host.streams, given, strict=False):
                size = stream.count * stream.dtype.itemsize
                memory = memoryview((ctypes.c_char * size).from_address(address))
                views[stream.name] = np.frombuffer(memory, stream.dtype)
            tile = [
                views[s.name].reshape(s.extents or ()).copy()
                for s in self._host.streams
                if not s.output
            ]
            program = self._loaded.program
            done = execute(
                program, self._loaded.design.compute, self._loaded.netlist,
                stream_words(self._host, program, tile), check=False, placed=self._loaded.bodies,
            )  # fmt: skip
            self._cycles += int(done.counted["cycles"])
            made = iter(stream_elements(self._host, program, done.words))
            for stream in self._host.streams:
                if stream.output:
                    views[stream.name][...] = np.asarray(next(made)).ravel()
        except Exception as error:  # C is between here and whoever could catch it
            self._problem = str(error) or type(error).__name__

    def run(self, arrays: Arrays) -> Spent:
        self._cycles, self._problem = 0, ""
        pointers = [ctypes.c_void_p(arrays[a.name].ctypes.data) for a in self._host.arguments]
        status = self._function(*pointers)
        if self._problem or status:
            raise EngineError(self._problem or f"its host ends with {status}")
        return Spent(self._cycles)


register_engine("clockwork")(AmberEngine)
