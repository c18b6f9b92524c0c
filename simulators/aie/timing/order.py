"""Who is alive when, in the order of a body's text: one iteration is a circle of places.

Operation n reads at place 2 n and writes behind that. A life is a set of places, kept as the bits
of a number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from s2s.simulators.aie.timing.operation import Body, File, Operand, Operation, Register
from s2s.simulators.aie.timing.physical import Place


class Order:
    """Writers, reads (operation, stage, distance) and lives of the registers of a body."""

    """Who is alive when, in the order of the text: the iteration is a circle."""

    def __init__(self, body: Body) -> None:
        self._body = body
        self.length = 2 * len(body.operations) + 2
        self._everywhere = (1 << self.length) - 1
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
        """Whether a value of the iteration before is read after what waits for its successor."""
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

    def life(self, register: Register) -> int:
        """The places at which a register is alive, as bits."""
        if register in self._always:
            return self._everywhere
        start, end = self._ranges[register]
        count = max(end - start, 1)
        if count >= self.length:
            return self._everywhere
        bits = ((1 << count) - 1) << (start % self.length)
        return (bits | bits >> self.length) & self._everywhere

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
