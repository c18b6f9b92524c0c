"""Parts of windows: what a window is cut into that does not fit by itself.

Forward a part's points are reduced into what the parts before it have left. Backward the points of
a part are its own: what the only window of an image gives them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from s2s.scop.cce import Buffer
from s2s.scop.pooling import Axis, Kind, Pooling
from s2s.source.records import dataclass
from s2s.transforms.davinci.errors import Unmappable
from s2s.transforms.davinci.strips import Needs, Strip
from s2s.transforms.davinci.tiles import SIZES, Tile, cut, lay_out

MOST = 2000
"""Parts of which each has statements of its own."""


@dataclass(frozen=True)
class Part:
    """A part of the windows of a row: ``starts`` and ``ends`` say whether it is a first, a last."""

    strip: Strip
    tile: Tile
    starts: bool
    ends: bool


Parts = Callable[[Pooling, int, int], Iterator[Part]]


def forward_parts(pooling: Pooling, high: int, wide: int) -> Iterator[Part]:
    """Each window in parts of so many of its points down and across."""
    for oy in range(pooling.y.count):
        for ox in range(pooling.x.count):
            lines = list(_cut(pooling.y, oy, high))
            points = list(_cut(pooling.x, ox, wide))
            for y, tile in lines:
                for x, span in points:
                    strip = Strip(pooling, replace(pooling, y=y, x=x), span.line, ox)
                    starts = tile is lines[0][1] and span is points[0][1]
                    ends = tile is lines[-1][1] and span is points[-1][1]
                    yield Part(strip, replace(tile, first=oy), starts, ends)


def backward_parts(pooling: Pooling, high: int, wide: int) -> Iterator[Part]:
    """The only window's points in parts. Raises Unmappable where there are several windows."""
    if pooling.kind is Kind.MAX or pooling.y.count * pooling.x.count > 1:
        raise Unmappable("windows are too large for the unified buffer")
    if pooling.y.reach > pooling.y.size or pooling.x.reach > pooling.x.size:
        raise Unmappable("windows with padding are too large for the unified buffer")
    for y, tile in _cut(pooling.y, 0, high):
        for x, span in _cut(pooling.x, 0, wide):
            strip = Strip(pooling, replace(pooling, y=y, x=x), span.line, 0)
            yield Part(strip, tile, True, True)


def _cut(axis: Axis, window: int, size: int) -> Iterator[tuple[Axis, Tile]]:
    """A window's points along an axis, ``size`` at a time, and where they lie in the image."""
    for first in range(0, axis.kernel, size):
        start = window * axis.stride - axis.before + first * axis.dilation
        kernel = min(size, axis.kernel - first)
        (tile,) = cut(replace(axis, kernel=kernel, count=1, before=-start), 1)
        found = replace(axis, kernel=kernel, count=1, size=tile.lines, before=tile.above)
        yield found, replace(tile, first=0)


def fit_parts(
    pooling: Pooling, parts: Parts, needs: Needs, ub: int = SIZES["ub"]
) -> tuple[tuple[Part, ...], tuple[Buffer, ...]]:
    """Parts that fit, and the buffers. Raises Unmappable."""
    high, wide = pooling.y.kernel, pooling.x.kernel
    while high * wide > 1:
        high, wide = (-(-high // 2), wide) if high > 1 else (1, -(-wide // 2))
        found = tuple(parts(pooling, high, wide))
        if len(found) > MOST:
            break
        shapes = {(p.strip.pooling, p.tile.shape): p for p in found}
        wanted = [n for p in shapes.values() for n in needs(p.strip.pooling, p.tile)]
        buffers = lay_out(wanted, SIZES | {"ub": ub})
        if buffers is not None:
            return found, buffers
    raise Unmappable("windows are too large for the unified buffer")
