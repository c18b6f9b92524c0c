"""From one candidate to better ones nearby, by their schedules, and a design mapped now and then.

A bound knows neither which nests wait for each other nor how many memory tiles buffers take: tiles
of another size, another order of sums, or more streams often have the same bound. So steps along
the axes are followed as long as estimates become better, none mapped. A step that was better
elsewhere is tried first, one not tried yet next, one that was worse last (``effects``). What is too
much of PEs and tiles counts as so many times the cycles at first, which leaves ways open that need
two changes, then as higher and higher powers of it: what fits at the price of few cycles (output
lanes) is left before what doubles them (products). What this leads to is mapped, which corrects the
estimates of all that is near, and followed on until it leads to what was mapped already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from functools import partial
from math import inf

from s2s.source.records import dataclass
from s2s.tuning.clockwork.candidates import Candidates, Mapper
from s2s.tuning.clockwork.effects import Effects
from s2s.tuning.clockwork.estimate import Likely
from s2s.tuning.clockwork.space import Places, near

Costs = tuple[float, int, int, Places]
Ends = Callable[[], bool]

POWERS = (1, 2, 4, 8)
"""Of what is too much, while designs that do not fit are followed."""
FITTING = 64
"""The power at which hardly anything is gained by what does not fit."""
_HOPELESS = 1.9
"""How many times the costs, beyond which nobody looks further on a side."""
_STARTS = 8
"""Designs from which a step may lead to the best one that fits."""
_EXCHANGING = 3
"""Of these, those from which two may."""
_EVEN = 1.1
"""How many times the costs two steps at once may come to, and how much less than one of them."""
_BATCH = 2
"""Steps not tried yet that are taken at once, however many processes there are."""


def descend(
    known: Candidates,
    each: Mapper,
    start: Places,
    is_over: Ends,
    has_strayed: Ends | None = None,
    has_shaped: Ends | None = None,
    patience: bool = True,
) -> Places:
    """The best candidate that is reached from ``start``, mapped; ``known`` grows.

    ``has_strayed`` says when what does not fit is followed no longer, ``has_shaped`` when other
    shapes of the products are not either. With ``patience`` steps that were worse elsewhere are
    tried once the best is mapped, numbers that divide nothing, and steps not tried yet from designs
    that are a little too large.
    """
    way = _Way(known, each, start, Effects(known))
    for power in POWERS:
        way.follow(power, has_strayed or is_over)
    way.follow_shapes(has_shaped or is_over)
    patient = False
    while not is_over():
        before = way.best(FITTING)
        way.follow(FITTING, is_over, patient)
        best = way.best(FITTING)
        if best != before and patient:
            patient = False
        elif best not in known.mapped:
            known.map(each, [best])
            patient = False
        elif patient or not patience:
            break
        else:
            patient = True
    best = way.best(FITTING)
    known.map(each, [best])
    return best


@dataclass
class _Way:
    known: Candidates
    each: Mapper
    start: Places
    effects: Effects
    visited: set[Places] = field(default_factory=set)
    within: Mapping[int, int] = field(default_factory=dict)
    """Places on some axes, to which a way is bound."""

    def __post_init__(self) -> None:
        self.visited.update(self.known.bounds)
        self._visit([self.start], inf, 1)

    def best(self, power: int) -> Places:
        """The candidate of least costs."""
        inside = [p for p in self.visited if all(p[k] == v for k, v in self.within.items())]
        return min(inside, key=lambda p: self._costs(p, power))

    def follow_shapes(self, is_over: Ends) -> None:
        """From as many products in other shapes on, each for itself: such a step often needs a
        second one (wider streams) before it is better than what it began at.
        """
        best = self.best(POWERS[0])
        for places in list(self.effects.reshaped(best)):
            if is_over():
                return
            self._visit([places], inf, POWERS[0])
            self.within = {k: place for k, place in enumerate(places) if place != best[k]}
            self.follow(POWERS[0], is_over)
            self.within = {}

    def follow(self, power: int, is_over: Ends, patience: bool = False) -> None:
        """From the best candidate on, as long as there are steps worth a try; with ``patience``
        until one is better, for the steps from there are more promising.
        """
        first = self.best(power)
        while not is_over():
            best = self.best(power)
            if patience and best != first:
                return
            if best not in self.known.estimates and not self.known.bounds[best].failure:
                self.known.schedule(self.each, [best])
                continue
            batch = self._next(best, power, patience)
            if not batch:
                return
            self._visit(batch, self._costs(best, power)[0], power)

    def _visit(self, places: list[Places], most: float, power: int) -> None:
        """Bounds, and schedules of those whose costs may be less than ``most``."""
        self.known.look(self.each, places)
        self.visited.update(places)
        for one in places:
            self.effects.learn(one)
        left = [p for p in places if self._cost(self.known.least(p), power) < most]
        self.known.schedule(self.each, left)

    def _next(self, best: Places, power: int, patience: bool) -> list[Places]:
        """The most promising step, or a few that nothing is known of; none where none promises."""
        own = self._costs(best, power)[0]
        ranked = list(self._ranked(best, own, power))
        if not self.within:
            ranked += self._reshaped(best, own, power)
        if power == FITTING:
            wanted = (_BETTER, _UNKNOWN) if patience else (_BETTER,)
            for other in self._large():
                if other != best:
                    ranked += [r for r in self._ranked(other, own, power) if r[0] in wanted]
            if not any(kind <= _UNKNOWN for kind, *_ in ranked):
                ranked += self._exchanges(best, own, power)
        ranked.sort()
        if not ranked or (ranked[0][0] > _EXCHANGED and not patience):
            return []
        first = ranked[0][0]
        batch = [places for kind, *_, places in ranked if kind == first]
        return batch[: _BATCH if first == _UNKNOWN else 1]

    def _large(self) -> list[Places]:
        """Fast designs, most of them a little too large: two steps from one that fits."""
        some = [p for p in self.visited if p in self.known.estimates]
        return sorted(some, key=lambda p: self._costs(p, POWERS[1]))[:_STARTS]

    def _exchanges(
        self, best: Places, own: float, power: int
    ) -> Iterator[tuple[int, float, int, Places]]:
        """Two steps at once that make up for each other, from here and the fastest designs: twice
        the products of one loop for half of another's.
        """
        for start in dict.fromkeys((best, *self._large()[:_EXCHANGING])):
            for places, *alone, both in self.effects.predicted_of_two(start):
                cost = self._cost(both, power)
                least = min(self._cost(one, power) for one in alone)
                if places not in self.visited and cost * _EVEN < least and cost < own * _EVEN:
                    yield _EXCHANGED, cost / own, 0, places

    def _ranked(
        self, best: Places, own: float, power: int
    ) -> Iterator[tuple[int, float, int, Places]]:
        """Steps from here: how they promise, the times of the costs or how often their axis was
        tried, their order. ``own``: the least costs of all.
        """
        for axis in sorted(set(range(len(self.known.space.axes))) - set(self.within)):
            steps: dict[Places, int] = {}
            fails = partial(self._fails, best, axis)
            groups = near(self.known.space, best, axis, far=True, fails=fails)
            for number, group in enumerate(groups):
                steps.update((places, number) for places in group if places not in steps)
            ratios = {p: self._ratio(best, axis, p, own, power) for p in steps}
            bad = [p[axis] for p in steps if _HOPELESS < (ratios[p] or 0) < inf]
            for order, (places, group_number) in enumerate(steps.items()):
                ratio = ratios[places]
                if places in self.visited:
                    continue
                if ratio is None and self._is_beyond(best, places, axis, bad):
                    ratio = _HOPELESS
                if ratio is None:
                    kind = _STRANGE if group_number else _UNKNOWN
                    yield kind, self.effects.tried(axis) + order, axis, places
                else:
                    yield _BETTER if ratio < 1 else _WORSE, ratio, order, places

    def _reshaped(
        self, best: Places, own: float, power: int
    ) -> Iterator[tuple[int, float, int, Places]]:
        """As many products in another shape: twice those of one loop, half those of another. Which
        of them needs fewer choices and memories only a schedule says.
        """
        for order, places in enumerate(self.effects.reshaped(best)):
            if places in self.visited:
                continue
            one = self.effects.predicted_of_both(best, places)
            if one is None:
                yield _RESHAPED, 0, order, places
            elif (cost := self._cost(one, power)) < own < inf:
                yield _BETTER, cost / own, order, places

    def _is_beyond(self, best: Places, other: Places, axis: int, bad: list[int]) -> bool:
        """Whether a number is on the far side of one of the bad ones."""
        here, place, one = best[axis], other[axis], self.known.space.axes[axis]
        if not one.is_ordered or one.values[here] == ("0",):
            return False
        return any(here < each < place or place < each < here for each in bad)

    def _fails(self, best: Places, axis: int, places: Places) -> bool:
        """Whether there is no design, or was none where the same step was taken."""
        if places in self.known.bounds:
            return bool(self.known.bounds[places].failure)
        one = self.effects.predicted(best, axis, places[axis])
        return one is not None and bool(one.failure)

    def _ratio(
        self, best: Places, axis: int, places: Places, own: float, power: int
    ) -> float | None:
        """How many times the costs a step came to; None where none like it was taken."""
        one = self.effects.predicted(best, axis, places[axis])
        return self._cost(one, power) / own if one is not None and own < inf else None

    def _costs(self, places: Places, power: int) -> Costs:
        one = self.known.likely(places)
        return self._cost(one, power), one.pes, one.memories, places

    def _cost(self, one: Likely, power: int) -> float:
        """Cycles, times powers of how many times too large a design is.

        Twice the PEs for half the cycles are too much from the beginning.
        """
        if one.failure:
            return inf
        tiles, rest = self.known.excess(one)
        return float(one.total * tiles**power * rest ** max(power, 2))


_BETTER, _RESHAPED, _UNKNOWN, _EXCHANGED, _STRANGE, _WORSE = range(6)
"""Steps that were better elsewhere, that keep the products, not tried yet, two that make up for
each other, to numbers far away or that divide nothing, and that were worse elsewhere."""
