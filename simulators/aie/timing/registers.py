"""Register allocation: where every bundle of registers lies, if there is room for all.

In a pipelined loop the cycles of an iteration are a circle of II places. A register is taken from
the write-back of its value to its last read (the pipeline is exposed: a load in flight holds
nothing), so a bundle is a set of arcs in each part of its frame. Bundles are placed one by one,
with a bounded search back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from s2s.simulators.aie.timing.bundles import Bundle
from s2s.simulators.aie.timing.modulo import Schedule
from s2s.simulators.aie.timing.operation import Body, File, Register
from s2s.simulators.aie.timing.physical import Physical, Place
from s2s.source.records import dataclass

_SEARCH = 2000  # placements tried before a set of bundles counts as not fitting
_NEARLY = 3  # bundles without a place, up to which it is worth to go back


@dataclass(frozen=True)
class Life:
    """Cycles in which a value holds its register; ``end`` is the first without it."""

    start: int
    end: int

    @property
    def cycles(self) -> int:
        return self.end - self.start


@dataclass(frozen=True)
class Allocation:
    """The parts of the register file for each register that was placed; the rest is left."""

    parts: dict[Register, Place]
    left: tuple[Bundle, ...]


def lives(body: Body, schedule: Schedule, *, at_once: bool = False) -> dict[Register, Life]:
    """The life of every register that holds a vector or an accumulator.

    ``at_once``: as if operands were read in the first cycle and results there in the next one.
    """
    interval = schedule.interval
    found: dict[Register, Life] = {}
    ends: dict[Register, int] = {}
    for one in body.operations:
        for part, stage in one.reads():
            late = 0 if at_once else stage
            end = schedule.times[one.number] + late + 1 + interval * part.distance
            ends[part.register] = max(ends.get(part.register, end), end)
    outside = {*body.live_in, *body.through}
    for register in outside:
        found[register] = Life(0, interval)
    behind = set(body.live_out)
    for one in body.operations:
        made = one.result
        if made is None or made in outside:
            continue
        start = schedule.times[one.number] + (1 if at_once else one.latency)
        end = max(ends.get(made, 0), start + 1)
        if made in behind:
            end = max(end, min(schedule.length + 1, start + interval))
        found[made] = Life(start, end)
    return {register: life for register, life in found.items() if register.file is not File.SCALAR}


def lives_in_text(body: Body) -> dict[Register, Life]:
    """Lives in the order of the text: operation n reads at 2 n and writes behind that."""
    schedule = text_schedule(body)
    found = {}
    for register, life in lives(body, schedule, at_once=True).items():
        found[register] = Life(life.start, max(life.end, life.start + 1))
    return found


def text_schedule(body: Body) -> Schedule:
    """The order of the text as a schedule, every second cycle an operation."""
    count = len(body.operations)
    times = tuple(range(0, 2 * count, 2))
    return Schedule(2 * count + 2, times, tuple(one.slots[0] for one in body.operations))


def allocate(
    bundles: Sequence[Bundle], spans: dict[Register, Life], interval: int, physical: Physical
) -> Allocation:
    """Places all bundles, or as many as the search manages."""
    filling = _Filling(interval, physical)
    items = [item for bundle in bundles if (item := filling.item(bundle, spans)) is not None]
    orders = (sorted(items, key=_by_room), sorted(items, key=_by_start))
    quick = min((filling.greedy(order) for order in orders), key=lambda found: len(found.left))
    if not 0 < len(quick.left) <= _NEARLY:
        return quick
    searched = (filling.search(order) for order in orders)
    return next((found for found in searched if found is not None), quick)


@dataclass(frozen=True)
class _Item:
    bundle: Bundle
    start: int
    cycles: int
    choices: tuple[tuple[Place, tuple[tuple[int, int], ...]], ...]


def _by_room(item: _Item) -> tuple[int, int, int]:
    return len(item.choices), -item.cycles, item.start


def _by_start(item: _Item) -> tuple[int, int]:
    return item.start, -item.cycles


class _Filling:
    def __init__(self, interval: int, physical: Physical) -> None:
        self._interval = interval
        self._physical = physical
        self._everywhere = (1 << interval) - 1

    def item(self, bundle: Bundle, spans: dict[Register, Life]) -> _Item | None:
        """A bundle with its ways to lie: for each, the cycles taken in each part of the file."""
        members = [(register, spans[register]) for register in bundle.members if register in spans]
        if not members:
            return None
        arcs: dict[int, int] = {}
        for register, life in members:
            mask = self._arc(life)
            for offset in bundle.parts(register):
                arcs[offset] = arcs.get(offset, 0) | mask
        low = bundle.low()
        choices = tuple(
            (place, tuple((place[offset - low], mask) for offset, mask in arcs.items()))
            for place in bundle.places(self._physical)
        )
        start = min(life.start for _, life in members)
        return _Item(bundle, start, sum(life.cycles for _, life in members), choices)

    def _arc(self, life: Life) -> int:
        if life.cycles >= self._interval:
            return self._everywhere
        mask = ((1 << life.cycles) - 1) << (life.start % self._interval)
        return (mask | mask >> self._interval) & self._everywhere

    def search(self, items: list[_Item]) -> Allocation | None:
        """Places for all, by going back where one finds none; None if that takes too long."""
        taken: dict[tuple[File, int], int] = {}
        chosen: dict[int, Place] = {}
        trail = [0]
        for _ in range(_SEARCH):
            depth = len(trail) - 1
            if depth == len(items):
                return _allocation(items, chosen)
            if self._next(items[depth], trail, taken, chosen):
                trail.append(0)
                continue
            trail.pop()
            if not trail:
                return None
            depth -= 1
            self._undo(items[depth], depth, taken, chosen)
        return None

    def _next(
        self,
        item: _Item,
        trail: list[int],
        taken: dict[tuple[File, int], int],
        chosen: dict[int, Place],
    ) -> bool:
        depth = len(trail) - 1
        for number in range(trail[-1], len(item.choices)):
            place, arcs = item.choices[number]
            file = item.bundle.file
            if all(not taken.get((file, part), 0) & mask for part, mask in arcs):
                for part, mask in arcs:
                    taken[file, part] = taken.get((file, part), 0) | mask
                chosen[depth] = place
                trail[-1] = number + 1
                return True
        return False

    def _undo(
        self,
        item: _Item,
        depth: int,
        taken: dict[tuple[File, int], int],
        chosen: dict[int, Place],
    ) -> None:
        place = chosen.pop(depth)
        _, arcs = next(choice for choice in item.choices if choice[0] is place)
        for part, mask in arcs:
            taken[item.bundle.file, part] &= ~mask

    def greedy(self, items: list[_Item]) -> Allocation:
        """Places for what fits, in the order given, without going back."""
        taken: dict[tuple[File, int], int] = {}
        chosen: dict[int, Place] = {}
        for number, item in enumerate(items):
            file = item.bundle.file
            for place, arcs in item.choices:
                if all(not taken.get((file, part), 0) & mask for part, mask in arcs):
                    for part, mask in arcs:
                        taken[file, part] = taken.get((file, part), 0) | mask
                    chosen[number] = place
                    break
        return _allocation(items, chosen)


def _allocation(items: list[_Item], chosen: dict[int, Place]) -> Allocation:
    parts = {
        register: place
        for number, frame in chosen.items()
        for register, place in _members(items[number].bundle, frame)
    }
    left = tuple(item.bundle for number, item in enumerate(items) if number not in chosen)
    return Allocation(parts, left)


def _members(bundle: Bundle, place: Place) -> Iterator[tuple[Register, Place]]:
    low = bundle.low()
    for register in bundle.members:
        yield register, tuple(place[offset - low] for offset in bundle.parts(register))
