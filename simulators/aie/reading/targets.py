"""What can be assigned to: variables, registers, memory, members of structures."""

from __future__ import annotations

from typing import Any

from s2s.simulators.aie.instructions import Rearrange, Store
from s2s.simulators.aie.reading.kinds import (
    INT,
    ArrayOf,
    Binding,
    Members,
    Number,
    Place,
    PointerTo,
    Registers,
    Result,
    Target,
    Variable,
    Window,
    said,
    value_type,
)
from s2s.simulators.aie.reading.pointers import Pointers, target_of
from s2s.simulators.aie.values import (
    Affine,
    Constant,
    ScalarType,
    VectorType,
)

Node = Any


class Targets(Pointers):
    """Lowers lvalues and assignments."""

    def target(self, node: Node) -> Target:
        """The variable or the memory that an expression stands for. Raises UserError."""
        name = type(node).__name__
        if name == "ID":
            found = self.scope.find(node.name)
            if isinstance(found, Variable | Place | Members):
                return found
            if isinstance(found, Result) and isinstance(found.content, Members):
                return found.content
        if name == "StructRef":
            member = self._member(node)
            if isinstance(member, Variable | Place | Members):
                return member
        if name == "UnaryOp" and node.op == "*":
            return self.pointee(node, self.rvalue(node.expr))
        if name == "ArrayRef":
            base, index = self.rvalue(node.name), self.rvalue(node.subscript)
            if isinstance(base.kind, ScalarType):
                base, index = index, base
            return self.pointee(node, self._moved(node, base, index, 1))
        if name == "Cast":
            return self.target(node.expr)
        raise self.fail(node, "this can not be assigned to")

    def pointee(self, node: Node, pointer: Result) -> Target:
        """What a pointer points to."""
        content = pointer.content
        if isinstance(content, Variable | Members):
            return content
        if isinstance(content, Registers):
            return self._register(node, content)
        return Place(self._address(node, pointer), target_of(pointer.kind))

    def _register(self, node: Node, array: Registers) -> Variable:
        if not 0 <= array.first < len(array.variables):
            raise self.fail(node, "an index outside its array of registers")
        return array.variables[array.first]

    def _arrayref(self, node: Node) -> Result:
        base = self.rvalue(node.name)
        if isinstance(base.content, Registers) and isinstance(target_of(base.kind), ArrayOf):
            return self._row(node, base.content)
        if isinstance(base.kind, VectorType):
            return self._lane(node, base, base.kind)
        return self.loaded(self.target(node))

    def _lane(self, node: Node, vector: Result, kind: VectorType) -> Result:
        """``v[i]``: one of a vector's elements."""
        whole, index = self.solid(node, vector), self.operand(node.subscript)
        if isinstance(index, Constant) and not 0 <= index.value < kind.lanes:
            raise self.fail(node, f"a '{kind}' has no lane {index.value}")
        made = self.builder.value(kind.element)
        inputs = (whole, index)
        return Result(kind.element, self.builder.emit(Rearrange(made, "ext_elem", inputs)))

    def set_lane(self, node: Node, variable: Variable, value: Result) -> Result:
        """``v[i] = value`` for a vector in a register."""
        kind, subscript = variable.kind, node.lvalue.subscript
        assert isinstance(kind, VectorType)
        value = self.converted(node, value, kind.element)
        whole = self.builder.solid(self.builder.read(variable))
        inputs = (whole, self.operand(subscript), self.solid(node, value))
        made = self.builder.emit(Rearrange(self.builder.value(kind), "upd_elem", inputs))
        self.builder.write(variable, made)
        return value

    def vector_variable(self, node: Node) -> Variable | None:
        """The vector of which an expression is an element."""
        is_lane = type(node).__name__ == "ArrayRef" and type(node.name).__name__ == "ID"
        found = self.scope.find(node.name.name) if is_lane else None
        is_vector = isinstance(found, Variable) and isinstance(found.kind, VectorType)
        return found if isinstance(found, Variable) and is_vector else None

    def _row(self, node: Node, array: Registers) -> Result:
        """One row of an array of registers with more than one dimension."""
        inner = array.kind.element
        assert isinstance(inner, ArrayOf)
        length = len(array.variables) // (array.kind.count or 1)
        first = self.constant(node.subscript) * length + array.first
        return Result(inner, Registers(inner, array.variables[first : first + length]))

    def store(self, node: Node, target: Target, value: Result) -> None:
        """Assign; the value is converted to the target's kind."""
        if isinstance(target, Members):
            self._copied_members(node, target, value)
            return
        value = self.converted(node, value, target.kind)
        if isinstance(target, Variable):
            if isinstance(value.content, Variable | Registers | Members) or value.content is None:
                raise self.fail(node, "the address of a register can only be passed on")
            self.builder.write(target, value.content)
            return
        stored = self.solid(node, value)
        pointer, displacement = self.builder.pointer(target.address)
        kind, place = value_type(target.kind), target.address
        through, alone, around = place.through, place.alone, place.around
        store = Store(pointer, stored, kind, displacement, through, alone, around)
        self.builder.emit(store)

    def _structref(self, node: Node) -> Result:
        """A member; of a window ``ptr``: the place that it has come to."""
        if not (node.field.name == "ptr" and self._is_window(node.name)):
            return self.bound(self._member(node))
        window = self.rvalue(node.name)
        assert isinstance(window.kind, Window)
        return Result(PointerTo(window.kind.element), window.content)

    def _is_window(self, node: Node) -> bool:
        found = self.scope.find(node.name) if type(node).__name__ == "ID" else None
        return isinstance(getattr(found, "kind", None), Window)

    def _member(self, node: Node) -> Binding:
        """What ``s.m`` or ``p->m`` stands for."""
        owner = self.rvalue(node.name)
        if isinstance(owner.kind, ScalarType) and owner.kind.is_complex:
            return self._part(node, owner, owner.kind)
        if not isinstance(owner.content, Members):
            text = "a structure that is no variable of the kernel's is not understood"
            raise self.fail(node, text)
        found = owner.content.names.get(node.field.name)
        if found is None:
            raise self.fail(node, f"'{owner.content.kind}' has no member '{node.field.name}'")
        return found

    def _part(self, node: Node, owner: Result, kind: ScalarType) -> Binding:
        """``c.real`` and ``c.imag``: in memory a place, of a register a number."""
        name = node.field.name
        if name not in ("real", "imag"):
            raise self.fail(node, f"'{kind}' has no member '{name}'")
        if type(node.name).__name__ != "FuncCall":
            target = self.target(node.name)
            if isinstance(target, Place):
                at = Affine((), kind.bits // 16 if name == "imag" else 0)
                return Place(target.address.moved(at), kind.part)
        content = self.solid(node, owner)
        return Result(kind.part, self.builder.scalar(name, kind.part, content))

    def complex_variable(self, node: Node) -> Variable | None:
        """The variable of whose complex number an expression is a part."""
        is_part = type(node).__name__ == "StructRef" and type(node.name).__name__ == "ID"
        found = self.scope.find(node.name.name) if is_part else None
        is_complex = isinstance(getattr(found, "kind", None), ScalarType) and found.kind.is_complex  # type: ignore[union-attr]
        return found if isinstance(found, Variable) and is_complex else None

    def set_part(self, node: Node, variable: Variable, name: str, value: Result) -> Result:
        """``c.real = value``: the other part stays. Raises UserError for another name."""
        kind = variable.kind
        assert isinstance(kind, ScalarType)
        if name not in ("real", "imag"):
            raise self.fail(node, f"'{kind}' has no member '{name}'")
        part = self.solid(node, self.converted(node, value, kind.part))
        whole = self.builder.solid(self.builder.read(variable))
        both = [
            part if one == name else self.builder.scalar(one, kind.part, whole)
            for one in ("real", "imag")
        ]
        self.builder.write(variable, self.builder.scalar("complex", kind, *both))
        return Result(kind.part, part)

    def bound(self, found: Binding) -> Result:
        """The value of what a name stands for."""
        if isinstance(found, Number):
            return Result(INT, found.value)
        if isinstance(found, Result):
            return found
        if isinstance(found, Registers):
            return Result(found.kind, found)
        return self.loaded(found)

    def _copied_members(self, node: Node, target: Members, value: Result) -> None:
        """Assigns a structure, member by member."""
        source = value.content
        if not isinstance(source, Members) or source.kind != target.kind:
            raise self.fail(node, f"a value of type {said(value.kind)} in {said(target.kind)}")
        held = [(name, self.bound(member)) for name, member in source.names.items()]
        for name, one in held:
            place = target.names[name]
            if isinstance(place, Registers) and isinstance(one.content, Registers):
                pairs = zip(place.variables, one.content.variables, strict=True)
                for ours, theirs in pairs:
                    self.store(node, ours, self.loaded(theirs))
            elif isinstance(place, Variable | Members) or (
                isinstance(place, Place) and not isinstance(place.kind, ArrayOf)
            ):
                self.store(node, place, one)
            else:
                raise self.fail(node, f"the array '{name}' of a structure is not copied")

    def _address_of(self, node: Node) -> Result:
        if type(node).__name__ == "ID":
            found = self.scope.find(node.name)
            if isinstance(found, Registers):
                return Result(PointerTo(found.kind.element), found)
        target = self.target(node)
        if isinstance(target, Variable | Members):
            return Result(PointerTo(target.kind), target)
        return Result(PointerTo(target.kind), target.address)
