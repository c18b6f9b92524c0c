"""The memory that an access may reach in all iterations of a nest, as addresses in C."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from s2s.frontends.c.syntax import CASTS, Decl, Node
from s2s.frontends.c.text import one_line
from s2s.rewriters.expressions import variables
from s2s.rewriters.idioms.loops import Unsuitable
from s2s.source import Edit, SourceBuffer
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Range:
    """C texts of the first address of an access and of the one after its last."""

    first: str
    end: str


def split(node: Node) -> tuple[list[Node], Node | None]:
    """The subscripts of a place up to the pointer that leads to its memory, and that pointer.

    The pointer is None for what lies in a variable of its own.
    """
    found: list[Node] = []
    while True:
        node = node.bare
        if node.kind == "DECL_REF_EXPR":
            return found, None
        if node.kind == "MEMBER_REF_EXPR" and node.children:
            node = node.children[0].bare
            if node.type.kind == "pointer":
                return found, node
        elif node.kind == "ARRAY_SUBSCRIPT_EXPR" and len(node.children) == 2:
            base, index = (child.bare for child in node.children)
            if base.type.kind == "int":
                base, index = index, base
            found.append(index)
            if base.type.kind != "array":
                return found, base
            node = base
        elif node.kind == "UNARY_OPERATOR" and node.op == "*":
            return found, node.children[0].bare
        else:
            raise Unsuitable(node, "it is not understood where this lies")


def subscripts(node: Node) -> Iterator[Node]:
    """The subscripts of a place up to the pointer that leads to its memory."""
    yield from split(node)[0]


def reach(
    buffer: SourceBuffer, node: Node, counters: Mapping[Decl, tuple[str, str]]
) -> Range:  # fmt: skip
    """The addresses of a place, where counters run between values (C texts). Raises Unsuitable."""
    indices, pointer = split(node)
    if pointer is not None and variables(pointer) & counters.keys():
        raise Unsuitable(node, "iterations follow pointers of their own")
    if any(n.in_macro for n in node.walk() if n.kind == "DECL_REF_EXPR" and n.decl in counters):
        raise Unsuitable(node, "a macro makes part of a subscript")
    texts = []
    for side in (0, 1):
        edits = [edit for index in indices for edit in _extreme(index, counters, side)]
        texts.append(" ".join(one_line(buffer.edited(node.span, edits)).split()))
    return Range(f"(const char *)&{texts[0]}", f"(const char *)(&{texts[1]} + 1)")


def _extreme(index: Node, counters: Mapping[Decl, tuple[str, str]], side: int) -> Iterator[Edit]:
    """What makes a subscript the smallest (side 0) or the greatest one."""
    for decl in variables(index) & counters.keys():
        sign = _slope(index, decl)
        if sign is None:
            raise Unsuitable(index, f"it is not known where '{decl.name}' leads")
        text = counters[decl][side if sign > 0 else 1 - side]
        for node in index.walk():
            if node.kind == "DECL_REF_EXPR" and node.decl is decl:
                yield Edit(node.span.start, node.span.end, text.encode())


def _slope(node: Node, decl: Decl) -> int | None:
    """How a value follows a variable: 1 with it, -1 against it, 0 not at all; None: not known."""
    node = node.bare
    if decl not in variables(node):
        return 0
    if node.type.kind != "int" or not (node.type.signed or node.type.size == 8):
        return None
    if node.kind == "DECL_REF_EXPR":
        return 1
    if node.kind in CASTS and node.children:
        inner = node.children[-1]
        keeps = node.type.size >= inner.type.size and (inner.type.signed or inner.type.size == 8)
        return _slope(inner, decl) if keeps else None
    if node.kind != "BINARY_OPERATOR" or node.op not in ("+", "-", "*"):
        return None
    left, right = (_slope(child, decl) for child in node.children)
    if left is None or right is None:
        return None
    if node.op == "*":
        factor = node.children[1] if left else node.children[0]
        if (left and right) or factor.bare.value is None:
            return None
        return (left or right) * ((factor.bare.value > 0) - (factor.bare.value < 0))
    right = -right if node.op == "-" else right
    return left or right if not (left and right) or left == right else None
