"""From one candidate to better ones nearby, by their designs as they are mapped.

A bound knows neither which nests wait for each other nor how many memory tiles buffers take: tiles
of another size, another order of sums, or more streams often have the same bound. So one axis after
the other is followed as long as designs become better, each mapped and none run. First what is too
much of PEs and tiles counts as so many times the cycles, which leaves ways open that need two
changes; then designs that fit come first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from s2s.tuning.clockwork.candidates import Candidates, Mapper
from s2s.tuning.clockwork.measured import Measured
from s2s.tuning.clockwork.space import Places

Costs = tuple[float, ...]


def descend(known: Candidates, each: Mapper, start: Places, is_over: Callable[[], bool]) -> Places:
    """The best candidate that is reached from one that has a bound; ``known`` grows."""
    best = start
    for costs in (_weighed, _fitting_first):
        best = _follow(known, each, best, costs, is_over)
    return best


def _follow(
    known: Candidates,
    each: Mapper,
    start: Places,
    costs: Callable[[Candidates, Measured], Costs],
    is_over: Callable[[], bool],
) -> Places:
    known.map(each, [start])
    if known.mapped[start].failure:
        return start
    best, least = start, costs(known, known.mapped[start])
    unchanged = 0
    axis = 0
    while unchanged < len(known.space.axes) and not is_over():
        found = _better_on(known, each, best, axis, least, costs)
        if found is None:
            axis, unchanged = (axis + 1) % len(known.space.axes), unchanged + 1
        else:
            best, least, unchanged = found, costs(known, known.mapped[found]), 0
    return best


def _better_on(
    known: Candidates,
    each: Mapper,
    best: Places,
    axis: int,
    least: Costs,
    costs: Callable[[Candidates, Measured], Costs],
) -> Places | None:
    """The best of the nearest ones on an axis that are better."""
    for batch in _near(known, best, axis):
        mapped = _promising(known, each, best, batch)
        better = [p for p in mapped if costs(known, known.mapped[p]) < least]
        if better:
            return min(better, key=lambda p: (costs(known, known.mapped[p]), p))
    return None


def _near(known: Candidates, best: Places, axis: int) -> Iterator[list[Places]]:
    """The next values on either side, then those two away; words, and numbers by 0, all at once."""
    one = known.space.axes[axis]
    place, count = best[axis], len(one.values)
    if not one.is_ordered or "0" in one.values[place]:
        groups: Sequence[Sequence[int]] = [[k for k in range(count) if k != place]]
    else:
        zero = [k for k, value in enumerate(one.values) if "0" in value]
        groups = [[place - 1, place + 1], [place - 2, place + 2], zero]
    for group in groups:
        inside = [k for k in group if 0 <= k < count and k != place]
        yield [(*best[:axis], k, *best[axis + 1 :]) for k in inside]


def _promising(
    known: Candidates, each: Mapper, best: Places, places: Sequence[Places]
) -> list[Places]:
    """Those of some that there are as designs; where the best one fits, only faster ones."""
    own = known.mapped[best]
    most = own.total if known.fits(own) else None

    def is_open(total: int | None) -> bool:
        return total is not None and (most is None or total <= most)

    known.look(each, places)
    left = [p for p in places if known.fits(known.bounds[p]) and is_open(known.bounds[p].total)]
    known.schedule(each, left)
    left = [p for p in left if is_open(known.scheduled[p])]
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
