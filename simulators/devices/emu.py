"""Regions as programs for Emu: arrays go to its simulator by a file, results are printed."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from s2s.simulators.devices.engines import EngineError, Spent, register_engine
from s2s.simulators.emu.machine import load
from s2s.simulators.emu.program import build
from s2s.source.diagnostics import UserError
from s2s.source.offload import Region

if TYPE_CHECKING:
    from s2s.simulators.devices.engines import Arrays


class EmuEngine:
    """A program of which one region of time is the region's function."""

    def __init__(self, folder: Path, region: Region) -> None:
        self._region = region
        try:
            self._program = build(folder / region.files[0], load())
        except UserError as error:
            raise EngineError(error.diagnostics[0].text) from None

    def run(self, arrays: Arrays) -> Spent:
        import numpy as np

        with tempfile.TemporaryDirectory(prefix="s2s-emu-") as scratch:
            given = Path(scratch, "arrays")
            with given.open("w") as stream:
                print(sum(a.elements for a in self._region.arguments), file=stream)
                for argument in self._region.arguments:
                    np.savetxt(stream, arrays[argument.name].reshape(-1), fmt="%d")
            try:
                done = self._program.run([str(given)])
            except UserError as error:
                raise EngineError(error.diagnostics[0].text) from None
        written = [a for a in self._region.arguments if a.is_written]
        numbers = [int(word) for word in done.stdout.split()]
        if done.status or len(numbers) != sum(a.elements for a in written):
            raise EngineError(f"its program printed {len(numbers)} numbers")
        at = 0
        for argument in written:
            values = np.array(numbers[at : at + argument.elements], dtype=np.int64)
            arrays[argument.name][...] = values.astype(argument.type).reshape(argument.extents)
            at += argument.elements
        timed = done.region("region")
        return Spent(float(timed.cycles if timed is not None else done.cycles))


register_engine("emu")(EmuEngine)
