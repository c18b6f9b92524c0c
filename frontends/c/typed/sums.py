"""Sums and products of syntax: what variables that walk hold, as expressions of C."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from s2s.frontends.c.fixed_places import spelled
from s2s.frontends.c.integer_constants import constant_value
from s2s.frontends.c.syntax import CASTS, CType, Decl, Node
from s2s.frontends.c.typed import nodes
from s2s.frontends.c.typed.addresses import plain_name
from s2s.frontends.c.typed.nodes import LONG, reference
from s2s.source import Span
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Value:
    """``offset`` elements after ``base``, or, of an integer, ``offset`` itself (no base)."""

    base: Node | None
    offset: Node

    @staticmethod
    def of(decl: Decl, span: Span) -> Value:
        """What a variable holds before a nest."""
        name = reference(decl, span)
        return Value(name, number(0, span)) if decl.type.kind == "pointer" else Value(None, name)

    def moved(self, by: Node) -> Value:
        return Value(self.base, added(self.offset, by))

    def nodes(self) -> Iterator[Node]:
        """All that it is made of."""
        yield from self.offset.walk()
        if self.base is not None:
            yield from self.base.walk()

    def node(self, type_: CType) -> Node:
        """The value as an expression."""
        if self.base is None:
            return self.offset
        if self.offset.value == 0:
            return self.base
        return Node("BINARY_OPERATOR", self.base.span, type_, [self.base, self.offset], op="+")

    def text(self) -> str:
        """C text of the offset, computed in ``long``; empty where it has none."""
        return _text(self.offset)


def number(value: int, span: Span) -> Node:
    """An integer literal."""
    return nodes.number(value, span, LONG)


def added(left: Node, right: Node) -> Node:
    """A sum, numbers computed."""
    one, other = constant_value(left), constant_value(right)
    if one is not None and other is not None:
        return number(one + other, left.span)
    if other == 0:
        return left
    if one == 0:
        return right
    if right.kind == "UNARY_OPERATOR" and right.op == "-":
        return Node("BINARY_OPERATOR", left.span, LONG, [left, right.children[0]], op="-")
    return Node("BINARY_OPERATOR", left.span, LONG, [left, right], op="+")


def negated(node: Node) -> Node:
    """A value with the other sign."""
    value = constant_value(node)
    if value is not None:
        return number(-value, node.span)
    return Node("UNARY_OPERATOR", node.span, LONG, [node], op="-")


def multiplied(left: Node, right: Node) -> Node:
    """A product, numbers computed."""
    one, other = constant_value(left), constant_value(right)
    if one is not None and other is not None:
        return number(one * other, left.span)
    if one == 1:
        return right
    if other == 1:
        return left
    if 0 in (one, other):
        return number(0, left.span)
    return Node("BINARY_OPERATOR", left.span, LONG, [left, right], op="*")


def pointer_value(node: Node) -> Value:
    """A pointer's expression as what it counts from and how far."""
    inner = bare_pointer(node)
    if inner.kind == "BINARY_OPERATOR" and inner.op in ("+", "-") and len(inner.children) == 2:
        left, right = inner.children
        if left.type.kind == "int":
            left, right = right, left
        if left.type.kind in ("pointer", "array"):
            return pointer_value(left).moved(right if inner.op == "+" else negated(right))
    if inner.kind == "UNARY_OPERATOR" and inner.op == "&":
        (place,) = inner.children
        if place.kind == "ARRAY_SUBSCRIPT_EXPR" and place.children[0].type.kind != "int":
            base, index = place.children
            return pointer_value(base).moved(index)
    return Value(inner, number(0, node.span))


def bare_pointer(node: Node) -> Node:
    """A pointer without conversions that keep what it leads to."""
    while node.kind in CASTS and node.children and same_elements(node):
        node = node.children[-1]
    return node


def same_elements(node: Node) -> bool:
    """Whether a conversion keeps what a pointer or an array leads to."""
    to, source = node.type.element, node.children[-1].type.element
    return to is not None and source is not None and plain_name(to) == plain_name(source)


def subscript(node: Node, base: Node, index: Node) -> Node:
    """``base[index]`` with what is added to a pointer in the subscript."""
    found = pointer_value(base)
    assert found.base is not None
    place = added(found.offset, index)
    return replace(
        node, kind="ARRAY_SUBSCRIPT_EXPR", op="", name="", children=[found.base, place],
        _kinds=None, _decls=None, _assigned=None,
    )  # fmt: skip


def _text(node: Node) -> str:
    if node.value is not None:
        return f"{node.value}L" if node.value >= 0 else f"({node.value}L)"
    if node.kind == "BINARY_OPERATOR" and node.op in ("+", "-", "*"):
        left, right = map(_text, node.children)
        return f"({left} {node.op} {right})" if left and right else ""
    if node.kind == "UNARY_OPERATOR" and node.op == "-":
        inner = _text(node.children[0])
        return inner and f"(-{inner})"
    if node.kind in CASTS and node.children:
        return _text(node.children[-1])
    place = spelled(node)
    return place and f"(long){place}"
