"""Modulo scheduling: when each operation of an iteration issues, if one starts every II cycles.

Operations are placed from the last of the text to the first, each as late as its readers allow, so
that values live short (the registers are few and there is no renaming). An operation that finds no
place takes one by force and others are placed anew, as in B. R. Rau, "Iterative Modulo Scheduling",
MICRO-27, 1994. Afterwards operations that end lives move up and those that begin lives move down,
as in R. A. Huff, "Lifetime-Sensitive Modulo Scheduling", PLDI 1993.

Straight code is the same problem with an interval that no schedule reaches.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from s2s.simulators.aie.timing.operation import Edge, Operation, transfers
from s2s.source.records import dataclass

_TRIES = 12  # placements per operation before an interval is given up


@dataclass(frozen=True)
class Schedule:
    """Issue cycle (from 0) and slot of every operation by its number; ``interval`` is II."""

    interval: int
    times: tuple[int, ...]
    slots: tuple[str, ...]

    @property
    def length(self) -> int:
        """Cycles from the first to the last issue of one iteration, both counted."""
        return max(self.times, default=-1) + 1

    @property
    def stages(self) -> int:
        return -(-self.length // self.interval)


def modulo_schedule(
    operations: Sequence[Operation],
    edges: Sequence[Edge],
    interval: int,
    *,
    same_pointer: bool = True,
) -> Schedule | None:
    """A schedule with this interval; None if the search finds none."""
    if any(e.source == e.target and e.latency > interval * e.distance for e in edges):
        return None
    search = _Search(operations, edges, interval, same_pointer)
    if not search.place_all():
        return None
    search.settle()
    return search.schedule()


def straight_schedule(
    operations: Sequence[Operation], edges: Sequence[Edge], *, same_pointer: bool = True
) -> Schedule:
    """A schedule of one iteration on its own; its interval is such that the next may follow.

    Raises:
        RuntimeError: the search found no order, which is a fault of the edges.

    """
    within = [edge for edge in edges if edge.distance == 0]
    never = sum(one.latency + 1 for one in operations) + 64
    schedule = modulo_schedule(operations, within, never, same_pointer=same_pointer)
    if schedule is None:
        raise RuntimeError("straight code without a schedule")
    interval = max(1, schedule.length, *transfers(operations).values())
    for edge in edges:
        if edge.distance:
            apart = schedule.times[edge.source] + edge.latency - schedule.times[edge.target]
            interval = max(interval, -(-apart // edge.distance))
    return Schedule(interval, schedule.times, schedule.slots)


class _Search:
    def __init__(
        self,
        operations: Sequence[Operation],
        edges: Sequence[Edge],
        interval: int,
        same_pointer: bool,
    ) -> None:
        self._operations = operations
        self._interval = interval
        count = len(operations)
        self._before: list[list[tuple[int, int]]] = [[] for _ in range(count)]
        self._after: list[list[tuple[int, int]]] = [[] for _ in range(count)]
        for edge in edges:
            if edge.source != edge.target:
                delay = edge.latency - interval * edge.distance
                self._before[edge.target].append((edge.source, delay))
                self._after[edge.source].append((edge.target, delay))
        self._time: list[int | None] = [None] * count
        self._slot: list[str] = [""] * count
        self._last: list[int | None] = [None] * count
        self._rows: dict[tuple[str, int], int] = {}
        self._pointers: list[str | None] = [
            one.access.pointer if same_pointer and one.access is not None else None
            for one in operations
        ]
        self._through: dict[tuple[str, int], int] = {}
        self._spine = [one.slots == ("vec",) for one in operations]
        self._front = 0

    def schedule(self) -> Schedule:
        times = [time for time in self._time if time is not None]
        first = min(times, default=0)
        return Schedule(self._interval, tuple(time - first for time in times), tuple(self._slot))

    # ------------------------------------------------------------------------------- placing

    def place_all(self) -> bool:
        """Places every operation; False when that took too many tries."""
        todo = [-number for number in range(len(self._operations))]
        heapq.heapify(todo)
        budget = _TRIES * len(self._operations) + 16
        while todo:
            budget -= 1
            if budget < 0:
                return False
            number = -heapq.heappop(todo)
            for evicted in self._place(number):
                heapq.heappush(todo, -evicted)
        return True

    def _place(self, number: int) -> list[int]:
        """Places one operation; the operations that had to give way."""
        late = self._latest(number)
        if late is None:
            late = self._free_end(number)
        early = self._earliest(number)
        lowest = late - self._interval + 1
        for time in range(late, (lowest if early is None else max(early, lowest)) - 1, -1):
            slot = self._vacant(number, time)
            if slot is not None:
                self._set(number, time, slot)
                return []
        return self._force(number, late)

    def _free_end(self, number: int) -> int:
        """Where an operation that nobody waits for goes: right after what it will wait for."""
        if self._spine[number] or not self._before[number]:
            return self._front
        wait = max(
            (self._operations[other].latency for other, _ in self._before[number]), default=1
        )
        return self._front - 1 + wait

    def _latest(self, number: int) -> int | None:
        ends = [
            time - delay
            for other, delay in self._after[number]
            if (time := self._time[other]) is not None
        ]
        return min(ends) if ends else None

    def _earliest(self, number: int) -> int | None:
        starts = [
            time + delay
            for other, delay in self._before[number]
            if (time := self._time[other]) is not None
        ]
        return max(starts) if starts else None

    def _vacant(self, number: int, time: int) -> str | None:
        """A slot that is free in this cycle of every iteration."""
        row = time % self._interval
        pointer = self._pointers[number]
        if pointer is not None and (pointer, row) in self._through:
            return None
        for slot in self._operations[number].slots:
            if (slot, row) not in self._rows:
                return slot
        return None

    def _set(self, number: int, time: int, slot: str) -> None:
        row = time % self._interval
        self._time[number] = self._last[number] = time
        self._slot[number] = slot
        self._rows[slot, row] = number
        pointer = self._pointers[number]
        if pointer is not None:
            self._through[pointer, row] = number
        if self._spine[number]:
            self._front = min(self._front, time)

    def _unset(self, number: int) -> None:
        time = self._time[number]
        assert time is not None
        row = time % self._interval
        self._time[number] = None
        del self._rows[self._slot[number], row]
        pointer = self._pointers[number]
        if pointer is not None:
            del self._through[pointer, row]

    def _force(self, number: int, late: int) -> list[int]:
        """A place by force, earlier than the last one, and whom that puts out."""
        before = self._last[number]
        time = late if before is None else min(late, before - 1)
        row = time % self._interval
        out: set[int] = set()
        pointer = self._pointers[number]
        if pointer is not None and (pointer, row) in self._through:
            out.add(self._through[pointer, row])
        slots = self._operations[number].slots
        freed = [slot for slot in slots if self._rows.get((slot, row), -1) in {-1, *out}]
        slot = freed[0] if freed else max(slots, key=lambda one: self._rows[one, row])
        if not freed:
            out.add(self._rows[slot, row])
        for other in out:
            self._unset(other)
        self._set(number, time, slot)
        for other, delay in (*self._before[number],):
            start = self._time[other]
            if start is not None and start + delay > time:
                self._unset(other)
                out.add(other)
        for other, delay in self._after[number]:
            end = self._time[other]
            if end is not None and end < time + delay:
                self._unset(other)
                out.add(other)
        return sorted(out)

    # -------------------------------------------------------------------------------- lives

    def settle(self) -> None:
        """Moves what only ends lives up, then what begins lives down."""
        for number, one in enumerate(self._operations):
            if not self._spine[number] and one.result is None:
                self._move(number, up=True)
        for number in reversed(range(len(self._operations))):
            if not self._spine[number] and self._operations[number].result is not None:
                self._move(number, up=False)

    def _move(self, number: int, *, up: bool) -> None:
        early, late = self._earliest(number), self._latest(number)
        now = self._time[number]
        assert now is not None
        if up and early is not None and early < now:
            times = range(max(early, now - self._interval + 1), now)
        elif not up and late is not None and late > now:
            times = range(min(late, now + self._interval - 1), now, -1)
        else:
            return
        slot = self._slot[number]
        self._unset(number)
        for time in times:
            free = self._vacant(number, time)
            if free is not None:
                self._set(number, time, free)
                return
        self._set(number, now, slot)
