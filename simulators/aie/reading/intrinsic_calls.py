"""What the lowering of an intrinsic's call works with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s.simulators.aie import intrinsics
from s2s.simulators.aie.reading.expressions import Expressions
from s2s.simulators.aie.reading.kinds import Number, Result
from s2s.simulators.aie.values import (
    AccumulatorType,
    Constant,
    ScalarType,
    Type,
    Value,
    VectorType,
)


class IntrinsicCalls(Expressions):
    """Follows the modes of rounding and saturating, and emits what intrinsics become."""

    def __init__(self, path: str, rounding: str = "rnd_floor", saturation: bool = False) -> None:
        super().__init__(path)
        self.rounding = rounding
        self.saturation = saturation
        self.constructed = 0
        for number, name in enumerate(intrinsics.ROUNDINGS):
            self.scope.names[name] = Number(Constant(number))

    def made(self, kind: Type, make: Callable[[Value], Any]) -> Result:
        """The value of an instruction that ``make`` builds for it."""
        assert isinstance(kind, VectorType | AccumulatorType | ScalarType)
        return Result(kind, self.builder.emit(make(self.builder.value(kind))))
