"""Calls of ``float2fix`` and ``fix2float``, of numbers and of registers, to instructions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from s2s.simulators.aie.fixed_point import SHIFTS
from s2s.simulators.aie.instructions import Rearrange, Scalar
from s2s.simulators.aie.intrinsics import VECTOR_WIDTHS
from s2s.simulators.aie.reading.intrinsic_calls import IntrinsicCalls
from s2s.simulators.aie.reading.kinds import INT, Result
from s2s.simulators.aie.values import FLOAT, Constant, Operand, Value, VectorType

_SHORT, _INTEGER = VectorType(8, 16), VectorType(8, 32)
_FLOAT = VectorType(8, 32, True, FLOAT.numbers)


def convert(self: IntrinsicCalls, node: Any, name: str, arguments: Sequence[Any]) -> Result:
    """``float2fix(x, point)``; without a point there are no fractions."""
    self.count(node, name, arguments, 1, 2)
    given = self.rvalue(arguments[0])
    point: Operand = self.operand(arguments[1]) if len(arguments) == 2 else Constant(0)
    if isinstance(point, Constant) and point.value not in SHIFTS:
        raise self.fail(node, f"a point at {point.value} is not within -32 .. 31")
    to_fixed = name == "float2fix"
    if isinstance(given.kind, VectorType):
        takes, makes = ((_FLOAT,), _INTEGER) if to_fixed else ((_SHORT, _INTEGER), _FLOAT)
        vector, lanes = self.solid(node, given), given.kind.lanes
        taken = given.kind in [one.of(lanes) for one in takes] and 32 * lanes in VECTOR_WIDTHS
        if not taken or not isinstance(vector, Value):
            raise self.fail(node, f"'{name}' of a '{given.kind}' is not simulated")
        kind = makes.of(lanes)
        return self.made(kind, lambda value: Rearrange(value, name, (vector, point)))
    number = self.solid(node, self.converted(node, given, FLOAT if to_fixed else INT))
    return self.made(INT if to_fixed else FLOAT, lambda value: Scalar(value, name, (number, point)))
