"""Statements of the metaprogram."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from clang import cindex

from s2s.frontends.halide.evaluate.containers import LARGEST, Items, Mapping, Pair, Tuples
from s2s.frontends.halide.evaluate.objects import Scope
from s2s.frontends.halide.evaluate.parts import Part
from s2s.frontends.halide.evaluate.syntax import Node
from s2s.frontends.halide.evaluate.types import ctype
from s2s.frontends.halide.evaluate.values import (
    VOID,
    Cell,
    Number,
    Ref,
    Slot,
    deref,
    describe,
    number,
    truth,
)
from s2s.scop.errors import Illegal

BREAK, CONTINUE, RETURN = "break", "continue", "return"


class Statements(Part):
    """The part of the interpreter that executes statements.

    ``run`` gives None, or how control leaves: BREAK, CONTINUE, RETURN (``frame.result``).
    """

    def run(self, node: Node) -> str | None:
        self.left -= 1
        if self.left < 0:
            raise Illegal("the program takes too many steps to build its pipeline")
        handler = _STATEMENTS.get(node.kind)
        if handler is not None:
            return handler(self, node)  # type: ignore[no-any-return]
        self.ev(node)
        return None

    @contextmanager
    def block(self) -> Iterator[None]:
        """Names declared inside are gone afterwards."""
        outer = self.frame.scope
        self.frame.scope = Scope(outer)
        try:
            yield
        finally:
            self.frame.scope = outer

    def _compound_statement(self, node: Node) -> str | None:
        with self.block():
            for child in node.children:
                left = self.run(child)
                if left is not None:
                    return left
        return None

    def _declarations(self, node: Node) -> str | None:
        for child in node.children:
            if child.kind == "VAR_DECL":
                self.declare(child)
            elif child.kind == "UNEXPOSED_DECL" and child.name.startswith("["):
                self._bindings(child, self.value(child.parts[-1]))
        return None

    def declare(self, node: Node) -> None:
        """A local variable."""
        if node.cursor.storage_class == cindex.StorageClass.STATIC:
            self.frame.scope.names[node.name] = self.global_(node)
            return
        self.frame.scope.names[node.name] = self.initialized(node)

    def initialized(self, node: Node) -> Ref:
        """The place of a variable, with its initial value."""
        self.locate(node)
        init = initializer(node)
        type_ = ctype(node.type if "[" not in node.type else self.sized(node, init))
        self.hint = node.name
        try:
            if init is None or (type_.extents and init.kind == "CALL_EXPR"):
                return Cell(self.default_value(type_))
            value = self.ev(init)
        finally:
            self.hint = None
        return self.bound(value, type_)

    def sized(self, node: Node, init: Node | None) -> str:
        """The type of an array whose sizes may be values: ``Func f[levels]``."""
        element, sizes = _array_type(node.type)
        if all(s.isdigit() for s in sizes):
            return node.type
        start = -1 if init is None else init.extent[0]
        parts = [p for p in node.parts if p.extent[0] != start]
        values = [number(self.value(p)) for p in parts[: len(sizes)]][::-1]
        if len(values) != len(sizes) or not all(isinstance(v, int) for v in values):
            raise Illegal(f"the size of the array '{node.name}' is not known")
        if any(not 0 <= int(v or 0) <= LARGEST for v in values):
            raise Illegal(f"the array '{node.name}' is too large")
        return element + "".join(f"[{v}]" for v in values)

    def _bindings(self, node: Node, value: Any) -> None:
        """``auto [a, b] = value``."""
        names = [c.name for c in node.children if c.kind == "UNEXPOSED_DECL"]
        value = deref(value)
        if isinstance(value, Pair):
            parts: list[Any] = [Slot(value.fields, k) for k in value.fields]
        elif isinstance(value, Tuples):
            parts = [Slot(value.values, i) for i in range(len(value.values))]
        elif isinstance(value, Items):
            parts = [Slot(value.items, i) for i in range(len(value.items))]
        else:
            fields = getattr(value, "fields", None)
            if fields is None:
                raise Illegal(f"structured binding of {describe(value)} is not supported")
            parts = list(fields.values())
        for name, part in zip(names, parts, strict=False):
            self.frame.scope.names[name] = part if isinstance(part, Ref) else Cell(part)

    def _if(self, node: Node) -> str | None:
        with self.block():
            parts = list(node.parts)
            while parts and parts[0].kind in ("DECL_STMT", "VAR_DECL"):
                first = parts.pop(0)
                if first.kind == "VAR_DECL":
                    self.declare(first)
                else:
                    self.run(first)
            self.locate(parts[0])
            if truth(self.value(parts[0])):
                return self.run(parts[1]) if len(parts) > 1 else None
            return self.run(parts[2]) if len(parts) > 2 else None

    def _for(self, node: Node) -> str | None:
        init, condition, step, body = self._for_parts(node)
        with self.block():
            if init is not None:
                self.run(init)
            while condition is None or truth(self.value(condition)):
                left = self.run(body)
                if left is BREAK:
                    break
                if left is RETURN:
                    return left
                if step is not None:
                    self.ev(step)
                self.left -= 1
                if self.left < 0:
                    raise Illegal("the program takes too many steps to build its pipeline")
        return None

    def _for_parts(self, node: Node) -> list[Any]:
        """Initialization, condition, step, body; each of the first three may be missing."""
        parts = list(node.children)
        body = parts.pop()
        if len(parts) == 3:
            return [*parts, body]
        found: list[Any] = [None, None, None]
        text = self.file(node.place[0])
        start = text.index(b"(", node.extent[0])
        for part in parts:
            before = text[start : part.extent[0]]
            slot = before.count(b";")
            found[min(slot, 2)] = part
        return [*found, body]

    def _range_for(self, node: Node) -> str | None:
        children = [c for c in node.children if c.kind not in ("TYPE_REF",)]
        variable, body = children[0], children[-1]
        container = self.ev(children[-2])
        for element in self._elements(container):
            with self.block():
                if variable.kind == "VAR_DECL":
                    place = self.bound(element, ctype(variable.type))
                    self.frame.scope.names[variable.name] = place
                else:
                    self._bindings(variable, element)
                left = self.run(body)
            if left is BREAK:
                break
            if left is RETURN:
                return left
        return None

    def _elements(self, container: Any) -> Iterator[Any]:
        value = deref(container)
        if isinstance(value, Mapping):
            single = all(p.fields["second"] is VOID for p in value.items.values())
            yield from (p.fields["first"] if single else p for p in value.sequence())
        elif isinstance(value, str):
            yield from (Number(ord(c), "char") for c in value)
        elif isinstance(value, Items):
            for index in range(len(value.items)):
                yield Slot(value.items, index)
        else:
            raise Illegal(f"a loop over {describe(value)} is not supported")

    def _while(self, node: Node) -> str | None:
        condition, body = node.parts[-2], node.parts[-1]
        while truth(self.value(condition)):
            left = self.run(body)
            if left is BREAK:
                break
            if left is RETURN:
                return left
        return None

    def _do(self, node: Node) -> str | None:
        body, condition = node.children
        while True:
            left = self.run(body)
            if left is BREAK:
                return None
            if left is RETURN:
                return left
            if not truth(self.value(condition)):
                return None

    def _switch(self, node: Node) -> str | None:
        with self.block():
            parts = list(node.parts)
            body = parts.pop()
            for first in parts[:-1]:
                self.run(first)
            wanted = number(self.value(parts[-1]))
            statements = list(_flat(body))
            start = self._case(statements, wanted)
            for label, statement in statements[start:]:
                if label is None:
                    left = self.run(statement)
                    if left is BREAK:
                        return None
                    if left is not None:
                        return left
        return None

    def _case(self, statements: list[tuple[Any, Node]], wanted: Any) -> int:
        default = len(statements)
        for index, (label, node) in enumerate(statements):
            if label == "case" and number(self.value(node)) == wanted:
                return index
            if label == "default":
                default = index
        return default

    def _return(self, node: Node) -> str:
        self.frame.result = self.ev(node.parts[-1]) if node.parts else VOID
        return RETURN

    def _break(self, node: Node) -> str:
        return BREAK

    def _continue(self, node: Node) -> str:
        return CONTINUE

    def _nothing(self, node: Node) -> None:
        return None

    def _try(self, node: Node) -> str | None:
        return self.run(node.children[0])

    def _refuse(self, node: Node) -> None:
        self.locate(node)
        words = node.kind.lower().replace("_stmt", "").replace("_", " ")
        raise self.unsupported(node, f"'{words}'")


def _flat(node: Node) -> Iterator[tuple[str | None, Node]]:
    """The statements of a switch, with its labels between them."""
    for child in node.children if node.kind == "COMPOUND_STMT" else [node]:
        yield from _labelled(child)


def _labelled(node: Node) -> Iterator[tuple[str | None, Node]]:
    if node.kind == "CASE_STMT":
        yield "case", node.parts[0]
        yield from _labelled(node.parts[-1])
    elif node.kind == "DEFAULT_STMT":
        yield "default", node
        yield from _labelled(node.parts[-1])
    else:
        yield None, node


def _array_type(text: str) -> tuple[str, list[str]]:
    """``T[n][m[0]]`` as T and its sizes as written; brackets of template arguments are T's."""
    sizes: list[str] = []
    depth, end = 0, len(text)
    for place in range(len(text) - 1, -1, -1):
        letter = text[place]
        if letter == "]":
            end = place if depth == 0 else end
            depth += 1
        elif letter == "[":
            depth -= 1
            if depth == 0:
                sizes.insert(0, text[place + 1 : end])
                end = place
        elif depth == 0:
            break
    return text[:end], sizes


