"""Virtual registers that have to share one wide register of the machine.

An operand of 512 bits put together by two loads wants both in one x register, the first low. An
accumulation works in place. Registers tied together so are a bundle: it is placed as a whole. Two
of its registers may lie on top of each other if one is dead before the other is written; where that
or the positions do not work out, the operand is copied (``tied``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from s2s.simulators.aie.timing.copies import Clash, with_copies
from s2s.simulators.aie.timing.machine import Machine
from s2s.simulators.aie.timing.operation import (
    Body,
    Edge,
    File,
    Operand,
    Operation,
    Parts,
    Register,
    Role,
)
from s2s.simulators.aie.timing.order import Order
from s2s.simulators.aie.timing.physical import Demand, Physical, Place
from s2s.source.diagnostics import InternalError
from s2s.source.records import dataclass

_ROUNDS = 16  # of copies: a copy is tied to nothing else, so that few need another one


@dataclass(eq=False)
class Bundle:
    """Registers at offsets in one frame.

    ``demands`` are operands and registers (offset, parts, role); ``busy`` are the places in the
    order of the text at which an offset is taken, as bits (``Order.life``).
    """

    file: File
    members: dict[Register, int]
    demands: set[Demand]
    busy: dict[int, int]

    def parts(self, register: Register) -> range:
        """The offsets that a register covers."""
        at = self.members[register]
        return range(at, at + register.parts)

    def low(self) -> int:
        """The first offset of the frame."""
        return min(at for at, _, _ in self.demands)

    def places(self, physical: Physical) -> tuple[Place, ...]:
        """The ways to lay the frame into the register file, from the first offset on."""
        low = self.low()
        spans = frozenset((at - low, count, role) for at, count, role in self.demands)
        return physical.frames(self.file, spans)

    def overlaps(self, other: Bundle, by: int) -> bool:
        """Whether two registers would lie on each other, both alive, with ``other`` moved."""
        return any(self.busy.get(at + by, 0) & life for at, life in other.busy.items())

    def take(self, other: Bundle, by: int) -> None:
        """Takes in the registers of another one, moved by some offsets."""
        self.members |= {register: at + by for register, at in other.members.items()}
        self.demands |= {(at + by, count, role) for at, count, role in other.demands}
        for at, life in other.busy.items():
            self.busy[at + by] = self.busy.get(at + by, 0) | life


@dataclass(frozen=True)
class Tied:
    """A body whose operands can all be had, and the bundles of its registers."""

    body: Body
    bundles: tuple[Bundle, ...]
    copies: int
    order: Order

    def anti_dependences(self, parts: Mapping[Register, Place] | None = None) -> Iterator[Edge]:
        """What keeps a value in its register until all have read it, also over the back edge.

        Without renaming a value must be read before the next iteration's is written. With ``parts``
        (those of the file that each register has) this holds for all that share a part.
        """
        order = self.order
        for where in self._shared() if parts is None else _by_file(parts):
            for early, late, iterations in order.successions(where):
                writer = order.writers[late]
                for number, stage, distance in order.reads[early]:
                    yield Edge(
                        number, writer.number, stage + 1 - writer.latency, iterations - distance
                    )
                if not order.reads[early] and early is not late:
                    ahead = order.writers[early].latency + 1 - writer.latency
                    yield Edge(order.writers[early].number, writer.number, ahead, iterations)

    def _shared(self) -> Iterator[dict[Register, Place]]:
        """Which parts of its frame each register of a bundle has."""
        for bundle in self.bundles:
            yield {register: tuple(bundle.parts(register)) for register in bundle.members}


def _by_file(parts: Mapping[Register, Place]) -> Iterator[dict[Register, Place]]:
    for file in (File.VECTOR, File.ACCUMULATOR):
        yield {register: place for register, place in parts.items() if register.file is file}


def tie_registers(body: Body, machine: Machine) -> Tied:
    """The body with copies where an operand could not be had otherwise, and its bundles."""
    physical = Physical(machine)
    copies = 0
    for _ in range(_ROUNDS):
        tying = _Tying(body, physical)
        clashes = tying.clashes()
        if not clashes:
            return Tied(body, tuple(tying.bundles()), copies, tying.order)
        body = with_copies(body, clashes, machine)
        copies += len(clashes)
    raise InternalError("operands that no registers have, copied or not")


class _Tying:
    def __init__(self, body: Body, physical: Physical) -> None:
        self._body = body
        self._physical = physical
        self.order = Order(body)
        self._bundle: dict[Register, Bundle] = {}

    def bundles(self) -> Iterator[Bundle]:
        seen: set[int] = set()
        for bundle in self._bundle.values():
            if id(bundle) not in seen:
                seen.add(id(bundle))
                yield bundle

    def clashes(self) -> list[Clash]:
        """Ties all operands; those that cannot be, which are left as they are."""
        for register in (*self._body.live_in, *self._body.through):
            self._of(register)
        found: list[Clash] = []
        for one in self._body.operations:
            if one.result is not None:
                self._of(one.result)
            for number, operand in enumerate(one.operands):
                if self.order.comes_too_late(one, operand) or not self._tie(one, operand):
                    found.append((one.number, number))
        return found

    def _of(self, register: Register) -> Bundle | None:
        if register.file is File.SCALAR:
            return None
        if register not in self._bundle:
            whole = {(0, register.parts, Role.ANY)}
            busy = dict.fromkeys(range(register.parts), self.order.life(register))
            self._bundle[register] = Bundle(register.file, {register: 0}, whole, busy)
        return self._bundle[register]

    def _tie(self, one: Operation, operand: Operand) -> bool:
        wanted = list(_frame(operand.parts))
        if not wanted or wanted[0][0].file is File.SCALAR:
            return True
        if operand.role is Role.SUM and operand.stage and one.result is not None:
            wanted.append((one.result, 0))
        elif operand.role is Role.ANY and len({register for register, _ in wanted}) == 1:
            return True
        demand = (0, len(operand.parts), operand.role)
        if self._is_tied(wanted, demand):
            return True
        return self._merge(wanted, demand)

    def _is_tied(self, wanted: list[tuple[Register, int]], demand: Demand) -> bool:
        first, at = wanted[0]
        bundle = self._of(first)
        assert bundle is not None
        base = bundle.members[first] - at
        return (base + demand[0], demand[1], demand[2]) in bundle.demands and all(
            bundle.members.get(register) == base + offset for register, offset in wanted
        )

    def _merge(self, wanted: list[tuple[Register, int]], demand: Demand) -> bool:
        """Brings registers to these offsets of one frame, that of the largest bundle, if it can."""
        bases: dict[int, tuple[Bundle, int]] = {}
        for register, offset in wanted:
            bundle = self._of(register)
            assert bundle is not None
            base = bundle.members[register] - offset
            if bases.setdefault(id(bundle), (bundle, base))[1] != base:
                return False
        largest, base = max(bases.values(), key=lambda part: len(part[0].members))
        at, count, role = demand
        merged = _Merged(largest, (at + base, count, role))
        for part, its_base in bases.values():
            if part is not largest and not merged.add(part, base - its_base):
                return False
        if not merged.has_place(self._physical):
            return False
        for part in merged.done():
            self._bundle |= dict.fromkeys(part.members, largest)
        return True


class _Merged:
    """Bundles on their way into the largest one, which stays as it is until they are known to fit.

    The others are given with the offsets by which they are moved.
    """

    def __init__(self, largest: Bundle, demand: Demand) -> None:
        self._largest = largest
        self._demands = {demand}
        self._parts: list[tuple[Bundle, int]] = []

    def add(self, part: Bundle, by: int) -> bool:
        """One more; False if registers would lie on each other, both alive."""
        others = [(self._largest, 0), *self._parts]
        if any(other.overlaps(part, by - moved) for other, moved in others):
            return False
        self._parts.append((part, by))
        self._demands |= {(at + by, count, role) for at, count, role in part.demands}
        return True

    def has_place(self, physical: Physical) -> bool:
        """Whether there is a register for every operand and member."""
        if self._demands <= self._largest.demands:
            return True
        every = Bundle(self._largest.file, {}, self._demands | self._largest.demands, {})
        return bool(every.places(physical))

    def done(self) -> Iterator[Bundle]:
        """Moves all into the largest; those that are gone."""
        self._largest.demands |= self._demands
        for part, by in self._parts:
            self._largest.take(part, by)
            yield part


def _frame(parts: Parts) -> Iterator[tuple[Register, int]]:
    """The registers of an operand, each with the offset of its first part."""
    seen: set[tuple[Register, int]] = set()
    for position, part in enumerate(parts):
        if part is not None and (part.register, position - part.index) not in seen:
            seen.add((part.register, position - part.index))
            yield part.register, position - part.index
