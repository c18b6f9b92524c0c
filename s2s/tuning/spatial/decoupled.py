"""The search of the chapter: DRAM first, then the array, with tiles that divide (section 5.6).

Off chip: of all tiles that fit L2 twice, the one with the fewest distinct blocks of DRAM for an
iteration, each tensor laid out along its best axis. The loops go by the slopes of that cost: where
it falls most steeply there is the most reuse, and that loop is innermost. On chip: inside of that
tile all numbers of units and tiles of an element (Algorithm 3), but for those that use less than a
tenth of the elements or do not fit L1. All of these are ranked by an estimate; the exact model is
asked about the best of them, where the chapter asks MAESTRO about all. Both spaces are counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from math import prod
from typing import TYPE_CHECKING, Any

from s2s.simulators.spatial.costs import exact
from s2s.simulators.spatial.costs.figures import Figures
from s2s.source.records import dataclass
from s2s.tuning.spatial.candidate import Candidate, Problem
from s2s.tuning.spatial.estimate import estimate
from s2s.tuning.spatial.tiles import footprints_of

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, np.dtype[Any]]

UTILIZATION = 0.1
"""The part of the elements that a mapping has to use."""
_ASKED = 60
_ROWS = 300_000


@dataclass(frozen=True)
class Decoupled:
    """The best mapping, its figures, and how many were asked about.

    ``off_chip`` and ``on_chip`` are what is left of the spaces after pruning.
    """

    candidate: Candidate
    figures: Figures
    asked: int
    off_chip: int
    on_chip: int


def search_decoupled(problem: Problem) -> Decoupled | None:
    """The fastest mapping of the decoupled spaces; None where nothing fits."""
    shared, off_chip = best_shared_tile(problem)
    if not shared:
        return None
    outer = order_of_slopes(problem, shared)
    ranked, on_chip = _on_chip(problem, shared, outer)
    asked = []
    for one in ranked:
        if one.fits(problem):
            figures = exact.evaluate(one.plan(problem), problem.machine)
            asked.append((figures.cycles, one.units, one.tile, one.inner, one, figures))
    if not asked:
        return None
    *_, best, figures = min(asked, key=lambda found: found[:4])
    return Decoupled(best, figures, len(asked), off_chip, on_chip)


def best_shared_tile(problem: Problem) -> tuple[tuple[int, ...], int]:
    """The tile of L2 with the fewest blocks for an iteration, and how many tiles fit."""
    import numpy as np

    rows = np.ones((1, len(problem.sizes)), dtype=np.int64)
    for place, size in enumerate(problem.sizes):
        rows = _crossed(rows, place, _divisors(size))
        rows = rows[2 * footprints_of(problem, rows) <= problem.machine.l2]
    if not len(rows):
        return (), 0
    costs = _blocks(problem, rows, whole=True) / np.prod(rows.astype(np.float64), axis=1)
    best = rows[int(np.argmin(costs))]
    return tuple(int(value) for value in best), len(rows)


def order_of_slopes(problem: Problem, shared: Sequence[int]) -> tuple[int, ...]:
    """The loops between tiles of L2, outermost first, by the slopes of blocks for an iteration."""
    import numpy as np

    def cost(tile: Numbers) -> float:
        rows = tile.reshape(1, -1)
        return float((_blocks(problem, rows, whole=False) / np.prod(rows, axis=1))[0])

    tile = np.array(shared, dtype=np.float64)
    slopes = []
    for place in range(len(shared)):
        more = tile.copy()
        more[place] += 0.5
        slopes.append(cost(more) - cost(tile))
    return tuple(sorted(range(len(shared)), key=lambda place: (-slopes[place], place)))


def _blocks(problem: Problem, rows: Numbers, whole: bool) -> Numbers:
    """Distinct blocks of all tensors, each along its best axis; ``whole``: rounded up."""
    import numpy as np

    block = problem.machine.dram_block
    total = np.zeros(len(rows))
    for tensor in problem.layer.computation.tensors:
        widths = []
        for axis in tensor.axes:
            parts = [(problem.dims.index(dim), abs(f)) for dim, f in axis.terms]
            widths.append(1.0 + sum((f * (rows[:, d] - 1) for d, f in parts), np.zeros(len(rows))))
        layouts = []
        for inner in range(len(widths)):
            found = np.ones(len(rows))
            for place, width in enumerate(widths):
                along = width / block
                found = found * (width if place != inner else np.ceil(along) if whole else along)
            layouts.append(found)
        total += np.min(layouts, axis=0) if layouts else 1.0
    return total


def _on_chip(
    problem: Problem, shared: Sequence[int], outer: tuple[int, ...]
) -> tuple[list[Candidate], int]:
    """What promises most in a tile of L2, and how many mappings are left after pruning."""
    import numpy as np

    machine, count = problem.machine, len(shared)
    rows = np.ones((1, 2 * count), dtype=np.int64)
    for place, size in enumerate(shared):
        pairs = [(u, t) for u in _divisors(size) for t in _divisors(size // u)]
        more = np.repeat(rows, len(pairs), axis=0)
        more[:, [place, count + place]] = np.tile(np.array(pairs), (len(rows), 1))
        used = np.prod(more[:, :count], axis=1)
        fits = 2 * footprints_of(problem, more[:, count:]) <= machine.l1
        rows = more[(used <= machine.elements) & fits]
        if len(rows) > _ROWS:
            rows = rows[np.arange(_ROWS) * len(rows) // _ROWS]
    rows = rows[np.prod(rows[:, :count], axis=1) >= UTILIZATION * machine.elements]
    found: list[tuple[float, Candidate]] = []
    orders = list(permutations(problem.classes))
    for order in orders:
        rest = [d for d in range(count) if all(d not in one for one in order)]
        inner = (*rest, *(d for one in order for d in one))
        units, tiles = rows[:, :count].astype(np.float64), rows[:, count:].astype(np.float64)
        cycles, _ = estimate(problem, units, tiles, inner, shared)
        for row in np.argsort(cycles, kind="stable")[: max(1, _ASKED // len(orders))]:
            unit, tile = (tuple(map(int, part[row])) for part in (units, tiles))
            holds = tuple(s // (u * t) for s, u, t in zip(shared, unit, tile, strict=True))
            found.append((float(cycles[row]), Candidate(unit, tile, holds, outer, inner)))
    found.sort(key=lambda one: (one[0], one[1].units, one[1].tile, one[1].inner))
    active = sum(size > 1 for size in shared)
    return [one for _, one in found], len(rows) * prod(range(1, active + 1))


def _crossed(rows: Numbers, place: int, values: Sequence[int]) -> Numbers:
    import numpy as np

    more = np.repeat(rows, len(values), axis=0)
    more[:, place] = np.tile(values, len(rows))
    return more


def _divisors(size: int) -> list[int]:
    small = [d for d in range(1, int(size**0.5) + 1) if size % d == 0]
    return sorted({*small, *(size // d for d in small)})
