"""Calls: of the user's functions, methods and lambdas, and of what the headers declare."""

from __future__ import annotations

from typing import Any

from s2s.frontends.halide.evaluate import construct, library, methods, operators
from s2s.frontends.halide.evaluate.containers import copy_value
from s2s.frontends.halide.evaluate.declarations import is_library
from s2s.frontends.halide.evaluate.objects import (
    DEFAULT,
    Bound,
    Frame,
    Function,
    Instance,
    Lambda,
    Pack,
    Scope,
)
from s2s.frontends.halide.evaluate.parts import Part
from s2s.frontends.halide.evaluate.syntax import Node
from s2s.frontends.halide.evaluate.types import ctype
from s2s.frontends.halide.evaluate.values import (
    VOID,
    Pointer,
    Ref,
    deref,
    describe,
)
from s2s.scop.errors import Illegal

DEEPEST = 150
"""Calls of the user's functions inside of each other."""


class Calls(Part):
    """The part of the interpreter that calls."""

    def call(self, node: Node) -> Any:
        """A call expression of any kind."""
        at = self.world.at
        try:
            return self._call(node)
        except Illegal as error:
            if error.at is None and not getattr(error, "placed", False):
                self._place(node)
                error.at = self.world.at
            raise
        finally:
            self.world.at = at

    def _place(self, node: Node) -> None:
        """Messages about a call point to the name of what is called."""
        self.locate(node)
        parts = node.parts
        if parts and parts[0].kind == "MEMBER_REF_EXPR":
            self.locate(parts[0])

    def _call(self, node: Node) -> Any:
        called = node.referenced
        if called is None:
            return self._dependent(node)
        kind = called.kind
        if kind == "CONSTRUCTOR":
            return self._construct(node, called)
        if kind == "CONVERSION_FUNCTION":
            return self._conversion(node, called)
        if kind in ("FUNCTION_DECL", "CXX_METHOD"):
            return self._function(node, called)
        return self._value_called(node)

    def _construct(self, node: Node, called: Node) -> Any:
        hint, self.hint = self.hint, None
        arguments = self.arguments(node.parts)
        if is_library(called):
            type_ = ctype(node.type)
            if type_.extents:
                return self.default_value(type_)
            if len(arguments) == 1 and not type_.name.startswith("std::"):
                return self._converting(node, arguments[0], type_, hint)
            self._place(node)
            return construct.make(self, type_, arguments, hint)
        class_ = self.class_of(Node(called.cursor.semantic_parent))
        if len(arguments) == 1 and _is_implicit(called):
            given = deref(arguments[0])
            if isinstance(given, Instance) and given.class_ is class_:
                return arguments[0]
        return self.instance(class_, called, arguments)

    def _converting(self, node: Node, argument: Any, type_: Any, hint: str | None) -> Any:
        """A constructor of one argument: often a copy."""
        if construct.is_same(type_.name, deref(argument)):
            return argument
        self._place(node)
        return construct.make(self, type_, [argument], hint)

    def _conversion(self, node: Node, called: Node) -> Any:
        hint = self.hint
        bound = self.ev(node.parts[0])
        self.hint = hint
        value = deref(bound.target) if isinstance(bound, Bound) else deref(bound)
        self.locate(node)
        if isinstance(value, Instance) and not is_library(called):
            return self.invoke(called, [], value)
        return methods.conversion(self, value, ctype(node.type))

    def _function(self, node: Node, called: Node) -> Any:
        parts = node.parts
        if called.name.startswith("operator"):
            operands = [p for p in parts if not _is_callee(p)]
            if len(operands) < len(parts) or called.kind == "FUNCTION_DECL":
                return self._operator(node, called, operands)
        callee = self.ev(parts[0]) if parts[0].kind == "MEMBER_REF_EXPR" else None
        arguments = self.arguments(parts[1:])
        self._place(node)
        if isinstance(callee, Bound):
            return self._method(node, called, callee.target, arguments)
        if is_library(called):
            if called.kind == "CXX_METHOD":
                return self._static(node, called, arguments)
            return library.function(self, called, node, arguments)
        this = self.frame.this if called.kind == "CXX_METHOD" else None
        return self.invoke(called, arguments, this)

    def arguments(self, nodes: list[Node]) -> list[Any]:
        """The values of arguments, without those that are left out."""
        self.hint = None
        found = [self.ev(n) for n in nodes]
        return [v for v in found if v is not DEFAULT]

    def _operator(self, node: Node, called: Node, operands: list[Node]) -> Any:
        arguments = self.arguments(operands)
        self._place(node)
        if not is_library(called):
            if called.kind == "CXX_METHOD":
                target = deref(arguments[0])
                if called.name == "operator=" and _is_implicit(called):
                    return self.assigned(arguments[0], copy_value(deref(arguments[1])), "")
                if isinstance(target, Lambda):
                    return self.apply(target, arguments[1:], called)
                return self.invoke(called, arguments[1:], target)
            return self.invoke(called, arguments, None)
        target = deref(arguments[0])
        if called.name == "operator()" and isinstance(target, Lambda | Function):
            return self.apply(target, arguments[1:], None)
        return operators.operator(self, called.name, arguments, node)

    def _method(self, node: Node, called: Node, target: Any, arguments: list[Any]) -> Any:
        object_ = deref(target)
        if isinstance(object_, Pointer):
            target = object_.ref()
            object_ = target.get()
        if is_library(called):
            return methods.method(self, target, called.name, arguments, node)
        if isinstance(object_, Instance):
            if called.cursor.is_virtual_method():
                count = sum(c.kind == "PARM_DECL" for c in called.children)
                called = object_.class_.method(called.name, count) or called
            return self.invoke(called, arguments, object_)
        if called.cursor.is_static_method():
            return self.invoke(called, arguments, None)
        raise Illegal(f"'{called.name}' of {describe(object_)}")

    def _static(self, node: Node, called: Node, arguments: list[Any]) -> Any:
        """A method of the library's without an object: static, or of the generator itself."""
        return library.static(self, called, node, arguments)

    def _value_called(self, node: Node) -> Any:
        """A call through a variable: a pointer to a function, a parameter."""
        callee = self.value(node.parts[0])
        arguments = self.arguments(node.parts[1:])
        self._place(node)
        if isinstance(callee, Pointer):
            callee = callee.ref().get()
        return self.apply(callee, arguments, None)

    def _dependent(self, node: Node) -> Any:
        """A call without a known function: through a pointer, or in a template's own text."""
        parts = node.parts
        if not parts:
            return self.default_value(ctype(node.type))
        overloaded = [p for p in parts if p.type == "<overloaded function type>"]
        if overloaded and overloaded[0] is not parts[0]:
            name = overloaded[0].children[0].name if overloaded[0].children else ""
            operands = [p for p in parts if p is not overloaded[0]]
            return operators.operator(self, name, self.arguments(operands), node)
        return self._value_called(node)

    # The user's functions.

    def apply(self, callee: Any, arguments: list[Any], called: Node | None) -> Any:
        """Call a lambda or a function that is a value."""
        if isinstance(callee, Function):
            if is_library(callee.node):
                return library.function(self, callee.node, callee.node, arguments)
            return self.invoke(callee.node, arguments, None)
        if not isinstance(callee, Lambda):
            if isinstance(callee, Instance):
                found = callee.class_.method("operator()", len(arguments))
                if found is not None:
                    return self.invoke(found, arguments, callee)
            raise Illegal(f"a call of {describe(callee)}")
        node = callee.node
        if called is not None and any(c.kind == "COMPOUND_STMT" for c in called.children):
            node = called
        scope = Scope(callee.scope)
        self.parameters(node, arguments, scope)
        body = next(c for c in node.children if c.kind == "COMPOUND_STMT")
        return self._returned(self.in_frame(Frame(scope, callee.this), body), called)

    def invoke(self, called: Node, arguments: list[Any], this: Instance | None) -> Any:
        """Call a function or a method of the user's."""
        node = called.definition or called
        bodies = [c for c in node.children if c.kind in ("COMPOUND_STMT", "CXX_TRY_STMT")]
        if not bodies:
            raise Illegal(f"'{called.name}' is declared, but defined in no file that is read")
        scope = Scope()
        self.parameters(node, arguments, scope)
        return self._returned(self.in_frame(Frame(scope, this), bodies[0]), node)

    def in_frame(self, frame: Frame, body: Node) -> Any:
        saved, self.frame = self.frame, frame
        self.depth += 1
        try:
            if self.depth > DEEPEST:
                raise Illegal("functions call each other too deeply")
            self.run(body)
            return frame.result
        finally:
            self.depth -= 1
            self.frame = saved

    def _returned(self, result: Any, node: Node | None) -> Any:
        if node is None or result is None:
            return VOID if result is None else copy_value(deref(result))
        type_ = ctype(str(node.cursor.result_type.get_canonical().spelling))
        if type_.reference and isinstance(result, Ref):
            return result
        if type_.name == "void":
            return VOID
        return copy_value(deref(self.converted(deref(result), type_)))

    def parameters(self, node: Node, arguments: list[Any], scope: Scope) -> None:
        """Names of a function's parameters, for the values of a call."""
        declared = [c for c in node.children if c.kind == "PARM_DECL"]
        names = [p.name for p in declared]
        for index, parameter in enumerate(declared):
            place = self._parameter(parameter, index, arguments, scope)
            if names.count(parameter.name) > 1:
                scope.names[parameter.key] = place
                scope.names[parameter.name] = Pack(None)
            elif parameter.name:
                scope.names[parameter.name] = place

    def _parameter(self, node: Node, index: int, arguments: list[Any], scope: Scope) -> Ref:
        type_ = ctype(node.type)
        if index < len(arguments):
            return self.bound(arguments[index], type_)
        if not node.parts:
            raise Illegal(f"no value for the parameter '{node.name}'")
        saved, self.frame = self.frame, Frame(scope)
        try:
            return self.bound(self.ev(node.parts[-1]), type_)
        finally:
            self.frame = saved


def _is_callee(node: Node) -> bool:
    """Whether a part of a call of an operator is the operator's name."""
    if node.kind == "UNEXPOSED_EXPR":
        return node.name.startswith("operator") and "(*)(" in node.type
    return node.kind == "DECL_REF_EXPR" and node.name.startswith("operator")


def _is_implicit(method: Node) -> bool:
    """Whether the compiler makes a method: it stands where its class does, or is defaulted."""
    if method.cursor.is_default_method():
        return True
    parent = method.cursor.semantic_parent
    return parent is not None and Node(parent).place == method.place
