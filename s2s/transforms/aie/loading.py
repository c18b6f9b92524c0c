"""Registers and their loads: where operands are kept, and when each part of them is fetched."""

from __future__ import annotations

from dataclasses import field
from functools import cached_property

from s2s.scop.contraction import Access
from s2s.scop.vector_kernel import (
    ConstantVector,
    Declare,
    LoadPart,
    Operation,
    Register,
)
from s2s.source.records import dataclass
from s2s.transforms.aie.body import Body
from s2s.transforms.aie.broadcasts import Broadcast
from s2s.transforms.aie.datapath import PART_BITS, X_BITS
from s2s.transforms.aie.fusion import Fused
from s2s.transforms.aie.mapping import loops_of
from s2s.transforms.aie.ordering import Visit, blocks_of, visits, window_visits
from s2s.transforms.aie.reuse import Block
from s2s.transforms.aie.rings import Ring, Turn, turns
from s2s.transforms.aie.triplets import Vector

HELD_PARTS = 4
"""Parts of operand X that stay in registers for later; the others are free for loads."""
BROADCAST_REGISTERS = 2
"""Registers that can be operand Z."""


@dataclass
class Loading:
    """What a body has loaded; operations are collected in ``found`` and ``hoisted``."""

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

    def load_constant(self, constant: ConstantVector, to: list[Operation]) -> None:
        self.names += 1
        self.constant = Register(f"b{self.names}{self.suffix}", constant.type, constant.lanes)
        self.load_whole(self.constant, constant.name, 0, to)

    def load_whole(self, register: Register, pointer: str, place: int, to: list[Operation]) -> None:
        """All parts of a register from neighbouring places."""
        each = min(PART_BITS // register.type.bits, register.lanes)
        parts = register.lanes // each
        if parts > 1:
            to.append(Declare(register))
        to += [LoadPart(register, n, pointer, place + n * each) for n in range(parts)]

    def window_loads(self) -> dict[int, Block]:
        """Windows by the instruction before which they are loaded.

        Those that stay the same in the innermost loop, and fit, are loaded before it.
        """
        windows = [b.window for b in self.broadcasts]
        distinct = dict.fromkeys(windows)
        if len(distinct) > BROADCAST_REGISTERS or self._moves(self.body.roles.scalar):
            return dict(window_visits(windows, BROADCAST_REGISTERS))
        for window in distinct:
            self.load_window(window, self.hoisted)
        return {}

    def block_loads(self) -> dict[int, list[Visit]]:
        """Visits of blocks by instruction; what stays the same and fits is loaded before."""
        body = self.body
        if body.rings:
            return {}
        planned = visits(self.ordered, body.fusion, body.homes, HELD_PARTS)
        found: dict[int, list[Visit]] = {}
        parts = sum(v.block.parts for v in planned)
        for visit in planned:
            found.setdefault(visit.at, []).append(visit)
        places = {(visit.register, visit.slot) for visit in planned}
        if parts > HELD_PARTS or len(places) < len(planned) or self._moves(body.roles.vector):
            return found
        for visit in planned:
            self.load_block(visit, self.hoisted)
        return {}

    def ring_loads(self) -> dict[int, list[Turn]]:
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
                self.load_turn(turn, self.hoisted)
            else:
                found.setdefault(turn.at, []).append(turn)
        return found

    def load_turn(self, turn: Turn, to: list[Operation]) -> None:
        ring = turn.ring
        pointer = self.pointer_name(self.body.roles.vector, self.loads % self._pointer_count)
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

    def load_block(self, visit: Visit, to: list[Operation]) -> None:
        part = self.body.part
        slots = self.slot_parts[visit.register]
        register = self.registers.get(visit.register)
        if visit.is_fresh or register is None:
            bits = PART_BITS * slots * (2 if self._is_shared(visit.register) else 1)
            lanes = min(size for size in X_BITS if size >= bits) // self.body.datapath.x_bits
            register = self._register("x", lanes, self.body.roles.vector)
            self.registers[visit.register] = register
            to.append(Declare(register))
        for number in range(visit.block.parts):
            pointer = self.pointer_name(self.body.roles.vector, self.loads % self._pointer_count)
            self.loads += 1
            place = visit.block.start + number * part
            to.append(LoadPart(register, visit.slot * slots + number, pointer, place))

    def _is_shared(self, block: Block) -> bool:
        return self.body.fusion.slots.is_shared(block)

    @cached_property
    def slot_parts(self) -> dict[Block, int]:
        """Parts of one slot of each register."""
        found: dict[Block, int] = {}
        for block in {b for one in self.ordered for b in blocks_of(one, self.body.homes)}:
            register, _ = self.body.fusion.slots.find(block)
            found[register] = max(block.parts, found.get(register, 0))
        return found

    def load_window(self, window: Block, to: list[Operation]) -> None:
        register = self._register("z", self.body.window_size, self.body.roles.scalar)
        self.zs[window] = register
        pointer = self.pointer_name(self.body.roles.scalar, 0)
        to.append(LoadPart(register, 0, pointer, window.start))

    def _register(self, letter: str, lanes: int, access: Access) -> Register:
        self.names += 1
        type_ = self.body.types[access.array.name]
        return Register(f"{letter}{self.names}{self.suffix}", type_, lanes)

    def pointer_name(self, access: Access, number: int) -> str:
        name = f"{access.array.name}_{number}{self.suffix}"
        self.pointers[name] = access
        return name
