"""Intrinsics on vectors of floats, 8 lanes of 32 bits, to instructions.

    fpmul(x, xs, xo, z, zs, zo), fpmul(x, z)       ->  Multiply whose value is a vector
    fpmac(acc, x, xs, xo, z, zs, zo)               ->  the same, added to acc
    fpadd(acc, x, xs, xo), fpmax, fpge, ...        ->  Rearrange, acc[i] and x[xs + xo[i]]
    fpshuffle(x, xs, xo), fpselect16(bits, ...)    ->  Rearrange

A product and its sum are rounded one after the other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from s2s.simulators.aie.instructions import Concatenate, Fill, Multiply, Rearrange, Selection, Shape
from s2s.simulators.aie.reading.intrinsic_calls import IntrinsicCalls
from s2s.simulators.aie.reading.kinds import Result
from s2s.simulators.aie.values import (
    Constant,
    Numbers,
    Operand,
    ScalarType,
    Value,
    VectorType,
)

Node = Any
Arguments = Sequence[Any]

LANES = VectorType(8, 32, True, Numbers.FLOAT)
_SHAPE = Shape(8, 1, 32, 32)
_IN_ORDER = Constant(0x76543210), Constant(0xFEDCBA98)
_PRODUCT = re.compile(r"fp(neg_)?(mul|mac|msc)$")


def multiply(self: IntrinsicCalls, node: Node, name: str, arguments: Arguments) -> Result:
    """``fpmul`` and its kin."""
    match = _PRODUCT.match(name)
    adds = match is not None and match[2] != "mul"
    self.count(node, name, arguments, 2 + adds, 5 + adds, 6 + adds)
    sums = _lanes(self, arguments[0]) if adds else None
    rest = list(arguments[adds:])
    if len(rest) == 2:
        x, z = _lanes(self, rest[0]), _lanes(self, rest[1])
        starts: list[Operand] = [Constant(0), Constant(0)]
        offsets = [_IN_ORDER[0].value, _IN_ORDER[0].value]
    else:
        x = self.vector(rest[0])
        z = _lanes(self, rest[3]) if len(rest) == 6 else x
        starts = [self.operand(rest[1]), self.operand(rest[-2])]
        offsets = [self.constant(rest[2]), self.constant(rest[-1])]
        if not isinstance(starts[1], Constant):
            raise self.not_constant(rest[-2], "the start in Z has to be a constant")
    x = _wide(self, rest[0], x)
    negated = name in ("fpneg_mul", "fpmsc")
    picks = [Selection(one & 0xFFFFFFFF) for one in offsets]
    return self.made(
        LANES,
        lambda value: Multiply(
            value, name, _SHAPE, sums, negated, x, starts[0], picks[0], z, starts[1], picks[1]
        ),
    )


def product(
    self: IntrinsicCalls, name: str, sums: Value | None, first: Operand, second: Operand
) -> Result:
    """Eight lanes by eight, each by the same one, added to sums if there are any."""
    assert isinstance(first, Value) and isinstance(second, Value)
    x, pick, start = _widened(self, first), Selection(_IN_ORDER[0].value), Constant(0)
    return self.made(
        LANES,
        lambda value: Multiply(
            value, name, _SHAPE, sums, False, x, start, pick, second, start, pick
        ),
    )


def lanewise(self: IntrinsicCalls, node: Node, name: str, arguments: Arguments) -> Result:
    """``fpadd(acc, x, start, offsets)``, ``fpmax``, ``fpge``; ``fpneg(x, ...)``, ``fpabs``."""
    alone = name in ("fpneg", "fpabs", "fpshuffle")
    self.count(node, name, arguments, 2 - alone, 4 - alone)
    first = () if alone else (_lanes(self, arguments[0]),)
    x = self.vector(arguments[1 - alone])
    if not isinstance(x.type, VectorType) or not x.type.element.is_float:
        raise self.fail(arguments[1 - alone], f"'{name}' takes no '{x.type}' here")
    start: Operand = Constant(0)
    offsets = _IN_ORDER[0].value
    if len(arguments) > 2 - alone:
        start, offsets = self.operand(arguments[-2]), self.constant(arguments[-1])
    compares = name in ("fpge", "fplt")
    kind = ScalarType(32, False) if compares else LANES
    picks = (Selection(offsets & 0xFFFFFFFF),)
    return self.made(kind, lambda value: Rearrange(value, name, (*first, x, start), picks))


def sixteen(self: IntrinsicCalls, node: Node, name: str, arguments: Arguments) -> Result:
    """``fpshuffle16(x, ...)`` and ``fpselect16(bits, x, ..., [y], ...)``: 16 lanes."""
    kind = LANES.of(16)
    rest = list(arguments)
    bits: Operand = Constant(0)
    if name == "fpselect16":
        self.count(node, name, arguments, 8, 9)
        bits = self.operand(rest.pop(0))
    else:
        self.count(node, name, arguments, 4)
    x = self.vector(rest[0])
    y = self.vector(rest[4]) if len(rest) == 8 else x
    ends = rest[5:] if len(rest) == 8 else rest[4:] or rest[1:4]
    for place, vector in ((rest[0], x), (rest[-1], y)):
        wide = isinstance(vector.type, VectorType) and vector.type.width >= 512
        if not (wide and vector.type.element.is_float):  # type: ignore[union-attr]
            raise self.fail(place, f"'{name}' takes no '{vector.type}' here")
    inputs: list[Operand] = []
    picks = []
    for vector, (start, low, high) in ((x, rest[1:4]), (y, ends)):
        inputs += [vector, self.operand(start)]
        offsets = self.constant(low) & 0xFFFFFFFF | (self.constant(high) & 0xFFFFFFFF) << 32
        picks.append(Selection(offsets))
    operands = (*inputs, bits)
    return self.made(kind, lambda value: Rearrange(value, "select16", operands, tuple(picks)))


def _lanes(self: IntrinsicCalls, node: Node) -> Value:
    found = self.vector(node)
    if found.type != LANES:
        raise self.fail(node, f"a '{LANES}' is needed here, not a '{found.type}'")
    return found


def _wide(self: IntrinsicCalls, node: Node, x: Value) -> Value:
    """X as a register of 512 bits or more; eight lanes are its low half."""
    if not isinstance(x.type, VectorType) or not x.type.element.is_float or x.type.width < 256:
        raise self.fail(node, f"a vector of floats is needed here, not a '{x.type}'")
    return x if x.type.width > 256 else _widened(self, x)


def _widened(self: IntrinsicCalls, x: Value) -> Value:
    """Eight lanes as the low half of sixteen."""
    assert isinstance(x.type, VectorType)
    nothing = self.made(x.type, lambda value: Fill(value)).content
    assert isinstance(nothing, Value)
    both = (x, nothing)
    found = self.made(x.type.of(16), lambda value: Concatenate(value, both)).content
    assert isinstance(found, Value)
    return found
