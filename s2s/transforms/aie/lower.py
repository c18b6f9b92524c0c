"""Step 6: instructions with registers, pointers and data selections, as a kernel's loop nest."""

from __future__ import annotations

from collections.abc import Sequence

from s2s.scop.contraction import Access
from s2s.scop.layouts import Region
from s2s.scop.vector_kernel import (
    AddVector,
    Finish,
    KernelLoop,
    KernelNest,
    Multiply,
    Operation,
    Pointer,
    Receive,
    Register,
    Send,
    Start,
)
from s2s.source.records import dataclass
from s2s.transforms.aie.body import Body
from s2s.transforms.aie.broadcasts import broadcasts_of
from s2s.transforms.aie.errors import Unmappable
from s2s.transforms.aie.fusion import Fused, wanted
from s2s.transforms.aie.loading import BROADCAST_REGISTERS, HELD_PARTS, Loading
from s2s.transforms.aie.mapping import loops_of
from s2s.transforms.aie.ordering import in_order, in_turns, visits, window_visits
from s2s.transforms.aie.pointer_steps import steps_of, stream_steps
from s2s.transforms.aie.rings import turns
from s2s.transforms.aie.selection import select_x, select_z
from s2s.transforms.aie.triplets import Vector, is_run

WINDOWS = (1, 2, 4)
"""Outputs in flight that are tried where the mapping leaves their number open."""


@dataclass(frozen=True)
class Lowered:
    """A loop nest, and the region of the weights' stream that it reads, if it does."""

    nest: KernelNest
    region: Region | None
    ordered: tuple[Fused, ...]


def lower(body: Body, stream_base: int, suffix: str) -> Lowered:
    """The loop nest of a piece; its stream starts at ``stream_base`` of the packed weights."""
    orders = [_in_order(body, window) for window in _windows(body)]
    ordered = orders[0] if len(orders) == 1 else min(orders, key=lambda o: _loads(body, o))
    broadcasts, region = broadcasts_of(body, ordered)
    maker = _Maker(body, ordered, broadcasts, suffix)
    nest = maker.nest(region, stream_base)
    return Lowered(nest, region, ordered)


def _in_order(body: Body, window: int) -> tuple[Fused, ...]:
    if body.datapath.is_float:
        return in_turns(body.fusion, window)
    return in_order(body.fusion, body.homes, window)


def _windows(body: Body) -> tuple[int, ...]:
    """How many outputs may be in flight at once; the paper's are all, so that rows load once."""
    if body.mapping.window:
        return (body.mapping.window,)
    if body.mapping.paper:
        return (len(body.groups),)
    return WINDOWS[1:] if body.datapath.is_float else WINDOWS  # sums of floats wait a cycle


def _loads(body: Body, ordered: Sequence[Fused]) -> int:
    """Loads of one pass of the body if the instructions stand in this order."""
    if body.rings:
        blocks = sum(turn.at >= 0 for turn in turns(ordered, body.homes, body.rings))
    else:
        blocks = sum(v.block.parts for v in visits(ordered, body.fusion, body.homes, HELD_PARTS))
    broadcasts, _ = broadcasts_of(body, ordered)
    refills = window_visits([b.window for b in broadcasts], BROADCAST_REGISTERS)
    return blocks + sum(1 for _ in refills)


