"""From one candidate to better ones nearby, by their designs as they are mapped.

A bound knows neither which nests wait for each other nor how many memory tiles buffers take: tiles
of another size, another order of sums, or more streams often have the same bound. So one axis after
the other is followed as long as designs become better, each mapped and none run. First what is too
much of PEs and tiles counts as so many times the cycles, which leaves ways open that need two
changes; then designs that fit come first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf

from s2s.tuning.clockwork.candidates import Candidates, Mapper
from s2s.tuning.clockwork.measured import Measured
from s2s.tuning.clockwork.space import Places, near

Costs = tuple[float, ...]


@dataclass(frozen=True)
class Aim:
    """What is better: lower ``costs``, which no design with more than ``most`` cycles has."""

    costs: Callable[[Candidates, Measured], Costs]
    most: Callable[[Candidates, Measured], float]


def descend(known: Candidates, each: Mapper, start: Places, is_over: Callable[[], bool]) -> Places:
    """The best candidate that is reached from one that has a bound; ``known`` grows."""
    best = start
    for aim in (WEIGHED, FITTING):
        best = _follow(known, each, best, aim, is_over)
    return best


def _follow(
    known: Candidates, each: Mapper, start: Places, aim: Aim, is_over: Callable[[], bool]
) -> Places:
    known.map(each, [start])
    if known.mapped[start].failure:
        return start
    best, axes = start, len(known.space.axes)
    unchanged = axis = 0
    while unchanged < axes and not is_over():
        found = _better_on(known, each, best, axis, aim)
        if found is None:
            axis, unchanged = (axis + 1) % axes, unchanged + 1
        else:
            best, unchanged = found, 0
    return best


def _better_on(known: Candidates, each: Mapper, best: Places, axis: int, aim: Aim) -> Places | None:
    """The best of the nearest ones on an axis that are better; those far away come last.

    A tile of half the size may need as many memories, and one of a quarter fit into Ponds.
    """

    def costs(places: Places) -> Costs:
        return aim.costs(known, known.mapped[places])

    for group in near(known.space, best, axis, far=True):
        mapped = _map_promising(known, each, aim.most(known, known.mapped[best]), group)
        better = [p for p in mapped if costs(p) < costs(best)]
        if better:
            return min(better, key=lambda p: (costs(p), p))
    return None


def _map_promising(
    known: Candidates, each: Mapper, most: float, places: Sequence[Places]
) -> list[Places]:
    """Those of some that are designs and may have at most so many cycles."""
    known.look(each, places)
    left = [p for p in places if known.fits(known.bounds[p]) and known.bounds[p].total <= most]
    known.schedule(each, left)
    cycles = ((p, known.scheduled[p]) for p in left)
    left = [p for p, total in cycles if total is not None and total <= most]
    known.map(each, left)
    return [p for p in left if not known.mapped[p].failure]


def _weighed(known: Candidates, one: Measured) -> Costs:
    limits = known.limits
    pes = max(1.0, one.pes / limits.pes)
    memories = max(1.0, one.memories / max(limits.memories, 1))
    return (one.total * pes * memories, one.pes, one.memories)


def _fitting_first(known: Candidates, one: Measured) -> Costs:
    limits = known.limits
    excess = max(0, one.pes - limits.pes) + max(0, one.memories - limits.memories)
    return (excess, one.total, one.pes, one.memories)


WEIGHED = Aim(_weighed, lambda known, best: _weighed(known, best)[0])
FITTING = Aim(_fitting_first, lambda known, best: best.total if known.fits(best) else inf)
