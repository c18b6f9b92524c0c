"""Operators on whole vectors and accumulators."""

from __future__ import annotations

from typing import Any

from s2s.simulators.aie.instructions import Accumulate, Convert, Rearrange
from s2s.simulators.aie.intrinsics import widened
from s2s.simulators.aie.reading.kinds import Result, said
from s2s.simulators.aie.reading.targets import Targets
from s2s.simulators.aie.values import AccumulatorType, Constant, Value, VectorType

_RAISED = {48: ("ups", 16), 80: ("lups", 32)}
"""By bits of a sum: what makes it of vectors that are added to it, and their bits."""


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
        name, bits = _RAISED[kind.bits]
        if right.kind.bits == bits and widened(name, right.kind) == kind:
            assert isinstance(second, Value)
            raised = self.builder.value(kind)
            second = self.builder.emit(Convert(raised, name, second, Constant(0)))
            assert isinstance(first, Value)
            made = self.builder.value(kind)
            return Result(kind, self.builder.emit(Accumulate(made, op, (first, second))))
    raise self.fail(node, f"no '{op}' of {said(kind)} and {said(right.kind)}")
