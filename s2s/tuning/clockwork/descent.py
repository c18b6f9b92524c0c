"""From one candidate to better ones nearby, by their designs as they are mapped.

A bound knows neither which nests wait for each other nor how many memory tiles buffers take: tiles
of another size, another order of sums, or more streams often have the same bound. So one axis after
the other is followed as long as designs become better, each mapped and none run. What is too much
of PEs and tiles counts as so many times the cycles at first, which leaves ways open that need two
changes, then as higher and higher powers of it: what fits at the price of few cycles (output lanes)
is left before what doubles them (products). Last, designs that fit come first.
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
    """What is better: lower ``costs``, which no design with more than ``most`` cycles has.

    Where a design does not fit, ``compares`` all axes before one is followed.
    """

    costs: Callable[[Candidates, Measured], Costs]
    most: Callable[[Candidates, Measured], float]
    compares: bool = False


def descend(known: Candidates, each: Mapper, start: Places, is_over: Callable[[], bool]) -> Places:
    """The best candidate that is reached from one that has a bound; ``known`` grows."""
    best = start
    for aim in (*WEIGHED, FITTING):
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
        if aim.compares and not known.fits(known.mapped[best]):
            found = _best_of_all(known, each, best, aim, is_over)
            unchanged = axes - 1
        else:
            found = _better_on(known, each, best, axis, aim)
        if found is None:
            axis, unchanged = (axis + 1) % axes, unchanged + 1
        else:
            best, unchanged = found, 0
    return best


def _best_of_all(
    known: Candidates, each: Mapper, best: Places, aim: Aim, is_over: Callable[[], bool]
) -> Places | None:
    """The best of what is found on any axis; all that has been asked for when time is over."""
    found = []
    for axis in range(len(known.space.axes)):
        if not is_over() and (one := _better_on(known, each, best, axis, aim)) is not None:
            found.append(one)
    return min(found, key=lambda p: (aim.costs(known, known.mapped[p]), p), default=None)


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


def _weighed(power: int) -> Aim:
    """Fewer cycles, times a power of how many times too large a design is."""

    def costs(known: Candidates, one: Measured) -> Costs:
        return (one.total * known.limits.excess(one) ** power, one.pes, one.memories)

    return Aim(costs, lambda known, one: costs(known, one)[0])


def _fitting_first(known: Candidates, one: Measured) -> Costs:
    limits = known.limits
    excess = max(0, one.pes - limits.pes) + max(0, one.memories - limits.memories)
    return (excess, one.total, one.pes, one.memories)


WEIGHED = tuple(_weighed(power) for power in (1, 2, 4, 8))
FITTING = Aim(_fitting_first, lambda known, one: one.total if known.fits(one) else inf, True)
