"""Regions in CCE C, on the simulator of the Ascend 910's core.

The text's own host function brings arrays to the kernel's layout and back, compiled as it stands;
where it calls the kernel, the simulator runs the kernel's text.
"""

from __future__ import annotations

import ctypes
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from s2s.simulators.davinci.facts import read_facts
from s2s.simulators.davinci.kinds import NUMPY, Pointer
from s2s.simulators.davinci.machine import INCLUDE, load
from s2s.simulators.davinci.source import read
from s2s.simulators.davinci.translate import translate
from s2s.simulators.devices.engines import EngineError, Spent, register_engine
from s2s.simulators.devices.libraries import load_library
from s2s.source.offload import Region

if TYPE_CHECKING:
    from s2s.simulators.devices.engines import Arrays

_HOST = "#ifdef __CCE_KT_TEST__\n#include <vector>"
_SIGNATURE = re.compile(r"static void (\w+)_host\(([^)]*)\)")


class DavinciEngine:
    """A kernel and its host function."""

    def __init__(self, folder: Path, region: Region) -> None:
        path = folder / region.files[0]
        text = path.read_text()
        self._chip = load(str(region.options.get("machine", "ascend910-documented")))
        self._facts = read_facts(text, str(path))
        self._kernel = translate(read(text, str(path)), None)
        self._cycles = 0.0
        self._problem = ""
        at = text.find(_HOST)
        signature = _SIGNATURE.search(text, max(at, 0))
        if at < 0 or signature is None:
            raise EngineError(f"{path.name} has no function of the host")
        self._arrays = re.findall(r"\*\s*(\w+)", signature[2])
        self._pointers = [p for p in self._kernel.parameters if isinstance(p.type, Pointer)]
        library = load_library(
            self._host_text(text[at:], signature), "g++",
            ["-std=c++17", "-D__CCE_KT_TEST__", f"-I{INCLUDE}"],
        )  # fmt: skip
        kind = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_void_p))
        self._callback = kind(self._launch)
        library.s2s_set(self._callback)
        self._call = library.s2s_run

    def _host_text(self, host: str, signature: re.Match[str]) -> str:
        name = signature[1]
        words = ", ".join(f"half *a{k}" for k, _ in enumerate(self._pointers))
        given = ", ".join(f"a{k}" for k, _ in enumerate(self._pointers))
        types = re.findall(r"([^,]*\*)\s*\w+", signature[2])
        arrays = ", ".join(f"({type_.strip()})arrays[{k}]" for k, type_ in enumerate(types))
        return (
            '#include "cce_host.h"\n'
            "static void (*s2s_launch)(void **);\n"
            f"static void {name}({words}) {{\n"
            f"    void *given[] = {{{given}}};\n"
            "    if (block_idx == 0) s2s_launch(given);\n}\n"
            f"{host}"
            'extern "C" void s2s_set(void (*launch)(void **)) { s2s_launch = launch; }\n'
            f'extern "C" void s2s_run(void **arrays) {{ {name}_host({arrays}); }}\n'
        )

    def _launch(self, given: Any) -> None:
        """Run all blocks of the kernel on the memory that the host gives."""
        import numpy as np

        from s2s.simulators.davinci.core.execute import Given, execute

        try:
            views = {}
            for parameter, address in zip(self._pointers, given, strict=False):
                count = self._facts.count(parameter.name)
                if count is None:
                    raise EngineError(f"the extents of '{parameter.name}' are not said")
                kind = np.dtype(NUMPY[parameter.type.element.name])  # type: ignore[union-attr]
                memory = memoryview((ctypes.c_char * (count * kind.itemsize)).from_address(address))
                views[parameter.name] = np.frombuffer(memory, kind)
            copies = {name: view.copy() for name, view in views.items()}
            done = execute(self._kernel, self._chip, Given(copies, {}, self._facts.blocks))
            for found in done.findings.found.values():
                if found.is_error:
                    raise EngineError(f"line {found.line}: {found.text}")
            self._cycles += done.cycles
            for array in done.arrays:
                if array.name in self._facts.outputs:
                    views[array.name][...] = array.values()
        except Exception as error:  # C is between here and whoever could catch it
            self._problem = str(error)

    def run(self, arrays: Arrays) -> Spent:
        self._cycles, self._problem = 0.0, ""
        pointers = [arrays[name].ctypes.data for name in self._arrays]
        self._call((ctypes.c_void_p * len(pointers))(*pointers))
        if self._problem:
            raise EngineError(self._problem)
        return Spent(self._cycles)


register_engine("davinci")(DavinciEngine)
