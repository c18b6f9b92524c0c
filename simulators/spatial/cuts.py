"""A mapping as cuts: in one order for all levels, which dimension is cut into tiles, for how many.

What the outermost level hands down at one step is the tile in L2, all its clusters together; what
the innermost level hands down is the tile of one processing element, in its L1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

from s2s.source.spatial.layers import Computation, Layer, Tensor
from s2s.source.spatial.tiles import TileLevel


@dataclass(frozen=True)
class Cut:
    """``dim`` in tiles of ``tile``, for ``units`` clusters at a time; ``outer``: from DRAM."""

    dim: str
    tile: int
    units: int
    outer: bool

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


def plan(layer: Layer, levels: Sequence[TileLevel], layouts: Sequence[int] = ()) -> Plan:
    """The cuts of a mapping's loops, whose levels say how many clusters there are."""
    cuts = tuple(
        Cut(loop.dim, loop.tile, (level.units or 1) if loop.spatial else 1, place == 0)
        for place, level in enumerate(levels)
        for loop in level.loops
    )
    computation = layer.computation
    last = tuple(len(tensor.axes) - 1 for tensor in computation.tensors)
    return Plan(computation, layer.loops, cuts, tuple(layouts) or last)


def footprint(tensor: Tensor, tile: dict[str, int]) -> int:
    """Elements of a tensor that a tile touches."""
    found = 1
    for axis in tensor.axes:
        if len(axis.terms) == 1:
            found *= tile[axis.terms[0][0]]
        elif axis.terms:
            places = {0}
            for dim, factor in axis.terms:
                places = {p + factor * i for p in places for i in range(tile[dim])}
            found *= len(places)
    return found
