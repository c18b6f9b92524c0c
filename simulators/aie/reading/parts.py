"""Intrinsics on registers and their parts to instructions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from s2s.simulators.aie import intrinsics
from s2s.simulators.aie.instructions import (
    Concatenate,
    Extract,
    Fill,
    Rearrange,
    Update,
)
from s2s.simulators.aie.reading.intrinsic_calls import IntrinsicCalls
from s2s.simulators.aie.reading.kinds import Result
from s2s.simulators.aie.values import (
    AccumulatorType,
    Constant,
    Type,
    Value,
    VectorType,
)

Node = Any
Arguments = Sequence[Any]


def fill(self: IntrinsicCalls, node: Node, name: str, arguments: Arguments) -> Result | None:
    which, _, type_name = name.partition("_")
    kind = intrinsics.named_type(type_name)
    if not isinstance(kind, VectorType | AccumulatorType):
        return None
    self.count(node, name, arguments, 0)
    return self.made(kind, lambda value: Fill(value, defined=which == "null"))


def _part_width(name: str) -> int:
    return intrinsics.PARTS[name[-1]]


def begun(self: IntrinsicCalls, node: Node, name: str, arguments: Arguments) -> Result:
    """``xset_w(i, part)``: a register of which only one part is defined."""
    self.count(node, name, arguments, 2)
    part = self.vector(arguments[1])
    if not isinstance(part.type, VectorType) or part.type.width != _part_width(name):
        raise self.fail(node, f"'{name}' puts in {_part_width(name)} bits, not a '{part.type}'")
    kind = _resized(part.type, intrinsics.PARTS[name[0]])
    index = _index(self, arguments[0], kind, _part_width(name))
    nothing = self.made(kind, lambda value: Fill(value, defined=False)).content
    assert isinstance(nothing, Value)
    return self.made(kind, lambda value: Update(value, nothing, index, part))


def half(self: IntrinsicCalls, node: Node, name: str, arguments: Arguments) -> Result:
    """``upd_lo`` and its kin: halves of accumulators."""
    puts, index = name.startswith("upd"), int(name.endswith("hi"))
    self.count(node, name, arguments, 1 + puts)
    whole = self.vector(arguments[0])
    kind = whole.type
    if not isinstance(kind, AccumulatorType) or kind.width < 768:
        raise self.fail(node, f"a '{kind}' has no halves")
    half = replace(kind, lanes=kind.lanes // 2)
    if not puts:
        return self.made(half, lambda value: Extract(value, whole, index))
    part = self.vector(arguments[1])
    if part.type != half:
        raise self.fail(node, f"a half of a '{kind}' is a '{half}', not a '{part.type}'")
    return self.made(kind, lambda value: Update(value, whole, index, part))


def update(self: IntrinsicCalls, node: Node, name: str, arguments: Arguments) -> Result:
    self.count(node, name, arguments, 3)
    vector, part = self.vector(arguments[0]), self.vector(arguments[2])
    index = _index(self, arguments[1], vector.type, _part_width(name))
    if not isinstance(part.type, VectorType) or part.type.width != _part_width(name):
        raise self.fail(node, f"'{name}' puts in {_part_width(name)} bits, not a '{part.type}'")
    if isinstance(vector.type, VectorType) and part.type.element != vector.type.element:
        raise self.fail(node, f"'{name}' of a '{vector.type}' with a '{part.type}'")
    return self.made(vector.type, lambda value: Update(value, vector, index, part))


def _index(self: IntrinsicCalls, node: Node, kind: Type, width: int) -> int:
    """The number of a part. Raises UserError where it is no constant or there is no such part."""
    index = self.constant(node)
    if not isinstance(kind, VectorType):
        raise self.fail(node, f"'{kind}' has no parts that can be named")
    if not 0 <= index < kind.width // width:
        raise self.fail(node, f"a '{kind}' has no part {index} of {width} bits")
    return index


def extract(self: IntrinsicCalls, node: Node, name: str, arguments: Arguments) -> Result:
    self.count(node, name, arguments, 2)
    vector = self.vector(arguments[0])
    index = _index(self, arguments[1], vector.type, _part_width(name))
    assert isinstance(vector.type, VectorType)
    kind = _resized(vector.type, _part_width(name))
    return self.made(kind, lambda value: Extract(value, vector, index))


def _resized(kind: VectorType, width: int) -> VectorType:
    return kind.of(width // kind.bits)


def concatenate(self: IntrinsicCalls, node: Node, name: str, arguments: Arguments) -> Result:
    self.count(node, name, arguments, 2, 4)
    parts = tuple(self.vector(one) for one in arguments)
    first = parts[0].type
    if not isinstance(first, VectorType | AccumulatorType) or any(p.type != first for p in parts):
        raise self.fail(node, "'concat' joins vectors of one type")
    if isinstance(first, AccumulatorType):
        if first.width * len(parts) > 768:
            raise self.fail(node, "'concat' to more than 768 bits: no accumulator is that wide")
        whole = replace(first, lanes=first.lanes * len(parts))
        return self.made(whole, lambda value: Concatenate(value, parts))
    width = first.width * len(parts)
    if width > intrinsics.VECTOR_WIDTHS[-1]:
        raise self.fail(node, f"'concat' to {width} bits: no register is that wide")
    return self.made(_resized(first, width), lambda value: Concatenate(value, parts))


def element(self: IntrinsicCalls, node: Node, name: str, arguments: Arguments) -> Result:
    self.count(node, name, arguments, 2 if name == "ext_elem" else 3)
    vector = self.vector(arguments[0])
    index = self.operand(arguments[1])
    if not isinstance(vector.type, VectorType):
        raise self.fail(node, f"'{name}' of a '{vector.type}'")
    if isinstance(index, Constant) and not 0 <= index.value < vector.type.lanes:
        raise self.fail(node, f"a '{vector.type}' has no lane {index.value}")
    if name == "ext_elem":
        kind: Type = vector.type.element
        return self.made(kind, lambda value: Rearrange(value, name, (vector, index)))
    element = self.rvalue(arguments[2])
    scalar = self.solid(arguments[2], self.converted(node, element, vector.type.element))
    return self.made(vector.type, lambda value: Rearrange(value, name, (vector, index, scalar)))


def shift_in(self: IntrinsicCalls, node: Node, name: str, arguments: Arguments) -> Result:
    self.count(node, name, arguments, 2)
    vector, element = self.vector(arguments[0]), self.rvalue(arguments[1])
    if not isinstance(vector.type, VectorType):
        raise self.fail(node, f"'{name}' of a '{vector.type}'")
    scalar = self.solid(arguments[1], self.converted(node, element, vector.type.element))
    return self.made(vector.type, lambda value: Rearrange(value, name, (vector, scalar)))
