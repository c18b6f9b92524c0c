"""The cycles of a kernel: its straight code and loops scheduled, and their times added up.

A pipelined loop takes (trips - 1) * II + the length of one iteration + setup; another one trips *
(body + branch), or trips * body + setup if the hardware counts its iterations; a branch the longer
side and the jump.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import inf

from s2s.simulators.aie.program import Program
from s2s.simulators.aie.timing.banks import Banks
from s2s.simulators.aie.timing.code_size import pipelined_bytes, straight_bytes
from s2s.simulators.aie.timing.cycles import Cycles, LoopCycles
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
        regions = lower(program, machine)
        banks = Banks(program, machine, trips) if machine["banks.stalls"] else None
        try:
            return _Estimate(regions, machine, trips or {}, banks, below).kernel()
        except TooLong:
            raise NotBelow from None


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
    ) -> None:
        self._regions = regions
        self._below = below
        self._banks = banks
        self._machine = machine
        self._trips = trips
        self._kernels = {
            region.loop.number: self._kernel(region, region.kernel.body, entries)
            for region, entries in self._innermost_loops(regions, 1)
            if region.kernel is not None
        }
        self._read = self._read_after_fitting()
        self._loops: list[LoopCycles] = []
        self._bytes = 0
        self._fits = all(kernel.fitted.fits for kernel in self._kernels.values())

    def kernel(self) -> Cycles:
        total = self._machine.number("function.overhead") + self._sequence(self._regions, 1)
        return Cycles(round(total), tuple(self._loops), self._bytes, self._machine, self._fits)

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
        if not region.loop.pipelined:
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

    def _sequence(self, regions: tuple[Region, ...], entries: float) -> float:
        return sum(self._region(region, entries) for region in regions)

    def _region(self, region: Region, entries: float) -> float:
        """Cycles of one run of a region that runs ``entries`` times."""
        if isinstance(region, Straight):
            return self._straight(region.body)
        if isinstance(region, Either):
            jump = self._machine.number("loop.branch") + 1
            sides = (self._sequence(side, entries) for side in (region.then, region.otherwise))
            return jump + max(sides)
        trips = self._count(region)
        if region.kernel is not None:
            return self._innermost(region, trips, entries)
        once = self._sequence(region.regions, entries * trips)
        return trips * (once + self._machine.number("loop.branch"))

    def _straight(self, body: Body) -> float:
        kept = tuple(
            one
            for one in body.operations
            if one.mnemonic != "load" or one.result is None or one.result in self._read
        )
        if not kept:
            return 0
        out = tuple(register for register in body.live_out if register in self._read)
        body = renumber_operations(replace(body, operations=kept, live_out=out))
        fitted = straight(body, self._machine)
        self._fits = self._fits and fitted.fits
        self._bytes += straight_bytes(fitted.schedule, self._machine)
        return fitted.schedule.length

    def _innermost(self, region: Repeated, trips: float, entries: float) -> float:
        kernel = self._kernels[region.loop.number]
        schedule = kernel.fitted.schedule
        if kernel.pipelined:
            once = (trips - 1) * schedule.interval + schedule.length
            size = pipelined_bytes(schedule, self._machine)
        else:
            once = trips * schedule.interval
            size = straight_bytes(schedule, self._machine)
        if region.counted:
            once += self._machine.number("loop.setup")
        else:
            once += trips * self._machine.number("loop.branch")
        waits = 0.0
        if self._banks is not None:
            waits = self._banks.waits(kernel.fitted.body, schedule, region.loop.number)
            once += trips * waits
        self._bytes += size
        report = _report(region, kernel, size, (trips, entries, once))
        self._loops.append(replace(report, waits=waits))
        return once


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
