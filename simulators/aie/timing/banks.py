"""Cycles that a loop waits for memory banks, if the machine is asked to count them.

The arrays lie where a comment of the text says (``memory: I at 0x0``); others one after the other
in the order of the parameters, from a bank's first byte on. Accesses of one cycle to one bank
follow each other; the whole core waits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product
from math import prod

from s2s.simulators.aie.program import CASCADE, Array, Carried, Loop, Program, items
from s2s.simulators.aie.timing.affine import Sums
from s2s.simulators.aie.timing.machine import Machine
from s2s.simulators.aie.timing.modulo import Schedule
from s2s.simulators.aie.timing.operation import Access, Body
from s2s.simulators.aie.values import Affine, Value, size_of
from s2s.source.records import dataclass

_PART = 16  # bytes of one access to one bank
_SAMPLES = 256  # iterations that are looked at


@dataclass(frozen=True)
class _Place:
    """An address: ``start`` and bytes per iteration of loops, by their number."""

    start: int
    steps: Mapping[int, int]

    def at(self, counters: Mapping[int, int], behind: int, innermost: int) -> int:
        """The address, for accesses that are ``behind`` iterations of the innermost loop."""
        moved = sum(step * counters.get(loop, 0) for loop, step in self.steps.items())
        return self.start + moved - behind * self.steps.get(innermost, 0)


class Banks:
    """Where the arrays of a program lie, and who meets whom there."""

    def __init__(
        self, program: Program, machine: Machine, trips: Mapping[int, float] | None = None
    ) -> None:
        self._sums = Sums(program)
        self._bank = 2 * machine.number("banks.bytes")
        self._after: dict[Value, tuple[Carried, Loop]] = {}
        self._trips: dict[int, int] = {}
        for item in items(program.body):
            if isinstance(item, Loop):
                self._after |= {one.after: (one, item) for one in item.carried}
                count = item.trips if item.trips is not None else (trips or {}).get(item.number, 1)
                self._trips[item.number] = int(count)
        self._bases = dict(self._laid_out(program))

    def _laid_out(self, program: Program) -> Iterator[tuple[Value, int]]:
        at = 0
        for one in (*program.parameters, *program.arrays):
            if isinstance(one, Array) and one.window != CASCADE:
                at = at if one.place is None else one.place
                yield one.address, at
                at += -(-prod(one.extents) * size_of(one.element) // 32) * 32

    def waits(self, body: Body, schedule: Schedule, innermost: int) -> float:
        """Cycles that an iteration of a pipelined loop waits, on average."""
        rows: dict[int, list[tuple[_Place, int, int]]] = {}
        for one in body.operations:
            place = self._place(one.access)
            if one.access is None or place is None:
                continue
            stage, row = divmod(schedule.times[one.number], schedule.interval)
            rows.setdefault(row, []).append((place, one.access.size, stage))
        shared = [row for row in rows.values() if len(row) > 1]
        samples = self._samples({loop for row in shared for p, _, _ in row for loop in p.steps})
        waits = [self._wait(row, sample, innermost) for sample in samples for row in shared]
        return sum(waits) / max(len(samples), 1)

    def _wait(
        self, row: list[tuple[_Place, int, int]], counters: Mapping[int, int], innermost: int
    ) -> int:
        met: Counter[tuple[int, int]] = Counter()
        for place, size, stage in row:
            if counters.get(innermost, stage) < stage:
                continue  # the pipeline is filling: that iteration is not there yet
            address = place.at(counters, stage, innermost)
            for part in range(max(1, size // _PART)):
                byte = address + part * _PART
                met[byte // self._bank, byte // _PART % 2] += 1
        return max(met.values(), default=1) - 1

    def _samples(self, loops: set[int]) -> list[dict[int, int]]:
        """Iterations of the loops, evenly spread if there are too many of them."""
        counts = {loop: max(self._trips.get(loop, 1), 1) for loop in sorted(loops)}
        each = max(1, round(_SAMPLES ** (1 / max(len(counts), 1))))
        ranges = [range(0, count, -(-count // each)) for count in counts.values()]
        return [dict(zip(counts, point, strict=True)) for point in product(*ranges)]

    # ------------------------------------------------------------------------------ addresses

    def _place(self, access: Access | None) -> _Place | None:
        if access is None or access.offset is None or isinstance(access.root, str):
            return None
        return self._expanded(Affine(access.root, access.offset), frozenset())

    def _expanded(self, address: Affine, stops: frozenset[Value]) -> _Place | None:
        """An address in terms of arrays and loops; ``stops`` count as 0. None if it has others."""
        total, steps = address.constant, Counter[int]()
        for value, factor in address.terms:
            place = _Place(0, {}) if value in stops else self._value(value, stops)
            if place is None:
                return None
            total += factor * place.start
            for loop, step in place.steps.items():
                steps[loop] += factor * step
        return _Place(total, steps)

    def _value(self, value: Value, stops: frozenset[Value]) -> _Place | None:
        if value in self._bases:
            return _Place(self._bases[value], {})
        if value in self._sums.carried:
            return self._carried(self._sums.carried[value], self._sums.loops[value], None, stops)
        if value in self._after:
            one, loop = self._after[value]
            return self._carried(one, loop, self._trips[loop.number], stops)
        return None

    def _carried(
        self, one: Carried, loop: Loop, count: int | None, stops: frozenset[Value]
    ) -> _Place | None:
        """What a variable of a loop is in any of its iterations, or after ``count`` of them."""
        start = self._expanded(self._sums.of(one.initial), stops)
        change = self._expanded(self._sums.of(one.next), stops | {one.inside})
        if start is None or change is None or any(change.steps.values()):
            return None
        if count is not None:
            return _Place(start.start + count * change.start, start.steps)
        return _Place(start.start, {**start.steps, loop.number: change.start})
