"""Where a kernel's buffers lie in the 32 KB of its core's own tile.

The memory has four double banks of 8 KB. Operands in two halves lie around the end of a bank; then
the copies of the buffers find places where they meet as few of the others as possible. Memory of
neighbours is in reach, too, but it is theirs here: every core of the array has work.
"""

from __future__ import annotations

from dataclasses import dataclass

from s2s.scop.contraction import Access
from s2s.scop.core_array import CoreArray
from s2s.scop.vector_kernel import Kernel, PackedArray
from s2s.transforms.aie.banks import BANK
from s2s.transforms.aie.errors import Unmappable

MEMORY = 32768
"""Bytes of a tile's own memory (facts, section 2)."""
STACK = 1024
"""Bytes of a kernel's stack (UG1076, the default)."""
_ALIGN = 32


@dataclass(frozen=True)
class Placed:
    """The addresses of all copies of an array."""

    name: str
    places: tuple[int, ...]


def is_constant(array: CoreArray, name: str) -> bool:
    """Whether a kernel's array stays for all steps: weights and what sums start with."""
    tile = array.contraction
    initial = tile.initial.array.name if isinstance(tile.initial, Access) else ""
    return name in (tile.weight.array.name, initial)


def copies(array: CoreArray, name: str) -> int:
    """How often a buffer is there: twice, or once where it stays."""
    return 1 if is_constant(array, name) else 2


def needed(array: CoreArray, kernel: Kernel) -> int:
    """Bytes of a kernel's buffers with their copies."""
    return sum(copies(array, one.name) * _bytes(one) for one in kernel.arrays)


def place(array: CoreArray, kernel: Kernel) -> tuple[Placed, ...]:
    """Addresses for all buffers. Raises Unmappable where they do not fit."""
    free = _Free()
    found: dict[str, tuple[int, ...]] = {}
    rest = sorted(kernel.arrays, key=lambda one: (not one.half, one.is_output, -_bytes(one)))
    busy: set[int] = set()
    for one in rest:
        size = _bytes(one)
        half = one.half * one.type.bits // 8
        places = []
        for _ in range(copies(array, one.name)):
            at = free.take(size, half if half < BANK else 0, busy)
            if at is None:
                raise Unmappable("cores", f"the buffers of {kernel.name} do not fit the banks")
            places.append(at)
        busy |= {b for at in places for b in range(at // BANK, (at + size - 1) // BANK + 1)}
        found[one.name] = tuple(places)
    return tuple(Placed(one.name, found[one.name]) for one in kernel.arrays)


class _Free:
    """What is left of the memory: intervals of addresses."""

    def __init__(self) -> None:
        self._gaps = [(0, MEMORY - STACK)]

    def take(self, size: int, half: int, busy: set[int]) -> int | None:
        """Space, with ``half`` bytes before the end of a bank, in banks that few others are in."""
        best: tuple[tuple[int, int], int, int] | None = None
        for number, (first, end) in enumerate(self._gaps):
            for at in self._starts(first, half):
                if at + size > end:
                    continue
                met = sum(b in busy for b in range(at // BANK, (at + size - 1) // BANK + 1))
                key = (met, (at + size - 1) // BANK - at // BANK)
                if best is None or (key, at) < (best[0], best[1]):
                    best = key, at, number
        if best is None:
            return None
        _, at, number = best
        first, end = self._gaps.pop(number)
        size = -(-size // _ALIGN) * _ALIGN
        self._gaps += [gap for gap in ((first, at), (at + size, end)) if gap[1] > gap[0]]
        self._gaps.sort()
        return at

    def _starts(self, first: int, half: int) -> list[int]:
        if half:
            return [b - half for b in range(BANK, MEMORY, BANK) if b - half >= first]
        return [first, *(b for b in range(BANK, MEMORY, BANK) if b > first)]


def _bytes(array: PackedArray) -> int:
    return -(-array.size * array.type.bits // 8 // _ALIGN) * _ALIGN
