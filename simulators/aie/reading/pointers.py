"""Conversions, and arithmetic on pointers."""

from __future__ import annotations

from typing import Any

from s2s.simulators.aie import floats
from s2s.simulators.aie.instructions import Load
from s2s.simulators.aie.reading.kinds import (
    COMPARISONS,
    INT,
    Address,
    ArrayOf,
    Kind,
    Members,
    PointerTo,
    Registers,
    Result,
    Target,
    Variable,
    Window,
    bytes_of,
    said,
    value_type,
)
from s2s.simulators.aie.reading.operands import Operands
from s2s.simulators.aie.values import (
    Constant,
    Operand,
    PointerType,
    ScalarType,
    Value,
)

Node = Any


class Pointers(Operands):
    """Lowers loads, conversions and arithmetic on addresses."""

    def loaded(self, target: Target) -> Result:
        """What lies at a place, or what a variable holds."""
        if isinstance(target, Members):
            return Result(target.kind, target)
        if isinstance(target, Variable):
            return Result(target.kind, self.builder.read(target))
        if isinstance(target.kind, ArrayOf):
            return Result(target.kind, target.address)
        if isinstance(target.kind, Window):
            return Result(target.kind, target.address)
        pointer, displacement = self.builder.pointer(target.address)
        made = self.builder.value(value_type(target.kind))
        place = target.address
        load = Load(
            made, pointer, displacement, place.through, place.alone, place.around, place.asked
        )
        loaded = self.builder.emit(load)
        content = Address(loaded) if isinstance(target.kind, PointerTo) else loaded
        return Result(target.kind, content)

    def _cast(self, node: Node) -> Result:
        kind = self.declarations.kind(node.to_type, self.scope)
        value = self.rvalue(node.expr)
        return value if kind is None else self.converted(node, value, kind)

    def converted(self, node: Node, value: Result, kind: Kind) -> Result:
        """A value in another kind, as C's assignments and casts convert. Raises UserError."""
        source = value.kind
        if source == kind:
            return value
        if isinstance(kind, PointerTo):
            if not isinstance(source, PointerTo | ArrayOf):
                raise self.fail(node, "a number is no pointer here")
            return Result(kind, value.content)
        if isinstance(kind, ScalarType) and isinstance(source, ScalarType):
            content = value.content
            if not isinstance(content, Constant | Value):
                raise self.fail(node, "a number is needed here")
            if source.is_complex or kind.is_complex:
                raise self.fail(node, f"no conversion of {said(source)} to {said(kind)}")
            return Result(kind, self._cast_scalar(content, source, kind))
        raise self.fail(node, f"a value of type {said(source)} where {said(kind)} is needed")

    def _cast_scalar(self, content: Operand, source: ScalarType, kind: ScalarType) -> Operand:
        if floats.is_needed((source, kind)):
            return self.builder.scalar("cast", kind, content)
        widens = kind.bits > source.bits and (kind.signed or not source.signed)
        if widens and isinstance(content, Value):
            return content
        return self.builder.scalar("cast", kind, content)

    def _promoted(self, node: Node, kind: Kind) -> ScalarType:
        if not isinstance(kind, ScalarType):
            raise self.fail(node, f"no arithmetic on {said(kind)}: use an intrinsic")
        if kind.is_complex:
            raise self.fail(node, f"no arithmetic on {said(kind)}")
        return INT if kind.bits < 32 else kind

    def _common(self, node: Node, left: Kind, right: Kind) -> ScalarType:
        first, second = self._promoted(node, left), self._promoted(node, right)
        floating = [kind for kind in (first, second) if kind.is_float]
        if floating:
            return max(floating, key=lambda kind: kind.bits)
        if first.bits != second.bits:
            return max(first, second, key=lambda kind: kind.bits)
        return first if not first.signed else second

    def _with_pointers(self, node: Node, op: str, left: Result, right: Result) -> Result:
        if op == "+" and not isinstance(left.kind, PointerTo | ArrayOf):
            left, right = right, left
        if op in ("+", "-") and isinstance(right.kind, ScalarType):
            return self._moved(node, left, right, 1 if op == "+" else -1)
        if op == "-" or op in COMPARISONS:
            return self._pointer_difference(node, op, left, right)
        raise self.fail(node, f"'{op}' on pointers is not understood")

    def _moved(self, node: Node, pointer: Result, count: Result, sign: int) -> Result:
        if not isinstance(pointer.kind, PointerTo | ArrayOf):
            raise self.fail(node, f"{said(pointer.kind)} has no elements")
        target = target_of(pointer.kind)
        if isinstance(pointer.content, Registers):
            index = self.solid(node, count)
            if not isinstance(index, Constant):
                text = "an index of an array of registers has to be a constant"
                raise self.not_constant(node, text)
            moved = pointer.content.first + sign * index.value
            content = Registers(pointer.content.kind, pointer.content.variables, moved)
            return Result(PointerTo(target), content)
        address = self._address(node, pointer)
        offset = self.builder.form(self.solid(node, count)).times(sign * bytes_of(target))
        const = isinstance(pointer.kind, PointerTo) and pointer.kind.const
        return Result(PointerTo(target, const), address.moved(offset))

    def _address(self, node: Node, pointer: Result) -> Address:
        content = pointer.content
        if isinstance(content, Value) and isinstance(content.type, PointerType):
            return Address(content)
        if not isinstance(content, Address):
            raise self.fail(node, "this pointer is not understood")
        return content

    def _pointer_difference(self, node: Node, op: str, left: Result, right: Result) -> Result:
        size = bytes_of(target_of(left.kind)) if op == "-" else 1
        first, second = self._address(node, left), self._address(node, right)
        if first.base == second.base:
            difference = first.offset.plus(second.offset.times(-1))
            if not difference.terms:
                values = [Constant(difference.constant // size), Constant(0)]
                operation = "+" if op == "-" else op
                return Result(INT, self.builder.scalar(operation, INT, *values))
        pointers = [self.builder.solid(first), self.builder.solid(second)]
        found = self.builder.scalar(op, INT, *pointers)
        if op == "-" and size != 1:
            found = self.builder.scalar("/", INT, found, Constant(size))
        return Result(INT, found)


def target_of(kind: Kind) -> Kind:
    assert isinstance(kind, PointerTo | ArrayOf)
    return kind.target if isinstance(kind, PointerTo) else kind.element
