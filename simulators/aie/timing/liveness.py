"""Registers that straight code gets from outside and leaves for others."""

from __future__ import annotations

from dataclasses import replace

from s2s.simulators.aie.timing.dependences import meets
from s2s.simulators.aie.timing.operation import Body, Operation, Register
from s2s.simulators.aie.timing.region import Either, Region, Repeated, Straight, straights


def with_liveness(regions: tuple[Region, ...]) -> tuple[Region, ...]:
    """The regions with ``live_in``, ``live_out``, ``through`` and ``reloads`` of every body."""
    return _Liveness(regions).regions(regions, frozenset())


def find_used(body: Body) -> dict[Register, None]:
    """The registers that a body reads, in the order of their first use."""
    return {part.register: None for one in body.operations for part, _ in one.reads()}


def written(body: Body) -> dict[Register, Operation]:
    """The registers that a body writes, each with the operation that does."""
    return {one.result: one for one in body.operations if one.result is not None}


class _Liveness:
    def __init__(self, regions: tuple[Region, ...]) -> None:
        bodies = [straight.body for straight in straights(regions)]
        self._order = {id(body): number for number, body in enumerate(bodies)}
        self._writers: dict[Register, Operation] = {}
        self._written_in: dict[Register, int] = {}
        self._used_in: dict[Register, set[int]] = {}
        for number, body in enumerate(bodies):
            for register, writer in written(body).items():
                self._writers[register] = writer
                self._written_in[register] = number
            for register in find_used(body):
                self._used_in.setdefault(register, set()).add(number)

    def regions(
        self, regions: tuple[Region, ...], around: frozenset[Register]
    ) -> tuple[Region, ...]:
        """``around``: registers that a loop around all this keeps for its other parts."""
        return tuple(self._region(region, around) for region in regions)

    def _region(self, region: Region, around: frozenset[Register]) -> Region:
        if isinstance(region, Straight):
            return Straight(self._body(region.body, around))
        if isinstance(region, Repeated):
            kept = around | self._needed_in(region)
            return replace(region, regions=self.regions(region.regions, kept))
        assert isinstance(region, Either)
        return replace(
            region,
            then=self.regions(region.then, around),
            otherwise=self.regions(region.otherwise, around),
        )

    def _needed_in(self, loop: Repeated) -> frozenset[Register]:
        """Registers from before a loop that are read somewhere in it."""
        inside = [straight.body for straight in straights(loop.regions)]
        own = {register for body in inside for register in written(body)}
        return frozenset(register for body in inside for register in find_used(body)) - own

    def _body(self, body: Body, around: frozenset[Register]) -> Body:
        here = self._order[id(body)]
        own = written(body)
        live_in = tuple(register for register in find_used(body) if register not in own)
        live_out = tuple(
            register for register in own if self._used_in.get(register, set()) - {here}
        )
        later = {
            register
            for register, place in self._written_in.items()
            if place < here and any(use > here for use in self._used_in.get(register, ()))
        }
        through = sorted((later | around) - set(live_in) - set(own), key=lambda r: r.number)
        reloads = tuple(
            (register, writer)
            for register in live_in
            if (writer := self._writers.get(register)) is not None and _stays(writer, body)
        )
        return replace(
            body,
            live_in=live_in,
            live_out=live_out,
            through=tuple(through),
            reloads=reloads,
        )


def _stays(writer: Operation, body: Body) -> bool:
    """Whether what an operation loaded is still in memory, and stays there, while a body runs."""
    if writer.mnemonic != "load" or writer.access is None:
        return False
    access = writer.access
    stores = (one.access for one in body.operations if one.access and one.access.is_store)
    return not any(meets(access, store, 0) or meets(access, store, 1) for store in stores)
