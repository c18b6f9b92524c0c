"""Where a kernel's buffers lie in the 32 KB of its core's own tile.

The memory has four double banks of 8 KB. Operands in two halves lie around the end of a bank; then
the copies of the buffers find places where they meet as few of the others as possible. Memory of
neighbours is in reach, too, but it is theirs here: every core of the array has work.
"""

from __future__ import annotations

from collections.abc import Sequence

from s2s.scop.contraction import Contraction
from s2s.scop.core_array import CoreArray
from s2s.scop.vector_kernel import Kernel, PackedArray
from s2s.source.records import dataclass
from s2s.transforms.aie.banks import BANK
from s2s.transforms.aie.errors import Unmappable

MEMORY = 32768
"""Bytes of a tile's own memory (facts, section 2)."""
STACK = 1024
"""Bytes of a kernel's stack (UG1076, the default)."""
_ALIGN = 32


@dataclass(frozen=True)
class Buffer:
    """Memory of a core: ``copies`` of so many bytes; ``half``: those before the end of a bank."""

    name: str
    bytes: int
    copies: int
    half: int
    is_output: bool


def is_constant(tile: Contraction, name: str) -> bool:
    """Whether a kernel's array stays for all steps, as weights and biases do."""
    return name in (access.array.name for access in (tile.weight, *tile.accesses[3:]))


def buffers(array: CoreArray, kernel: Kernel | None) -> list[Buffer]:
    """The arrays of a tile, twice where they do not stay; without layouts where no kernel is."""
    tile = array.contraction
    if kernel is None:
        own = {a.array.name: a.array for a in tile.accesses}
        sizes = [(n, a.size * a.type.bits // 8, 0, a == tile.output.array) for n, a in own.items()]
    else:
        sizes = [(a.name, _bytes(a), _half(a), a.is_output) for a in kernel.arrays]
    return [
        Buffer(name, size, 1 if is_constant(tile, name) else 2, half, is_output)
        for name, size, half, is_output in sizes
    ]


def needed(found: Sequence[Buffer]) -> int:
    """Bytes of buffers with their copies."""
    return sum(one.copies * one.bytes for one in found)


def place(found: Sequence[Buffer], name: str) -> dict[str, tuple[int, ...]]:
    """Addresses for all copies of buffers. Raises Unmappable where they do not fit."""
    free = _Free()
    placed: dict[str, tuple[int, ...]] = {}
    busy: set[int] = set()
    for one in sorted(found, key=lambda one: (not one.half, one.is_output, -one.bytes)):
        places = []
        for _ in range(one.copies):
            at = free.take(one.bytes, one.half, busy)
            if at is None:
                raise Unmappable("cores", f"the buffers of {name} do not fit the banks")
            places.append(at)
        busy |= {b for at in places for b in range(at // BANK, (at + one.bytes - 1) // BANK + 1)}
        placed[one.name] = tuple(places)
    return placed


def _half(array: PackedArray) -> int:
    half = array.half * array.type.bits // 8
    return half if half < BANK else 0


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
