"""The auto-scheduler: candidates by their bounds, then nearby designs, then runs of the best ones.

A bound takes a source to the operations of its accelerator, and no schedule. From the source's own
values on, schedules nearby are followed and few designs mapped (``descent``), because bounds know
nothing of nests that wait for each other and of memory tiles. Of all that were looked at, those are
simulated that are on the front of cycles and PEs, fastest first, until none is left that what was
simulated does not beat. Work is counted and not timed, and results are taken in the order in which
they were asked for: the same search finds the same on a slow machine and with several processes.
What was found on the way is remembered; a second search goes on where one was stopped.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field
from itertools import islice
from math import inf
from typing import Any

from s2s.source.records import dataclass
from s2s.tuning.clockwork.bound import Bound, Extents
from s2s.tuning.clockwork.candidates import Candidates, Mapper
from s2s.tuning.clockwork.descent import descend
from s2s.tuning.clockwork.limits import Limits
from s2s.tuning.clockwork.measured import Measured
from s2s.tuning.clockwork.space import Places, Space
from s2s.tuning.clockwork.store import Store
from s2s.tuning.status_line import StatusLine

_NEARBY = 0.8
"""The part of the work that designs nearby may take."""
_STRAYING = 0.5
"""The part in which designs that do not fit are followed."""
_SHAPING = 0.65
"""The part after which products of other shapes are followed no longer."""
_LEAST = 3
"""Designs that are mapped whatever the work is, the source's own among them, until one fits."""


@dataclass(frozen=True)
class Plan:
    """How to search: ``jobs`` processes. ``effort`` bounds the work, in units of about a
    millisecond; ``seconds`` of ``clock`` are where it ends in any case.
    """

    limits: Limits
    jobs: int = 1
    effort: int = 120_000
    seconds: float = 600.0
    progress: bool = False
    clock: Callable[[], float] = time.monotonic


@dataclass(frozen=True)
class Found:
    """A candidate: its bound, and what was measured if it was."""

    places: Places
    bound: Bound
    measured: Measured | None = None

    @property
    def total(self) -> int:
        """Cycles of all runs: simulated, or the least."""
        return self.measured.total if self.measured else self.bound.total


