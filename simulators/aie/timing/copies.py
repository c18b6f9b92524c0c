"""Operands moved to registers of their own, where they could not be had otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from s2s.simulators.aie.timing.machine import Machine
from s2s.simulators.aie.timing.operation import (
    Body,
    Operand,
    Operation,
    Part,
    Register,
    renumbered,
)

Clash = tuple[int, int]
"""The number of an operation, and that of its operand."""


def with_copies(body: Body, clashes: Iterable[Clash], machine: Machine) -> Body:
    """The body with these operands moved to registers of their own in front of the operations."""
    copying = _Copying(body, machine)
    for number, operand in clashes:
        copying.copy(number, operand)
    return copying.done()


class _Copying:
    def __init__(self, body: Body, machine: Machine) -> None:
        self._body = body
        self._machine = machine
        self._free = 1 + max(register.number for register in _all_registers(body))
        self._changed: dict[int, Operation] = {}
        self._moves: dict[int, list[Operation]] = {}
        self._front: list[Operation] = []

    def copy(self, number: int, at: int) -> None:
        """Copies an operand; what is of the iteration before before that is replaced."""
        one = self._changed.get(number, self._body.operations[number])
        moves: list[Operation] = []
        front: list[Operation] = []
        copied: dict[_Key, Register] = {}
        used = _used(one.operands[at])
        parts: list[Part | None] = []
        for position, part in enumerate(one.operands[at].parts):
            if part is None:
                parts.append(None)
                continue
            key = (part.register, part.distance, position - part.index)
            some = used[key]
            if key not in copied:
                copied[key] = self._register(part.register, len(some))
                move = self._move(part, copied[key], some, one.line)
                (front if part.distance else moves).append(move)
            parts.append(Part(copied[key], part.index - some.start))
        operands = list(one.operands)
        operands[at] = replace(operands[at], parts=tuple(parts))
        self._changed[number] = replace(one, operands=tuple(operands))
        self._moves.setdefault(number, []).extend(moves)
        self._front[:0] = front

    def done(self) -> Body:
        operations = list(self._front)
        for one in self._body.operations:
            operations += self._moves.get(one.number, ())
            operations.append(self._changed.get(one.number, one))
        return renumbered(replace(self._body, operations=tuple(operations)))

    def _register(self, like: Register, parts: int) -> Register:
        self._free += 1
        return Register(self._free - 1, like.file, parts, like.name)

    def _move(self, part: Part, to: Register, some: range, line: int) -> Operation:
        source: Sequence[Part] = [replace(part, index=index) for index in some]
        slots, latency = self._machine.slots("move"), self._machine.latency("move")
        return Operation(-1, "move", slots, latency, to, (Operand(tuple(source)),), line=line)


_Key = tuple[Register, int, int]
"""A register, of how many iterations before, and where in an operand its first part would lie."""


def _used(operand: Operand) -> dict[_Key, range]:
    """The parts of each register that an operand has; of its only register all.

    What an operand is put together from can lie in one register only if each brings but its own.
    """
    indices: dict[_Key, list[int]] = {}
    for position, part in enumerate(operand.parts):
        if part is not None:
            key = (part.register, part.distance, position - part.index)
            indices.setdefault(key, []).append(part.index)
    if len(indices) == 1:
        return {key: range(key[0].parts) for key in indices}
    return {key: range(min(own), max(own) + 1) for key, own in indices.items()}


def _all_registers(body: Body) -> Iterable[Register]:
    for one in body.operations:
        if one.result is not None:
            yield one.result
        for part, _ in one.reads():
            yield part.register
    yield from body.live_in
    yield from body.live_out
    yield from body.through
