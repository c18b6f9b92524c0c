"""Processes in simulated time: generators that wait for cycles, or for units of something.

A process yields a number of cycles, or ``(store, units)`` to take units out of a store when there
are so many; ``Store.add`` puts units in, and lets those go on who wait for them, in their order.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Generator
from dataclasses import field

from s2s.source.records import dataclass

Process = Generator["float | tuple[Store, float]", None, None]


class Deadlock(Exception):
    """Processes wait for each other, and who they are."""


@dataclass(eq=False)
class Store:
    """Units of something: elements in a queue, room in it, a lock that is free."""

    time: Time
    units: float = 0.0
    _waiting: deque[tuple[float, _Running]] = field(default_factory=deque)

    def add(self, units: float) -> None:
        self.units += units
        self.give()

    def give(self) -> None:
        """Units for those that wait, the first one first."""
        while self._waiting and self._waiting[0][0] <= self.units:
            wanted, process = self._waiting.popleft()
            self.units -= wanted
            process.waited[self] = process.waited.get(self, 0.0) + self.time.now - process.since
            self.time.at(0.0, process)

    def wait(self, units: float, process: _Running) -> None:
        process.since = self.time.now
        self._waiting.append((units, process))
        self.give()


@dataclass(eq=False)
class _Running:
    name: str
    steps: Process
    since: float = 0.0
    waited: dict[Store, float] = field(default_factory=dict)


class Time:
    """The time of a simulation, and what happens next."""

    def __init__(self) -> None:
        self.now = 0.0
        self._next: list[tuple[float, int, _Running]] = []
        self._count = 0
        self._running: dict[str, _Running] = {}

    def start(self, name: str, steps: Process) -> None:
        process = self._running[name] = _Running(name, steps)
        self.at(0.0, process)

    def at(self, cycles: float, process: _Running) -> None:
        self._count += 1
        heapq.heappush(self._next, (self.now + cycles, self._count, process))

    def run(self) -> float:
        """The time at which nothing happens any more. Raises Deadlock."""
        while self._next:
            self.now, _, process = heapq.heappop(self._next)
            wanted = next(process.steps, None)
            if wanted is None:
                del self._running[process.name]
            elif isinstance(wanted, tuple):
                wanted[0].wait(wanted[1], process)
            else:
                self.at(wanted, process)
        if self._running:
            raise Deadlock(", ".join(self._running))
        return self.now
