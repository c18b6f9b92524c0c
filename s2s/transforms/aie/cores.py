"""Convolutions larger than the memory of a core: tiles of the output, one for each core."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod

from s2s.scop.contraction import Access, Array, Contraction
from s2s.scop.core_array import divided
from s2s.scop.cores import Cores
from s2s.transforms.aie.errors import Unmappable

MEMORY = 131072
"""Bytes that a core reaches: its own memory and its neighbours' (facts, section 2)."""


def is_too_large(contraction: Contraction) -> bool:
    """Whether the arrays do not fit the memory of one core."""
    return sum(_bytes(access.array) for access in _distinct(contraction)) > MEMORY


def spread(contraction: Contraction, memory: int = MEMORY) -> Cores:
    """The fewest equal tiles that fit ``memory`` bytes each, among them the smallest halo.

    Tiles at the end move inwards where their shape does not divide the output: what two cores
    compute is the same. Raises Unmappable where not even single iterations fit.
    """
    best: tuple[tuple[int, int], dict[str, int]] | None = None
    for shape in _shapes(contraction):
        tile = divided(contraction, shape)
        size = sum(_bytes(access.array) for access in _distinct(tile))
        if size > memory:
            continue
        count = prod(-(-contraction.extents[name] // extent) for name, extent in shape.items())
        if best is None or (count, size) < best[0]:
            best = ((count, size), shape)
    if best is None:
        raise Unmappable("cores", f"no tile of the output has its operands in {memory} bytes")
    shape = best[1]
    starts = [_starts(name, contraction.extents[name], extent) for name, extent in shape.items()]
    return Cores(contraction, divided(contraction, shape), tuple(product(*starts)))


def _shapes(contraction: Contraction) -> Iterator[dict[str, int]]:
    """Extents of tiles: each loop in 1, 2, 3 .. parts, whole vectors of the innermost one."""
    loops = contraction.output_loops
    in_place = isinstance(contraction.initial, Access) and (
        contraction.initial.array == contraction.output.array
    )
    choices = []
    for loop in loops:
        unit = 16 if contraction.output.subscripts[0].coefficient(loop.name) else 1
        parts = range(1, loop.extent + 1)
        extents = {min(loop.extent, -(-loop.extent // n // unit) * unit) for n in parts}
        if in_place:
            extents = {e for e in range(1, loop.extent + 1) if loop.extent % e == 0}
        choices.append(sorted(extents - {0}))
    for extents_ in product(*choices):
        yield {loop.name: e for loop, e in zip(loops, extents_, strict=True)}


def _starts(name: str, extent: int, part: int) -> list[tuple[str, int]]:
    return [(name, min(first, extent - part)) for first in range(0, extent, part)]


def _distinct(contraction: Contraction) -> list[Access]:
    return list({access.array.name: access for access in contraction.accesses}.values())


def _bytes(array: Array) -> int:
    return array.size * array.type.bits // 8
