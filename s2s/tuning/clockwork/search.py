"""The auto-scheduler: candidates by their bounds, then those that no other one beats, simulated.

A bound takes a source to the operations of its accelerator, and no schedule. From the source's own
values on, the neighbours of the candidate that promises most are looked at; of all that were, those
are compiled and simulated that are on the front of cycles and PEs, fastest first, until none is
left that what was simulated does not beat. Before that each is scheduled: its cycles take the place
of its bound, which knows nothing of nests that wait for each other, and others may then come first.
Work is counted and not timed, and results are taken in
the order in which they were asked for: the same search finds the same on a slow machine and with
several processes. What is simulated is remembered; a second search begins with that.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from s2s.tuning.clockwork.bound import Bound, Extents, bound, scheduled_cycles
from s2s.tuning.clockwork.limits import Limits
from s2s.tuning.clockwork.measured import Measured, measure
from s2s.tuning.clockwork.space import Places, Program, Space, neighbours
from s2s.tuning.clockwork.store import Store
from s2s.tuning.status_line import StatusLine

_LOOKS = 0.5
"""The part of the work that bounds may take."""
_BATCH = 4
"""Candidates that are asked for at once, however many processes there are."""
_LEAST = 3
"""Designs that are simulated whatever the work is, the source's own among them."""


@dataclass(frozen=True)
class Plan:
    """How to search: ``jobs`` processes. ``effort`` bounds the work, in units of about a
    millisecond; ``seconds`` is where it ends in any case.
    """

    limits: Limits
    jobs: int = 1
    effort: int = 120_000
    seconds: float = 600.0
    progress: bool = False


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
    """The search of one space; ``bounds``, ``scheduled`` (cycles of all runs by the schedule, None
    where there is none) and ``measured`` grow, and so does ``work``.
    """

    space: Space
    plan: Plan
    store: Store
    extents: Extents = ()
    bounds: dict[Places, Bound] = field(default_factory=dict)
    scheduled: dict[Places, int | None] = field(default_factory=dict)
    measured: dict[Places, Measured] = field(default_factory=dict)
    work: int = 0
    limits: Limits = field(init=False)
    _line: StatusLine = field(init=False)
    _end: float = 0.0

    def __post_init__(self) -> None:
        self.limits = self.plan.limits
        self._line = StatusLine(self.plan.progress)

    def run(self) -> list[Found]:
        """All designs that were simulated and fit, fastest first."""
        self._end = time.monotonic() + self.plan.seconds
        with _pool(self.plan.jobs) as each:
            self._look(each, [self.space.base])
            self.limits = self.plan.limits.raised_to(self.bounds[self.space.base])
            self._explore(each)
            self._measure(each, [self.space.base])
            self._simulate(each)
        self._line.close()
        return self.good()

    def good(self) -> list[Found]:
        """What was simulated and fits the array, fastest first."""
        found = [
            Found(places, self.bounds[places], one)
            for places, one in self.measured.items()
            if one.is_good and not self.limits.exceeded(one)
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

    # ----------------------------------------------------------------------------- looking

    def _explore(self, each: Mapper) -> None:
        expanded: set[Places] = set()
        while not self._is_over(_LOOKS):
            best = next((p for p in self._promising() if p not in expanded), None)
            if best is None:
                return
            expanded.add(best)
            new = [p for p in neighbours(self.space, best) if p not in self.bounds]
            for start in range(0, len(new), _BATCH):
                if not self._is_over(_LOOKS):
                    self._look(each, new[start : start + _BATCH])

    def _look(self, each: Mapper, places: Sequence[Places]) -> None:
        programs = [(self.space.program(p), self.extents) for p in places]
        for place, found in zip(places, each(_bound_of, programs), strict=True):
            self.bounds[place] = found
            self.work += 150 + 12 * found.operations
        self._show()

    def _promising(self) -> list[Places]:
        """Candidates on the front of least cycles and PEs, fastest first."""
        fitting = [
            (one.total, one.pes, one.operations, places)
            for places, one in self.bounds.items()
            if not one.failure and not self.limits.exceeded(one)
        ]
        kept: list[Places] = []
        fewest = sys.maxsize
        for _, pes, _, places in sorted(fitting):
            if pes < fewest:
                fewest = pes
                kept.append(places)
        return kept

    # --------------------------------------------------------------------------- simulating

    def _simulate(self, each: Mapper) -> None:
        while not self._is_over() or len(self.measured) < _LEAST:
            batch = self._most_promising(each)
            if not batch or time.monotonic() >= self._end:
                return
            self._measure(each, batch)

    def _most_promising(self, each: Mapper) -> list[Places]:
        """Two to simulate: no other schedule, and no bound of one that has none yet, is shorter."""
        while True:
            batch = list(islice(self._unbeaten(), 2))
            missing = [places for places in batch if places not in self.scheduled]
            if not missing or self._is_over():
                return batch
            programs = [(self.space.program(places),) for places in missing]
            for places, cycles in zip(missing, each(_cycles_of, programs), strict=True):
                one = self.bounds[places]
                self.scheduled[places] = None if cycles is None else cycles * one.runs
                self.work += 200 + 12 * one.operations
            self._show()

    def _unbeaten(self) -> Iterator[Places]:
        """Those not simulated that promise something new, the most promising first."""
        done = [(one.total, one.pes) for one in self._fit()]
        fitting = [
            (total, one.pes, places)
            for places, one in self.bounds.items()
            if not one.failure and not self.limits.exceeded(one) and places not in self.measured
            if (total := self.scheduled.get(places, one.total)) is not None
        ]
        for total, pes, places in sorted(fitting):
            if not any(t <= total and p <= pes for t, p in done):
                yield places

    def _fit(self) -> list[Measured]:
        return [m for m in self.measured.values() if m.is_good and not self.limits.exceeded(m)]

    def _measure(self, each: Mapper, places: Sequence[Places]) -> None:
        programs = [self.space.program(p) for p in places]
        known = [self.store.known(program.steps) for program in programs]
        missing = [p for p, one in zip(programs, known, strict=True) if one is None]
        new = iter(each(_measured_of, [(p,) for p in missing]))
        for place, program, one in zip(places, programs, known, strict=True):
            found = next(new) if one is None else one
            if one is None:
                self.store.keep(program.steps, found)
            self.measured[place] = found
            self.work += 1500 + 120 * self.bounds[place].operations
            self._show()

    # ----------------------------------------------------------------------------- the rest

    def _is_over(self, part: float = 1.0) -> bool:
        return self.work >= self.plan.effort * part or time.monotonic() >= self._end

    def _show(self) -> None:
        if self.plan.progress:
            best = min((one.total for one in self._fit()), default=0)
            text = f"{len(self.bounds)} schedules, {len(self.measured)} simulated"
            text += f", best {best} cycles" if best else ""
            self._line.show(text)


def _costs(found: Found) -> tuple[int, int]:
    assert found.measured is not None
    return found.measured.pes, found.measured.memories


def _bound_of(program: Program, least: Extents) -> Bound:
    return bound(program.steps, least)


def _cycles_of(program: Program) -> int | None:
    return scheduled_cycles(program.steps)


def _measured_of(program: Program) -> Measured:
    return measure(program.steps)


Mapper = Callable[[Callable[..., Any], Iterable[tuple[Any, ...]]], Iterable[Any]]
"""Calls a function with each of some tuples of arguments; results in their order."""


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
