"""Products of whole vectors, lane by lane, to the multiplications that they take.

Lanes of 16 bits are multiplied sixteen at once, with 32 bits on a side eight; bytes are made 16
bits before. Sums of more lanes are put together of those of each multiplication.
"""

from __future__ import annotations

from typing import Any

from s2s.simulators.aie.instructions import (
    Concatenate,
    Extract,
    Fill,
    Multiply,
    Rearrange,
    Selection,
    Shape,
)
from s2s.simulators.aie.reading.intrinsic_calls import IntrinsicCalls
from s2s.simulators.aie.reading.kinds import Result
from s2s.simulators.aie.values import (
    AccumulatorType,
    Constant,
    Numbers,
    Type,
    Value,
    VectorType,
)

_SIXTEEN = 0xFEDCBA98_76543210
_PAIRS = sum(p << 8 * p for p in range(8))  # the words of 16 lanes of 16 bits, pair by pair


def multiply_lanes(
    self: IntrinsicCalls, node: Any, word: str, sums: Value | None, left: Value, right: Value
) -> Result:
    """``left * right``, added to sums if there are any. Raises UserError."""
    x, z = (_wide_bytes(self, one) for one in (left, right))
    if _kind(x).bits < _kind(z).bits:
        x, z = z, x
    lanes, bits = _kind(x).lanes, (_kind(x).bits, _kind(z).bits)
    each = 16 if bits == (16, 16) else 8
    fits = _kind(z).lanes == lanes and lanes % each == 0 and lanes <= 16
    if not fits or not all(_is_integer(one) for one in (x, z)):
        raise self.fail(node, f"'aie::{word}' of these operands is not simulated")
    kind = AccumulatorType(lanes, 80 if bits == (32, 32) else 48)
    if sums is not None:
        if not isinstance(sums.type, AccumulatorType) or sums.type.lanes != lanes:
            raise self.fail(node, f"'aie::{word}' adds to a '{kind}', not '{sums.type}'")
        kind = sums.type
    made = [
        _multiplied(self, word, kind, each, [_piece(self, one, each, k) for one in (sums, x, z)])
        for k in range(lanes // each)
    ]
    return Result(kind, made[0] if len(made) == 1 else _joined(self, kind, made))


def _multiplied(
    self: IntrinsicCalls, word: str, kind: AccumulatorType, each: int, pieces: list[Value | None]
) -> Value:
    sums, x, z = pieces
    assert x is not None and z is not None
    short = each == 16
    picks = Selection(_PAIRS, 0, 0x0100) if short else Selection(_SIXTEEN & 0xFFFFFFFF)
    others = Selection(_SIXTEEN if short else _SIXTEEN & 0xFFFFFFFF)
    shape = Shape(each, 1, _kind(x).bits, _kind(z).bits)
    x, z = _in(self, x, 512), _in(self, z, 256)
    result = AccumulatorType(each, kind.bits)
    zero, name = Constant(0), f"aie::{word}"
    return _made(
        self, result,
        lambda value: Multiply(value, name, shape, sums, False, x, zero, picks, z, zero, others),
    )  # fmt: skip


def _piece(self: IntrinsicCalls, whole: Value | None, each: int, index: int) -> Value | None:
    """So many lanes of a register."""
    if whole is None:
        return None
    kind = whole.type
    assert isinstance(kind, VectorType | AccumulatorType)
    if kind.lanes == each:
        return whole
    part: Type = kind.of(each) if isinstance(kind, VectorType) else AccumulatorType(each, kind.bits)
    return _made(self, part, lambda value: Extract(value, whole, index))


def _joined(self: IntrinsicCalls, kind: AccumulatorType, pieces: list[Value]) -> Value:
    return _made(self, kind, lambda value: Concatenate(value, tuple(pieces)))


def _wide_bytes(self: IntrinsicCalls, vector: Value) -> Value:
    """Bytes as 16 bits; other lanes as they are."""
    kind = vector.type
    if not isinstance(kind, VectorType) or kind.bits != 8 or not _is_integer(vector):
        return vector
    wide = VectorType(kind.lanes, 16)
    return _made(self, wide, lambda value: Rearrange(value, "unpack", (vector,)))


def _in(self: IntrinsicCalls, vector: Value, width: int) -> Value:
    """A register of so many bits whose low part is the vector."""
    kind = _kind(vector)
    while kind.width < width:
        low, part = vector, kind
        nothing = _made(self, part, lambda value: Fill(value, defined=False))
        kind = kind.of(2 * kind.lanes)
        both = (low, nothing)
        vector = _made(self, kind, lambda value, b=both: Concatenate(value, b))
    return vector


def _kind(value: Value) -> VectorType:
    assert isinstance(value.type, VectorType)
    return value.type


def _is_integer(value: Value) -> bool:
    return _kind(value).numbers is Numbers.INTEGER and _kind(value).bits <= 32


def _made(self: IntrinsicCalls, kind: Type, make: Any) -> Value:
    found = self.made(kind, make).content
    assert isinstance(found, Value)
    return found
