"""Loads and stores of iterations that are executed together: are they free of each other."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from s2s.simulators.aie.memory import Memory
from s2s.simulators.aie.values import ScalarType, VectorType, size_of
from s2s.source.records import dataclass


class Conflict(Exception):
    """Iterations depend on each other in a way that only a sequence of them gets right."""


@dataclass
class Log:
    """What was read, and what will be written when all is done."""

    loads: list[tuple[Memory, Any, int]] = field(default_factory=list)
    stores: list[tuple[Memory, Any, ScalarType | VectorType, Any]] = field(default_factory=list)

    def commit(self) -> None:
        """Write. Raises Conflict, with nothing written, if the order could matter."""
        import numpy as np

        marks: dict[Memory, Any] = {}
        for memory, offsets, kind, _ in self.stores:
            mark = marks.setdefault(memory, np.zeros(memory.size, np.int32))
            _mark(mark, offsets, size_of(kind))
        for mark in marks.values():
            if mark.max(initial=0) > 1:
                raise Conflict
        for memory, offsets, size in self.loads:
            if memory in marks and _any(marks[memory], offsets, size):
                raise Conflict
        for memory, offsets, kind, values in self.stores:
            memory.store(offsets, kind, values)


def _mark(mark: Any, offsets: Any, size: int) -> None:
    import numpy as np

    if isinstance(offsets, int):
        mark[offsets : offsets + size] += 1
    else:
        np.add.at(mark, (offsets[..., None] + np.arange(size)).ravel(), 1)


def _any(mark: Any, offsets: Any, size: int) -> bool:
    import numpy as np

    if isinstance(offsets, int):
        return bool(mark[offsets : offsets + size].any())
    return bool(mark[offsets[..., None] + np.arange(size)].any())