def initializer(node: Node) -> Node | None:
    """The initializer of a variable, None where it has none."""
    lib = cindex.conf.lib
    lib.clang_Cursor_getVarDeclInitializer.argtypes = [cindex.Cursor]
    lib.clang_Cursor_getVarDeclInitializer.restype = cindex.Cursor
    found = lib.clang_Cursor_getVarDeclInitializer(node.cursor)
    if found._kind_id in _INVALID:
        return None
    found._tu = node.cursor._tu
    return Node(found)


_INVALID = range(70, 74)
_FIELD = re.compile(rb"\s*(\[[^\]]*\]\s*)*[={]")


def field_initializer(node: Node, text: bytes) -> Node | None:
    """The initializer of a field in its class; ``text`` is that of its file."""
    end = node.place[1] + len(node.name.encode())
    if not node.parts or _FIELD.match(text, end) is None:
        return None
    return node.parts[-1]


S = Statements
_STATEMENTS: dict[str, Any] = {
    "COMPOUND_STMT": S._compound_statement,
    "DECL_STMT": S._declarations,
    "IF_STMT": S._if,
    "FOR_STMT": S._for,
    "CXX_FOR_RANGE_STMT": S._range_for,
    "WHILE_STMT": S._while,
    "DO_STMT": S._do,
    "SWITCH_STMT": S._switch,
    "RETURN_STMT": S._return,
    "BREAK_STMT": S._break,
    "CONTINUE_STMT": S._continue,
    "NULL_STMT": S._nothing,
    "CXX_TRY_STMT": S._try,
    "GOTO_STMT": S._refuse,
    "LABEL_STMT": S._refuse,
    "ASM_STMT": S._refuse,
    "UNEXPOSED_STMT": S._nothing,
}
