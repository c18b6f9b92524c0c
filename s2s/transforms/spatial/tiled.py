"""A mapping's levels as the loops of a tiled nest, and the schedule that these loops run.

::

    for (k = 0; k < 8; k++)          for (k_1 = 0; k_1 < 8; k_1 += 3)       SpatialMap(3,3) K
      ...                    ->        for (k = k_1; k < min(k_1 + 3, 8); k++)  ...

Chapter 5.5 of Chatarasi's dissertation, read backwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import islpy as isl

from s2s.analyses.conformability.normal_form import Normal
from s2s.scop.schedule import Dimension, Role, Schedule
from s2s.source.records import dataclass
from s2s.source.spatial.tiles import TileLevel, TileLoop


@dataclass(frozen=True)
class Step:
    """A loop over tiles: the source's loop at ``place``, from the tile around it on.

    ``name`` is this loop's, ``around`` that of the next loop outside over the same place, None for
    the outermost. A tile is ``size`` iterations; ``partial``: the last one may be smaller.
    ``about`` is the directive.
    """

    place: int
    name: str
    around: str | None
    size: int
    partial: bool
    about: str
    level: int


@dataclass(frozen=True)
class TiledNest:
    """Loops over tiles, outermost first, and inside of all the source's own loops.

    ``inner``: for each of the source's loops the tile that it runs over, None for all iterations;
    ``single`` are those whose tile is one iteration.
    """

    normal: Normal
    steps: tuple[Step, ...]
    inner: tuple[Step | None, ...]
    single: frozenset[int]

    def schedule(self) -> Schedule:
        """The order in which these loops run, as time vectors."""
        iterators = [f"n{k}" for k in range(self.normal.statement.depth)]
        starts: dict[str, str] = {}
        for step in self.steps:
            base = starts[step.around] if step.around is not None else "0"
            moved = f"{iterators[step.place]} - ({base})"
            starts[step.name] = f"{base} + {step.size} * floor(({moved})/{step.size})"
        times = [*(starts[step.name] for step in self.steps), *iterators]
        text = f"{{ [{', '.join(iterators)}] -> [{', '.join(times)}] }}"
        back = self.normal.to_source.reverse().intersect_range(self.normal.domain)
        timed = back.apply_range(isl.Map(text))
        names = [step.name for step in self.steps]
        dimensions = [Dimension(name, Role.BAND) for name in (*names, *self.normal.names)]
        return Schedule({self.normal.statement.name: timed}, tuple(dimensions))


def tiled_nest(normal: Normal, levels: Sequence[TileLevel], places: Mapping[str, int]) -> TiledNest:
    """The loops of a mapping's levels; ``places`` lead from dimensions to the nest's loops.

    Loops of one step are left out.
    """
    steps: list[Step] = []
    inner: list[Step | None] = [None] * normal.statement.depth
    tiles = [int(extent or 1) for extent in normal.extents]
    lengths = [{tile} for tile in tiles]  # of a tile, of the last one, of the last one's last one
    for number, level in enumerate(levels, 1):
        for loop in level.loops:
            if loop.dim not in places:
                continue
            place = places[loop.dim]
            tiles[place] = loop.tile
            for name, size, extent, about in _cut(loop, level, number, normal.names[place]):
                if size >= extent:
                    continue
                around = inner[place]
                partial = any(length % size for length in lengths[place])
                lengths[place] = {size} | {length % size for length in lengths[place]} - {0}
                outer = None if around is None else around.name
                step = Step(place, name, outer, size, partial, about, number)
                steps.append(step)
                inner[place] = step
    single = frozenset(place for place, tile in enumerate(tiles) if tile == 1)
    return TiledNest(normal, tuple(steps), tuple(inner), single)


def _cut(
    loop: TileLoop, level: TileLevel, number: int, name: str
) -> list[tuple[str, int, int, str]]:
    """Name, tile, extent and directive of one loop, or of two where clusters are used over."""
    kind = "SpatialMap" if loop.spatial else "TemporalMap"
    about = f"{kind}({loop.tile},{loop.tile}) {loop.dim}"
    if not loop.spatial or level.units is None:
        return [(f"{name}_{number}", loop.tile, loop.extent, about)]
    together = loop.tile * level.units
    about = f"{about}: {level.units} clusters"
    fold = f"{name}_fold{number}", together, loop.extent, f"{about} at a time"
    return [fold, (f"{name}_{number}", loop.tile, min(together, loop.extent), about)]
