"""What an iteration reads of the one before, in loops of the machine's operations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from s2s.simulators.aie.timing.operation import File, Operand, Operation, Part, Parts, Register
from s2s.simulators.aie.timing.register_parts import part_at
from s2s.simulators.aie.values import Value


class Making(Protocol):
    """Makes registers and operations that are not numbered yet."""

    def register(self, file: File, parts: int, name: str = "") -> Register: ...

    def operation(
        self, kind: str, operands: Sequence[Operand] = (), result: Register | None = None
    ) -> Operation: ...


class Closing:
    """Reads of a loop's carried variables, followed to the operations that make them."""

    def __init__(
        self,
        inside: dict[Value, Parts],
        following: dict[Value, Parts],
        initial: dict[Value, Parts],
        making: Making,
    ) -> None:
        self._making = making
        self._next: dict[tuple[Register, int], Part | None] = {}
        self._initial: dict[tuple[Register, int], Part | None] = {}
        self._copies: dict[tuple[Register, int], Part] = {}
        self._front: list[Operation] = []
        for value, parts in inside.items():
            for index, part in enumerate(parts):
                if part is None:
                    continue
                key = (part.register, part.index)
                self._next[key] = part_at(following[value], index)
                self._initial[key] = part_at(initial[value], index)

    def closed(self, operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
        rest = [self._operation(one) for one in operations]
        return (*self._front, *rest)

    def parts(self, parts: Parts) -> Parts:
        return tuple(self._part(part) for part in parts)

    def _operation(self, one: Operation) -> Operation:
        operands = tuple(replace(o, parts=self.parts(o.parts)) for o in one.operands)
        return replace(one, operands=operands)

    def _part(self, part: Part | None) -> Part | None:
        if part is None or (part.register, part.index) not in self._next:
            return part
        key = (part.register, part.index)
        following = self._next[key]
        if following == part:
            return self._initial[key]
        if following is None:
            return None
        if (following.register, following.index) not in self._next:
            return replace(following, distance=following.distance + 1)
        return self._copy(key, following)

    def _copy(self, key: tuple[Register, int], following: Part) -> Part:
        """What is passed on twice is copied, so that it is never older than one iteration."""
        if key not in self._copies:
            register = self._making.register(key[0].file, 1, key[0].name)
            self._copies[key] = Part(register, 0, 1)
            source = Operand((self._part(following),))
            self._front.append(self._making.operation("move", [source], register))
        return self._copies[key]
