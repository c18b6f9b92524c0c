"""Layers one after the other on an array of cores: each has cores of its own.

What a layer computes goes to the cores of the next one, a tile in each step, along one loop: all
layers have as many rows of it in a tile as the next one takes on with. A layer that slides over the
rows of the one before keeps those that it reads again (``Kept``) and works some steps later.
"""

from __future__ import annotations

from functools import cached_property
from math import prod

from s2s.scop.contraction import Access
from s2s.scop.core_array import CoreArray
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Kept:
    """Rows of the layer before in a core's memory: what came, after what came earlier.

    ``rows`` of ``row`` elements, the first ones are the window of a step's tile; ``new`` rows come
    in each step, to row ``at``. ``chunks`` are the elements that lie together in both, from
    ``offset`` on in the first new row: ``chunk`` of them, then (count, distance in what comes,
    distance in the rows) for the dimensions around. Everything else is ``fill``.
    """

    rows: int
    row: int
    new: int
    at: int
    offset: int
    chunk: int
    around: tuple[tuple[int, int, int], ...]
    fill: int = 0

    @property
    def size(self) -> int:
        """Elements in all."""
        return self.rows * self.row


@dataclass(frozen=True)
class Stage:
    """A layer: its cores from number ``base`` on, and how many steps after the first one it is.

    ``feeds``: for each core the chain of the layer before whose output it gets (empty: the image
    comes from outside). ``kept`` is None where that is the image as it comes.
    """

    array: CoreArray
    base: int
    lag: int
    feeds: tuple[int, ...] = ()
    kept: Kept | None = None


@dataclass(frozen=True)
class CoreChain:
    """Stages on ``rows`` x ``columns`` cores, in the order of the layers."""

    name: str
    stages: tuple[Stage, ...]
    rows: int
    columns: int

    @cached_property
    def steps(self) -> int:
        """Steps of the graph: those of the last layer, and what it waits for."""
        return max(stage.array.steps + stage.lag for stage in self.stages)

    @property
    def count(self) -> int:
        """Cores in use."""
        return sum(stage.array.count for stage in self.stages)

    @property
    def macs(self) -> int:
        """Multiplications of all layers."""
        return sum(stage.array.whole.macs for stage in self.stages)


def memory_region(array: CoreArray, access: Access, core: int) -> tuple[tuple[int, int], ...]:
    """What a core's first tile accesses, in the memory's indices: [first, end) per dimension.

    May begin before the memory and end after it, where the array has a border.
    """
    view = access.array.view
    first = view.first if view is not None else (0,) * len(access.subscripts)
    box = array.region(access, core, 0)
    return tuple((low - by, high - by) for (low, high), by in zip(box, first, strict=True))


def kept_rows(before: CoreArray, after: CoreArray, chain: int, core: int) -> Kept | None:
    """What a core of a layer keeps of a chain's tiles; None where these do not fit each other.

    Rows are those of the outermost dimension. The chain's tile has all that the core reads of
    the memory, but for rows that come in other steps.
    """
    made = memory_region(before, before.whole.output, chain * before.links)
    read = memory_region(after, after.whole.image, core)
    extents = before.whole.output.array.extents
    inner = list(zip(made[:-1], read[:-1], extents[:-1], strict=True))
    if any((max(low, 0), min(high, n)) != m for m, (low, high), n in inner):
        return None
    sizes, wide = ([high - low for low, high in box] for box in (made, read))
    new, window, first = sizes[-1], wide[-1], -read[-1][0]
    if first < 0 or made[-1][0] != 0:
        return None
    delay = max(0, -(-(window - first) // new) - 1)
    at = delay * new + first
    together = next((d for d in range(len(sizes) - 1) if sizes[d] != wide[d]), len(sizes) - 1)
    chunk = prod(sizes[: together + 1]) if together < len(sizes) - 1 else prod(sizes[:-1])
    offset = sum((m[0] - r[0]) * prod(wide[:d]) for d, (m, r, _) in enumerate(inner))
    around = [
        (sizes[d], prod(sizes[:d]), prod(wide[:d])) for d in range(together + 1, len(sizes) - 1)
    ]
    around.append((new, prod(sizes[:-1]), prod(wide[:-1])))
    view = after.whole.image.array.view
    rows = max(window, at + new)
    fill = int(view.fill) if view is not None else 0
    return Kept(rows, prod(wide[:-1]), new, at, offset, chunk, tuple(around), fill)
