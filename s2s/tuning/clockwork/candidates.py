"""What is known of candidates: bounds, estimates by schedules, designs as they are mapped, runs.

Each step takes longer than the one before and is taken of fewer candidates. All are remembered, so
that a search that was stopped is soon where it was; work is counted as if they were not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field, replace
from functools import lru_cache
from typing import Any, TypeVar

from s2s.driver.designs import Steps
from s2s.source.records import dataclass
from s2s.tuning.cache import Table
from s2s.tuning.clockwork.bound import Bound, Extents, bound
from s2s.tuning.clockwork.estimate import Estimate, Likely, corrected, estimate
from s2s.tuning.clockwork.limits import Limits
from s2s.tuning.clockwork.measured import Measured, measure
from s2s.tuning.clockwork.space import Places, Program, Space, distance
from s2s.tuning.clockwork.store import BOUNDS, DESIGNS, ESTIMATES, MAPPED, Store

T = TypeVar("T")

Mapper = Callable[[Callable[..., Any], Iterable[tuple[Any, ...]]], Iterable[Any]]
"""Calls a function with each of some tuples of arguments; results in their order."""


_NEARLY = 1.02
"""How many times too large, by an estimate, what may yet fit is."""
NEAR = 2
"""On how many axes a design may differ so that what is known of it is taken in full."""
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

    def least(self, places: Places) -> Likely:
        """What a design takes at least, by its bound."""
        one = self.bounds[places]
        return Likely(one.failure, one.total, one.pes, 0, one.streams, one.words)

    def unmapped(self, places: Places) -> Likely:
        """What a design is likely to take by its schedule, or at least where it has none."""
        found = self.estimates.get(places)
        least = self.least(places)
        if found is None:
            return least
        total = found.cycles * self.bounds[places].runs
        return replace(
            least, failure=found.failure, total=total, pes=found.pes, memories=found.memories,
            is_scheduled=True,
        )  # fmt: skip

    def likely(self, places: Places) -> Likely:
        """A design as it is mapped, or what its estimate comes to: as far from it as that of the
        nearest design that was mapped, less so where that one has little in common with it.
        """
        found = self.unmapped(places)
        if places in self.mapped:
            one = self.mapped[places]
            return replace(
                found, failure=one.failure, total=one.total, pes=one.pes, memories=one.memories,
                is_known=True,
            )  # fmt: skip
        nearest = self._nearest(places)
        if nearest is None:
            return found
        other, taken = self.estimates[nearest], self.mapped[nearest]
        weight = min(1.0, NEAR / distance(nearest, places))
        return replace(
            found,
            pes=corrected(found.pes, other.pes, taken.pes, weight),
            memories=corrected(found.memories, other.memories, taken.memories, weight),
            is_known=weight == 1.0,
        )

    def _nearest(self, places: Places) -> Places | None:
        """Of the designs that were mapped the one that differs least, in its estimate, too."""
        if places not in self.estimates:
            return None
        pes = self.estimates[places].pes
        both = [p for p in self.mapped if p in self.estimates and not self.mapped[p].failure]
        return min(
            both,
            key=lambda p: (distance(p, places), abs(self.estimates[p].pes - pes), p),
            default=None,
        )

    def excess(self, one: Likely) -> tuple[float, float]:
        """How many times too large: in memory tiles, in all else. Where nothing near is mapped a
        little is nothing, for estimates are as far off.
        """
        tiles = self.limits.excess(one, ("memories",))
        rest = self.limits.excess(one, ("pes", "streams", "words"))
        return tiles, rest if one.is_known else max(1.0, rest / _NEARLY)

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
        fitting = [p for p in missing if self.fits(self.bounds[p]) and self.fits(self.mapped[p])]
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


@lru_cache(maxsize=4)
def _steps(program: Program) -> Steps:
    """Those of the last programs, so that a schedule goes on from the bound's operations."""
    return program.steps


def _bound_of(program: Program, least: Extents) -> Bound:
    return bound(_steps(program), least)


def _estimate_of(program: Program, _: Extents) -> Estimate:
    return estimate(_steps(program))


def _mapped_of(program: Program, _: Extents) -> Measured:
    return measure(_steps(program), simulate=False)


def _measured_of(program: Program, _: Extents) -> Measured:
    return measure(_steps(program))
