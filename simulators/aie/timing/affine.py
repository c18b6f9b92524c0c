"""Addresses and counters as sums of values that the loops do not compute.

A compiler for this machine keeps such sums in the address generators: a pointer is moved by the
access itself, and no slot is spent on the arithmetic. What is left over, as an index that comes out
of memory, stays a value of its own in the sum.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from s2s.simulators.aie.instructions import Instruction, Offset, Scalar
from s2s.simulators.aie.program import Carried, Loop, Program, items
from s2s.simulators.aie.values import Constant, Operand, Value


@dataclass(frozen=True, slots=True)
class Affine:
    """The sum of ``terms`` (value, factor; no factor is 0) and ``constant``."""

    terms: tuple[tuple[Value, int], ...] = ()
    constant: int = 0

    def __add__(self, other: Affine) -> Affine:
        factors = dict(self.terms)
        for value, factor in other.terms:
            factors[value] = factors.get(value, 0) + factor
        return _sum(factors, self.constant + other.constant)

    def times(self, factor: int) -> Affine:
        return _sum({v: f * factor for v, f in self.terms}, self.constant * factor)

    @property
    def values(self) -> tuple[Value, ...]:
        return tuple(value for value, _ in self.terms)


def _sum(factors: Mapping[Value, int], constant: int) -> Affine:
    terms = sorted(((v, f) for v, f in factors.items() if f), key=lambda term: term[0].number)
    return Affine(tuple(terms), constant)


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
        change = self.of(self.carried[value].next) + Affine(((value, -1),))
        return None if change.terms else change.constant

    def _compute(self, value: Value) -> Affine:
        alone = Affine(((value, 1),))
        match self.definitions.get(value):
            case Offset(pointer=pointer, count=count, scale=scale):
                return self.of(pointer) + self.of(count).times(scale)
            case Scalar(operation=operation, inputs=inputs):
                return self._scalar(operation, inputs) or alone
            case _:
                return alone

    def _scalar(self, operation: str, inputs: tuple[Operand, ...]) -> Affine | None:
        parts = [self.of(one) for one in inputs]
        match operation, parts:
            case "+", [left, right]:
                return left + right
            case "-", [left, right]:
                return left + right.times(-1)
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
