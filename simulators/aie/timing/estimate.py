"""The cycles of a kernel: its straight code and loops scheduled, and a walk through them.

A pipelined loop takes (trips - 1) * II + the length of one iteration, another one trips * body;
what of that overlaps with the code around it ``clock.py`` says. A branch takes its longer side.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from math import inf

from s2s.simulators.aie.instructions import Instruction, Store
from s2s.simulators.aie.program import Array, Program
from s2s.simulators.aie.timing.banks import Banks
from s2s.simulators.aie.timing.clock import Clock
from s2s.simulators.aie.timing.code_size import pipelined_bytes, straight_bytes
from s2s.simulators.aie.timing.cycles import Cycles, LoopCycles, LoopSchedule
from s2s.simulators.aie.timing.fit import Fitted, TooLong, pipeline_loop, straight
from s2s.simulators.aie.timing.liveness import find_used
from s2s.simulators.aie.timing.lowering import lower
from s2s.simulators.aie.timing.machine import Machine
from s2s.simulators.aie.timing.operation import Body, Register, renumber_operations
from s2s.simulators.aie.timing.region import (
    Either,
    Region,
    Repeated,
    Straight,
    find_loops,
    straights,
)
from s2s.simulators.aie.timing.unroll import is_of_graph, unrolled
from s2s.source import work_done
from s2s.source.records import dataclass


class UnknownTrips(Exception):
    """How often the loop of ``line`` runs is not known without the kernel's inputs."""

    def __init__(self, line: int) -> None:
        super().__init__(f"the loop of line {line} runs an unknown number of times")
        self.line = line


class NotBelow(Exception):
    """A kernel takes no fewer cycles than the caller has a use for."""


def estimate(
    program: Program,
    machine: Machine,
    trips: Mapping[int, float] | None = None,
    below: float = inf,
) -> Cycles:
    """The cycles of a call of the kernel.

    ``trips`` are the iterations per entry, by the number of the loop, of loops whose text does not
    give them. Work on a kernel ends where it becomes clear that it takes ``below`` cycles or more.

    Raises:
        UnknownTrips: neither the text nor ``trips`` has the iterations of a loop.
        NotBelow: one of its loops alone takes so many cycles.

    """
    with _uncollected():
        program = unrolled(_without_constructor(program), machine)
        regions = lower(program, machine)
        banks = Banks(program, machine, trips) if _stalls(program, machine) else None
        try:
            of_graph = is_of_graph(program, machine)
            return _Estimate(regions, machine, trips or {}, banks, below, of_graph).kernel()
        except TooLong:
            raise NotBelow from None


def _without_constructor(program: Program) -> Program:
    """What runs with each call; of the rest stay the values that it may use, such as addresses."""
    first, rest = program.body[: program.constructed], program.body[program.constructed :]
    values = (one for one in first if isinstance(one, Instruction) and not isinstance(one, Store))
    return replace(program, body=(*values, *rest), constructed=0) if first else program


def _stalls(program: Program, machine: Machine) -> bool:
    """Whether conflicts of banks are counted: always, or where the text says what lies where."""
    said = machine["banks.stalls"]
    if said == "placed":
        return any(isinstance(p, Array) and p.place is not None for p in program.parameters)
    return bool(said)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without the collector of cycles: it would walk many operations, none of which are in one."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@dataclass(frozen=True)
class _Kernel:
    """An innermost loop's body, scheduled; ``why``: the bound, or what keeps it from pipelining."""

    fitted: Fitted
    pipelined: bool
    why: str


