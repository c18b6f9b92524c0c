"""Operators on whole vectors and accumulators."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from s2s.simulators.aie.instructions import (
    Accumulate,
    Concatenate,
    Convert,
    Extract,
    Rearrange,
)
from s2s.simulators.aie.intrinsics import widened
from s2s.simulators.aie.reading.kinds import Result, said
from s2s.simulators.aie.reading.targets import Targets
from s2s.simulators.aie.values import AccumulatorType, Constant, Operand, Value, VectorType

_RAISED = {48: "ups", 80: "lups"}
"""By bits of a sum: what makes it of vectors."""


def lane_by_lane(self: Targets, node: Any, op: str, left: Result, right: Result) -> Result:
    """``+`` and ``-`` of two vectors, or of an accumulator and a vector with its lanes.

    Raises UserError for other operands.
    """
    first, second = self.solid(node, left), self.solid(node, right)
    kind = left.kind
    if isinstance(kind, VectorType) and right.kind == kind:
        assert isinstance(first, Value) and isinstance(second, Value)
        made = self.builder.value(kind)
        return Result(kind, self.builder.emit(Rearrange(made, op, (first, second))))
    if isinstance(kind, AccumulatorType) and isinstance(right.kind, VectorType):
        assert isinstance(first, Value) and isinstance(second, Value)
        third = raised(self, second, kind, Constant(0))
        if third is not None:
            second = third
            made = self.builder.value(kind)
            return Result(kind, self.builder.emit(Accumulate(made, op, (first, second))))
    raise self.fail(node, f"no '{op}' of {said(kind)} and {said(right.kind)}")


def raised(self: Targets, vector: Value, kind: AccumulatorType, shift: Operand) -> Value | None:
    """A vector as sums, 256 bits at once; None where there is no such conversion.

    Numbers of 16 bits become sums of 48 first and 32 bits then where sums of 80 are wanted.
    """
    of, emit, value = vector.type, self.builder.emit, self.builder.value
    assert isinstance(of, VectorType)
    name = _RAISED[kind.bits]
    if of.bits == 16 and kind.bits == 80 and not (kind.is_complex or of.element.is_complex):
        short = raised(self, vector, AccumulatorType(of.lanes, 48), Constant(0))
        if short is None:
            return None
        words = value(VectorType(of.lanes, 32, of.signed))
        return raised(self, emit(Convert(words, "lsrs", short, Constant(0))), kind, shift)
    if of.width <= 256:
        if widened(name, of) != kind:
            return None
        return emit(Convert(value(kind), name, vector, shift))
    part = replace(kind, lanes=kind.lanes // 2)
    sums = []
    for index in range(2):
        half = emit(Extract(value(of.of(of.lanes // 2)), vector, index))
        sums.append(raised(self, half, part, shift))
    low, high = sums
    if low is None or high is None:
        return None
    return emit(Concatenate(value(kind), (low, high)))
