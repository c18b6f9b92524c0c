"""Strips of a plane: what its lines are cut into where a row of windows does not fit.

A strip is a pooling of its own, of fewer windows in a row. Forward it has the points that these
need. Backward it has points that no other one has, and all windows that reach them; windows on
both sides of a border are computed twice, so that every point gets its gradients in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from s2s.scop.cce import Buffer
from s2s.scop.pooling import Pooling
from s2s.source.records import dataclass
from s2s.transforms.davinci.errors import Unmappable
from s2s.transforms.davinci.tiles import SIZES, Cut, Tile, cut, fit


@dataclass(frozen=True)
class Strip:
    """``pooling`` of ``whole``, from its point ``column`` of a line and its ``window`` on."""

    whole: Pooling
    pooling: Pooling
    column: int
    window: int


Strips = Callable[[Pooling, int], Iterator[Strip]]
"""The strips of a pooling with at most so many windows each."""
Needs = Callable[[Pooling, Tile], list[tuple[str, str, int]]]
"""For a tile of a strip the buffers that it needs: name, memory, bytes."""


def forward_strips(pooling: Pooling, windows: int) -> Iterator[Strip]:
    """Strips that have the points of their windows."""
    if windows >= pooling.x.count:
        yield Strip(pooling, pooling, 0, 0)
        return
    for tile in cut(pooling.x, windows):
        axis = replace(pooling.x, size=tile.lines, before=tile.above, count=tile.rows)
        yield Strip(pooling, replace(pooling, x=axis), tile.line, tile.first)


def backward_strips(pooling: Pooling, windows: int) -> Iterator[Strip]:
    """Strips that have points of their own, and the windows that reach them."""
    x = pooling.x
    if windows >= x.count:
        yield Strip(pooling, pooling, 0, 0)
        return
    overlap = max(0, -(-(x.reach - x.stride) // x.stride))
    for first in range(0, x.count, windows):
        last = min(x.count, first + windows)
        begin = max(0, first - overlap)
        start = begin * x.stride - x.before
        low = 0 if first == 0 else min(max(0, first * x.stride - x.before), x.size)
        high = x.size if last == x.count else min(max(0, last * x.stride - x.before), x.size)
        axis = replace(x, size=high - low, before=low - start, count=last - begin)
        if high > low:
            yield Strip(pooling, replace(pooling, x=axis), low, begin)


def fit_strips(
    pooling: Pooling, strips: Strips, needs: Needs, ub: int = SIZES["ub"], cutting: Cut = cut
) -> tuple[tuple[Strip, ...], tuple[Tile, ...], tuple[Buffer, ...]]:
    """As few strips as fit, their tiles, and the buffers.

    Raises Unmappable where not even a window fits.
    """
    count = pooling.x.count
    parts = 1
    while True:
        found = tuple(strips(pooling, -(-count // parts)))

        def all_need(tile: Tile, found: tuple[Strip, ...] = found) -> list[tuple[str, str, int]]:
            return [need for axis in _shapes(found) for need in needs(axis, tile)]

        try:
            return found, *fit(pooling, all_need, ub, cutting)
        except Unmappable:
            if parts >= count:
                raise
        parts = min(count, max(parts + 1, parts * 5 // 4))


def _shapes(strips: tuple[Strip, ...]) -> list[Pooling]:
    """A pooling of each shape."""
    return list(dict.fromkeys(strip.pooling for strip in strips))


def words_of(strips: tuple[Strip, ...], tiles: tuple[Tile, ...]) -> str:
    """What a plane is cut into."""
    cut = f" in {len(strips)} strips" if len(strips) > 1 else ""
    return f"tiles of {tiles[0].rows} rows of windows{cut}"
