"""``to_vector`` of sums, to the conversions that it takes."""

from __future__ import annotations

from dataclasses import replace

from s2s.simulators.aie import intrinsics
from s2s.simulators.aie.instructions import Concatenate, Convert, Extract
from s2s.simulators.aie.reading.intrinsic_calls import IntrinsicCalls
from s2s.simulators.aie.reading.lanes import raised
from s2s.simulators.aie.values import AccumulatorType, Constant, Operand, Value, VectorType

_NARROW = {(48, 8): "bsrs", (48, 16): "srs", (48, 32): "lsrs", (80, 32): "srs", (80, 64): "lsrs"}
_MOST = 768
"""Bits of the widest register of sums."""


def narrowed(
    self: IntrinsicCalls, sums: Value, bits: int, signed: bool, shift: Operand
) -> Value | None:
    """Vectors of sums; None where there is no such conversion.

    Sums of 80 bits become 32 bits first and sums of 48 then, where fewer are wanted: so does the
    public source of the vector API.
    """
    kind, emit, value = sums.type, self.builder.emit, self.builder.value
    assert isinstance(kind, AccumulatorType)
    if kind.bits == 80 and bits < 32 and not kind.is_complex:
        whole = narrowed(self, sums, 32, True, shift)
        short = AccumulatorType(kind.lanes, 48)
        again = None if whole is None else raised(self, whole, short, Constant(0))
        return None if again is None else narrowed(self, again, bits, signed, Constant(0))
    if kind.width > _MOST:
        half = replace(kind, lanes=kind.lanes // 2)
        parts = [emit(Extract(value(half), sums, index)) for index in range(2)]
        low, high = (narrowed(self, part, bits, signed, shift) for part in parts)
        if low is None or high is None:
            return None
        assert isinstance(low.type, VectorType)
        return emit(Concatenate(value(low.type.of(kind.lanes)), (low, high)))
    name = _NARROW.get((kind.bits, bits))
    name = "ubsrs" if name == "bsrs" and not signed else name
    found = intrinsics.narrowed(name, kind) if name else None
    if name is None or found is None:
        return None
    return emit(Convert(value(found), name, sums, shift, self.rounding, self.saturation))
