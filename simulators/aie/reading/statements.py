"""Statements of the text to blocks: lists of them, and inlined functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from s2s.simulators.aie.reading.control import Control
from s2s.simulators.aie.reading.jumps import (
    jumps,
    kind_of,
    split_pragmas,
    statements,
)
from s2s.simulators.aie.reading.kinds import (
    ArrayOf,
    Kind,
    Members,
    PointerTo,
    Registers,
    Result,
    Scope,
    StructOf,
    Variable,
    Void,
    Window,
)
from s2s.simulators.aie.reading.leaving import RESULT

Node = Any
DEEPEST_CALL = 32


class Statements(Control):
    """Lowers statements; ``functions`` are those of the text."""

    def __init__(self, path: str, rounding: str = "rnd_floor", saturation: bool = False) -> None:
        super().__init__(path, rounding, saturation)
        self._results: list[Variable | Members] = []

    # ---- lists of statements

    def block(self, items: Sequence[Node]) -> None:
        """Statements one after the other, in a scope of their own."""
        outer, self.scope = self.scope, Scope(self.scope)
        try:
            self._list(items)
        finally:
            self.scope = outer

    def _list(self, items: Sequence[Node]) -> None:
        for position, item in enumerate(items):
            if getattr(item, "coord", None):
                self.builder.line = item.coord.line
            name = kind_of(item)
            if name == "Pragma":
                self._pending += split_pragmas(item)[0]
                continue
            if name in ("Return", "Continue"):
                self._jump(item)
                return
            if name == "If" and jumps(item):
                self._leaving(item, items[position + 1 :])
                return
            self.statement(item)
            self._pending = []

    def _jump(self, node: Node) -> None:
        """A jump at the end of its list; what follows it there is never reached."""
        if kind_of(node) == "Return" and node.expr is not None:
            variable = self._results[-1]
            self.store(node, variable, self.rvalue(node.expr))

    def _leaving(self, node: Node, rest: Sequence[Node]) -> None:
        """``if (c) return; rest`` is ``if (!c) rest``: what follows goes to where it is reached."""
        branches = []
        for branch in (node.iftrue, node.iffalse):
            items = statements(branch)
            ends = bool(items) and kind_of(items[-1]) in ("Return", "Continue", "Break")
            branches.append(items if ends else [*items, *rest])
        self._branch(node, *branches)

    def statement(self, node: Node) -> None:
        method = getattr(self, f"_do_{kind_of(node).lower()}", None)
        if method is not None:
            method(node)
        elif kind_of(node) in ("Goto", "Label", "Switch", "Case", "Default", "Break"):
            raise self.fail(node, f"'{kind_of(node).lower()}' is not understood in a kernel")
        else:
            self.rvalue(node)

    def _do_compound(self, node: Node) -> None:
        if jumps(node):
            raise self.fail(node, "a jump out of a block is not understood")
        self.block(statements(node))

    def _do_emptystatement(self, node: Node) -> None:
        """Nothing."""

    def _do_if(self, node: Node) -> None:
        self._branch(node, statements(node.iftrue), statements(node.iffalse))

    # ---- functions

    def call(self, node: Node, name: str, arguments: Sequence[Node]) -> Result:
        if name in self.functions:
            return self._inlined(node, self.functions[name], arguments)
        found = self.intrinsic(node, name, arguments)
        if found is None:
            raise self.fail(node, f"'{name}' is no function of this file and no known intrinsic")
        return found

    def _inlined(self, node: Node, function: Node, arguments: Sequence[Node]) -> Result:
        parameters = parameters_of(function)
        if len(self._results) >= DEEPEST_CALL:
            raise self.fail(node, f"'{function.decl.name}' calls itself")
        if len(parameters) != len(arguments):
            raise self.fail(node, f"'{function.decl.name}' takes {len(parameters)} arguments")
        inner = Scope(self.file_scope)
        for parameter, argument in zip(parameters, arguments, strict=True):
            inner.names[parameter.name] = self._bound(parameter, argument)
        outer, self.scope = self.scope, inner
        line = self.builder.line
        try:
            return self.body(function)
        finally:
            self.scope, self.builder.line = outer, line

    def _bound(self, parameter: Node, argument: Node) -> Any:
        kind = self.declarations.kind(parameter, self.file_scope)
        if isinstance(kind, PointerTo) and kind.is_reference:
            if kind.const and not isinstance(kind.target, StructOf):
                return self._copied(parameter, argument, kind.target)
            return self.target(argument)
        if isinstance(kind, Window):
            return self.target(argument)
        value = self.rvalue(argument)
        if isinstance(value.kind, StructOf):
            return self.copied_structure(argument, parameter.name or "", value)
        if isinstance(value.content, Variable | Registers | Members):
            return value
        if isinstance(kind, ArrayOf):
            kind = PointerTo(kind.element)
        if kind is None:
            kind = value.kind
        return self._copied(parameter, argument, kind, value)

    def _copied(
        self, parameter: Node, argument: Node, kind: Kind, value: Result | None = None
    ) -> Variable:
        variable = Variable(parameter.name or "", kind)
        self.store(argument, variable, value or self.rvalue(argument))
        return variable

    def body(self, function: Node) -> Result:
        """A function's statements in the present scope, which has its parameters; its result."""
        kind = self.declarations.kind(function.decl.type.type, self.file_scope) or Void()
        name = f"{function.decl.name}()"
        result: Variable | Members = Variable(name, kind)
        if isinstance(kind, StructOf):
            result = self.fresh_structure(function, name, kind)
        self._results.append(result)
        self.scope.names[RESULT] = result
        try:
            self.block(statements(function.body))
        finally:
            self._results.pop()
        if isinstance(result, Members):
            return Result(kind, result)
        if isinstance(kind, Void) or result not in self.builder.held:
            return Result(Void())
        return Result(kind, self.builder.read(result))


def parameters_of(function: Node) -> list[Node]:
    """Parameters of a function's definition; ``(void)`` has none."""
    arguments = function.decl.type.args
    found = list(arguments.params) if arguments is not None else []
    is_void = len(found) == 1 and getattr(found[0], "name", None) is None
    return [] if is_void else found
