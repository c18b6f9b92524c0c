"""When the pieces of a kernel start: each as early as the pieces before it allow.

A piece is a schedule: straight code, or a loop. The filling of a pipelined loop issues beside the
code before it, its emptying beside the code after it; results that are still on their way, slots
and pointers that are taken and accesses that have to stay in order make a piece wait. A branch is a
border: nothing issues on both sides of it. Its delay slots are filled with straight code since the
last border, but not with the emptying of a loop: it comes with that one's last instruction at the
earliest.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from copy import copy

from s2s.simulators.aie.timing.dependences import meets
from s2s.simulators.aie.timing.machine import Machine
from s2s.simulators.aie.timing.modulo import Schedule
from s2s.simulators.aie.timing.operation import Access, Body, Operation, Part, Register
from s2s.simulators.aie.timing.region import Handed

_Place = tuple[Register, int]


class Clock:
    """The time of a walk through a kernel.

    ``now`` is the cycle after the last issue, ``border`` the first cycle in which new code may
    issue, a branch not before ``_branches``. What comes from iterations that are not walked through
    is in ``extra``: only differences of times count.
    """

    def __init__(self, machine: Machine) -> None:
        self._branch = machine.number("loop.branch") + 1
        self._setup = machine.number("loop.setup")
        self._same_pointer = bool(machine["addressing.same_pointer"])
        self.now = self.border = self._branches = 0
        self.extra = 0.0
        self._taken: set[tuple[str, int]] = set()
        self._ready: dict[_Place, int] = {}
        self._accesses: list[tuple[int, Access]] = []
        self._ports: dict[str, int] = {}

    @property
    def time(self) -> float:
        """Cycles up to now."""
        return self.now + self.extra

    def fork(self) -> Clock:
        """The same time, to go on differently from."""
        new = copy(self)
        new._taken, new._ready = set(self._taken), dict(self._ready)
        new._accesses, new._ports = list(self._accesses), dict(self._ports)
        return new

    # ------------------------------------------------------------------------------- pieces

    def straight(self, body: Body, schedule: Schedule) -> None:
        """Operations without control."""
        start = self._earliest(body, schedule, {})
        keys = list(self._keys(body, schedule, 1, 0, schedule.length))
        start = max(self._free(start, keys), self._port_free(body, schedule))
        self._issue(body, schedule, start, 1, keys)
        self.now = max(self.now, start + schedule.length)
        self._transfer(body, schedule, start)

    def pipelined(
        self, body: Body, schedule: Schedule, trips: float, handed: tuple[Handed, ...]
    ) -> None:
        """A loop whose iterations overlap."""
        interval, length = schedule.interval, schedule.length
        walked = min(max(1, math.ceil(trips)), schedule.stages + 1)
        filling = (min(schedule.stages, walked) - 1) * interval
        start = self._earliest(body, schedule, _first(handed))
        start = max(start, self._kept_from(body, handed) + self._setup)
        keys = list(self._keys(body, schedule, walked, 0, filling))
        start = max(self._free(start, keys), self.now - filling, self._port_free(body, schedule))
        self._issue(body, schedule, start, walked, keys)
        steady = start + walked * interval
        rest = self._keys(body, schedule, walked, walked * interval, math.inf)
        self._taken |= {(slot, start + time) for slot, time in rest}
        self._cross(min(steady, start + (walked - 1) * interval + length))
        self.now = start + (walked - 1) * interval + length
        self._transfer(body, schedule, start, walked)
        self._branches = self.now - 1
        self.extra += (trips - walked) * interval

    def serial(
        self,
        body: Body,
        schedule: Schedule,
        trips: float,
        handed: tuple[Handed, ...],
        *,
        counted: bool,
    ) -> None:
        """A loop whose iterations follow each other; one that is not counted branches."""
        start = max(self._earliest(body, schedule, _first(handed)), self.now)
        start = max(start, self._port_free(body, schedule))
        if counted:
            start = max(start, self._kept_from(body, handed) + self._setup)
        each = schedule.interval
        if not counted:
            each = max(each, self._after_test(body, schedule))
        self._issue(body, schedule, start, 1, ())
        self._cross(start + each)
        self.now = self.border
        self.extra += (trips - 1) * each

    def _after_test(self, body: Body, schedule: Schedule) -> int:
        """Cycles of an iteration that ends with a branch on what it computed last."""
        scalar = [one for one in body.operations if one.mnemonic in _COMPARISONS]
        last = max((schedule.times[o.number] + o.latency for o in scalar), default=0)
        return last + self._branch

    def jump(self) -> None:
        """A branch, its delay slots filled with what is left since the last border."""
        self._cross(max(self.now, self._branches + self._branch))
        self.now = self.border

    def decide(self) -> None:
        """A branch whose condition has just been computed."""
        self._cross(self.now + self._branch)
        self.now = self.border

    def hand(self, handed: tuple[Handed, ...], *, first: bool) -> None:
        """What the iterations of a loop pass on is there when its source is."""
        found = {}
        for one in handed:
            source = one.initial if first else one.following
            if source is not None:
                found[one.inside] = self._ready.get((source.register, source.index), 0)
        self._ready |= found

    def join(self, others: tuple[Clock, ...]) -> None:
        """After a branch: as if the longest side had run."""
        longest = max(others, key=lambda one: one.time)
        self.now, self.extra = longest.now, longest.extra
        for other in others:
            for place, at in other._ready.items():
                late = at - other.now + self.now
                self._ready[place] = max(self._ready.get(place, late), late)
        self._taken, self._accesses = set(), list(longest._accesses)
        self._ports = dict(longest._ports)
        self.border = self._branches = self.now

    # ------------------------------------------------------------------------------ streams

    def _port_free(self, body: Body, schedule: Schedule) -> int:
        """The first start at which the ports of streams have moved what was there before."""
        return max(
            (
                self._ports.get(one.access.pointer, 0) - schedule.times[one.number]
                for one in body.operations
                if one.access is not None and one.access.transfer
            ),
            default=0,
        )

    def _transfer(self, body: Body, schedule: Schedule, start: int, walked: int = 1) -> None:
        """What has been issued waits for its streams, which move its last words after it."""
        for one in sorted(body.operations, key=lambda one: schedule.times[one.number]):
            if one.access is not None and (cycles := one.access.transfer):
                pointer = one.access.pointer
                at = max(start + schedule.times[one.number], self._ports.get(pointer, 0))
                self._ports[pointer] = at + cycles * walked
                self.now = max(self.now, at + cycles * (walked - 1) + 1)

    # ------------------------------------------------------------------------------ limits

    def _kept_from(self, body: Body, handed: tuple[Handed, ...]) -> int:
        """When what a loop keeps in registers all the time is there: its own are set after that."""
        own = {one.result for one in body.operations}
        passed = {one.inside for one in handed}
        kept = [
            self._ready.get((part.register, part.index), 0)
            for one in body.operations
            for part, _ in one.reads()
            if not part.distance
            and part.register not in own
            and (part.register, part.index) not in passed
        ]
        return max([self.border, *kept])

    def _earliest(
        self, body: Body, schedule: Schedule, initial: Mapping[_Place, Part | None]
    ) -> int:
        """The first start at which every operand of the first iteration is there."""
        start = self.border
        own = {one.result for one in body.operations}
        for one in body.operations:
            at = schedule.times[one.number]
            for part, stage in one.reads():
                source: Part | None = part
                if part.distance:
                    source = initial.get((part.register, part.index))
                elif part.register in own:
                    continue
                if source is not None:
                    ready = self._ready.get((source.register, source.index), 0)
                    start = max(start, ready - stage - at)
            if one.access is not None:
                for time, access in self._accesses:
                    stores = access.is_store or one.access.is_store
                    if stores and time + 1 - at > start and meets(access, one.access, 0):
                        start = time + 1 - at
        return start

    def _free(self, start: int, keys: list[tuple[str, int]]) -> int:
        """The first start from this one on at which nothing else takes the slots."""
        while any((slot, start + time) in self._taken for slot, time in keys):
            start += 1
        return start

    def _keys(
        self, body: Body, schedule: Schedule, iterations: int, low: int, high: float
    ) -> Iterator[tuple[str, int]]:
        """Slots and pointers that iterations take between two times after their start."""
        for one in body.operations:
            names = [schedule.slots[one.number]]
            if self._same_pointer and one.access is not None:
                names.append(f"through {one.access.pointer}")
            for turn in range(iterations):
                time = schedule.times[one.number] + turn * schedule.interval
                if low <= time < high:
                    yield from ((name, time) for name in names)

    def _issue(
        self,
        body: Body,
        schedule: Schedule,
        start: int,
        iterations: int,
        keys: list[tuple[str, int]] | tuple[()],
    ) -> None:
        self._taken |= {(slot, start + time) for slot, time in keys}
        last = start + (iterations - 1) * schedule.interval
        for one in body.operations:
            time = last + schedule.times[one.number]
            if one.result is not None:
                self._write(one, one.result, time)
            if one.access is not None:
                self._accesses.append((time, one.access))

    def _write(self, one: Operation, result: Register, time: int) -> None:
        for index in range(result.parts):
            self._ready[result, index] = time + one.latency

    def _cross(self, border: int) -> None:
        """Nothing issues before ``border`` any more."""
        self.border = self._branches = border
        self._taken = {key for key in self._taken if key[1] >= border}
        self._accesses = [pair for pair in self._accesses if pair[0] >= border]
        self._ready = {place: at for place, at in self._ready.items() if at > border}


_COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!=", "&", "|", "!"})


def _first(handed: tuple[Handed, ...]) -> dict[_Place, Part | None]:
    """What the first iteration reads where later ones read what the one before has made."""
    found: dict[_Place, Part | None] = {}
    for one in handed:
        if one.following is not None:
            found[one.following.register, one.following.index] = one.initial
    return found
