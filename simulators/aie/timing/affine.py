"""Addresses and counters as sums of values that the loops do not compute.

A compiler for this machine keeps such sums in the address generators: a pointer is moved by the
access itself, and no slot is spent on the arithmetic. What is left over, as an index that comes out
of memory, stays a value of its own in the sum.
"""

from __future__ import annotations

from s2s.simulators.aie.floats import is_needed
from s2s.simulators.aie.instructions import Instruction, Offset, Scalar
from s2s.simulators.aie.program import Carried, Loop, Program, items
from s2s.simulators.aie.values import Affine, Constant, Operand, Value


class Sums:
    """The affine form of every value of a program."""

    def __init__(self, program: Program) -> None:
        self.definitions: dict[Value, Instruction] = {}
        self.carried: dict[Value, Carried] = {}
        self.loops: dict[Value, Loop] = {}
        for item in items(program.body):
            if isinstance(item, Loop):
                self.carried |= {one.inside: one for one in item.carried}
                self.loops |= {one.inside: item for one in item.carried}
            elif isinstance(item, Instruction) and item.result is not None:
                self.definitions[item.result] = item
        self._known: dict[Value, Affine] = {}

    def of(self, operand: Operand) -> Affine:
        if isinstance(operand, Constant):
            return Affine((), operand.value)
        if operand not in self._known:
            self._known[operand] = self._compute(operand)
        return self._known[operand]

    def step(self, value: Value) -> int | None:
        """What a carried value gains per iteration of its loop; None where that is no constant."""
        if value not in self.carried:
            return None
        change = self.of(self.carried[value].next).plus(Affine(((value, -1),)))
        return None if change.terms else change.constant

    def _compute(self, value: Value) -> Affine:
        alone = Affine(((value, 1),))
        match self.definitions.get(value):
            case Offset(pointer=pointer, count=count, scale=scale):
                return self.of(pointer).plus(self.of(count).times(scale))
            case Scalar(operation=operation, inputs=inputs) if not is_needed(
                (value.type, *(one.type for one in inputs))
            ):
                return self._scalar(operation, inputs) or alone
            case _:
                return alone

    def _scalar(self, operation: str, inputs: tuple[Operand, ...]) -> Affine | None:
        parts = [self.of(one) for one in inputs]
        match operation, parts:
            case "+", [left, right]:
                return left.plus(right)
            case "-", [left, right]:
                return left.plus(right.times(-1))
            case "neg", [only]:
                return only.times(-1)
            case "cast", [only]:
                return only
            case "*", [left, Affine(terms=(), constant=factor)]:
                return left.times(factor)
            case "*", [Affine(terms=(), constant=factor), right]:
                return right.times(factor)
            case "<<", [left, Affine(terms=(), constant=places)] if 0 <= places < 32:
                return left.times(1 << places)
            case _:
                return None
