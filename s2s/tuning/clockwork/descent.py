"""From one candidate to better ones nearby, by their schedules, and a design mapped now and then.

A bound knows neither which nests wait for each other nor how many memory tiles buffers take: tiles
of another size, another order of sums, or more streams often have the same bound. So one axis after
the other is followed as long as estimates become better, none mapped. What is too much
of PEs and tiles counts as so many times the cycles at first, which leaves ways open that need two
changes, then as higher and higher powers of it: what fits at the price of few cycles (output lanes)
is left before what doubles them (products). Last, designs that fit come first. What this leads to
is mapped, which corrects the estimates of all that is near, and followed on until it leads to what
was mapped already.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf

from s2s.tuning.clockwork.candidates import Candidates, Mapper
from s2s.tuning.clockwork.estimate import Likely
from s2s.tuning.clockwork.space import Places, near

Costs = tuple[float, ...]

_HOPELESS = 1.9
"""How many times the cycles, with what is too much, nobody follows."""


@dataclass(frozen=True)
class Aim:
    """What is better: lower ``costs``, which no design with more than ``most`` cycles has.

    Where a design does not fit, ``compares`` all axes before one is followed.
    """

    costs: Callable[[Candidates, Likely], Costs]
    most: Callable[[Candidates, Likely], float]
    compares: bool = False


def descend(
    known: Candidates,
    each: Mapper,
    start: Places,
    is_over: Callable[[], bool],
    has_strayed: Callable[[], bool] | None = None,
) -> Places:
    """The best candidate that is reached from one that has a bound, mapped; ``known`` grows.

    ``has_strayed`` says when what does not fit is followed no longer.
    """
    best, aims = start, (*WEIGHED, FITTING)
    while True:
        for aim in aims:
            ends = is_over if aim is FITTING else has_strayed or is_over
            best = _follow(known, each, best, aim, ends)
        if best in known.mapped:
            return best
        known.map(each, [best])
        if is_over():
            return best
        best, aims = (start if known.mapped[best].failure else best), (WEIGHED[-1], FITTING)


def _follow(
    known: Candidates, each: Mapper, start: Places, aim: Aim, is_over: Callable[[], bool]
) -> Places:
    known.schedule(each, [start])
    if known.likely(start).failure:
        return start
    best, axes = start, len(known.space.axes)
    unchanged = axis = 0
    while unchanged < axes and not is_over():
        if aim.compares and not known.fits(known.likely(best)):
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
    return min(found, key=lambda p: (aim.costs(known, known.likely(p)), p), default=None)


def _better_on(known: Candidates, each: Mapper, best: Places, axis: int, aim: Aim) -> Places | None:
    """The best of the nearest ones on an axis that are better; those far away come last.

    A tile of half the size may need as many memories, and one of a quarter fit into Ponds.
    """

    def costs(places: Places) -> Costs:
        return aim.costs(known, known.likely(places))

    hopeless: set[bool] = set()
    for group in near(known.space, best, axis, far=True):
        group = [p for p in group if (p > best) not in hopeless]
        promising = _promising(known, each, aim.most(known, known.likely(best)), group)
        better = [p for p in promising if costs(p) < costs(best)]
        if better:
            return min(better, key=lambda p: (costs(p), p))
        hopeless |= {p > best for p in group if _is_hopeless(known, best, p)}
    return None


def _is_hopeless(known: Candidates, best: Places, other: Places) -> bool:
    """Whether a value is so much worse that nobody looks further on its side."""
    here, there = known.bounds[best], known.bounds[other]
    if there.failure or not known.space.axes[_axis(best, other)].is_ordered:
        return False
    excess = known.limits.excess
    return there.total * excess(there) > _HOPELESS * here.total * excess(here)


def _axis(first: Places, second: Places) -> int:
    """The axis on which two differ."""
    return next(k for k, pair in enumerate(zip(first, second, strict=True)) if pair[0] != pair[1])


def _promising(
    known: Candidates, each: Mapper, most: float, places: Sequence[Places]
) -> list[Places]:
    """Those of some that have a schedule, of at most so many cycles."""
    known.look(each, places)
    left = [p for p in places if known.fits(known.bounds[p]) and known.bounds[p].total <= most]
    known.schedule(each, left)
    return [p for p in left if not known.likely(p).failure and known.likely(p).total <= most]


def _weighed(power: int) -> Aim:
    """Fewer cycles, times a power of how many times too large a design is."""

    def costs(known: Candidates, one: Likely) -> Costs:
        return (one.total * known.limits.excess(one) ** power, one.pes, one.memories)

    return Aim(costs, lambda known, one: costs(known, one)[0])


def _fitting_first(known: Candidates, one: Likely) -> Costs:
    limits = known.limits
    excess = max(0, one.pes - limits.pes) + max(0, one.memories - limits.memories)
    return (excess, one.total, one.pes, one.memories)


WEIGHED = tuple(_weighed(power) for power in (1, 2, 4, 8))
FITTING = Aim(_fitting_first, lambda known, one: one.total if known.fits(one) else inf, True)
