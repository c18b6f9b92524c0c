"""Virtual registers that have to share one wide register of the machine.

An operand of 512 bits put together by two loads wants both in one x register, the first low. An
accumulation works in place. Registers tied together so are a bundle: it is placed as a whole. Two
of its registers may lie on top of each other if one is dead before the other is written; where that
or the positions do not work out, the operand is copied (``tied``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from s2s.simulators.aie.timing.machine import Machine
from s2s.simulators.aie.timing.operation import (
    Body,
    Edge,
    File,
    Operand,
    Operation,
    Part,
    Parts,
    Register,
    Role,
)
from s2s.simulators.aie.timing.physical import Demand, Physical, Place


@dataclass(eq=False)
class Bundle:
    """Registers at offsets in one frame; ``demands`` are operands (offset, parts, role)."""

    file: File
    members: dict[Register, int]
    demands: set[Demand] = field(default_factory=set)

    def shifted(self, by: int) -> Bundle:
        members = {register: offset + by for register, offset in self.members.items()}
        return Bundle(self.file, members, {(at + by, n, role) for at, n, role in self.demands})

    def parts(self, register: Register) -> range:
        """The offsets that a register covers."""
        at = self.members[register]
        return range(at, at + register.parts)

    def low(self) -> int:
        """The first offset of the frame."""
        return min(*self.members.values(), *(at for at, _, _ in self.demands), 1 << 30)

    def places(self, physical: Physical) -> tuple[Place, ...]:
        """The ways to lay the frame into the register file, from the first offset on."""
        low = self.low()
        spans = {(at - low, count, role) for at, count, role in self.demands}
        spans |= {(at - low, register.parts, Role.ANY) for register, at in self.members.items()}
        return physical.frames(self.file, frozenset(spans))


@dataclass(frozen=True)
class Tied:
    """A body whose operands can all be had, and the bundles of its registers."""

    body: Body
    bundles: tuple[Bundle, ...]
    copies: int

    def anti_dependences(self, parts: Mapping[Register, Place] | None = None) -> Iterator[Edge]:
        """What keeps a value in its register until all have read it, also over the back edge.

        Without renaming a value must be read before the next iteration's is written. With ``parts``
        (those of the file that each register has) this holds for all that share a part.
        """
        order = _Order(self.body)
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


def tied(body: Body, machine: Machine) -> Tied:
    """The body with copies where an operand could not be had otherwise, and its bundles."""
    physical = Physical(machine)
    copies = 0
    while True:
        tying = _Tying(body, physical)
        clash = tying.first_clash()
        if clash is None:
            return Tied(body, tuple(tying.bundles()), copies)
        body = _with_copy(body, clash[0], clash[1], machine)
        copies += 1


class _Tying:
    def __init__(self, body: Body, physical: Physical) -> None:
        self._body = body
        self._physical = physical
        self._order = _Order(body)
        self._bundle: dict[Register, Bundle] = {}

    def bundles(self) -> Iterator[Bundle]:
        seen: set[int] = set()
        for bundle in self._bundle.values():
            if id(bundle) not in seen:
                seen.add(id(bundle))
                yield bundle

    def first_clash(self) -> tuple[Operation, int] | None:
        """Ties all operands; the operation and the number of the operand that cannot be."""
        for register in (*self._body.live_in, *self._body.through):
            self._of(register)
        for one in self._body.operations:
            if one.result is not None:
                self._of(one.result)
            for number, operand in enumerate(one.operands):
                if self._order.comes_too_late(one, operand) or not self._tie(one, operand):
                    return one, number
        return None

    def _of(self, register: Register) -> Bundle | None:
        if register.file is File.SCALAR:
            return None
        if register not in self._bundle:
            self._bundle[register] = Bundle(register.file, {register: 0})
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
        moved: dict[int, tuple[Bundle, int]] = {}
        for register, offset in wanted:
            bundle = self._of(register)
            assert bundle is not None
            by = offset - bundle.members[register]
            if moved.setdefault(id(bundle), (bundle, by))[1] != by:
                return False
        parts = [bundle.shifted(by) for bundle, by in moved.values()]
        merged = max(parts, key=lambda one: len(one.members))
        known = len(merged.demands)
        merged.demands.add(demand)
        for part in parts:
            if part is merged:
                continue
            if self._collide(merged, part):
                return False
            merged.members |= part.members
            merged.demands |= part.demands
        if (len(parts) > 1 or len(merged.demands) > known) and not merged.places(self._physical):
            return False
        self._bundle |= dict.fromkeys(merged.members, merged)
        return True

    def _collide(self, one: Bundle, other: Bundle) -> bool:
        """Whether two registers would lie on each other while both are alive."""
        for mine, at in one.members.items():
            for its, start in other.members.items():
                apart = start >= at + mine.parts or at >= start + its.parts
                if not apart and self._order.both_live(mine, its):
                    return True
        return False


class _Order:
    """Who is alive when, in the order of the text: the iteration is a circle."""

    def __init__(self, body: Body) -> None:
        self._body = body
        self.length = 2 * len(body.operations) + 2
        self.writers = {o.result: o for o in body.operations if o.result is not None}
        self.reads: dict[Register, list[tuple[int, int, int]]] = {r: [] for r in self.writers}
        self._always = {*body.live_in, *body.through}
        last: dict[Register, int] = dict.fromkeys(body.live_out, self.length - 1)
        for one in body.operations:
            for part, stage in one.reads():
                register = part.register
                if register in self.writers:
                    self.reads[register].append((one.number, stage, part.distance))
                at = 2 * one.number + self.length * part.distance
                last[register] = max(last.get(register, 0), at)
        self._ranges: dict[Register, tuple[int, int]] = {}
        for register, writer in self.writers.items():
            start = 2 * writer.number + 1
            self._ranges[register] = start, max(last.get(register, start), start)

    def comes_too_late(self, one: Operation, operand: Operand) -> bool:
        """Whether a value of the iteration before is read behind what waits for its successor."""
        return any(
            part.distance > 0
            and (writer := self.writers.get(part.register)) is not None
            and part.register.file is not File.SCALAR
            and writer.number < one.number
            and self._leads_to(writer, one)
            for part in operand.reads()
        )

    def _leads_to(self, writer: Operation, reader: Operation) -> bool:
        reached = {writer.result}
        for one in self._body.operations[writer.number + 1 : reader.number + 1]:
            if any(not part.distance and part.register in reached for part, _ in one.reads()):
                if one.number == reader.number:
                    return True
                reached.add(one.result)
        return False

    def both_live(self, one: Register, other: Register) -> bool:
        if one in self._always or other in self._always:
            return True
        start, end = self._ranges[one]
        other_start, other_end = self._ranges[other]
        length = self.length
        if end - start >= length or other_end - other_start >= length:
            return True
        if end <= length and other_end <= length:
            return start < other_end and other_start < end
        return any(
            start + turn < other_end and other_start < end + turn
            for turn in (-2 * length, -length, 0, length, 2 * length)
        )

    def successions(
        self, where: Mapping[Register, Place]
    ) -> Iterator[tuple[Register, Register, int]]:
        """Registers that share a part, first and next one, and the iterations in between."""
        stacks: dict[int, list[Register]] = {}
        for register, place in where.items():
            if register in self.writers:
                for part in place:
                    stacks.setdefault(part, []).append(register)
        found: dict[tuple[Register, Register], None] = {}
        for stack in stacks.values():
            stack.sort(key=lambda register: self.writers[register].number)
            found |= dict.fromkeys(zip(stack, (*stack[1:], stack[0]), strict=True))
        for early, late in found:
            start, end = self._ranges[late][0], self._ranges[early][1]
            iterations = max(0, -((start - end) // self.length))
            yield early, late, 1 if early is late else iterations


def _frame(parts: Parts) -> Iterator[tuple[Register, int]]:
    """The registers of an operand, each with the offset of its first part."""
    seen: set[tuple[Register, int]] = set()
    for position, part in enumerate(parts):
        if part is not None and (part.register, position - part.index) not in seen:
            seen.add((part.register, position - part.index))
            yield part.register, position - part.index


def _with_copy(body: Body, one: Operation, number: int, machine: Machine) -> Body:
    """The operand's parts moved to registers of their own in front of the operation."""
    free = 1 + max(register.number for register in _all_registers(body))
    moves: list[Operation] = []
    front: list[Operation] = []  # what is of the iteration before is copied before it is replaced
    copied: dict[tuple[Register, int], Register] = {}
    parts: list[Part | None] = []
    for part in one.operands[number].parts:
        if part is None:
            parts.append(None)
            continue
        key = (part.register, part.distance)
        if key not in copied:
            new = Register(free, part.register.file, part.register.parts, part.register.name)
            free += 1
            copied[key] = new
            source = tuple(replace(part, index=i) for i in range(new.parts))
            (front if part.distance else moves).append(
                Operation(
                    -1,
                    "move",
                    machine.slots("move"),
                    machine.latency("move"),
                    new,
                    (Operand(source),),
                    line=one.line,
                )
            )
        parts.append(Part(copied[key], part.index))
    operands = list(one.operands)
    operands[number] = replace(operands[number], parts=tuple(parts))
    changed = replace(one, operands=tuple(operands))
    at = one.number
    return renumbered(
        replace(
            body,
            operations=(*front, *body.operations[:at], *moves, changed, *body.operations[at + 1 :]),
        )
    )


def renumbered(body: Body) -> Body:
    """The body with its operations numbered in their order."""
    numbered = tuple(
        one if one.number == number else replace(one, number=number)
        for number, one in enumerate(body.operations)
    )
    return replace(body, operations=numbered)


def _all_registers(body: Body) -> Iterable[Register]:
    for one in body.operations:
        if one.result is not None:
            yield one.result
        for part, _ in one.reads():
            yield part.register
    yield from body.live_in
    yield from body.live_out
    yield from body.through
