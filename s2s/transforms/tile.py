"""Tiling of a permutable band.

::

    for t: for p: body        for tt: for pp: for t in tile tt: for p in tile pp: body
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import islpy as isl

from s2s.scop.nodes import Scop
from s2s.scop.schedule import Dimension, Role
from s2s.transforms.errors import NotApplicable


def tile(scop: Scop, sizes: Sequence[int], *, chunk: int = 0, elastic: bool = False) -> Scop:
    """Tile the leading BAND dimensions of the target schedule by ``sizes``.

    ``chunk`` points of the first dimension (a multiple of its size) are done before the next ones
    begin: an outermost loop that bounds how far a skewed tile space stretches. ``elastic`` ones are
    shorter along the first dimension where there are few points for each thread; they are to be
    pipelined. Raises NotApplicable where the band is not permutable that far.
    """
    schedule = scop.target
    if schedule is None or schedule.permutable < len(sizes) or schedule.count(Role.TILE):
        raise NotApplicable(scop.span, f"no permutable band of {len(sizes)} loops")
    count = len(schedule.dimensions)
    inputs = ", ".join(f"d{i}" for i in range(count))
    names = scop.parameter_names()
    first = first_values(scop, len(sizes))
    entries = [
        f"floor((d{i} - {start})/{size})"
        for i, (size, start) in enumerate(zip(sizes, first, strict=True))
    ]
    if elastic:
        entries[0] = "d0"
    tiles = ", ".join(entries)
    if chunk:
        tiles = f"floor((d0 - {first[0]})/{chunk}), {tiles}"
    split = isl.Map(f"[{', '.join(names)}] -> {{ [{inputs}] -> [{tiles}, {inputs}] }}")
    maps = {name: item.apply_range(split) for name, item in schedule.maps.items()}
    outer = [
        Dimension(f"{schedule.dimensions[i].name}_tile", Role.TILE, size=size, start=start, band=i)
        for i, (size, start) in enumerate(zip(sizes, first, strict=True))
    ]
    outer[0] = replace(outer[0], elastic=elastic)
    if chunk:
        name = f"{schedule.dimensions[0].name}_chunk"
        outer.insert(0, Dimension(name, Role.TILE, size=chunk, start=first[0], band=0))
    changed = replace(schedule, maps=maps, dimensions=(*outer, *schedule.dimensions))
    return replace(scop, target=changed)


def strip_mine(scop: Scop, iterator: int, size: int, *, elastic: bool = False) -> Scop:
    """Put a loop over strips of each statement's ``iterator`` around everything.

    ::

        for k: for j: body        for strip: for k: for j in strip: body

    Strips have ``size`` points; ``elastic`` ones, of a parallel loop, as many as each thread gets,
    at most ``size``.
    """
    schedule = scop.target
    if schedule is None or schedule.count(Role.TILE):
        raise NotApplicable(scop.span, "the schedule has tiles already")
    maps = {}
    for statement in scop.statements:
        inputs = ", ".join(f"i{i}" for i in range(statement.depth))
        entry = f"i{iterator}" if elastic else f"floor(i{iterator}/{size})"
        strip = isl.Map(f"{{ {statement.name}[{inputs}] -> [{entry}] }}")
        maps[statement.name] = strip.flat_range_product(schedule.maps[statement.name])
    name = scop.statements[0].iterators[iterator].spelling
    outer = Dimension(f"{name}_strip", Role.TILE, size=size, elastic=elastic)
    changed = replace(schedule, maps=maps, dimensions=(outer, *schedule.dimensions))
    return replace(scop, target=changed)


def first_values(scop: Scop, count: int) -> list[str]:
    """Where each band dimension starts; "0" where that is not affine."""
    schedule = scop.target
    assert schedule is not None
    times: isl.Set | None = None
    for name, item in schedule.maps.items():
        image = item.intersect_domain(scop.statement(name).domain).range()
        times = image if times is None else times.union(image)
    assert times is not None
    return [_affine_text(times.dim_min(position)) for position in range(count)]


def _affine_text(value: isl.PwAff) -> str:
    pieces: list[isl.Aff] = []
    value.foreach_piece(lambda _, aff: pieces.append(aff))
    distinct = [a for i, a in enumerate(pieces) if not any(a.plain_is_equal(b) for b in pieces[:i])]
    if len(distinct) != 1 or distinct[0].dim(isl.dim_type.div):
        return "0"
    aff = distinct[0]
    parts = [str(aff.get_constant_val().to_python())]
    for position in range(aff.dim(isl.dim_type.param)):
        coefficient = aff.get_coefficient_val(isl.dim_type.param, position).to_python()
        if coefficient:
            parts.append(f"{coefficient}*{aff.get_dim_name(isl.dim_type.param, position)}")
    return "(" + " + ".join(parts) + ")"
