"""Tiles of one element that fit its L1, many at once."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import TYPE_CHECKING, Any

from s2s.simulators.spatial.cuts import touched
from s2s.tuning.spatial.candidate import Problem
from s2s.tuning.spatial.fixed import Fixed

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, np.dtype[Any]]

_ROWS = 1500
_VALUES = 9


def tile_values(
    size: int, units: int, room: int, divide: bool, everything: bool = False
) -> list[int]:
    """Tiles of an element that are worth trying: those with the least waste for their steps."""
    most = -(-size // units)
    if divide:
        values = [t for t in range(1, min(most, room) + 1) if most % t == 0]
    else:
        values = sorted({-(-most // s) for s in range(1, most + 1)} if most <= 4096
                        else {1, *(t for t in range(1, room + 1))})  # fmt: skip
    values = [value for value in values if value <= room]
    if everything or len(values) <= _VALUES:
        return values
    kept = {values[round(i * (len(values) - 1) / (_VALUES - 1))] for i in range(_VALUES)}
    return sorted(kept | {v for v in values if v in (1, 2, 3, 4, 8, 16)})


def tile_rows(
    problem: Problem, units: Sequence[int], fixed: Fixed, divide: bool = False
) -> Numbers:
    """Tiles that fit L1, and all together L2, twice; as rows with a column for each dimension."""
    import numpy as np

    room = problem.machine.l1 // 2
    rows = np.ones((1, len(units)), dtype=np.int64)
    for place, (size, unit) in enumerate(zip(problem.sizes, units, strict=True)):
        dim = problem.dims[place]
        values = fixed.tiles(dim) or tile_values(size, unit, room, divide)
        shared = fixed.shared.get(dim)
        if shared is not None:
            values = [v for v in values if shared == size or shared % (unit * v) == 0]
        more = np.repeat(rows, len(values), axis=0)
        more[:, place] = np.tile(values, len(rows))
        rows = more[footprints_of(problem, more) <= room]
        if len(rows) > _ROWS:
            rows = rows[np.arange(_ROWS) * len(rows) // _ROWS]
    array = np.minimum(rows * np.array(units), np.array(problem.sizes))
    fits = 2 * footprints_of(problem, array) <= problem.machine.l2
    return rows[fits].astype(np.float64)


def footprints_of(problem: Problem, rows: Numbers) -> Numbers:
    """Elements of all tensors that each row touches: whole numbers below 2**53, never too small."""
    import numpy as np

    rows = rows.astype(np.float64)
    total = np.zeros(len(rows))
    for tensor in problem.layer.computation.tensors:
        volume = np.ones(len(rows))
        for axis in tensor.axes:
            places = [problem.dims.index(dim) for dim, _ in axis.terms]
            if len(places) == 1:
                volume *= rows[:, places[0]]
            elif len(places) == 2:
                (one, a), (two, b) = zip(places, (abs(f) for _, f in axis.terms), strict=True)
                common = gcd(a, b)
                again = np.maximum(0, rows[:, one] - b // common)
                again *= np.maximum(0, rows[:, two] - a // common)
                volume *= rows[:, one] * rows[:, two] - again
            elif places:
                factors = [abs(f) for _, f in axis.terms]
                kinds = (map(int, kind) for kind in rows[:, places].tolist())
                touches = (touched(tuple(zip(kind, factors, strict=True))) for kind in kinds)
                volume *= np.fromiter(touches, np.float64)
        total += volume
    return total


def near_holds(holds: int, steps: int, divide: bool) -> list[int]:
    """Other numbers of steps for a tile of L2, near first."""
    if divide:
        found = [d for d in range(1, steps + 1) if steps % d == 0] if steps <= 1 << 16 else [holds]
    else:
        parts = -(-steps // holds)
        even = {-(-steps // p) for p in (parts - 1, parts + 1, parts + 2, 2 * parts) if p > 0}
        found = sorted({holds - 1, holds + 1, 2 * holds, holds // 2, 1, steps} | even)
    near = [value for value in found if 1 <= value <= steps and value != holds]
    return sorted(near, key=lambda value: abs(value - holds))[:8]