@dataclass
class Search:
    """The search of one space; what is known of it (``known``) grows."""

    space: Space
    plan: Plan
    store: Store
    extents: Extents = ()
    known: Candidates = field(init=False)
    _line: StatusLine = field(init=False)
    _begin: float = 0.0

    def __post_init__(self) -> None:
        self.known = Candidates(self.space, self.store, self.plan.limits, self.extents)
        self._line = StatusLine(self.plan.progress)

    @property
    def limits(self) -> Limits:
        """The plan's, or what the source's own schedule has of streams where that is more."""
        return self.known.limits

    @property
    def bounds(self) -> Mapping[Places, Bound]:
        """All that was looked at."""
        return self.known.bounds

    @property
    def mapped(self) -> Mapping[Places, Measured]:
        """Designs without a run; the source's own is among them."""
        return self.known.mapped

    @property
    def measured(self) -> Mapping[Places, Measured]:
        """Designs that were simulated."""
        return self.known.measured

    def run(self) -> list[Found]:
        """All designs that were simulated and fit, fastest first."""
        self._begin = self.plan.clock()
        with _pool(self.plan.jobs) as each:
            self._look(each, [self.space.base])
            self.known.limits = self.plan.limits.raised_to(self.bounds[self.space.base])
            self.known.schedule(each, [self.space.base])
            self.known.map(each, [self.space.base])
            self._descend(each)
            self._simulate(each)
            if not self._fit():
                self._measure(each, [self.space.base])
        self._line.close()
        return self.good()

    def good(self) -> list[Found]:
        """What was simulated and fits the array, fastest first."""
        found = [
            Found(places, self.bounds[places], one)
            for places, one in self.measured.items()
            if self.known.fits(one)
        ]
        return sorted(found, key=lambda f: (f.total, *_costs(f), f.places))

    def front(self) -> list[Found]:
        """The designs that no other one beats in cycles, PEs and memories at once."""
        kept: list[Found] = []
        for one in self.good():
            mine = one.total, *_costs(one)
            others = ((o.total, *_costs(o)) for o in kept)
            if not any(all(a <= b for a, b in zip(o, mine, strict=True)) for o in others):
                kept.append(one)
        return kept

    def nearest(self) -> Places:
        """Of the designs that have a schedule the one that is the least too large, then fastest."""
        known = self.known
        some = [p for p, one in known.estimates.items() if not one.failure]
        return min(
            some or [self.space.base],
            key=lambda p: (self.limits.excess(known.likely(p)), self._least(p) or inf, p),
        )

    # ---------------------------------------------------------------------------- descending

    def _look(self, each: Mapper, places: Sequence[Places]) -> None:
        self.known.look(each, places)
        self._show()

    def _descend(self, each: Mapper) -> None:
        """Better designs from the source's own on, and a run of the best; then with patience."""

        def is_over() -> bool:
            self._show()
            return self._is_over(_NEARBY)

        def has_strayed() -> bool:
            return self._is_over(_STRAYING)

        def has_shaped() -> bool:
            return self._is_over(_SHAPING)

        for patience in (False, True):
            if not is_over():
                best = descend(
                    self.known, each, self.space.base, is_over, has_strayed, has_shaped, patience
                )
                self._measure(each, [best])

    # --------------------------------------------------------------------------- simulating

    def _simulate(self, each: Mapper) -> None:
        while not self._is_over() or (self._has_little() and not self._is_late()):
            batch = self._most_promising(each)
            if not batch:
                return
            self._measure(each, batch)

    def _has_little(self) -> bool:
        return len(self.mapped) < _LEAST and not self._fit()

    def _most_promising(self, each: Mapper) -> list[Places]:
        """Two to simulate: no other schedule, and no bound of one that has none yet, is shorter."""
        while True:
            batch = list(islice(self._unbeaten(), 2))
            missing = [places for places in batch if places not in self.known.estimates]
            if not missing or self._is_over():
                return batch
            self.known.schedule(each, missing)
            self._show()

    def _unbeaten(self) -> Iterator[Places]:
        """Those not simulated that promise something new, the most promising first."""
        done = [(one.total, one.pes) for one in self._fit()]
        known = self.known
        fitting = [
            (total, one.pes, places)
            for places, one in self.bounds.items()
            if known.fits(one) and known.fits(known.likely(places))
            if places not in self.measured
            if (total := self._least(places)) is not None
        ]
        for total, pes, places in sorted(fitting):
            if not any(t <= total and p <= pes for t, p in done):
                yield places

    def _least(self, places: Places) -> int | None:
        """The cycles of all runs by the schedule, else by the bound."""
        known = self.known
        return known.scheduled(places) if places in known.estimates else known.bounds[places].total

    def _fit(self) -> list[Measured]:
        return [m for m in self.measured.values() if self.known.fits(m)]

    def _measure(self, each: Mapper, places: Sequence[Places]) -> None:
        self.known.measure(each, places)
        self._show()

    # ----------------------------------------------------------------------------- the rest

    def _is_over(self, part: float = 1.0) -> bool:
        return self.known.work >= self.plan.effort * part or self._is_late(part)

    def _is_late(self, part: float = 1.0) -> bool:
        return self.plan.clock() >= self._begin + self.plan.seconds * part

    def _show(self) -> None:
        if self.plan.progress:
            best = min((one.total for one in self._fit()), default=0)
            text = f"{len(self.bounds)} schedules, {len(self.mapped)} mapped,"
            text += f" {len(self.measured)} simulated"
            text += f", best {best} cycles" if best else ""
            self._line.show(text)


def _costs(found: Found) -> tuple[int, int]:
    assert found.measured is not None
    return found.measured.pes, found.measured.memories


@contextmanager
def _pool(jobs: int) -> Iterator[Mapper]:
    """Calls here, or in so many processes."""
    if jobs == 1:
        yield lambda function, arguments: [function(*each) for each in arguments]
        return
    import loky

    executor: Any = loky.get_reusable_executor(max_workers=jobs)

    def mapped(function: Callable[..., Any], arguments: Iterable[tuple[Any, ...]]) -> Iterable[Any]:
        waiting = [executor.submit(function, *each) for each in arguments]
        return [one.result() for one in waiting]

    yield mapped
