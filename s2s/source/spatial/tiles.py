"""A mapping as loops: at each level, which dimension advances by how much, and where.

The loops of all levels, one inside the other, are the mapping as a tiled loop nest: level by level
and outermost first, the dimension ``dim`` of what the level above hands down, at most ``extent``
iterations, is cut into tiles of ``tile``; the last of them may be smaller. A spatial loop's tiles
go to the clusters of the level, ``units`` at a time. The last level's tile is what one processing
element does in one step. Chapter 5.5.1 of Chatarasi's dissertation.
"""

from __future__ import annotations

from collections.abc import Mapping as Sizes
from collections.abc import Sequence
from dataclasses import field, replace
from math import prod

from s2s.source.diagnostics import Location
from s2s.source.records import dataclass
from s2s.source.spatial.directives import Level, Map, Mapping, SpatialMap, TemporalMap
from s2s.source.spatial.layers import WINDOWS, Layer
from s2s.source.spatial.problems import problem


@dataclass(frozen=True)
class TileLoop:
    """A loop over tiles of one dimension: ``tile`` iterations of at most ``extent`` at a step."""

    dim: str
    tile: int
    extent: int
    spatial: bool = False
    at: Location | None = field(default=None, compare=False, repr=False)

    @property
    def steps(self) -> int:
        """Tiles of a whole extent."""
        return -(-self.extent // self.tile)


@dataclass(frozen=True)
class TileLevel:
    """The loops of a level, outermost first, each dimension at most once.

    ``units``: the clusters of this level inside one of the level above; None where the number of
    processing elements is not known (of the outermost level).
    """

    loops: tuple[TileLoop, ...]
    units: int | None = None

    @property
    def spatial(self) -> TileLoop | None:
        """The loop whose tiles go to the clusters."""
        return next((loop for loop in self.loops if loop.spatial), None)

    @property
    def folds(self) -> int:
        """How often the clusters are used over, for the spatial loop."""
        if self.spatial is None or self.units is None:
            return 1
        return -(-self.spatial.steps // self.units)


def tile_levels(
    layer: Layer, mapping: Mapping | None = None, elements: int | None = None
) -> tuple[TileLevel, ...]:
    """The loops of a mapping (none: the layer's own), on ``elements`` processing elements.

    Raises UserError, at the directive, for a tile larger than its extent, a step that leaves out
    iterations or does them twice, windows that are cut, a level whose clusters would all do the
    same, and clusters that are not there.
    """
    mapping = mapping or layer.mapping
    if mapping is None:
        raise problem(f"layer '{layer.name}' has no mapping (no Dataflow)", layer.at)
    inner = prod(mapping.clusters)
    if elements is not None and inner > elements:
        last = next(level for level in reversed(mapping.levels) if level.cluster is not None)
        raise problem(f"the clusters need {inner} processing elements, of {elements}", last.at)
    units: list[int | None] = [None if elements is None else elements // inner, *mapping.clusters]
    extents = dict(layer.extents)
    found = []
    for level, count in zip(mapping.levels, units, strict=True):
        loops = _loops(layer, level, extents)
        found.append(TileLevel(loops, count))
        _check_shared(level, found[-1], len(mapping.levels))
        extents |= {loop.dim: loop.tile for loop in loops}
        extents |= _inputs(layer, extents)
    if not any(level.spatial for level in found):
        raise problem("no SpatialMap: all processing elements would do the same", mapping.at)
    return tuple(found)


def directives(layer: Layer, levels: Sequence[TileLevel], input_sizes: bool = True) -> Mapping:
    """The mapping of which these are the loops; all levels but the first have their units.

    ``input_sizes``: rows and columns are said as MAESTRO's files do, as Y and X of the input,
    where the window is not cut. ``tile_levels`` of the result gives the same loops.
    """
    found = []
    extents = dict(layer.extents)
    for place, level in enumerate(levels):
        tiles = extents | {loop.dim: loop.tile for loop in level.loops}
        maps = tuple(_directive(layer, loop, extents, tiles, input_sizes) for loop in level.loops)
        last = place + 1 == len(levels)
        found.append(Level(maps, None if last else levels[place + 1].units))
        extents = tiles | _inputs(layer, tiles)
    return Mapping(tuple(found))


def _inputs(layer: Layer, tiles: Sizes[str, int]) -> dict[str, int]:
    """Rows and columns of the input that a tile of the output needs."""
    if not layer.slides:
        return {}
    return {
        dim: (tiles[f"{dim}'"] - 1) * layer.stride[place] + _reach(layer, place, tiles[window])
        for dim, (window, place) in WINDOWS.items()
    }


def _reach(layer: Layer, place: int, window: int) -> int:
    return layer.dilation[place] * (window - 1) + 1


def _loops(layer: Layer, level: Level, extents: dict[str, int]) -> tuple[TileLoop, ...]:
    maps = {one.dim: one for one in level.maps}
    loops = []
    for one in level.maps:
        if one.size > extents[one.dim]:
            said = f"the tile of {one.dim} is {one.size}, larger than its extent {extents[one.dim]}"
            raise problem(said, one.at)
        spatial = isinstance(one, SpatialMap)
        if layer.slides and one.dim in WINDOWS:
            loop = _of_input(layer, one, maps, extents)
            if loop is not None:
                loops.append(loop)
            continue
        if one.offset != one.size and one.size < extents[one.dim]:
            does = "leave out" if one.offset > one.size else "repeat"
            said = f"steps of {one.offset} by tiles of {one.size} {does} iterations of {one.dim}"
            raise problem(said, one.at)
        loops.append(TileLoop(one.dim, one.size, extents[one.dim], spatial, one.at))
    if sum(loop.spatial for loop in loops) > 1:  # of a dimension that is whole, none is shared out
        loops = [replace(loop, spatial=loop.spatial and loop.steps > 1) for loop in loops]
    return tuple(loops)


def _of_input(
    layer: Layer, one: Map, maps: dict[str, Map], extents: dict[str, int]
) -> TileLoop | None:
    """The loop over outputs that a map of Y or X means; None where R or S has it (a diagonal)."""
    window, place = WINDOWS[one.dim]
    outer, stride = f"{one.dim}'", layer.stride[place]
    other = maps.get(window)
    if other is not None and other.size < extents[window]:
        reach = _reach(layer, place, other.size)
        along = other.offset * layer.dilation[place] == one.offset
        if type(one) is type(other) and along and extents[outer] == 1 and one.size == reach:
            return None
        said = f"{window} is cut at this level: say {outer}, the outputs, in place of {one.dim}"
        raise problem(said, one.at)
    reach = _reach(layer, place, extents[window])
    if one.size < reach:
        said = f"the tile of {one.dim} is {one.size}, less than the {reach} that {window} covers"
        raise problem(said, one.at)
    tile = min((one.size - reach) // stride + 1, extents[outer])
    if one.offset not in (tile, tile * stride) and tile < extents[outer]:
        step = f"{tile * stride} (or, as outputs, {tile})" if stride > 1 else str(tile)
        said = f"tiles of {one.size} of {one.dim} have {tile} outputs: the step is {step}"
        raise problem(f"{said}, not {one.offset}", one.at)
    return TileLoop(outer, tile, extents[outer], isinstance(one, SpatialMap), one.at)


def _check_shared(level: Level, tiles: TileLevel, levels: int) -> None:
    """Whether the clusters of a level do different things. Raises UserError."""
    spatial = [loop for loop in tiles.loops if loop.spatial]
    if len(spatial) > 1:
        said = "two SpatialMaps at one level: put a Cluster between them, or map diagonally"
        raise problem(said, spatial[1].at)
    if not spatial and tiles.units is not None and tiles.units > 1:
        said = f"no SpatialMap at this level: its {tiles.units} clusters would all do the same"
        raise problem(said, level.at)
    if not spatial and levels == 1:
        raise problem("no SpatialMap: all processing elements would do the same", level.at)


def _directive(
    layer: Layer,
    loop: TileLoop,
    extents: dict[str, int],
    tiles: dict[str, int],
    input_sizes: bool,
) -> Map:
    kind = SpatialMap if loop.spatial else TemporalMap
    dim = loop.dim.rstrip("'")
    if input_sizes and layer.slides and loop.dim != dim and dim in WINDOWS:
        window, place = WINDOWS[dim]
        if tiles[window] == extents[window]:
            stride = layer.stride[place]
            size = (loop.tile - 1) * stride + _reach(layer, place, tiles[window])
            return kind(size, loop.tile * stride, dim)
    return kind(loop.tile, loop.tile, loop.dim)
