"""Classes of the user's: their members, objects, global variables."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from s2s.frontends.halide.evaluate.containers import Items
from s2s.frontends.halide.evaluate.declarations import CLASSES, declarations, is_library
from s2s.frontends.halide.evaluate.objects import Class, Frame, Instance, Scope
from s2s.frontends.halide.evaluate.parts import Part
from s2s.frontends.halide.evaluate.ports import Native
from s2s.frontends.halide.evaluate.statements import field_initializer
from s2s.frontends.halide.evaluate.syntax import Node
from s2s.frontends.halide.evaluate.types import CType, ctype
from s2s.frontends.halide.evaluate.values import Cell, Ref, deref
from s2s.scop.errors import Illegal

_CONSTRUCTORS = ("CONSTRUCTOR",)


class Classes(Part):
    """The part of the interpreter that knows the user's classes."""

    def class_of(self, node: Node) -> Class:
        """The class that a declaration is."""
        node = node.definition or node
        known = self.classes.get(node.key)
        if known is not None:
            return known  # type: ignore[no-any-return]
        made = Class(node, node.name, [], [], {}, {})
        self.classes[node.key] = made
        for child in self._members(node):
            if child.kind == "CXX_BASE_SPECIFIER":
                self._base(made, child)
            elif child.kind == "FIELD_DECL":
                made.fields.append(child)
            elif child.kind in ("CXX_METHOD", "CONSTRUCTOR"):
                made.methods.setdefault(child.name, []).append(child)
        return made

    @cached_property
    def declarations(self) -> list[Node]:
        """Declarations at file level outside of our headers."""
        return list(declarations(self.unit))

    def find_class(self, type_: CType) -> Class | None:
        """The user's class of a type, None for another type."""
        for node in self.declarations:
            if node.kind in CLASSES and node.type == type_.name:
                return self.class_of(node)
        return None

    def emplaced(self, class_: Class, arguments: list[Any]) -> Instance:
        """An object from arguments, by a constructor of that many parameters or by members."""
        found = class_.method(class_.name, len(arguments))
        if found is None and arguments:
            return self.aggregate(class_, Items(arguments, None, lambda: None))
        return self.instance(class_, found, arguments)

    def native(self) -> Native:
        """The part of a generator that is Halide's."""
        return Native(self.world)

    @staticmethod
    def _members(node: Node) -> list[Node]:
        """The members; of an instance of a template, its own fields and the template's rest."""
        template = node.template
        if template is None:
            return node.children
        fields = [Node(f) for f in node.cursor.type.get_fields()]
        return [*fields, *(c for c in template.children if c.kind != "FIELD_DECL")]

    def _base(self, made: Class, specifier: Node) -> None:
        declared = specifier.cursor.type.get_canonical().get_declaration()
        base = Node(declared)
        if is_library(base):
            made.is_generator = made.is_generator or base.name in ("Generator", "GeneratorBase")
        else:
            made.bases.append(self.class_of(base))

    def instance(self, class_: Class, constructor: Node | None, arguments: list[Any]) -> Instance:
        """A new object."""
        if constructor is not None and not self._body(constructor):
            found = deref(arguments[0]) if len(arguments) == 1 else None
            if isinstance(found, Instance):
                return found.copied()
        native = self.native() if class_.generates else None
        made = Instance(class_, native)
        definition = constructor
        if constructor is not None:
            definition = constructor.definition or constructor
        scope = Scope()
        if definition is not None:
            self.parameters(definition, arguments, scope)
        delegate = None if definition is None else _member_list(definition).get(_own_name(class_))
        if delegate is not None:
            made = self._delegated(delegate, scope)
        else:
            self._initialize(made, class_, definition, scope)
        body = None if definition is None else self._body(definition)
        if body is not None:
            self.in_frame(Frame(scope, made), body)
        return made

    def _delegated(self, call: Node, scope: Scope) -> Instance:
        """An object that another constructor of its class makes."""
        saved, self.frame = self.frame, Frame(scope)
        try:
            made = deref(self.ev(call))
        finally:
            self.frame = saved
        assert isinstance(made, Instance)
        return made

    @staticmethod
    def _body(node: Node) -> Node | None:
        definition = node.definition or node
        found = [c for c in definition.children if c.kind in ("COMPOUND_STMT", "CXX_TRY_STMT")]
        return found[0] if found else None

    def _initialize(
        self, made: Instance, class_: Class, constructor: Node | None, scope: Scope
    ) -> None:
        """Fields from the constructor's list, from their class, or by default."""
        given = {} if constructor is None else _member_list(constructor)
        saved, self.frame = self.frame, Frame(scope, made)
        try:
            for base in class_.bases:
                self._initialize_base(made, base, given)
            for node in class_.fields:
                made.fields[node.name] = self._field(node, given.get(node.name))
        finally:
            self.frame = saved

    def _initialize_base(self, made: Instance, base: Class, given: dict[str, Node]) -> None:
        call = given.get("class " + base.name) or given.get("struct " + base.name)
        constructor, arguments = None, []
        if call is not None and call.kind == "CALL_EXPR":
            constructor = call.referenced
            arguments = self.arguments(call.parts)
        scope = Scope()
        if constructor is not None:
            constructor = constructor.definition or constructor
            self.parameters(constructor, arguments, scope)
        self._initialize(made, base, constructor, scope)
        body = None if constructor is None else self._body(constructor)
        if body is not None:
            self.in_frame(Frame(scope, made), body)

    def _field(self, node: Node, init: Node | None) -> Ref:
        self.locate(node)
        type_ = ctype(node.type)
        init = init or field_initializer(node, self.file(node.place[0]))
        self.hint = node.name
        try:
            if init is None:
                return Cell(self.default_value(type_))
            value = self.ev(init)
        finally:
            self.hint = None
        return self.bound(value, type_)

    def aggregate(self, class_: Class, items: Items) -> Instance:
        """``T{a, b}`` for a class without constructors."""
        made = self.instance(class_, None, [])
        if len(items.items) > len(class_.fields):
            raise Illegal(
                f"{len(items.items)} values for the {len(class_.fields)} members of a class"
            )
        for node, value in zip(class_.fields, items.items, strict=False):
            made.fields[node.name] = self.bound(value, ctype(node.type))
        return made

    def global_(self, node: Node) -> Ref:
        """A variable at file level, of a class, or static in a function; evaluated once."""
        node = node.definition or node
        known = self.globals.get(node.key)
        if known is None:
            if node.key in self.globals:
                raise Illegal(f"the initial value of '{node.name}' needs itself")
            self.globals[node.key] = None  # type: ignore[assignment]
            saved, self.frame = self.frame, Frame(Scope())
            at = self.world.at
            try:
                known = self.globals[node.key] = self._global(node)
            finally:
                self.frame, self.world.at = saved, at
                if self.globals.get(node.key) is None:
                    del self.globals[node.key]
        return known

    def _global(self, node: Node) -> Ref:
        if is_library(node):
            from s2s.frontends.halide.evaluate.library import constant

            return Cell(constant(node.name))
        return self.initialized(node)


def _own_name(class_: Class) -> str:
    """How a constructor that leaves its work to another one names the class."""
    return f"{'class' if class_.node.kind == 'CLASS_DECL' else 'struct'} {class_.name}"


def _member_list(constructor: Node) -> dict[str, Node]:
    """Initializers by the member's name (for a base: ``class NAME``)."""
    found: dict[str, Node] = {}
    name: str | None = None
    for child in constructor.children:
        if child.kind in ("MEMBER_REF", "TYPE_REF"):
            name = child.name
        elif child.kind not in ("PARM_DECL", "COMPOUND_STMT", "TEMPLATE_REF", "NAMESPACE_REF"):
            if name is not None:
                found[name] = child
            name = None
    return found