class _Estimate:
    def __init__(
        self,
        regions: tuple[Region, ...],
        machine: Machine,
        trips: Mapping[int, float],
        banks: Banks | None,
        below: float,
        is_of_graph: bool,
    ) -> None:
        self._is_of_graph = is_of_graph
        self._regions = regions
        self._below = below
        self._banks = banks
        self._machine = machine
        self._trips = trips
        innermost = list(self._innermost_loops(regions, 1))
        work_done.begin(len(innermost))
        self._kernels = {
            region.loop.number: self._kernel(region, region.kernel.body, entries)
            for region, entries in innermost
            if region.kernel is not None
        }
        self._read = self._read_after_fitting()
        self._loops: dict[int, LoopCycles] = {}
        self._pieces: dict[int, Fitted] = {}
        self._bytes = 0
        self._fits = all(kernel.fitted.fits for kernel in self._kernels.values())

    def kernel(self) -> Cycles:
        clock = Clock(self._machine)
        self._sequence(self._regions, 1, clock)
        clock.jump()
        total = clock.time + (self._machine.number("function.loops") if self._loops else 0)
        loops = tuple(self._loops.values())
        schedules = tuple(self._schedules(self._regions))
        return Cycles(round(total), loops, self._bytes, self._machine, self._fits, schedules)

    def _schedules(self, regions: tuple[Region, ...]) -> Iterator[LoopSchedule]:
        """How the innermost loops are scheduled, in the order of the text; else what there is."""
        for region in find_loops(regions):
            kernel = self._kernels.get(region.loop.number)
            if kernel is not None:
                yield LoopSchedule(region.loop.line, kernel.fitted, kernel.pipelined)
        for piece in () if self._kernels else self._pieces.values():
            if piece.body.operations:
                yield LoopSchedule(piece.body.operations[0].line, piece, False, is_loop=False)

    # -------------------------------------------------------------------------------- loops

    def _innermost_loops(
        self, regions: tuple[Region, ...], entries: float
    ) -> Iterator[tuple[Repeated, float]]:
        """The innermost loops, each with how often it is entered."""
        for region in regions:
            if isinstance(region, Repeated):
                if region.kernel is not None:
                    yield region, entries
                else:
                    inside = entries * self._count(region)
                    yield from self._innermost_loops(region.regions, inside)
            elif isinstance(region, Either):
                yield from self._innermost_loops((*region.then, *region.otherwise), 0)

    def _kernel(self, region: Repeated, body: Body, entries: float) -> _Kernel:
        found = self._scheduled(region, body, entries)
        work_done.advance(inside=True)
        return found

    def _scheduled(self, region: Repeated, body: Body, entries: float) -> _Kernel:
        trips = self._count(region)
        why = self._obstacle(region, body, trips)
        turns = entries * trips
        most = self._below / turns if turns else inf
        if not why:
            fitted = pipeline_loop(body, self._machine, max(1, int(trips)), most)
            if fitted is not None:
                return _Kernel(fitted, True, fitted.bound.cause)
            longest = self._machine.number("loop.operations")
            why = f"its values do not fit the registers with at most {longest} operations"
        alone = straight(body, self._machine, most)
        if not alone.fits:
            why += "; no registers were found for all values, the cycles are too few"
        return _Kernel(alone, False, why)

    def _obstacle(self, region: Repeated, body: Body, trips: float) -> str:
        """Why a loop is not software-pipelined; empty if it is."""
        if not region.loop.pipelined and not self._is_of_graph:
            return "not asked for (chess_prepare_for_pipelining)"
        if not region.counted:
            return "its iterations cannot be counted"
        if trips < 2:
            return "too few iterations"
        most = self._machine.number("loop.operations")
        if len(body) > most:
            return f"{len(body)} operations, more than {most}"
        return ""

    def _count(self, region: Repeated) -> float:
        trips = region.loop.trips
        found = self._trips.get(region.loop.number) if trips is None else float(trips)
        if found is None:
            raise UnknownTrips(region.loop.line)
        return found

    def _read_after_fitting(self) -> set[Register]:
        """The registers that are still read: loops load some of them themselves."""
        bodies = [kernel.fitted.body for kernel in self._kernels.values()]
        inner = {
            id(region.kernel.body)
            for region in find_loops(self._regions)
            if region.kernel is not None
        }
        bodies += [s.body for s in straights(self._regions) if id(s.body) not in inner]
        return {register for body in bodies for register in find_used(body)}

    # -------------------------------------------------------------------------------- cycles

    def _sequence(self, regions: tuple[Region, ...], entries: float, clock: Clock) -> None:
        for region in regions:
            self._region(region, entries, clock)

    def _region(self, region: Region, entries: float, clock: Clock) -> None:
        """One run of a region that runs ``entries`` times."""
        if isinstance(region, Straight):
            self._straight(region, clock)
        elif isinstance(region, Either):
            clock.decide()
            sides = (clock.fork(), clock.fork())
            for side, taken in zip((region.then, region.otherwise), sides, strict=True):
                self._sequence(side, entries, taken)
            clock.join(sides)
        elif region.kernel is not None:
            self._innermost(region, self._count(region), entries, clock)
        else:
            self._outer(region, self._count(region), entries, clock)

    def _outer(self, region: Repeated, trips: float, entries: float, clock: Clock) -> None:
        """A loop around others: the first iteration, the second one, and as many more like it."""
        times = [clock.time]
        for first in (True, False) if trips > 1 else (True,):
            clock.hand(region.handed, first=first)
            self._sequence(region.regions, entries * trips, clock)
            if region.counted:
                clock.jump()
            else:
                clock.decide()
            times.append(clock.time)
        clock.extra += (trips - len(times) + 1) * (times[-1] - times[-2])

    def _straight(self, region: Straight, clock: Clock) -> None:
        fitted = self._pieces.get(id(region))
        if fitted is None:
            kept = tuple(
                one
                for one in region.body.operations
                if one.mnemonic != "load" or one.result is None or one.result in self._read
            )
            out = tuple(register for register in region.body.live_out if register in self._read)
            body = renumber_operations(replace(region.body, operations=kept, live_out=out))
            fitted = self._pieces[id(region)] = straight(body, self._machine)
            self._fits = self._fits and fitted.fits
            if kept:
                self._bytes += straight_bytes(fitted.schedule, self._machine)
        if fitted.body.operations:
            clock.straight(fitted.body, fitted.schedule)

    def _innermost(self, region: Repeated, trips: float, entries: float, clock: Clock) -> None:
        number = region.loop.number
        kernel = self._kernels[number]
        body, schedule = kernel.fitted.body, kernel.fitted.schedule
        before = clock.time
        if kernel.pipelined:
            clock.pipelined(body, schedule, trips, region.handed)
        else:
            clock.serial(body, schedule, trips, region.handed, counted=region.counted)
        waits = 0.0
        if number in self._loops:
            waits = self._loops[number].waits
        elif self._banks is not None:
            waits = self._banks.waits(body, schedule, number)
        clock.extra += trips * waits
        once = clock.time - before
        if number not in self._loops:
            to_bytes = pipelined_bytes if kernel.pipelined else straight_bytes
            self._bytes += to_bytes(schedule, self._machine)
        size = (pipelined_bytes if kernel.pipelined else straight_bytes)(schedule, self._machine)
        report = _report(region, kernel, size, (trips, entries, once))
        self._loops[number] = replace(report, waits=waits)


def _report(
    region: Repeated, kernel: _Kernel, size: int, counts: tuple[float, float, float]
) -> LoopCycles:
    trips, entries, once = counts
    fitted, schedule = kernel.fitted, kernel.fitted.schedule
    ahead = schedule.length - schedule.interval if kernel.pipelined else 0
    first = _first_vector(fitted) if kernel.pipelined else 0
    return LoopCycles(
        line=region.loop.line,
        entries=entries,
        trips=trips,
        pipelined=kernel.pipelined,
        interval=schedule.interval,
        why=kernel.why,
        stages=schedule.stages if kernel.pipelined else 1,
        prologue=min(first, max(ahead, 0)),
        epilogue=max(ahead - first, 0),
        operations=len(fitted.body),
        reloads=fitted.reloads,
        spills=fitted.spills,
        copies=fitted.copies,
        code_bytes=size,
        cycles=entries * once,
    )


def _first_vector(fitted: Fitted) -> int:
    """Cycles before the first vector operation of an iteration."""
    times = (
        fitted.schedule.times[one.number] for one in fitted.body.operations if one.slots == ("vec",)
    )
    return min(times, default=0)
