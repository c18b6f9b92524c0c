"""Which elements of X and Z the multiplier of each lane and column takes.

A start is added to every index, and an index counts modulo the elements of the register: the
machine wraps around, and kernels use that. 16-bit X is picked in pairs of lanes, 8-bit X and Z in
groups of four (8-bit Z beside 16-bit X in pairs); that the elements of one pair or group come from
two words of 32 bits (of 16, for 8-bit Z) is the restriction of the shuffle network.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from s2s.simulators.aie.instructions import Selection, Shape

Picks = tuple[tuple[int, ...], ...]


def digit(number: int, k: int) -> int:
    """The ``k``-th digit of four bits."""
    return number >> 4 * k & 15


@cache
def x_picks(shape: Shape, selection: Selection) -> Picks:
    """Indices into X without the start: a row for each lane, in it one for each column."""
    pick = {32: _whole, 16: _pairs, 8: _quads}[shape.x_bits]
    return _table(shape, selection, pick)


@cache
def z_picks(shape: Shape, selection: Selection) -> Picks:
    """Indices into Z without the start: a row for each lane, in it one for each column."""
    pick = _whole
    if shape.z_bits == 8:
        pick = _units if shape.x_bits == 8 else _pairs_of_units
    return _table(shape, selection, pick)


def _table(shape: Shape, selection: Selection, pick: Callable[[Selection, int, int], int]) -> Picks:
    return tuple(
        tuple(pick(selection, lane, column) for column in range(shape.columns))
        for lane in range(shape.lanes)
    )


def granularity(shape: Shape, of_x: bool) -> int:
    """What starts and steps have to be multiples of, in elements."""
    if of_x:
        return 32 // shape.x_bits
    return 2 if shape.z_bits == 8 else 1


@cache
def lane_places(selection: Selection) -> tuple[int, ...]:
    """Which elements lanes take where nothing is multiplied, without the start.

    16 lanes of 32 bits, or 32 of 16 bits where the selection has a square: these as the columns of
    16 lanes in a product.
    """
    if selection.square is None:
        return tuple(digit(selection.offsets, lane) for lane in range(16))
    return tuple(_pairs(selection, lane >> 1, lane & 1) for lane in range(32))


def _whole(selection: Selection, lane: int, column: int) -> int:
    return digit(selection.offsets, lane) + column * selection.step


def _pairs(selection: Selection, lane: int, column: int) -> int:
    pair = lane & ~1
    even = digit(selection.offsets, pair)
    odd = even + digit(selection.offsets, pair + 1) + 1
    place = digit(selection.square or 0, 2 * (lane & 1) + (column & 1))
    word = even if place < 2 else odd
    return (column >> 1) * selection.step + 2 * word + (place & 1)


def _quads(selection: Selection, lane: int, column: int) -> int:
    group = lane >> 2
    even = digit(selection.offsets, 2 * group)
    odd = even + digit(selection.offsets, 2 * group + 1) + 1
    place = digit(selection.square or 0, 2 * (lane >> 1 & 1) + (column & 1))
    word = even if place < 2 else odd
    return (column >> 1) * selection.step + 4 * word + 2 * (place & 1) + (lane & 1)


def _pairs_of_units(selection: Selection, lane: int, column: int) -> int:
    """8-bit Z beside 16-bit X: each pair of lanes has two units of 16 bits of its own."""
    place = digit(selection.square or 0, 2 * (lane & 1) + (column & 1))
    unit = digit(selection.offsets, (lane & ~1) + (0 if place < 2 else 1))
    return (column >> 1) * selection.step + 2 * unit + (place & 1)


def _units(selection: Selection, lane: int, column: int) -> int:
    group = lane >> 2
    place = digit(selection.square or 0, 2 * (lane & 1) + (column & 1))
    unit = digit(selection.offsets, 2 * group + (0 if place < 2 else 1))
    return (column >> 1) * selection.step + 2 * unit + (place & 1)