@dataclass
class _Maker(Loading):
    """Collects the operations of one body."""

    def nest(self, region: Region | None, base: int) -> KernelNest:
        piece = self.body.piece
        kept = sum(1 for _, trips, _ in piece.kept if trips > 1)
        before, after = self._around(kept > 0)
        self._instructions(kept > 0)
        loops = tuple(KernelLoop(name, trips, step) for name, trips, step in loops_of(piece))
        return KernelNest(
            loops,
            self._pointers(region, base),
            tuple(self.found),
            tuple(self.hoisted),
            before,
            after,
            kept or min(1, len(loops)),
        )

    def _instructions(self, kept: bool) -> None:
        """All instructions, each after the loads that it is the first to need."""
        loads = self.block_loads()
        turned = self.ring_loads()
        refills = self.window_loads()
        last = {one.output: number for number, one in enumerate(self.ordered)}
        for number, one in enumerate(self.ordered):
            for visit in loads.get(number, ()):
                self.load_block(visit, self.found)
            for turn in turned.get(number, ()):
                self.load_turn(turn, self.found)
            if number in refills:
                self.load_window(refills[number], self.found)
            self._multiply(number, one, kept)
            if last[one.output] == number and not kept:
                self._add_last(one.output, self.found)
                self._finish(one.output, self.found)

    def _around(self, kept: bool) -> tuple[tuple[Operation, ...], tuple[Operation, ...]]:
        """What stands before and after reductions that stay loops."""
        outputs = list(dict.fromkeys(one.output for one in self.ordered))
        before: list[Operation] = []
        if self.body.constant is not None:
            self.load_constant(self.body.constant, before if kept else self.hoisted)
        for output in outputs:
            name = f"acc{len(self.accumulators)}{self.suffix}"
            self.accumulators[output] = name
            if kept and not self._begin(output, before):
                before.append(Start(name, None))
        after: list[Operation] = []
        for output in outputs if kept else ():
            self._add_last(output, after)
            self._finish(output, after)
        return tuple(before), tuple(after)

    def _begin(self, output: Vector, to: list[Operation]) -> bool:
        """Starts the sum of an output with its initial elements; False if there are none."""
        name, body = self.accumulators[output], self.body
        if body.cascade.receives:
            to.append(Receive(name))
            return True
        if self.constant is not None:
            to.append(Start(name, self.constant, body.constant_shift))
            return True
        if output not in body.initials or self._adds_last:
            if body.contraction.floats is not None and not self._is_empty:
                to.append(Start(name, None))
                return True
            return False
        register = self._initial(output, to)
        to.append(Start(name, register))
        return True

    def _add_last(self, output: Vector, to: list[Operation]) -> None:
        if self._adds_last:
            to.append(AddVector(self.accumulators[output], self._initial(output, to)))

    def _initial(self, output: Vector, to: list[Operation]) -> Register:
        """The register with what an output's sum starts or ends with."""
        access, vector = self.body.contraction.initial, self.body.initials[output]
        assert isinstance(access, Access)
        return self._beside(access, vector, to)

    def _beside(self, access: Access, vector: Vector, to: list[Operation]) -> Register:
        """A register with elements beside an output's."""
        body = self.body
        type_ = body.types[access.array.name]
        if not vector.is_scalar and not is_run(vector):
            raise Unmappable("layout", f"the lanes of {vector} are not contiguous in memory")
        self.names += 1
        register = Register(f"b{self.names}{self.suffix}", type_, body.datapath.lanes)
        self.load_whole(register, self.pointer_name(access, 0), vector.places[0], to)
        return register

    @property
    def _adds_last(self) -> bool:
        floats = self.body.contraction.floats
        return floats is not None and floats.adds_last

    @property
    def _is_empty(self) -> bool:
        """Whether sums of floats begin with their first product."""
        floats = self.body.contraction.floats
        return floats is not None and floats.is_empty

    def _multiply(self, number: int, one: Fused, kept: bool) -> None:
        body, datapath = self.body, self.body.datapath
        bases: dict[Vector, int] = {}
        ring = body.rings.get(body.homes[one.products[0].vector])
        if ring is not None:
            register = self.rings[ring]
            bases = {term.vector: ring.start for term in one.products}
        else:
            root, _ = body.fusion.slots.find(one.home(one.products[0], body.homes))
            register = self.registers[root]
            for term in one.products:
                block = one.home(term, body.homes)
                slot = body.fusion.slots.find(block)[1]
                bases[term.vector] = block.start - slot * self.slot_parts[root] * body.part
        x = select_x(datapath, wanted(one.terms, datapath, bases), register.lanes)
        broadcast = self.broadcasts[number]
        z = select_z(datapath, broadcast.wanted, body.window_size)
        if x is None or z is None:
            which = " and ".join(str(t.vector if x is None else t.scalar) for t in one.products)
            raise Unmappable("fusion", f"the shuffle network cannot select {which} at once")
        name = self.accumulators[one.output]
        first = not kept and name not in self.started
        if first and self._begin(one.output, self.found):
            first = False
        self.started.add(name)
        zreg = self.zs[broadcast.window]
        self.found.append(Multiply(name, first, register, x[0], x[1], zreg, z[0], z[1]))

    def _finish(self, output: Vector, to: list[Operation]) -> None:
        if self.body.cascade.sends:
            to.append(Send(self.accumulators[output]))
            return
        if not is_run(output):
            raise Unmappable("layout", f"the lanes of {output} are not contiguous in memory")
        pointer = self.pointer_name(self.body.contraction.output, 0)
        factor, scale = None, self.body.contraction.scale
        if scale is not None:
            factor = self._beside(scale.factor, self.body.factors[output], to)
        to.append(Finish(self.accumulators[output], pointer, output.places[0], factor))

    def _pointers(self, region: Region | None, base: int) -> tuple[Pointer, ...]:
        found = []
        for name, access in self.pointers.items():
            array = access.array.name
            if access is self.body.roles.scalar and region is not None:
                found.append(Pointer(name, array, base, stream_steps(self.body, region)))
            else:
                found.append(Pointer(name, array, 0, self._steps(access)))
        return tuple(found)

    def _steps(self, access: Access) -> tuple[tuple[str, int], ...]:
        name = access.array.name
        return steps_of(access, self.body.layouts[name], self.body.types[name], self.body.piece)
