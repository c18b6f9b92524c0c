"""A device's process: ``python -m s2s.simulators.devices.worker FOLDER DEVICE FILE``.

It reads lines from standard input and answers each with one. ``bind REGION`` builds the region's
engine and runs it, with constants among the arrays; ``run REGION`` runs it again. Arrays lie in
the file of the given number, one after the other at multiples of 64 bytes. The answers are
``ok AMOUNT ERROR`` and ``failed WHY``. It ends with its input, however its parent ends.
"""

from __future__ import annotations

import mmap
import os
import sys
from collections.abc import Iterator
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from s2s.simulators.devices.borders import Borders
from s2s.simulators.devices.engines import Engine, find_builder
from s2s.simulators.devices.reference import Reference, farthest
from s2s.source.offload import Manifest, Region, read_manifest
from s2s.source.records import dataclass

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]

ALIGNED = 64
_MOST = 400
"""Letters of an answer."""


@dataclass
class _Bound:
    """A region's engine, the constants that it was bound with, what is done at its borders.

    ``reference``: the region's own C, where results are to be compared with its.
    """

    engine: Engine
    constants: dict[str, Array]
    borders: Borders
    reference: Reference | None

    def run(self, region: Region, arrays: dict[str, Array]) -> tuple[float, float]:
        """Fill the outputs of a call; what it took, and how far they are off (0: not compared)."""
        whole = {**arrays, **self.constants}
        wanted = self.reference.run(whole) if self.reference is not None else None
        there = self.borders.to_device(whole)
        spent = self.engine.run(there)
        error = 0.0
        for argument in region.arguments:
            if argument.is_written:
                self.borders.from_device(argument.name, there[argument.name], arrays[argument.name])
                if wanted is not None:
                    error = max(error, farthest(arrays[argument.name], wanted[argument.name]))
        return spent.amount, error


@dataclass
class Worker:
    """One device: ``file`` is the descriptor of the memory that it shares with the host."""

    folder: Path
    device: str
    file: int
    _bound: dict[str, _Bound] = field(default_factory=dict)

    def serve(self, lines: Iterator[str]) -> Iterator[str]:
        """Answers to lines."""
        manifest: Manifest | None = None
        for line in lines:
            order, _, name = line.strip().partition(" ")
            try:
                manifest = manifest or read_manifest(self.folder)
                amount, error = self._do(order, manifest.region(name))
                yield f"ok {amount:.17g} {error:.17g}"
            except Exception as error:  # whatever a device does, the host goes on
                said = " ".join(str(error).split()) or type(error).__name__
                yield f"failed {said[:_MOST]}"

    def _do(self, order: str, region: Region) -> tuple[float, float]:
        with mmap.mmap(self.file, 0) as memory:
            arrays = _views(memory, region, first=order == "bind")
            try:
                if order == "bind":
                    engine = find_builder(self.device)(self.folder, region)
                    kept = {a.name for a in region.arguments if a.direction == "constant"}
                    constants = {name: arrays[name].copy() for name in kept}
                    compares = bool(os.environ.get("S2S_COMPARE"))
                    self._bound[region.name] = _Bound(
                        engine, constants, Borders(region.options.get("borders", {})),
                        Reference(self.folder, region) if compares else None,
                    )  # fmt: skip
                # Outputs are the host's only when the device is done.
                copies = {name: array.copy() for name, array in arrays.items()}
                counted = self._bound[region.name].run(region, copies)
                for argument in region.arguments:
                    if argument.is_written:
                        arrays[argument.name][...] = copies[argument.name]
                return counted
            finally:
                arrays.clear()  # the memory cannot be closed while something looks into it


def _views(memory: mmap.mmap, region: Region, *, first: bool) -> dict[str, Array]:
    import numpy as np

    found, at = {}, 0
    for argument in region.arguments:
        if first or argument.direction != "constant":
            flat = np.frombuffer(memory, argument.type, argument.elements, at)
            found[argument.name] = flat.reshape(argument.extents)
            at += -(-argument.bytes // ALIGNED) * ALIGNED
    return found


def main(words: list[str]) -> None:
    """Serve until the input ends; what simulators print goes to standard error."""
    folder, device, file = words
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    worker = Worker(Path(folder), device, int(file))
    for answer in worker.serve(iter(sys.stdin.readline, "")):
        answers.write(answer + "\n")
        answers.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
