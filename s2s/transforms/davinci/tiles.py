"""Tiles of a plane: rows of windows, so many that what they need fits the core's memories."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from s2s.scop.cce import Buffer
from s2s.scop.pooling import Axis, Pooling
from s2s.source.records import dataclass
from s2s.transforms.davinci.errors import Unmappable

SIZES = {"ub": 262144, "l1": 1048576}
"""Bytes of the memories of an Ascend 910's core."""


@dataclass(frozen=True)
class Tile:
    """Rows of windows from ``first``, ``rows`` of them.

    They need ``lines`` points of the image downwards from ``line`` on, after ``above`` points of
    padding and before ``below``.
    """

    first: int
    rows: int
    line: int
    lines: int
    above: int
    below: int

    @property
    def padded(self) -> int:
        return self.above + self.lines + self.below

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """What programs of tiles differ by, besides where they begin."""
        return self.rows, self.lines, self.above, self.below


def cut(axis: Axis, rows: int) -> tuple[Tile, ...]:
    """All windows of an axis in tiles of so many rows; the last one may have fewer."""
    found = []
    for first in range(0, axis.count, rows):
        count = min(rows, axis.count - first)
        start = first * axis.stride - axis.before
        end = start + (count - 1) * axis.stride + axis.reach
        low, high = min(max(start, 0), axis.size), max(min(end, axis.size), 0)
        high = max(low, high)
        above = min(max(0, -start), end - start)
        found.append(Tile(first, count, low, high - low, above, end - start - above - (high - low)))
    return tuple(found)


def runs(tiles: tuple[Tile, ...]) -> Iterator[tuple[Tile, int, int]]:
    """Tiles of the same shape one after another: the first, how many, lines between two."""
    k = 0
    while k < len(tiles):
        count = 1
        step = tiles[k + 1].line - tiles[k].line if k + 1 < len(tiles) else 0
        while (
            k + count < len(tiles)
            and tiles[k + count].shape == tiles[k].shape
            and tiles[k + count].line - tiles[k + count - 1].line == step
        ):
            count += 1
        yield tiles[k], count, step
        k += count


Needs = Callable[[Tile], list[tuple[str, str, int]]]
"""For a tile the buffers that it needs: name, memory, bytes."""


Cut = Callable[[Axis, int], tuple[Tile, ...]]


def fit(
    pooling: Pooling, needs: Needs, ub: int = SIZES["ub"], cutting: Cut = cut
) -> tuple[tuple[Tile, ...], tuple[Buffer, ...]]:
    """Tiles of as many rows of windows as fit, and the buffers.

    Raises Unmappable where not one fits.
    """
    sizes = SIZES | {"ub": ub}

    def wanted(rows: int) -> list[tuple[str, str, int]]:
        return [need for tile in set_of(cutting(pooling.y, rows)) for need in needs(tile)]

    def laid(rows: int) -> tuple[Buffer, ...] | None:
        return lay_out(wanted(rows), sizes)

    low, high = 0, pooling.y.count
    best: tuple[Buffer, ...] | None = None
    while low < high:
        middle = (low + high + 1) // 2
        buffers = laid(middle)
        if buffers is None:
            high = middle - 1
        else:
            low, best = middle, buffers
    if best is None:
        largest = _largest(wanted(1))
        total = {s: sum(size for (_, t), size in largest.items() if t == s) for s in sizes}
        space = next(s for s in sizes if total[s] > sizes[s])
        name = {"ub": "unified buffer", "l1": "L1"}[space]
        raise Unmappable(
            f"one row of windows needs {total[space]} bytes of the {name}, which has {sizes[space]}"
        )
    return cutting(pooling.y, low), best


def lay_out(
    wanted: Sequence[tuple[str, str, int]], sizes: Mapping[str, int]
) -> tuple[Buffer, ...] | None:
    """Buffers one after another, each as large as it has to be; None where they do not fit.

    Those with names that end with ``_f32`` have elements of single precision.
    """
    found, ends = [], dict.fromkeys(sizes, 0)
    for (name, space), size in _largest(wanted).items():
        element = "float" if name.endswith("_f32") else "half"
        found.append(Buffer(name, space, ends[space], size, element))
        ends[space] += size
    return tuple(found) if all(ends[s] <= sizes[s] for s in sizes) else None


def _largest(wanted: Sequence[tuple[str, str, int]]) -> dict[tuple[str, str], int]:
    """The largest size that is wanted of each buffer, in whole blocks."""
    found: dict[tuple[str, str], int] = {}
    for name, space, size in wanted:
        found[name, space] = max(found.get((name, space), 0), -(-size // 32) * 32)
    return found


def set_of(tiles: tuple[Tile, ...]) -> list[Tile]:
    """A tile of each shape."""
    return list({tile.shape: tile for tile in tiles}.values())
