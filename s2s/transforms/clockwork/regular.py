"""Numbers of a nest's iterations as starts and strides, cut where they stop to be regular."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from s2s.scop.handshakes import Affine
from s2s.transforms.clockwork.errors import MappingError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

PIECES = 512
"""Parts that a nest is cut into, at most."""

Piece = tuple[tuple[int, ...], list[Affine]]
"""Extents, innermost first, and what each of the columns is in them."""


def regular_pieces(columns: Sequence[Numbers], constant: Sequence[bool]) -> list[Piece]:
    """The columns, each with a dimension for each loop (outermost first), in pieces in which all
    are affine, and those that have to be ``constant`` are. Raises MappingError for too many.
    """
    found: list[Piece] = []
    for piece in _pieces(list(columns), constant):
        found.append(piece)
        if len(found) > PIECES:
            raise MappingError(f"words are taken in no regular order: more than {PIECES} parts")
    return found


def _pieces(columns: list[Numbers], constant: Sequence[bool]) -> Iterator[Piece]:
    cut = _first_cut(columns, constant)
    if cut is None:
        yield columns[0].shape[::-1], [_affine(column) for column in columns]
        return
    axis, place, is_period = cut
    if is_period:
        shape = columns[0].shape
        shape = (*shape[:axis], shape[axis] // place, place, *shape[axis + 1 :])
        yield from _pieces([column.reshape(shape) for column in columns], constant)
        return
    for part in (slice(None, place), slice(place, None)):
        where = (*(slice(None),) * axis, part)
        yield from _pieces([column[where] for column in columns], constant)


def _first_cut(
    columns: Sequence[Numbers], constant: Sequence[bool]
) -> tuple[int, int, bool] | None:
    """The axis with the fewest irregular steps, and the place of the first or their period."""
    import numpy as np

    best: tuple[int, int, Numbers] | None = None
    for axis, extent in enumerate(columns[0].shape):
        irregular = np.zeros(extent - 1, bool)
        others = tuple(k for k in range(columns[0].ndim) if k != axis)
        for column, stays in zip(columns, constant, strict=True):
            steps = np.diff(column, axis=axis)
            wanted = 0 if stays or not steps.size else steps.flat[0]
            irregular |= (steps != wanted).any(axis=others)
        places = np.nonzero(irregular)[0]
        if places.size and (best is None or places.size < best[0]):
            best = places.size, axis, places
    if best is None:
        return None
    count, axis, places = best
    extent, period = columns[0].shape[axis], int(places[0]) + 1
    every = np.arange(period - 1, extent - 1, period)
    is_period = count > 1 and period > 1 and extent % period == 0 and np.array_equal(places, every)
    return axis, period, is_period


def _affine(column: Numbers) -> Affine:
    first = int(column.flat[0])
    strides = []
    for axis, extent in enumerate(column.shape):
        one = tuple(int(k == axis) for k in range(column.ndim))
        strides.append(int(column[one]) - first if extent > 1 else 0)
    return first, tuple(reversed(strides))
