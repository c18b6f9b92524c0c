"""A mapping as cuts: in one order for all levels, which dimension is cut into tiles, for how many.

What the outermost level hands down at one step is the tile in L2, all its clusters together; what
the innermost level hands down is the tile of one processing element, in its L1. On a machine with a
third buffer the outermost level hands down tiles of L3, and the next one those of L2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from math import gcd, prod

from s2s.source.records import dataclass
from s2s.source.spatial.layers import Computation, Layer, Tensor
from s2s.source.spatial.problems import problem
from s2s.source.spatial.tiles import TileLevel


@dataclass(frozen=True)
class Cut:
    """``dim`` in tiles of ``tile``, for ``units`` clusters at a time; ``outer``: into L2, or
    (``deep``) into L3.
    """

    dim: str
    tile: int
    units: int
    outer: bool
    deep: bool = False

    @property
    def width(self) -> int:
        """Iterations that one step takes."""
        return self.tile * self.units


@dataclass(frozen=True)
class Plan:
    """A layer's computation and the cuts of a mapping, outermost first.

    ``layouts``: for each tensor the axis along which its elements are neighbours in DRAM.
    """

    computation: Computation
    extents: dict[str, int]
    cuts: tuple[Cut, ...]
    layouts: tuple[int, ...]

    @cached_property
    def accumulating(self) -> frozenset[str]:
        """The dimensions of which several iterations meet in one output."""
        output = self.computation.output
        sliding = (d for axis in output.axes if len(axis.terms) > 1 for d, _ in axis.terms)
        return frozenset(self.extents) - output.dims | frozenset(sliding)

    @property
    def macs(self) -> int:
        """Iterations in all."""
        return prod(self.extents.values())

    @property
    def used(self) -> int:
        """Processing elements that the clusters have."""
        return prod(cut.units for cut in self.cuts)

    def tile(self, outer: bool) -> dict[str, int]:
        """The largest tile of each dimension that L2 has, or (not ``outer``) one L1."""
        found = dict(self.extents)
        for cut in self.cuts:
            if cut.outer or not outer:
                found[cut.dim] = min(found[cut.dim], cut.width if outer else cut.tile)
        return found

    def deep_tile(self) -> dict[str, int]:
        """The largest tile of each dimension that L3 has."""
        found = dict(self.extents)
        for cut in self.cuts:
            if cut.deep:
                found[cut.dim] = min(found[cut.dim], cut.tile)
        return found


def plan(
    layer: Layer,
    levels: Sequence[TileLevel],
    layouts: Sequence[int] = (),
    block: int = 64,
    deep: bool = False,
) -> Plan:
    """The cuts of a mapping's loops, whose levels say how many clusters there are.

    Without ``layouts`` each tensor lies along the axis with the fewest blocks in a tile of the
    buffer next to DRAM: of L2, or (``deep``) of L3. Raises UserError where tiles of L3 are shared
    out over clusters.
    """
    for loop in levels[0].loops if deep else ():
        if loop.spatial and loop.steps > 1:
            said = "the first level says the tiles of L3, which all clusters have: no SpatialMap"
            raise problem(said, loop.at)
    cuts = tuple(
        Cut(
            loop.dim, loop.tile, (level.units or 1) if loop.spatial else 1,
            place <= deep, deep and place == 0,
        )
        for place, level in enumerate(levels)
        for loop in level.loops
    )  # fmt: skip
    computation = layer.computation
    found = Plan(computation, layer.loops, cuts, tuple(layouts))
    if not layouts and computation.tensors:
        tile = found.deep_tile() if deep else found.tile(outer=True)
        chosen = (_layout(tensor, tile, layer.loops, block) for tensor in computation.tensors)
        found = replace(found, layouts=tuple(chosen))
    return found


def _layout(tensor: Tensor, tile: dict[str, int], sizes: dict[str, int], block: int) -> int:
    """The axis along which a tile has the fewest blocks, wherever in a block it begins."""
    best, least = 0, float("inf")
    for place, axis in enumerate(tensor.axes):
        width = axis.width(tile)
        whole = width == axis.width(sizes) or width % block == 0
        blocks = -(-width // block) if whole else 1 + (width - 1) / block
        if blocks / width <= least:
            best, least = place, blocks / width
    return best


def footprint(tensor: Tensor, tile: Mapping[str, int]) -> int:
    """Elements of a tensor that a tile touches."""
    return prod(touched(tuple((tile[d], abs(f)) for d, f in axis.terms)) for axis in tensor.axes)


@lru_cache(maxsize=100_000)
def touched(terms: tuple[tuple[int, int], ...]) -> int:
    """How many values a sum of ``factor * i`` takes, for (how many i, factor) each.

    With two terms the same value comes again one step of each later and earlier.
    """
    if len(terms) < 2:
        return terms[0][0] if terms else 1
    if len(terms) == 2:
        (m, a), (n, b) = terms
        common = gcd(a, b)
        return m * n - max(0, m - b // common) * max(0, n - a // common)
    mask = 1
    for extent, factor in terms:
        part, done = mask, 1
        while done < extent:
            more = min(done, extent - done)
            part |= part << more * factor
            done += more
        mask = part
    return mask.bit_count()
