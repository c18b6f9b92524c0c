"""Declarations of the text: variables in registers, and arrays in memory."""

from __future__ import annotations

from typing import Any

from s2s.simulators.aie.program import Array
from s2s.simulators.aie.reading.calls import Intrinsics
from s2s.simulators.aie.reading.declarations import is_const
from s2s.simulators.aie.reading.jumps import (
    kind_of,
)
from s2s.simulators.aie.reading.kinds import (
    Address,
    ArrayOf,
    Binding,
    Kind,
    Members,
    Number,
    Place,
    PointerTo,
    Registers,
    Result,
    StructOf,
    Variable,
    bytes_of,
    scalar_of,
)
from s2s.simulators.aie.values import Affine, Constant, PointerType, ScalarType, VectorType

Node = Any
# The linker puts arrays where vector loads can reach them, whatever C says of their elements.
ALIGNMENT = 32


class Variables(Intrinsics):
    """Lowers declarations; ``arrays`` are those that have memory."""

    def __init__(self, path: str, rounding: str = "rnd_floor", saturation: bool = False) -> None:
        super().__init__(path, rounding, saturation)
        self.file_scope = self.scope
        self.arrays: list[Array] = []
        self.taken_apart: dict[str, Node] = {}

    def _do_decllist(self, node: Node) -> None:
        for one in node.decls:
            self._do_decl(one)

    def _do_typedef(self, node: Node) -> None:
        kind = self.declarations.kind(node, self.scope)
        if kind is not None:
            self.scope.kinds[node.name] = kind

    def _do_decl(self, node: Node) -> None:
        if kind_of(node.type) == "FuncDecl":
            return
        if kind_of(node.type) == "Enum":
            self._enumerators(node.type)
            return
        if kind_of(getattr(node.type, "type", None)) == "Enum":
            self._enumerators(node.type.type)
        if kind_of(node.type) == "Struct":
            self.declarations.structure(node.type, self.scope)
            return
        self._declare(node, self.declarations.kind(node, self.scope))

    def _declare(self, node: Node, kind: Kind | None) -> None:
        """Makes a declared name stand for a variable, registers or memory of a kind."""
        if isinstance(kind, StructOf):
            self.scope.names[node.name] = self._structure(node, kind)
            return
        if isinstance(kind, ArrayOf):
            self._declare_array(node, self._sized(node, kind))
            return
        if isinstance(kind, VectorType) and kind_of(node.init) == "InitList":
            array = ArrayOf(kind.element, kind.lanes)
            address = self._memory(node, array, (kind.lanes,), self._numbers(node, array))
            self.scope.names[node.name] = Place(address, kind)
            return
        if isinstance(kind, ScalarType) and kind_of(node.init) == "InitList":
            value: Result | None = self._of_list(node, kind)
        else:
            value = None if node.init is None else self.rvalue(node.init)
        if kind is None and value is not None:
            kind = value.kind
        if kind is None:
            raise self.fail(node, "'auto' without a value")
        if isinstance(kind, ArrayOf):
            kind = PointerTo(kind.element)
        if isinstance(kind, VectorType) and self._has_elements_in_memory(node, kind):
            place = Place(self._memory(node, kind.element, (kind.lanes,), None), kind)
            if value is not None:
                self.store(node, place, value)
            self.scope.names[node.name] = place
            return
        if value is not None and isinstance(value.kind, StructOf):
            self.scope.names[node.name] = self.copied_structure(node, node.name, value)
            return
        if value is not None and isinstance(value.content, Variable | Registers | Members):
            self.scope.names[node.name] = Result(kind, value.content)
            return
        if self.scope is self.file_scope and not is_const(node):
            self._declare_global(node, kind, value)
            return
        variable = Variable(node.name, kind, is_const(node))
        if value is not None:
            self.store(node, variable, value)
        self.scope.names[node.name] = variable

    def _has_elements_in_memory(self, node: Node, kind: VectorType) -> bool:
        """Whether a pointer to its elements is made of a local vector's address."""
        to_type = self.taken_apart.get(node.name)
        if to_type is None or self.scope is self.file_scope:
            return False
        target = self.declarations.kind(to_type, self.scope)
        return isinstance(target, PointerTo) and isinstance(target.target, ScalarType)

    def _of_list(self, node: Node, kind: ScalarType) -> Result:
        """``cint16 c = {1, 2}``, ``int n{4}``: a number in braces."""
        parts = [self.rvalue(one) for one in node.init.exprs] or [Result(kind, Constant(0, kind))]
        if not kind.is_complex:
            return parts[0]
        both = [self.solid(node, self.converted(node, one, kind.part)) for one in parts[:2]]
        both += [Constant(0)] * (2 - len(both))
        return Result(kind, self.builder.scalar("complex", kind, *both))

    def _structure(self, node: Node, kind: StructOf) -> Members:
        """A declared structure: its members are declared one by one, as ``s.m``."""
        from pycparser import c_ast

        values = self._given(node, kind)
        names: dict[str, Binding] = {}
        for name, member in kind.members:
            plain = c_ast.TypeDecl(name, ["const"] if is_const(node) else [], None, None)
            whole = c_ast.Decl(
                f"{node.name}.{name}", [], [], node.storage, [], plain, values.get(name), None,
                node.coord,
            )  # fmt: skip
            self._declare(whole, member)
            names[name] = self.scope.names.pop(whole.name)
        members = Members(kind, names)
        if node.init is not None and kind_of(node.init) != "InitList":
            self.store(node, members, self.rvalue(node.init))
        return members

    def _given(self, node: Node, kind: StructOf) -> dict[str, Node]:
        """The values of members in a list of initializers; numbers that it lacks are zero."""
        from pycparser import c_ast

        if node.init is None or kind_of(node.init) != "InitList":
            return {}
        found: dict[str, Node] = {}
        rest = [name for name, _ in kind.members]
        for one in node.init.exprs:
            if kind_of(one) == "NamedInitializer":
                name = one.name[0].name if kind_of(one.name[0]) == "ID" else ""
                rest = rest[rest.index(name) + 1 :] if name in rest else rest
                one = one.expr
            else:
                name = rest.pop(0) if rest else ""
            if name not in dict(kind.members):
                raise self.fail(node, "this initializer is not understood")
            found[name] = one
        zero = c_ast.Constant("int", "0", node.coord)
        for name, member in kind.members:
            if isinstance(member, ScalarType):
                found.setdefault(name, zero)
        return found

    def copied_structure(self, node: Node, name: str, value: Result) -> Members:
        """A structure of its own with the values of another one."""
        assert isinstance(value.kind, StructOf)
        members = self.fresh_structure(node, name, value.kind)
        self.store(node, members, value)
        return members

    def fresh_structure(self, node: Node, name: str, kind: StructOf) -> Members:
        """A structure in registers. Raises UserError for one with arrays in memory."""
        names: dict[str, Binding] = {}
        for member, inner in kind.members:
            own = f"{name}.{member}"
            if isinstance(inner, StructOf):
                names[member] = self.fresh_structure(node, own, inner)
            elif isinstance(inner, ArrayOf):
                element = innermost(inner)
                if isinstance(element, ScalarType):
                    raise self.fail(node, f"the array '{member}' of a structure is not copied")
                count = bytes_of(inner) // bytes_of(element)
                registers = tuple(Variable(f"{own}[{i}]", element) for i in range(count))
                names[member] = Registers(inner, registers)
            else:
                names[member] = Variable(own, inner)
        return Members(kind, names)

    def _enumerators(self, node: Node) -> None:
        number = -1
        for one in node.values.enumerators if node.values else ():
            number = self.constant(one.value) if one.value is not None else number + 1
            self.scope.names[one.name] = Number(Constant(number))

    def _sized(self, node: Node, kind: ArrayOf) -> ArrayOf:
        if kind.count is not None:
            return kind
        if kind_of(node.init) != "InitList":
            raise self.fail(node, f"the extent of '{node.name}' is not known")
        return ArrayOf(kind.element, len(node.init.exprs))

    def _declare_global(self, node: Node, kind: Kind, value: Result | None) -> None:
        """A variable of the file lives in memory: an array of one element."""
        initial = value.content if value is not None else None
        numbers = (initial.value,) if isinstance(initial, Constant) else None
        address = self._memory(node, kind, (), numbers)
        self.scope.names[node.name] = Place(address, kind)

    def _declare_array(self, node: Node, kind: ArrayOf) -> None:
        element = innermost(kind)
        if self.scope is not self.file_scope and not isinstance(element, ScalarType):
            self._declare_registers(node, kind, element)
            return
        numbers = self._numbers(node, kind) if node.init is not None else None
        fixed = is_const(node) or "static" in node.storage or self.scope is self.file_scope
        initial = numbers if fixed else None
        if initial is None and "static" in node.storage and self.scope is not self.file_scope:
            initial = ()
        address = self._memory(node, kind, extents_of(kind), initial)
        self.scope.names[node.name] = Place(address, kind)
        if numbers is not None and not fixed:
            for index, number in enumerate(numbers):
                place = address.moved(Affine((), index * bytes_of(element)))
                self.store(node, Place(place, element), Result(element, Constant(number)))

    def _memory(
        self, node: Node, kind: Kind, extents: tuple[int, ...], initial: tuple[int, ...] | None
    ) -> Address:
        element = scalar_of(kind)
        if isinstance(element, PointerType):
            raise self.fail(node, "pointers in memory are not understood")
        base = self.builder.value(PointerType(element), node.name)
        alignment = max([ALIGNMENT, *(self.constant(a.alignment) for a in node.align or ())])
        name = self._unused(node.name)
        is_static = self.scope is self.file_scope
        extents = extents or (1,)
        self.arrays.append(
            Array(
                base, name, element, extents,
                alignment=alignment, initial=initial, is_static=is_static,
            )
        )  # fmt: skip
        return Address(base)

    def _unused(self, name: str) -> str:
        taken = {array.name for array in self.arrays}
        count, found = 1, name
        while found in taken:
            count += 1
            found = f"{name}.{count}"
        return found

    def _numbers(self, node: Node, kind: ArrayOf) -> tuple[int, ...]:
        """The elements of an initializer, missing ones zero. Raises UserError."""
        if kind_of(node.init) != "InitList":
            raise self.fail(node, "this initializer is not understood")
        return tuple(self._flat(node.init, kind))

    def _flat(self, node: Node, kind: Kind) -> list[int]:
        if not isinstance(kind, ArrayOf):
            return [self._number(node, kind)]
        total, found = bytes_of(kind) // bytes_of(innermost(kind)), []
        for one in node.exprs:
            if kind_of(one) == "NamedInitializer":
                raise self.fail(one, "this initializer is not understood")
            inner = kind.element if kind_of(one) == "InitList" else innermost(kind)
            found += self._flat(one, inner)
        return found + [0] * (total - len(found))

    def _number(self, node: Node, kind: Kind) -> Any:
        """An element of an initializer; a complex one is a list of two."""
        parts = node.exprs if kind_of(node) == "InitList" else [node]
        if isinstance(kind, ScalarType) and kind.is_complex:
            real, imaginary = (*map(self.constant, parts), 0)[:2]
            return complex(real, imaginary)
        if isinstance(kind, ScalarType) and kind.is_float:
            found = self.converted(parts[0], self.rvalue(parts[0]), kind).content
            if not isinstance(found, Constant):
                raise self.not_constant(parts[0], "this has to be a constant")
            return found.value
        return self.constant(parts[0])

    def _declare_registers(self, node: Node, kind: ArrayOf, element: Kind) -> None:
        count = bytes_of(kind) // bytes_of(element)
        variables = tuple(Variable(f"{node.name}[{i}]", element) for i in range(count))
        for i, one in enumerate(node.init.exprs if node.init is not None else ()):
            self.store(one, variables[i], self.rvalue(one))
        self.scope.names[node.name] = Registers(kind, variables)


def innermost(kind: Kind) -> Kind:
    while isinstance(kind, ArrayOf):
        kind = kind.element
    return kind


def extents_of(kind: Kind) -> tuple[int, ...]:
    return (kind.count or 0, *extents_of(kind.element)) if isinstance(kind, ArrayOf) else ()
