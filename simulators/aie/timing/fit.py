"""A schedule that also finds registers: the least interval, with loads again if needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from s2s.simulators.aie.timing.bounds import Bound, bounds
from s2s.simulators.aie.timing.bundles import Tied, tied
from s2s.simulators.aie.timing.dependences import dependences
from s2s.simulators.aie.timing.eviction import evictions
from s2s.simulators.aie.timing.machine import Machine
from s2s.simulators.aie.timing.modulo import Schedule, modulo_schedule, straight_schedule
from s2s.simulators.aie.timing.operation import Body, Edge
from s2s.simulators.aie.timing.physical import Physical
from s2s.simulators.aie.timing.registers import Allocation, allocate
from s2s.simulators.aie.timing.spills import Split, apply, splits

_ROUNDS = 24
_WIDER = 1.5


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
    body: Body
    reloads: int = 0
    spills: int = 0
    copies: int = 0


def pipelined(body: Body, machine: Machine, most_stages: int | None = None) -> Fitted | None:
    """The body of a loop with the least interval that has registers; None if there is none.

    ``most_stages`` is how many iterations there are to overlap.
    """
    state = _State(body)
    interval, limit = 1, 1 << 30
    for _ in range(_ROUNDS):
        ties, edges, known = _prepare(state.body, machine)
        interval = max(interval, known[0].cycles)
        limit = min(limit, int(known[0].cycles * _WIDER) + 8)
        if interval > limit:
            return None
        schedule = modulo_schedule(
            ties.body.operations,
            edges,
            interval,
            same_pointer=machine["addressing.same_pointer"],
        )
        if schedule is None or (most_stages is not None and schedule.stages > most_stages):
            interval += 1
            continue
        fitted = _allocated(state, ties, schedule, known, machine)
        if fitted.fits:
            return fitted
        state, changed = _relieved(state, ties, fitted, machine)
        if not changed:
            interval += 1
        if len(state.body) > machine["loop.operations"]:
            return None
    return None


def straight(body: Body, machine: Machine) -> Fitted:
    """The body on its own, one iteration after the other."""
    state = _State(body)
    best: Fitted | None = None
    for _ in range(_ROUNDS):
        ties, edges, known = _prepare(state.body, machine)
        schedule = straight_schedule(
            ties.body.operations, edges, same_pointer=machine["addressing.same_pointer"]
        )
        fitted = _allocated(state, ties, schedule, known, machine)
        best = fitted
        if fitted.fits:
            break
        state, changed = _relieved(state, ties, fitted, machine)
        if not changed:
            break
    assert best is not None
    return best


def _prepare(body: Body, machine: Machine) -> tuple[Tied, list[Edge], list[Bound]]:
    ties = tied(body, machine)
    true = dependences(ties.body)
    known = bounds(ties.body.operations, true, machine)
    return ties, [*true, *ties.anti_dependences()], known


def _allocated(
    state: _State, ties: Tied, schedule: Schedule, known: Sequence[Bound], machine: Machine
) -> Fitted:
    bound = known[0]
    if schedule.interval > bound.cycles:
        bound = Bound(schedule.interval, "registers")
    allocation = allocate(ties.body, ties.bundles, schedule, Physical(machine))
    return Fitted(
        ties.body,
        schedule,
        bound,
        allocation,
        state.reloads,
        state.spills,
        state.copies + ties.copies,
    )


def _relieved(state: _State, ties: Tied, fitted: Fitted, machine: Machine) -> tuple[_State, bool]:
    """The body with shorter lives, so that more of them find a place."""
    left = fitted.allocation.left
    chosen = evictions(ties.body, ties.bundles, left, fitted.schedule, Physical(machine))
    if not chosen:
        chosen = _shortened(ties, fitted)
    if not chosen:
        return state, False
    result = apply(ties.body, chosen, machine)
    loads, stores = state.reloads + result.loads, state.spills + result.stores
    return _State(result.body, loads, stores, fitted.copies), True


def _shortened(ties: Tied, fitted: Fitted) -> list[Split]:
    """Splits of what lives all the time and found no place, and of the longest other lives."""
    left = fitted.allocation.left
    files = {bundle.file for bundle in left}
    competing = [bundle for bundle in ties.bundles if bundle.file in files]
    found = splits(ties.body, competing, fitted.schedule)
    outside = {*ties.body.live_in, *ties.body.through}
    lasting = {id(bundle) for bundle in left if outside & set(bundle.members)}
    chosen = [split for split in found if id(split.bundle) in lasting]
    others = [split for split in found if id(split.bundle) not in lasting]
    return chosen + others[: -(-(len(left) - len(chosen)) // 2)]
