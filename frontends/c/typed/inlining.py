"""Calls of functions that have loops: their statements before what uses the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.typed.arithmetic import type_of
from s2s.frontends.c.typed.calls import evaluate_returned
from s2s.frontends.c.typed.errors import NotATensorNest
from s2s.frontends.c.typed.expressions import Expressions
from s2s.frontends.c.typed.memory import tensor
from s2s.frontends.c.typed.scope import Scope, set_again
from s2s.frontends.c.typed.walkers import walkers
from s2s.scop import nest
from s2s.scop.expressions import Expr, Load
from s2s.scop.literals import cast
from s2s.scop.nest import Tensor

RESULT = "RESULT_OF_CALL"
"""The kind of a node that stands for the end of a function: what is left of it returns a value."""
_DEEPEST = 16


class _Statements(Protocol):
    """What builds the nodes of statements (``statements.Statements``)."""

    scope: Scope
    expressions: Expressions

    def sequence(self, nodes: Sequence[Node]) -> nest.Node: ...
    def point(self, decl: Decl, value: Node) -> None: ...


class Inliner:
    """Puts functions in the places of their calls; all methods raise NotATensorNest.

    ``made`` are the calls of the present statement: where each result lies, and what computes it.
    """

    def __init__(self, statements: _Statements) -> None:
        self._statements = statements
        self._scope = statements.scope
        self._results: list[Tensor | None] = []
        self.made: list[tuple[Tensor | None, nest.Node]] = []

    def value(self, call: Node, definition: Node) -> Expr:
        """The result of a call."""
        type_ = type_of(call.type)
        if type_ is None:
            raise NotATensorNest(call.span, f"the result of '{call.name}' is no number")
        result = tensor(self._scope.fresh(f"{call.name}.result"), type_, ())
        self.made.append((result, self._called(call, definition, result)))
        return Load(type_, result.name, ())

    def statement(self, call: Node, definition: Node) -> nest.Node:
        """A call whose result nothing uses."""
        return self._called(call, definition, None)

    def around(self, node: nest.Node) -> nest.Node:
        """A statement after the calls whose results it uses."""
        made, self.made = self.made, []
        for result, body in reversed(made):
            node = nest.Block((body, node))
            if result is not None:
                node = nest.Allocate(result, node)
        return node

    def end(self, node: Node) -> nest.Node:
        """What is left of a function, stored where its result is."""
        result = self._results[-1]
        if result is None:
            return nest.Block(())
        value = evaluate_returned(node.children, self._statements.expressions)
        if value is None:
            raise NotATensorNest(node.span, "a function that ends without a value")
        return nest.Store(result.name, (), (cast(result.types[0], value),), at=node.span)

    def _called(self, call: Node, definition: Node, result: Tensor | None) -> nest.Node:
        parameters = [c for c in definition.children if c.kind == "PARM_DECL"]
        body, scope = definition.children[-1], self._scope
        if len(parameters) != len(call.children) - 1:
            raise NotATensorNest(call.span, f"a call of '{call.name}'")
        if scope.depth >= _DEEPEST:
            raise NotATensorNest(call.span, f"'{call.name}' calls itself")
        scope.walking |= walkers(body)
        own = [n.decl for n in definition.walk() if n.decl and n.kind in ("PARM_DECL", "VAR_DECL")]
        before = [(held, {d: held[d] for d in own if d in held}) for held in self._held()]
        changing = set_again(body)
        allocated: list[tuple[Tensor, nest.Node]] = []
        for parameter, argument in zip(parameters, call.children[1:], strict=True):
            allocated += self._bound(parameter, argument, changing)
        for held in self._held():
            for decl in own:
                if decl not in {p.decl for p in parameters}:
                    held.pop(decl, None)
        scope.depth += 1
        self._results.append(result)
        made, self.made = self.made, []
        self._statements.expressions.walk.forget()
        try:
            found = self._statements.sequence(_with_end(body, call))
        finally:
            self.made = made
            self._results.pop()
            scope.depth -= 1
            self._statements.expressions.walk.forget()
            for held, kept in before:
                for decl in own:
                    held.pop(decl, None)
                held.update(kept)
        for memory, store in reversed(allocated):
            found = nest.Allocate(memory, nest.Block((store, found)))
        return found

    def _held(self) -> tuple[dict[Decl, Any], ...]:
        scope = self._scope
        return scope.values, scope.addresses, scope.memory

    def _bound(
        self, parameter: Node, argument: Node, changing: set[Decl]
    ) -> list[tuple[Tensor, nest.Node]]:
        """Makes a parameter's name stand for what is passed; a copy where it is set again."""
        decl, scope = parameter.decl, self._scope
        if decl is None:
            return []
        type_ = type_of(decl.type)
        if type_ is None:
            if decl in changing and decl not in scope.walking:
                raise NotATensorNest(parameter.span, f"'{decl.name}' is a pointer that moves")
            self._statements.point(decl, argument)
            return []
        value = cast(type_, self._statements.expressions.value(argument))
        if decl not in changing or decl in scope.walking:
            scope.values[decl] = value
            return []
        memory = tensor(scope.fresh(decl.name), type_, ())
        scope.memory[decl] = memory
        return [(memory, nest.Store(memory.name, (), (value,), at=argument.span))]


def _with_end(body: Node, call: Node) -> list[Node]:
    """A function's statements, those from the first one that may return on as one node."""
    for place, node in enumerate(body.children):
        if any(below.kind == "RETURN_STMT" for below in node.walk()):
            rest = body.children[place:]
            if any(below.is_loop for one in rest for below in one.walk()):
                text = f"'{call.name}' returns from more than its end"
                raise NotATensorNest(node.span, text)
            end = replace(
                node, kind=RESULT, op="", children=rest, decl=None, _kinds=None, _decls=None
            )
            return [*body.children[:place], end]
    return list(body.children)
