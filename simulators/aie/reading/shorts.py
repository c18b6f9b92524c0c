"""Lanes of 16 bits, and bytes that become such or come of them: ``max32`` and its kin, ``unpack``.

32 lanes are picked as the columns of 16 lanes are in a product: two lanes share a digit of the
offsets, four of them a square.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from s2s.simulators.aie.instructions import Rearrange, Selection
from s2s.simulators.aie.reading.intrinsic_calls import IntrinsicCalls
from s2s.simulators.aie.reading.kinds import Result
from s2s.simulators.aie.values import Constant, Operand, VectorType

_LANES = VectorType(32, 16)
_IN_ORDER = Selection(0x0E0C0A08_06040200, 0, 0x3210)
_WORDS = 4
"""Words after a register: its start, offsets of both halves of the lanes, the square."""


def lanewise(self: IntrinsicCalls, node: Any, name: str, arguments: Sequence[Any]) -> Result:
    """``max32(x, start, low, high, square, [y,] start, low, high, square)``, or of two registers.

    ``shuffle32`` has one register and one selection, ``select32`` the lanes that it takes from y
    before these.
    """
    alone, selects = name == "shuffle32", name == "select32"
    bits = [self.operand(arguments[0])] if selects and arguments else []
    arguments = arguments[selects:]
    self.count(node, name, arguments, *((1 + _WORDS,) if alone else (2, 1 + 2 * _WORDS, 10)))
    inputs: list[Operand] = []
    picks = []
    rest = list(arguments)
    is_plain = len(rest) == 2
    while rest:
        if len(rest) != _WORDS or not inputs:
            vector = self.vector(rest.pop(0))
            kind = vector.type
            wide = isinstance(kind, VectorType) and kind.width in (512, 1024)
            if not wide or kind.element != _LANES.element:  # type: ignore[union-attr]
                raise self.fail(node, f"'{name}' takes no '{kind}' here")
        if is_plain:
            inputs += [vector, Constant(0)]
            picks.append(_IN_ORDER)
            continue
        start, words, rest = self.operand(rest[0]), rest[1:_WORDS], rest[_WORDS:]
        if isinstance(start, Constant) and start.value % 2:
            raise self.fail(node, f"the start {start.value} in 16-bit lanes is odd")
        low, high, square = (self.constant(word) for word in words)
        inputs += [vector, start]
        picks.append(Selection(low & 0xFFFFFFFF | (high & 0xFFFFFFFF) << 32, 0, square))
    operands, selections = (*inputs, *bits), tuple(picks)
    return self.made(_LANES, lambda value: Rearrange(value, name, operands, selections))


def unpack(self: IntrinsicCalls, node: Any, name: str, arguments: Sequence[Any]) -> Result:
    """``unpack(v16int8)`` and its kin: each byte as a number of 16 bits."""
    self.count(node, name, arguments, 1)
    vector = self.vector(arguments[0])
    kind = vector.type
    if not isinstance(kind, VectorType) or kind.bits != 8 or kind.width not in (128, 256):
        raise self.fail(node, f"'{name}' takes no '{kind}' here")
    wide = VectorType(kind.lanes, 16)
    return self.made(wide, lambda value: Rearrange(value, name, (vector,)))


def pack(self: IntrinsicCalls, node: Any, element: str, arguments: Sequence[Any]) -> Result:
    """``v.pack<int8>()``: numbers of 16 bits that fit as bytes."""
    self.count(node, "pack", arguments, 1)
    vector = self.vector(arguments[0])
    kind = vector.type
    if (
        not isinstance(kind, VectorType)
        or kind not in (_LANES, _LANES.of(16))
        or element not in ("int8", "uint8")
    ):
        raise self.fail(node, f"'pack' takes no '{kind}' to '{element}' here")
    narrow = VectorType(kind.lanes, 8, element == "int8")
    return self.made(narrow, lambda value: Rearrange(value, "pack", (vector,)))
