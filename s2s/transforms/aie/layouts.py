"""Layouts that bring what lanes and columns take together next to each other (section IV.B)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from s2s.scop.contraction import Access
from s2s.scop.layouts import Axis, Tiled


def along(access: Access, loop: str) -> int | None:
    """The dimension in which a loop moves alone or with others; None where there are several."""
    found = [k for k, s in enumerate(access.subscripts) if s.coefficient(loop)]
    return found[0] if len(found) == 1 else None


def for_vector(access: Access, loop: str, extents: Sequence[int], *, tile: int = 0) -> Tiled | None:
    """Neighbours along a loop are neighbours in memory; in blocks of ``tile`` if not 0.

    ``extents`` are the array's, or more for whole vectors. None where the source's own layout has
    that already, or nothing can.
    """
    place = along(access, loop)
    if place is None or (place == 0 and not tile):
        return None
    if tile and extents[place] > tile:
        outer = [Axis(place, tile, -(-extents[place] // tile))]
        return _tiled(extents, place, outer, [Axis(place, 1, tile)])
    return _tiled(extents, place, [], [Axis(place, 1, extents[place])])


def in_columns(
    access: Access, loop: str, column: str, count: int, extents: Sequence[int], *, tile: int = 0
) -> Tiled | None:
    """As ``for_vector``, with ``count`` neighbours along ``column`` in each place.

    ``(C/2)Y'X'(2)`` of an image (``loop`` x, ``column`` c), ``(K/16)SR(C/2)(16)(2)`` of weights
    (k, c, with tiles of 16). None where the two loops move in one dimension.
    """
    place, across = along(access, loop), along(access, column)
    if place is None or across is None or place == across:
        return None
    blocks = Axis(across, count, -(-extents[across] // count))
    last = Axis(across, 1, count)
    if tile and extents[place] > tile:
        outer = [Axis(place, tile, -(-extents[place] // tile))]
        return _tiled(extents, place, outer, [Axis(place, 1, tile), last], (across, blocks))
    return _tiled(extents, place, [], [Axis(place, 1, extents[place]), last], (across, blocks))


def in_pairs(
    access: Access, loop: str, column: str, count: int, extents: Sequence[int], *, tile: int
) -> Tiled | None:
    """``(K/16)SR(C/8)(4)(8)(2)(2)``: two lanes are neighbours, and two columns of these.

    The network for 8 bits takes bytes in pairs, one for each of two lanes, and pairs of columns
    from the halves of a word. None where the two loops move in one dimension.
    """
    place, across = along(access, loop), along(access, column)
    if place is None or across is None or place == across:
        return None
    lanes, blocks = -(-extents[place] // tile), -(-extents[across] // count)
    inner = [Axis(across, 2, count // 2), Axis(place, 2, tile // 2), Axis(across, 1, 2)]
    dimensions = [d for d in reversed(range(len(extents))) if d != place]
    middle = [Axis(d, count, blocks) if d == across else Axis(d, 1, extents[d]) for d in dimensions]
    return Tiled((Axis(place, tile, lanes), *middle, *inner, Axis(place, 1, 2)))


def whole_vectors(access: Access, extents: Mapping[str, int], loop: str, lanes: int) -> list[int]:
    """The extents of an array with room for vectors that reach beyond a loop's last iteration."""
    rounded = {**extents, loop: -(-extents[loop] // lanes) * lanes}
    return [
        max(extent, subscript.reach(rounded)[1] + 1)
        for extent, subscript in zip(access.array.extents, access.subscripts, strict=True)
    ]


def _tiled(
    extents: Sequence[int],
    place: int,
    outer: list[Axis],
    inner: list[Axis],
    blocks: tuple[int, Axis] | None = None,
) -> Tiled:
    """The other dimensions in their own order between ``outer`` and ``inner``."""
    middle = []
    for dimension in reversed(range(len(extents))):
        if blocks is not None and dimension == blocks[0]:
            middle.append(blocks[1])
        elif dimension != place:
            middle.append(Axis(dimension, 1, extents[dimension]))
    return Tiled((*outer, *middle, *inner))
