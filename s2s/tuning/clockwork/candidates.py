"""What is known of candidates: bounds, estimates by schedules, designs as they are mapped, runs.

Each step takes longer than the one before and is taken of fewer candidates. All are remembered, so
that a search that was stopped is soon where it was; work is counted as if they were not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from s2s.tuning.cache import Table
from s2s.tuning.clockwork.bound import Bound, Extents, bound
from s2s.tuning.clockwork.estimate import Estimate, Likely, corrected, estimate
from s2s.tuning.clockwork.limits import Limits
from s2s.tuning.clockwork.measured import Measured, measure
from s2s.tuning.clockwork.space import Places, Program, Space
from s2s.tuning.clockwork.store import BOUNDS, DESIGNS, ESTIMATES, MAPPED, Store

T = TypeVar("T")

Mapper = Callable[[Callable[..., Any], Iterable[tuple[Any, ...]]], Iterable[Any]]
"""Calls a function with each of some tuples of arguments; results in their order."""


_CYCLES = 600
"""Cycles of a run in a unit of work."""


@dataclass
class Candidates:
    """Those of one space, with what is known of each; grows, and so does ``work``.

    ``estimates`` are what schedules say; ``mapped`` are designs without a run, ``measured`` those
    with one, which fit into ``limits``.
    """

    space: Space
    store: Store
    limits: Limits
    extents: Extents = ()
    bounds: dict[Places, Bound] = field(default_factory=dict)
    estimates: dict[Places, Estimate] = field(default_factory=dict)
    mapped: dict[Places, Measured] = field(default_factory=dict)
    measured: dict[Places, Measured] = field(default_factory=dict)
    work: int = 0

    def look(self, each: Mapper, places: Iterable[Places]) -> None:
        """Bounds, which need no schedule."""
        missing = [p for p in places if p not in self.bounds]
        for place, found in self._remembered(BOUNDS, _bound_of, each, missing):
            self.bounds[place] = found
            self.work += 100 + 6 * found.operations

    def schedule(self, each: Mapper, places: Iterable[Places]) -> None:
        """Estimates by the schedule."""
        missing = [p for p in places if p not in self.estimates]
        for place, found in self._remembered(ESTIMATES, _estimate_of, each, missing):
            self.estimates[place] = found
            self.work += 200 + 12 * self.bounds[place].operations

    def scheduled(self, places: Places) -> int | None:
        """The cycles of all runs by the schedule; None where there is none."""
        return self.estimates[places].cycles * self.bounds[places].runs or None

    def likely(self, places: Places) -> Likely:
        """A design as it is mapped, or what its estimate comes to: as far from it as that of the
        nearest design that was mapped.
        """
        if places in self.mapped:
            one = self.mapped[places]
            return Likely(one.failure, one.total, one.pes, one.memories)
        found, runs = self.estimates[places], self.bounds[places].runs
        both = [p for p in self.mapped if p in self.estimates and not self.mapped[p].failure]
        nearest = min(both, key=lambda p: (_distance(p, places), p), default=None)
        if nearest is None:
            return Likely(found.failure, found.cycles * runs, found.pes, found.memories)
        other, taken = self.estimates[nearest], self.mapped[nearest]
        return Likely(
            found.failure,
            found.cycles * runs,
            corrected(found.pes, other.pes, taken.pes),
            corrected(found.memories, other.memories, taken.memories),
        )

    def map(self, each: Mapper, places: Iterable[Places]) -> None:
        """PEs and memory tiles."""
        missing = [p for p in places if p not in self.mapped]
        for place, found in self._remembered(MAPPED, _mapped_of, each, missing):
            self.mapped[place] = found
            self.work += 500 + 60 * self.bounds[place].operations

    def measure(self, each: Mapper, places: Iterable[Places]) -> None:
        """A run, of those that fit when they are mapped."""
        missing = [p for p in places if p not in self.measured]
        self.map(each, missing)
        fitting = [p for p in missing if self.fits(self.mapped[p])]
        for place, found in self._remembered(DESIGNS, _measured_of, each, fitting):
            self.measured[place] = replace(found, simulated=bool(found.simulated))
            self.work += 1000 + 60 * self.bounds[place].operations + found.cycles // _CYCLES

    def fits(self, found: Bound | Measured | Likely) -> bool:
        """Whether there is such a design, within the limits."""
        return not found.failure and not self.limits.exceeded(found)

    def _remembered(
        self,
        table: Table[T],
        function: Callable[[Program, Extents], T],
        each: Mapper,
        places: Sequence[Places],
    ) -> Iterator[tuple[Places, T]]:
        """What a function gives for each, new or remembered."""
        programs = [self.space.program(p) for p in places]
        known = [self.store.known(table, program.steps, self.extents) for program in programs]
        pairs = zip(programs, known, strict=True)
        new = iter(each(function, [(p, self.extents) for p, one in pairs if one is None]))
        for place, program, one in zip(places, programs, known, strict=True):
            found = next(new) if one is None else one
            if one is None:
                self.store.keep(table, program.steps, found, self.extents)
            yield place, found


def _bound_of(program: Program, least: Extents) -> Bound:
    return bound(program.steps, least)


def _estimate_of(program: Program, _: Extents) -> Estimate:
    return estimate(program.steps)


def _mapped_of(program: Program, _: Extents) -> Measured:
    return measure(program.steps, simulate=False)


def _measured_of(program: Program, _: Extents) -> Measured:
    return measure(program.steps)


def _distance(first: Places, second: Places) -> int:
    """On how many axes they differ."""
    return sum(a != b for a, b in zip(first, second, strict=True))
