"""Syntax that no file has: what preparations for typed reading put in place of a program's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from s2s.frontends.c.syntax import CType, Decl, Node
from s2s.source import Span

INT = CType("int", "int", 4, canonical="int")
LONG = CType("long", "int", 8, canonical="long")


def number(value: int, at: Span, type_: CType = INT) -> Node:
    return Node("INTEGER_LITERAL", at, type_, [], value=value)


def reference(decl: Decl, at: Span) -> Node:
    return Node("DECL_REF_EXPR", at, decl.type, [], name=decl.name, decl=decl)


def plus(left: Node | None, right: Node | None) -> Node | None:
    """The sum of two integers in the wider type, each of which may be missing."""
    if left is None or right is None:
        return right if left is None else left
    if left.value is not None and right.value is not None:
        return number(left.value + right.value, left.span)
    type_ = max(left.type, right.type, key=lambda t: t.size)
    return Node("BINARY_OPERATOR", left.span, type_, [left, right], op="+")


def minus(left: Node, right: Node) -> Node:
    if right.value == 0:
        return left
    type_ = max(left.type, right.type, key=lambda t: t.size)
    return Node("BINARY_OPERATOR", left.span, type_, [left, right], op="-")


def times(value: Node | None, by: int) -> Node | None:
    """So many times an integer that may be missing."""
    if value is None or by == 1:
        return value
    if by == 0:
        return None
    if value.value is not None:
        return number(value.value * by, value.span)
    factors = [value, number(by, value.span)]
    return Node("BINARY_OPERATOR", value.span, value.type, factors, op="*")


def operation(op: str, left: Node, right: Node, type_: CType) -> Node:
    return Node("BINARY_OPERATOR", left.span, type_, [left, right], op=op)


def copied(node: Node) -> Node:
    """The same expression once more, so that each part of a tree stands in it once."""
    return replace(node, children=[copied(child) for child in node.children])


def element(base: Node, index: Node | None) -> Node:
    """What a pointer or an array has at an index (missing: 0)."""
    assert base.type.element is not None
    index = number(0, base.span) if index is None else index
    return Node("ARRAY_SUBSCRIPT_EXPR", base.span, base.type.element, [base, index])


def assignment(target: Node, value: Node) -> Node:
    return Node("BINARY_OPERATOR", value.span, target.type, [target, value], op="=")


def declaration(decl: Decl, value: Node | None, at: Span) -> Node:
    """``type name = value;``."""
    children = [] if value is None else [value]
    variable = Node("VAR_DECL", at, decl.type, children, name=decl.name, decl=decl)
    return Node("DECL_STMT", at, decl.type, [variable])


def block(nodes: Sequence[Node], at: Span) -> Node:
    return Node("COMPOUND_STMT", at, INT, list(nodes))


def in_place(node: Node, children: Sequence[Node]) -> Node:
    """Statements where a node stands."""
    return Node("COMPOUND_STMT", node.span, node.type, list(children), in_macro=node.in_macro)


def counted_from_zero(decl: Decl, count: int, body: Node, at: Span) -> Node:
    """``for (int decl = 0; decl < count; decl++) body``."""
    test = Node("BINARY_OPERATOR", at, INT, [reference(decl, at), number(count, at)], op="<")
    step = Node("UNARY_OPERATOR", at, INT, [reference(decl, at)], op="post++")
    parts = [declaration(decl, number(0, at), at), test, step, body]
    return Node("FOR_STMT", at, INT, parts)


def local(name: str, type_: CType, at: Span) -> Decl:
    """A variable that the source does not have."""
    plain = replace(type_, const=False)
    return Decl(name, "VAR_DECL", plain, "", at.start, False, False, True)


def with_replaced(tree: Node, old: Node, new: Node) -> Node:
    """A tree with another node in the place of one."""
    if old is new:
        return tree
    if tree is old:
        return new
    if old.span not in tree.span:
        return tree
    return tree.with_children([with_replaced(child, old, new) for child in tree.children])
