"""A schedule that also finds registers: the least interval, with loads again if needed."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from s2s.simulators.aie.timing.bounds import Bound, bounds
from s2s.simulators.aie.timing.bundles import Tied, tie_registers
from s2s.simulators.aie.timing.dependences import dependences
from s2s.simulators.aie.timing.eviction import evictions
from s2s.simulators.aie.timing.machine import Machine
from s2s.simulators.aie.timing.modulo import Schedule, modulo_schedule, straight_schedule
from s2s.simulators.aie.timing.operation import Body, Edge
from s2s.simulators.aie.timing.physical import Physical
from s2s.simulators.aie.timing.registers import (
    Allocation,
    allocate,
    lives,
    lives_in_text,
    text_schedule,
)
from s2s.simulators.aie.timing.spills import Split, apply, splits
from s2s.source.records import dataclass

_ROUNDS = 24  # of schedules of one loop
_WIDER = 1.5  # times the lower bound: the greatest interval that is tried
_PATIENCE = 4  # rounds in a row after which not fewer values are without a register
_WORSE = 4  # times as many values without a register as before: no way to find some
_AGAIN = 2  # loads again per operation, beyond which no more are tried


class TooLong(Exception):
    """An iteration takes more cycles than the caller cares for."""


@dataclass(frozen=True)
class Fitted:
    """A body as it is scheduled.

    ``bound`` is what the interval comes from. ``reloads`` are the loads of values that had been in
    a register before, ``spills`` the stores of computed ones, ``copies`` the moves between
    registers; ``body`` has them all. ``allocation`` says where every register lies.
    """

    body: Body
    schedule: Schedule
    bound: Bound
    allocation: Allocation
    reloads: int = 0
    spills: int = 0
    copies: int = 0

    @property
    def fits(self) -> bool:
        return not self.allocation.left


@dataclass(frozen=True)
class _State:
    """A body on its way: what has been added to it so far."""

    body: Body
    reloads: int = 0
    spills: int = 0
    copies: int = 0
    evicted: int = 0

    def fitted(
        self, ties: Tied, schedule: Schedule, bound: Bound, allocation: Allocation
    ) -> Fitted:
        if schedule.interval > bound.cycles:
            bound = Bound(schedule.interval, "registers")
        copies = self.copies + ties.copies
        return Fitted(ties.body, schedule, bound, allocation, self.reloads, self.spills, copies)


def pipeline_loop(
    body: Body, machine: Machine, most_stages: int | None = None, most: float = inf
) -> Fitted | None:
    """The body of a loop with the least interval that has registers; None if there is none.

    ``most_stages`` is how many iterations there are to overlap, ``most`` the greatest interval
    that is of interest.

    Raises:
        TooLong: the interval is more than ``most`` whatever the registers.

    """
    fitting = _Fitting(machine, most)
    return fitting.pipelined(body, most_stages) or fitting.placed_first(body, most_stages)


def straight(body: Body, machine: Machine, most: float = inf) -> Fitted:
    """The body on its own, one iteration after the other.

    Raises:
        TooLong: an iteration takes more than ``most`` cycles.

    """
    fitting = _Fitting(machine, most)
    found = fitting.straight(body)
    return found if found.fits else fitting.placed_first_straight(body) or found


class _Patience:
    """How long lives are made shorter although not fewer of them are without a register."""

    def __init__(self) -> None:
        self._fewest = self._before = 1 << 30
        self._rounds = 0

    def lasts(self, allocation: Allocation) -> bool:
        """Whether it is worth to go on after one more round has ended so."""
        left = len(allocation.left)
        self._rounds = 0 if left < self._before else self._rounds + 1
        self._fewest, self._before = min(self._fewest, left), left
        return self._rounds < _PATIENCE and left <= _WORSE * self._fewest + 24


class _Fitting:
    """Two ways: to schedule and then find registers, or the other way round.

    The first gives the better schedules, the second works where registers are so few that
    operations have to wait for them.
    """

    def __init__(self, machine: Machine, most: float = inf) -> None:
        self._machine = machine
        self._limit = most
        self._physical = Physical(machine)
        self._same_pointer = bool(machine["addressing.same_pointer"])

    # ------------------------------------------------------------- schedule first, then place

    def pipelined(self, body: Body, most_stages: int | None) -> Fitted | None:
        state = _State(body)
        interval, limit = 1, 1 << 30
        for _ in range(_ROUNDS):
            ties = tie_registers(state.body, self._machine)
            edges = dependences(ties.body)
            bound = bounds(ties.body.operations, edges, self._machine)[0]
            if bound.cycles > self._limit:
                raise TooLong
            interval, limit = max(interval, bound.cycles), min(limit, _most(bound))
            if interval > min(limit, self._limit):
                return None
            edges += ties.anti_dependences()
            schedule = self._modulo(ties.body, edges, interval, most_stages)
            if schedule is None:
                interval += 1
                continue
            fitted = self._placed(state, ties, schedule, bound)
            if fitted.fits:
                return fitted
            relieved = self._relieved(state, ties, fitted.allocation, schedule)
            if relieved is None:
                interval += 1
                continue
            state = relieved
            if self._is_too_much(state):
                return None
        return None

    def straight(self, body: Body) -> Fitted:
        state, patience = _State(body), _Patience()
        while True:
            ties = tie_registers(state.body, self._machine)
            edges = [*dependences(ties.body), *ties.anti_dependences()]
            schedule = straight_schedule(
                ties.body.operations, edges, same_pointer=self._same_pointer
            )
            if schedule.interval > self._limit:
                raise TooLong
            fitted = self._placed(state, ties, schedule, Bound(schedule.length, "latencies"))
            relieved = None
            more = fitted.reloads <= _AGAIN * len(body) + 8 and patience.lasts(fitted.allocation)
            if not fitted.fits and more:
                relieved = self._relieved(state, ties, fitted.allocation, schedule)
            if relieved is None:
                return fitted
            state = relieved

    def _modulo(
        self, body: Body, edges: Sequence[Edge], interval: int, most_stages: int | None
    ) -> Schedule | None:
        schedule = modulo_schedule(
            body.operations, edges, interval, same_pointer=self._same_pointer
        )
        if schedule is None or (most_stages is not None and schedule.stages > most_stages):
            return None
        return schedule

    def _placed(self, state: _State, ties: Tied, schedule: Schedule, bound: Bound) -> Fitted:
        spans = lives(ties.body, schedule)
        allocation = allocate(ties.bundles, spans, schedule.interval, self._physical)
        return state.fitted(ties, schedule, bound, allocation)

    # ------------------------------------------------------------- place first, then schedule

    def placed_first(self, body: Body, most_stages: int | None) -> Fitted | None:
        found = self._placement(body)
        if found is None or self._is_too_much(found[0]):
            return None
        state, ties, allocation = found
        true = dependences(ties.body)
        bound = bounds(ties.body.operations, true, self._machine)[0]
        edges = [*true, *ties.anti_dependences(allocation.parts)]
        for interval in range(bound.cycles, int(min(_most(bound), self._limit)) + 1):
            schedule = self._modulo(ties.body, edges, interval, most_stages)
            if schedule is not None:
                return state.fitted(ties, schedule, bound, allocation)
        return None

    def placed_first_straight(self, body: Body) -> Fitted | None:
        found = self._placement(body)
        if found is None:
            return None
        state, ties, allocation = found
        edges = [*dependences(ties.body), *ties.anti_dependences(allocation.parts)]
        schedule = straight_schedule(ties.body.operations, edges, same_pointer=self._same_pointer)
        return state.fitted(ties, schedule, Bound(schedule.interval, "registers"), allocation)

    def _placement(self, body: Body) -> tuple[_State, Tied, Allocation] | None:
        """Registers for the order of the text."""
        state, patience = _State(body), _Patience()
        while state.reloads <= _AGAIN * len(body) + 8:
            ties = tie_registers(state.body, self._machine)
            schedule = text_schedule(ties.body)
            spans = lives_in_text(ties.body)
            allocation = allocate(ties.bundles, spans, schedule.interval, self._physical)
            if not allocation.left:
                return state, ties, allocation
            if not patience.lasts(allocation):
                return None
            relieved = self._relieved(state, ties, allocation, schedule)
            if relieved is None:
                return None
            state = relieved
        return None

    # ------------------------------------------------------------------------- shorter lives

    def _relieved(
        self, state: _State, ties: Tied, allocation: Allocation, schedule: Schedule
    ) -> _State | None:
        """The body with shorter lives, so that more of them find a place; None if it has none."""
        chosen = evictions(ties.body, ties.bundles, allocation.left, schedule, self._physical)
        chosen = chosen or _shortened(ties, allocation, schedule)
        if not chosen:
            return None
        result = apply(ties.body, chosen, self._machine)
        return _State(
            result.body,
            state.reloads + result.loads,
            state.spills + result.stores,
            state.copies + ties.copies,
            state.evicted + result.evicted,
        )

    def _is_too_much(self, state: _State) -> bool:
        """Whether a compiler gives up pipelining a loop that has become so."""
        return len(state.body) > self._machine.number(
            "loop.operations"
        ) or state.evicted > self._machine.number("loop.evictions")


def _most(bound: Bound) -> int:
    """The greatest interval that is tried."""
    return int(bound.cycles * _WIDER) + 8


def _shortened(ties: Tied, allocation: Allocation, schedule: Schedule) -> list[Split]:
    """Splits of what lives all the time and found no place, and of the longest other lives."""
    left = allocation.left
    files = {bundle.file for bundle in left}
    competing = [bundle for bundle in ties.bundles if bundle.file in files]
    found = splits(ties.body, competing, schedule)
    outside = {*ties.body.live_in, *ties.body.through}
    lasting = {id(bundle) for bundle in left if outside & set(bundle.members)}
    chosen = [split for split in found if id(split.bundle) in lasting]
    others = [split for split in found if id(split.bundle) not in lasting]
    return chosen + others[: -(-(len(left) - len(chosen)) // 2)]
