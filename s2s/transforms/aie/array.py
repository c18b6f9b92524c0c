"""The plan for an array of cores: which loops are divided between cores, and how large tiles are.

All ways to divide the loops of the output, and the channels of a sum, between the cores are looked
at, with tiles whose buffers (two of each, so that one is filled while the other one is used) fit
the memory of a core's own tile. What ranks them is the time of a frame: steps times the longest of
a tile's cycles and its streams' cycles. The best of each kind are mapped to kernels, whose cycles
are measured, and the fastest one is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice, product
from math import prod

from s2s.scop.contraction import Access, Array, Contraction, Loop
from s2s.scop.core_array import CoreArray, Share, divided
from s2s.source.records import dataclass
from s2s.transforms.aie.errors import Unmappable
from s2s.transforms.aie.mapping import Mapping
from s2s.transforms.aie.tile_kernels import Measure, Natural, tile_cycles, tile_mapping
from s2s.transforms.aie.tile_memory import MEMORY, STACK, buffers, needed

STREAM = 4
"""Bytes of a stream per cycle (facts: 32 bits)."""
CALL = 60
"""Cycles around a call: locks and the loop of the core's main program."""
_LINE = 20
"""Cycles around a row of a tile."""
_RATE = 0.65
"""Part of the peak at which kernels are taken to run before they are known."""
_LOOKED = 2
"""Plans whose kernels are measured."""
_ASKED = 6
"""Plans of which kernels are asked for."""
_TILES = 12
"""Tile extents of a loop that are tried."""


@dataclass(frozen=True)
class Planned:
    """The plan, the mapping of its tile, and the cycles that a frame is planned to take."""

    array: CoreArray
    mapping: Mapping
    cycles: float


def plan(
    whole: Contraction,
    rows: int,
    columns: int,
    measure: Measure,
    search: Callable[[Contraction], Mapping | None] | None = None,
) -> Planned:
    """The fastest plan that is found. Raises Unmappable with the reason where there is none."""
    _check(whole)
    ranked = sorted(_arrays(whole, rows, columns), key=_promise)
    if not ranked:
        raise Unmappable("cores", f"no tile has its operands in {MEMORY} bytes of {rows * columns}")
    found: list[Planned] = []
    refused: Unmappable | None = None
    for array in islice(_different(ranked), _ASKED):
        tile, chained = array.contraction, array.links > 1
        try:
            mapping = search(tile) if search else None
            mapping = mapping or tile_mapping(tile, Natural(), chained, measure)
            kernel = tile_cycles(tile, mapping, chained, measure)
        except Unmappable as error:
            refused = refused or error
            continue
        if needed(buffers(array, kernel.kernel)) + STACK <= MEMORY:
            found.append(Planned(array, mapping, _frame(array, kernel.cycles)))
        if len(found) == _LOOKED:
            break
    if not found:
        raise refused or Unmappable("cores", f"no kernel's arrays fit {MEMORY} bytes")
    return min(found, key=lambda one: one.cycles)


def _check(whole: Contraction) -> None:
    if whole.floats is not None:
        raise Unmappable("cores", "sums of floats, which have an order, stay on one core")
    initial = whole.initial
    if isinstance(initial, Access) and initial.array.name == whole.output.array.name:
        raise Unmappable("cores", "sums that go on from the output's own elements stay on one core")


def _different(ranked: list[CoreArray]) -> Iterator[CoreArray]:
    """The best of each way to divide loops between cores, then what is left of them."""
    seen: set[tuple[int, ...]] = set()
    later = []
    for array in ranked:
        way = tuple(share.cores for share in array.shares)
        if way in seen:
            later.append(array)
            continue
        seen.add(way)
        yield array
    yield from later[:_TILES]


def _arrays(whole: Contraction, rows: int, columns: int) -> Iterator[CoreArray]:
    for parts, links in _divisions(whole, rows * columns):
        if columns % links:
            continue
        chain = _chain(whole)
        extent = whole.extents[chain] if chain else 1
        if extent % links:
            continue
        last = Share(chain, extent, links, extent // links, 1)
        for shares in product(*(list(_shares(whole, name, n)) for name, n in parts.items())):
            tile = divided(whole, {s.loop: s.tile for s in (*shares, last) if s.loop})
            array = CoreArray(whole, tile, (*shares, last), rows, columns)
            if needed(buffers(array, None)) + STACK <= MEMORY:
                yield array


def _chain(whole: Contraction) -> str:
    """The reduction whose terms may be on several cores: the one that does not slide."""
    return next((loop.name for loop in whole.reductions if loop.name == "c"), "")


def _divisions(whole: Contraction, cores: int) -> Iterator[tuple[dict[str, int], int]]:
    """Parts of each output loop and links of a chain that make so many cores."""
    names = [loop.name for loop in whole.output_loops]
    extents = [whole.extents[name] for name in names]
    divisors = [n for n in range(1, cores + 1) if cores % n == 0]
    chain = whole.extents.get(_chain(whole), 1)
    for *parts, links in product(divisors, repeat=len(names) + 1):
        if prod(parts) * links != cores or links > chain:
            continue
        if all(n <= extent for n, extent in zip(parts, extents, strict=True)):
            yield dict(zip(names, parts, strict=True)), links


def _shares(whole: Contraction, name: str, cores: int) -> Iterator[Share]:
    """Tiles of a loop's part; weights stay where they are, so that their loops have one step."""
    extent = whole.extents[name]
    each = -(-extent // cores)
    if each * (cores - 1) >= extent:
        return
    if any(name in access.loops for access in (whole.weight, *whole.accesses[3:])):
        yield Share(name, extent, cores, each, 1)
        return
    counts = [n for n in range(1, each + 1) if -(-each // n) * n - each <= max(1, each // 8)]
    tiles = sorted({-(-each // n) for n in counts}, reverse=True)
    for tile in tiles[:_TILES]:
        yield Share(name, extent, cores, tile, -(-each // tile))


def _promise(array: CoreArray) -> tuple[float, int]:
    """The time of a frame as far as it is known before there is a kernel."""
    tile = array.contraction
    width = tile.image.array.type.bits * tile.weight.array.type.bits
    peak = {64: 128, 128: 64, 256: 32, 512: 16}.get(width, 8)
    lines = prod(loop.extent for loop in tile.output_loops[:-2])
    cycles = tile.macs / (peak * _RATE) * (1 + sum(_uneven(loop.extent) for loop in _inner(tile)))
    return _frame(array, cycles + _LINE * lines), array.links


def _inner(tile: Contraction) -> list[Loop]:
    """The loops whose iterations a kernel jams: those that the weights lack."""
    return [loop for loop in tile.output_loops if loop.name not in tile.weight.loops][-1:]


def _uneven(extent: int) -> float:
    """What blocks of four iterations leave over, as a part of all."""
    return -extent % 4 / extent


def _frame(array: CoreArray, cycles: float) -> float:
    """Cycles of all steps, and of the first buffers in, the last ones out, along the chain."""
    tile = array.contraction
    into = _bytes(tile.image.array) / STREAM
    out = _bytes(tile.output.array) / STREAM
    return array.steps * max(cycles + CALL, into, out) + into + out + 16 * array.links


def _bytes(array: Array) -> int:
    return array.size * array.type.bits // 8
