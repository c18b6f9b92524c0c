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
    renumber_operations,
)

Clash = tuple[int, int]
"""The number of an operation, and that of its operand."""


def with_copies(body: Body, clashes: Iterable[Clash], machine: Machine) -> Body:
    """The body with these operands moved to registers of their own before the operations."""
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
        copied: dict[_Piece, Register] = {}
        used = _used(one.operands[at])
        parts: list[Part | None] = []
        for position, part in enumerate(one.operands[at].parts):
            if part is None:
                parts.append(None)
                continue
            piece = _, some = used[position]
            if piece not in copied:
                copied[piece] = self._register(part.register, len(some))
                move = self._move(part, copied[piece], some, one.line)
                (front if part.distance else moves).append(move)
            parts.append(Part(copied[piece], part.index - some.start))
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
        return renumber_operations(replace(self._body, operations=tuple(operations)))

    def _register(self, like: Register, parts: int) -> Register:
        self._free += 1
        return Register(self._free - 1, like.file, parts, like.name)

    def _move(self, part: Part, to: Register, some: range, line: int) -> Operation:
        source: Sequence[Part] = [replace(part, index=index) for index in some]
        slots, latency = self._machine.slots("move"), self._machine.latency("move")
        return Operation(-1, "move", slots, latency, to, (Operand(tuple(source)),), line=line)


_Key = tuple[Register, int, int]
"""A register, of how many iterations before, and where in an operand its first part would lie."""
_Piece = tuple[_Key, range]
"""What one move copies: which parts of a register."""


def _used(operand: Operand) -> dict[int, _Piece]:
    """For each place of an operand what is copied for it.

    All of a register that the operand is a part of; what an operand is put together from can lie
    in one register only if each brings but its own, and if each piece is a register there.
    """
    indices: dict[_Key, list[int]] = {}
    for position, part in enumerate(operand.parts):
        if part is not None:
            key = (part.register, part.distance, position - part.index)
            indices.setdefault(key, []).append(part.index)
    found: dict[int, _Piece] = {}
    for key, own in indices.items():
        register, _, offset = key
        pieces: Iterable[range] = _aligned(range(min(own), max(own) + 1), offset)
        if len(indices) == 1 and offset <= 0 and -offset % len(operand.parts) == 0:
            pieces = [range(register.parts)]
        for piece in pieces:
            found |= {index + offset: (key, piece) for index in piece}
    return found


def _aligned(run: range, offset: int) -> Iterable[range]:
    """A run of parts in the largest pieces that begin at a multiple of their size.

    Moved by ``offset``: registers of 2, 4 and 8 parts do (``Physical``).
    """
    start = run.start
    while start < run.stop:
        size = 1
        while (start + offset) % (2 * size) == 0 and start + 2 * size <= run.stop:
            size *= 2
        yield range(start, start + size)
        start += size


def _all_registers(body: Body) -> Iterable[Register]:
    for one in body.operations:
        if one.result is not None:
            yield one.result
        for part, _ in one.reads():
            yield part.register
    yield from body.live_in
    yield from body.live_out
    yield from body.through
