"""Operands moved to registers of their own, where they could not be had otherwise."""

from __future__ import annotations

from collections.abc import Iterable
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


def with_copy(body: Body, one: Operation, number: int, machine: Machine) -> Body:
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


def _all_registers(body: Body) -> Iterable[Register]:
    for one in body.operations:
        if one.result is not None:
            yield one.result
        for part, _ in one.reads():
            yield part.register
    yield from body.live_in
    yield from body.live_out
    yield from body.through
