"""A contraction on an array of cores: shares side by side, tiles one after the other.

Each loop of the output is divided into parts for cores, each part into tiles that its core computes
one after the other. The terms of the sums may be divided, too: cores of a chain each add what their
channels give, and pass the sums on. All cores have tiles of one shape, so that a few kernels serve
all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from math import prod

from s2s.scop.contraction import Access, Contraction
from s2s.source.records import dataclass

Box = tuple[tuple[int, int], ...]
"""Index ranges [first, end) per dimension, innermost first."""


@dataclass(frozen=True)
class Share:
    """How ``extent`` iterations of a loop are divided.

    ``cores`` parts side by side, each of ``steps`` tiles of ``tile`` iterations. Tiles that would
    reach beyond the loop's end move inwards: what two compute is the same.
    """

    loop: str
    extent: int
    cores: int
    tile: int
    steps: int

    def first(self, part: int, step: int) -> int:
        """The first iteration of a tile."""
        return min((part * self.steps + step) * self.tile, self.extent - self.tile)


@dataclass(frozen=True)
class CoreArray:
    """``whole`` on ``rows`` x ``columns`` cores; ``contraction`` is what one does in a step.

    ``shares``: those of the output's loops, outermost first, then that of the chain, whose parts
    are neighbours. Cores count with the last share first, steps too.
    """

    whole: Contraction
    contraction: Contraction
    shares: tuple[Share, ...]
    rows: int
    columns: int

    @property
    def links(self) -> int:
        """Cores of a chain."""
        return self.shares[-1].cores

    @cached_property
    def count(self) -> int:
        """Cores in use."""
        return prod(share.cores for share in self.shares)

    @cached_property
    def steps(self) -> int:
        """Tiles that each core computes."""
        return prod(share.steps for share in self.shares)

    def core_stride(self, number: int) -> int:
        """Distance between cores whose parts of a share are neighbours."""
        return prod(share.cores for share in self.shares[number + 1 :])

    def step_stride(self, number: int) -> int:
        """Distance between steps whose tiles along a share are neighbours."""
        return prod(share.steps for share in self.shares[number + 1 :])

    def origin(self, core: int, step: int) -> dict[str, int]:
        """The first iterations of a tile."""
        return {
            share.loop: share.first(
                core // self.core_stride(n) % share.cores, step // self.step_stride(n) % share.steps
            )
            for n, share in enumerate(self.shares)
        }

    def region(self, access: Access, core: int, step: int) -> Box:
        """The part of the whole's array that a tile reads or writes."""
        point = self.origin(core, step)
        found = []
        for subscript in access.subscripts:
            low, high = subscript.reach(self.contraction.extents)
            moved = subscript.value(point) - subscript.constant
            found.append((low + moved, high + moved + 1))
        return tuple(found)

    def moving(self, access: Access) -> tuple[int, ...]:
        """Divided loops that an array depends on: cores that agree in them have the same part."""
        return tuple(n for n, s in enumerate(self.shares) if s.cores > 1 and s.loop in access.loops)

    def streams(self, access: Access) -> int:
        """Different parts of an array that cores have at a time."""
        return prod(self.shares[n].cores for n in self.moving(access))

    def stream(self, access: Access, core: int) -> int:
        """Which of these a core has."""
        number = 0
        for n in self.moving(access):
            share = self.shares[n]
            number = number * share.cores + core // self.core_stride(n) % share.cores
        return number

    def tile_at(self, core: int) -> tuple[int, int]:
        """Column and row: along even rows eastward, along odd ones westward, as cascades go."""
        row, column = divmod(core, self.columns)
        return (column if row % 2 == 0 else self.columns - 1 - column), row


def divided(whole: Contraction, parts: Mapping[str, int]) -> Contraction:
    """The contraction of ``parts`` iterations of some loops: arrays as large as it needs them."""
    from dataclasses import replace

    loops = tuple(replace(loop, extent=parts.get(loop.name, loop.extent)) for loop in whole.loops)
    extents = {loop.name: loop.extent for loop in loops}

    def part(access: Access) -> Access:
        bounds = [s.reach(extents) for s in access.subscripts]
        sizes = tuple(high - low + 1 for low, high in bounds)
        subscripts = tuple(
            s.shifted(-low) for s, (low, _) in zip(access.subscripts, bounds, strict=True)
        )
        array = replace(access.array, extents=sizes, view=None, reached=None, data=None)
        return Access(array, subscripts)

    initial = whole.initial
    return replace(
        whole,
        loops=loops,
        output=part(whole.output),
        image=part(whole.image),
        weight=part(whole.weight),
        initial=part(initial) if isinstance(initial, Access) else initial,
        scale=whole.scale and replace(whole.scale, factor=part(whole.scale.factor)),
    )
