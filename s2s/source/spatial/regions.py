"""A tiled loop nest as levels of a mapping, and back.

Each parallel loop ends a level, whose ``SpatialMap`` it is, with as many clusters as it has
iterations; sequential loops over tiles before it are the level's temporal maps. Loops over one
dimension twice, with no parallel loop between, are levels of one cluster. The innermost loops that
run over single iterations are what one processing element does. Chapter 5.5.1 of Chatarasi's
dissertation, whose regions of temporal maps alone stand in the level of the next parallel loop
here: MAESTRO has no level without a ``SpatialMap``.
"""

from __future__ import annotations

from collections.abc import Sequence

from s2s.source.records import dataclass
from s2s.source.spatial.layers import Layer
from s2s.source.spatial.tiles import TileLevel, TileLoop


@dataclass(frozen=True)
class TiledLoop:
    """``step`` iterations of a dimension at a time, all steps at once if ``parallel``."""

    dim: str
    step: int
    parallel: bool = False


def levels_of(layer: Layer, loops: Sequence[TiledLoop]) -> tuple[TileLevel, ...]:
    """The levels of a nest over a layer's dimensions; none where it is not tiled at all."""
    last = {loop.dim: place for place, loop in enumerate(loops)}
    count = len(loops)
    while count and _is_point(loops[count - 1], last[loops[count - 1].dim] == count - 1):
        count -= 1
    extents = dict(layer.loops)
    found: list[TileLevel] = []
    own: list[TileLoop] = []
    for loop in loops[:count]:
        extent = extents[loop.dim]
        if loop.step >= extent:
            continue
        if loop.dim in {one.dim for one in own}:
            found.append(TileLevel(tuple(own), 1))
            own = []
        tile = TileLoop(loop.dim, loop.step, extent, loop.parallel)
        extents[loop.dim] = loop.step
        own.append(tile)
        if loop.parallel:
            found.append(TileLevel(tuple(own), tile.steps))
            own = []
    return (*found, TileLevel(tuple(own), 1)) if own else tuple(found)


def _is_point(loop: TiledLoop, is_last: bool) -> bool:
    return is_last and loop.step == 1 and not loop.parallel


def loops_of(layer: Layer, levels: Sequence[TileLevel]) -> tuple[TiledLoop, ...]:
    """The loops of levels, outermost first, then those of one processing element."""
    tiles = dict(layer.loops)
    found = []
    for level in levels:
        for loop in level.loops:
            if loop.tile < tiles[loop.dim]:
                found.append(TiledLoop(loop.dim, loop.tile, loop.spatial))
                tiles[loop.dim] = loop.tile
    return (*found, *(TiledLoop(dim, 1) for dim, tile in tiles.items() if tile > 1))
