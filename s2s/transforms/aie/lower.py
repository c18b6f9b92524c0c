"""Step 6: instructions with registers, pointers and data selections, as a kernel's loop nest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from s2s.scop.contraction import Access
from s2s.scop.expressions import Type
from s2s.scop.layouts import Region, Tiled
from s2s.scop.vector_kernel import (
    ConstantVector,
    Declare,
    Finish,
    KernelLoop,
    KernelNest,
    LoadPart,
    Multiply,
    Operation,
    Pointer,
    Register,
    Start,
)
from s2s.transforms.aie.body import Body
from s2s.transforms.aie.broadcasts import Broadcast, broadcasts_of
from s2s.transforms.aie.datapath import ALIGNMENT_BITS, PART_BITS, X_BITS
from s2s.transforms.aie.errors import Unmappable
from s2s.transforms.aie.fusion import Fused, wanted
from s2s.transforms.aie.mapping import Piece, loops_of
from s2s.transforms.aie.ordering import Visit, blocks_of, in_order, visits, window_visits
from s2s.transforms.aie.reuse import Block
from s2s.transforms.aie.rings import Ring, Turn, turns
from s2s.transforms.aie.selection import select_x, select_z
from s2s.transforms.aie.triplets import Vector

HELD_PARTS = 4
"""Parts of operand X that stay in registers for later; the others are free for loads."""
BROADCAST_REGISTERS = 2
"""Registers that can be operand Z."""


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
    orders = [in_order(body.fusion, body.homes, window) for window in _windows(body)]
    ordered = orders[0] if len(orders) == 1 else min(orders, key=lambda o: _loads(body, o))
    broadcasts, region = broadcasts_of(body, ordered)
    maker = _Maker(body, ordered, broadcasts, suffix)
    nest = maker.nest(region, stream_base)
    return Lowered(nest, region, ordered)


def _windows(body: Body) -> tuple[int, ...]:
    """How many outputs may be in flight at once; the paper's are all, so that rows load once."""
    if body.mapping.window:
        return (body.mapping.window,)
    return (len(body.groups),) if body.mapping.paper else WINDOWS


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
class _Maker:
    """Collects the operations of one body."""

    body: Body
    ordered: tuple[Fused, ...]
    broadcasts: list[Broadcast]
    suffix: str
    found: list[Operation] = field(default_factory=list)
    hoisted: list[Operation] = field(default_factory=list)
    registers: dict[Block, Register] = field(default_factory=dict)
    """The register that holds a block's register now."""
    rings: dict[Ring, Register] = field(default_factory=dict)
    zs: dict[Block, Register] = field(default_factory=dict)
    constant: Register | None = None
    accumulators: dict[Vector, str] = field(default_factory=dict)
    pointers: dict[str, Access] = field(default_factory=dict)
    started: set[str] = field(default_factory=set)
    loads: int = 0
    names: int = 0

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
        loads = self._block_loads()
        turned = self._ring_loads()
        refills = self._window_loads()
        last = {one.output: number for number, one in enumerate(self.ordered)}
        for number, one in enumerate(self.ordered):
            for visit in loads.get(number, ()):
                self._load_block(visit, self.found)
            for turn in turned.get(number, ()):
                self._load_turn(turn, self.found)
            if number in refills:
                self._load_window(refills[number], self.found)
            self._multiply(number, one, kept)
            if last[one.output] == number and not kept:
                self.found.append(self._finish(one.output))

    def _around(self, kept: bool) -> tuple[tuple[Operation, ...], tuple[Operation, ...]]:
        """What stands before and after reductions that stay loops."""
        outputs = list(dict.fromkeys(one.output for one in self.ordered))
        before: list[Operation] = []
        if self.body.constant is not None:
            self._load_constant(self.body.constant, before if kept else self.hoisted)
        for output in outputs:
            name = f"acc{len(self.accumulators)}{self.suffix}"
            self.accumulators[output] = name
            if kept and not self._begin(output, before):
                before.append(Start(name, None))
        return tuple(before), tuple(self._finish(o) for o in outputs) if kept else ()

    def _load_constant(self, constant: ConstantVector, to: list[Operation]) -> None:
        self.names += 1
        self.constant = Register(f"b{self.names}{self.suffix}", constant.type, constant.lanes)
        self._load_whole(self.constant, constant.name, 0, to)

    def _begin(self, output: Vector, to: list[Operation]) -> bool:
        """Starts the sum of an output with its initial elements; False if there are none."""
        name, body = self.accumulators[output], self.body
        if self.constant is not None:
            to.append(Start(name, self.constant, body.constant_shift))
            return True
        if output not in body.initials:
            return False
        access, vector = body.contraction.initial, body.initials[output]
        assert isinstance(access, Access)
        type_ = body.types[access.array.name]
        if not vector.is_scalar and not _is_run(vector):
            raise Unmappable("layout", f"the lanes of {vector} are not contiguous in memory")
        self.names += 1
        register = Register(f"b{self.names}{self.suffix}", type_, body.datapath.lanes)
        self._load_whole(register, self._pointer_name(access, 0), vector.places[0], to)
        to.append(Start(name, register))
        return True

    def _load_whole(
        self, register: Register, pointer: str, place: int, to: list[Operation]
    ) -> None:
        """All parts of a register from neighbouring places."""
        each = min(PART_BITS // register.type.bits, register.lanes)
        parts = register.lanes // each
        if parts > 1:
            to.append(Declare(register))
        to += [LoadPart(register, n, pointer, place + n * each) for n in range(parts)]

    def _window_loads(self) -> dict[int, Block]:
        """Windows by the instruction before which they are loaded.

        Those that stay the same in the innermost loop, and fit, are loaded before it.
        """
        windows = [b.window for b in self.broadcasts]
        distinct = dict.fromkeys(windows)
        if len(distinct) > BROADCAST_REGISTERS or self._moves(self.body.roles.scalar):
            return dict(window_visits(windows, BROADCAST_REGISTERS))
        for window in distinct:
            self._load_window(window, self.hoisted)
        return {}

    def _block_loads(self) -> dict[int, list[Visit]]:
        """Visits of blocks by instruction; what stays the same and fits is loaded before."""
        body = self.body
        if body.rings:
            return {}
        planned = visits(self.ordered, body.fusion, body.homes, HELD_PARTS)
        found: dict[int, list[Visit]] = {}
        parts = sum(v.block.parts for v in planned)
        for visit in planned:
            found.setdefault(visit.at, []).append(visit)
        if parts > HELD_PARTS or self._moves(body.roles.vector):
            return found
        for visit in planned:
            self._load_block(visit, self.hoisted)
        return {}

    def _ring_loads(self) -> dict[int, list[Turn]]:
        """Loads into rings by instruction; those of the first iteration are done before."""
        found: dict[int, list[Turn]] = {}
        if not self.body.rings:
            return found
        for ring in dict.fromkeys(self.body.rings.values()):
            lanes = ring.parts * ring.part
            self.rings[ring] = self._register("x", lanes, self.body.roles.vector)
            self.hoisted.append(Declare(self.rings[ring]))
        for turn in turns(self.ordered, self.body.homes, self.body.rings):
            if turn.at < 0:
                self._load_turn(turn, self.hoisted)
            else:
                found.setdefault(turn.at, []).append(turn)
        return found

    def _load_turn(self, turn: Turn, to: list[Operation]) -> None:
        ring = turn.ring
        pointer = self._pointer_name(self.body.roles.vector, self.loads % self._pointer_count)
        self.loads += 1
        place = ring.start + turn.number * ring.part
        to.append(LoadPart(self.rings[ring], turn.number % ring.parts, pointer, place))

    @property
    def _pointer_count(self) -> int:
        mapping = self.body.mapping
        return 1 if mapping.paper else max(mapping.pointers, 1)

    def _moves(self, access: Access) -> bool:
        """Whether an operand changes from one iteration of the innermost loop to the next."""
        loops = loops_of(self.body.piece)
        if not loops:
            return True
        return loops[-1][0] in access.loops

    def _load_block(self, visit: Visit, to: list[Operation]) -> None:
        part = self.body.part
        slots = self._slot_parts[visit.register]
        register = self.registers.get(visit.register)
        if visit.is_fresh or register is None:
            bits = PART_BITS * slots * (2 if self._is_shared(visit.register) else 1)
            lanes = min(size for size in X_BITS if size >= bits) // self.body.datapath.x_bits
            register = self._register("x", lanes, self.body.roles.vector)
            self.registers[visit.register] = register
            to.append(Declare(register))
        for number in range(visit.block.parts):
            pointer = self._pointer_name(self.body.roles.vector, self.loads % self._pointer_count)
            self.loads += 1
            place = visit.block.start + number * part
            to.append(LoadPart(register, visit.slot * slots + number, pointer, place))

    def _is_shared(self, block: Block) -> bool:
        return self.body.fusion.slots.is_shared(block)

    @cached_property
    def _slot_parts(self) -> dict[Block, int]:
        """Parts of one slot of each register."""
        found: dict[Block, int] = {}
        for block in {b for one in self.ordered for b in blocks_of(one, self.body.homes)}:
            register, _ = self.body.fusion.slots.find(block)
            found[register] = max(block.parts, found.get(register, 0))
        return found

    def _load_window(self, window: Block, to: list[Operation]) -> None:
        register = self._register("z", self.body.window_size, self.body.roles.scalar)
        self.zs[window] = register
        pointer = self._pointer_name(self.body.roles.scalar, 0)
        to.append(LoadPart(register, 0, pointer, window.start))

    def _register(self, letter: str, lanes: int, access: Access) -> Register:
        self.names += 1
        type_ = self.body.types[access.array.name]
        return Register(f"{letter}{self.names}{self.suffix}", type_, lanes)

    def _pointer_name(self, access: Access, number: int) -> str:
        name = f"{access.array.name}_{number}{self.suffix}"
        self.pointers[name] = access
        return name

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
                bases[term.vector] = block.start - slot * self._slot_parts[root] * body.part
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

    def _finish(self, output: Vector) -> Finish:
        if not _is_run(output):
            raise Unmappable("layout", f"the lanes of {output} are not contiguous in memory")
        pointer = self._pointer_name(self.body.contraction.output, 0)
        return Finish(self.accumulators[output], pointer, output.places[0])

    def _pointers(self, region: Region | None, base: int) -> tuple[Pointer, ...]:
        found = []
        for name, access in self.pointers.items():
            array = access.array.name
            if access is self.body.roles.scalar and region is not None:
                found.append(Pointer(name, array, base, _stream_steps(self.body, region)))
            else:
                found.append(Pointer(name, array, 0, self._steps(access)))
        return tuple(found)

    def _steps(self, access: Access) -> tuple[tuple[str, int], ...]:
        name = access.array.name
        return steps_of(access, self.body.layouts[name], self.body.types[name], self.body.piece)


def steps_of(
    access: Access, layout: Tiled, type_: Type, piece: Piece
) -> tuple[tuple[str, int], ...]:
    """How far an operand moves per iteration of each loop around a piece's body.

    Raises Unmappable where that is not even, or loads would not be aligned.
    """
    align = ALIGNMENT_BITS // type_.bits
    array, found = access.array.name, []
    for name, _, step in loops_of(piece):
        total = 0
        for dimension, subscript in enumerate(access.subscripts):
            moved = layout.move(dimension, subscript.coefficient(name) * step)
            if moved is None:
                raise Unmappable("layout", f"{array} does not move evenly with {name}")
            total += moved
        if total % align:
            raise Unmappable(
                "layout",
                f"{array} moves by {total} elements with {name}, "
                f"no multiple of {align}: loads would not be aligned",
            )
        found.append((name, total))
    return tuple(found)


def _is_run(vector: Vector) -> bool:
    """Whether lanes are neighbours in memory."""
    first = vector.places[0]
    return vector.places == tuple(range(first, first + len(vector.places)))


def _stream_steps(body: Body, region: Region | None) -> tuple[tuple[str, int], ...]:
    """How far the stream moves per iteration: its iterations lie one after the other."""
    assert region is not None
    linear = body.roles.scalar.linear
    names = [n for n, _, _ in loops_of(body.piece) if linear.coefficient(n)]
    found, stride = [], len(region.offsets)
    for name, (trips, _) in reversed(list(zip(names, region.loops, strict=True))):
        found.append((name, stride))
        stride *= trips
    return tuple(reversed(found))
