"""Reads what the threads of a function execute, with its callees written out.

It starts where the function does, so that constants, pointers and thread numbers are known in the
parallel regions; callees are read in regions only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from s2s.frontends.c.executed.constructs import Constructs
from s2s.frontends.c.executed.recorder import TooMuch
from s2s.frontends.c.facts import assigned_in
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Decl, Node
from s2s.scop.executions import Execution, Role
from s2s.source.records import dataclass


def read_executed(function: Function) -> Execution | None:
    """What the threads of a function execute; None where that cannot be said."""
    if not function.attached.within(function.node.span) or not function.body.children:
        return None
    reader = _Reader(function)
    try:
        return reader.read()
    except (TooMuch, RecursionError):
        return None


@dataclass(frozen=True)
class _Reader:
    function: Function

    def read(self) -> Execution:
        function = self.function
        walk = _Walk(
            attached=function.attached,
            definition=function.calls.definition,
            changed_in=lru_cache(maxsize=None)(self._changed_in),
            functions=self._functions,
            syntax_of=function.unit.convert,
        )
        with walk.scope(Role.BLOCK):
            for child in function.node.children:
                if child.kind == "PARM_DECL":
                    walk.measure(child)
            walk.statement(function.body)
        return Execution(tuple(walk.events), dict(walk.threads), frozenset(walk.local))

    def _functions(self) -> Iterator[Node]:
        unit = self.function.unit
        return (unit.convert(cursor) for cursor in unit.functions())

    def _changed_in(self, node: Node) -> frozenset[Decl]:
        """Variables that a statement or its callees assign or give the address of."""
        found: set[Decl] = set()
        seen: set[Decl] = set()
        waiting = [node]
        while waiting:
            code = waiting.pop()
            found |= set(assigned_in([code])) | set(_addressed(code))
            for call in (n for n in code.walk() if n.kind == "CALL_EXPR"):
                if call.decl is None or call.decl in seen:
                    continue
                seen.add(call.decl)
                body = self.function.calls.definition(call)
                if body is not None:
                    waiting.append(body.children[-1])
        return frozenset(found)


@dataclass
class _Walk(Constructs):
    """Knows the whole file for what it says of constant tables."""

    functions: Callable[[], Iterator[Node]] = lambda: iter(())

    syntax_of: Callable[[Any], Node] = lambda cursor: cursor

    def declaration(self, decl: Decl) -> Node:
        return decl.node or self.syntax_of(decl.cursor)

    def is_constant(self, decl: Decl) -> bool:
        if super().is_constant(decl):
            return True
        if decl.type.volatile or (decl.is_global and not (decl.is_static or self._is_program())):
            return False
        return not any(_may_change(node, decl) for node in self.functions())

    def _is_program(self) -> bool:
        return any(node.name == "main" for node in self.functions())


def _addressed(node: Node) -> Iterator[Decl]:
    """Variables whose address is taken."""
    for inner in node.walk():
        if inner.kind == "UNARY_OPERATOR" and inner.op == "&" and inner.children:
            target = inner.children[0]
            if target.kind == "DECL_REF_EXPR" and target.decl is not None:
                yield target.decl


def _may_change(node: Node, decl: Decl) -> bool:
    """Whether code does more with an array than read elements."""
    if node.kind == "ARRAY_SUBSCRIPT_EXPR" and node.children[0].decl is decl:
        return _may_change(node.children[1], decl)
    if node.kind == "DECL_REF_EXPR":
        return node.decl is decl
    stores = node.assigns or node.op == "&"
    target = node.children[0] if stores and node.children else None
    if target is not None and target.kind == "ARRAY_SUBSCRIPT_EXPR" and decl in target.decls:
        return True
    return any(_may_change(child, decl) for child in node.children)
