"""Factors of counters that are no numbers: strides and dilations that a layer is given.

``x[(i * stride + u) * w + j * stride + v]`` is affine in the loops where ``stride`` is a number.
What a nest means for some numbers is right where the program asks, before it, whether the factor
is that number. Only for reading: no text is made of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain

from s2s.frontends.c.facts import Facts
from s2s.frontends.c.syntax import ASSIGNMENTS, INCREMENTS, Decl, Node
from s2s.frontends.c.typed.nodes import number

Spelled = Callable[[Node], str]
"""The text of a node without spaces."""
_MOST = 2


def factors_of(nest: Node, facts: Facts, spelled: Spelled) -> list[str]:
    """The texts of what multiplies counters and stays what it is while a nest runs.

    A length of rows multiplies one counter, as the inner ones move within a row; a stride has all
    the counters that move a window, so that those of the most counters are taken, two at most.
    """
    counters = {decl for loop in _loops(nest) if (decl := _counter(loop)) is not None}
    limits = {
        spelled(side.uncast)
        for loop in _loops(nest)
        for part in loop.children[1].walk()
        for side in part.children
        if part.op in ("<", "<=", ">", ">=", "!=")
    }
    found: dict[str, set[Decl]] = {}
    for node in nest.walk():
        if node.op != "*" or len(node.children) != 2 or node.in_macro:
            continue
        one, other = (child.uncast for child in node.children)
        for counter, factor in ((one, other), (other, one)):
            decl = counter.decl
            if counter.kind != "DECL_REF_EXPR" or decl not in counters or decl is None:
                continue
            if factor.decl not in counters and _stays(factor, nest, facts):
                found.setdefault(spelled(factor), set()).add(decl)
    known = {text: many for text, many in found.items() if text not in limits}
    most = max(map(len, known.values()), default=0)
    return [text for text, many in known.items() if len(many) == most][:_MOST]


def numbers_for(texts: list[str]) -> Iterator[dict[str, int]]:
    """The numbers that are tried: all are 1, then one of them is 2."""
    if texts:
        yield dict.fromkeys(texts, 1)
    for text in texts:
        yield {**dict.fromkeys(texts, 1), text: 2}


def with_numbers(tree: Node, values: Mapping[str, int], spelled: Spelled) -> Node:
    """A nest with numbers for factors."""
    if tree.kind in ("DECL_REF_EXPR", "MEMBER_REF_EXPR") and tree.type.kind == "int":
        value = values.get(spelled(tree))
        if value is not None:
            return number(value, tree.span, tree.type)
    children = [with_numbers(child, values, spelled) for child in tree.children]
    same = all(a is b for a, b in zip(children, tree.children, strict=True))
    return tree if same else tree.with_children(children)


def _loops(nest: Node) -> Iterator[Node]:
    return (n for n in nest.walk() if n.kind == "FOR_STMT" and len(n.children) == 4)


def _counter(loop: Node) -> Decl | None:
    step = loop.children[2]
    return step.children[0].uncast.decl if step.children else None


def _stays(factor: Node, nest: Node, facts: Facts) -> bool:
    """Whether it is an integer that the nest does not change, and may be read before it."""
    decl = factor.decl
    if decl is None or factor.type.kind != "int" or factor.type.volatile:
        return False
    if factor.kind == "DECL_REF_EXPR":
        inside = any(n.kind == "VAR_DECL" and n.decl is decl for n in nest.walk())
        return _is_kept(decl, nest, facts) and not inside
    return factor.kind == "MEMBER_REF_EXPR" and _is_kept_member(factor, nest, facts)


def _is_kept(decl: Decl, nest: Node, facts: Facts) -> bool:
    return decl.is_local and decl not in facts.escaped and decl not in nest.assigned


def _is_kept_member(member: Node, nest: Node, facts: Facts) -> bool:
    """``layer->stride``, where the first loop asks the layer for something and stores are floats.

    Memory of floats is none of integers (C11 6.5), so that the nest cannot change the member.
    """
    base = member.children[0].uncast if len(member.children) == 1 else None
    if base is None or base.kind != "DECL_REF_EXPR" or base.decl is None or not member.name:
        return False
    first = next(_loops(nest), None)
    asked = chain.from_iterable(part.walk() for part in first.children[:2]) if first else ()
    is_read = any(n.kind == "MEMBER_REF_EXPR" and n.children
                  and n.children[0].uncast.decl is base.decl for n in asked)  # fmt: skip
    stored = [
        n.children[0].uncast for n in nest.walk() if n.op in ASSIGNMENTS | INCREMENTS and n.children
    ]
    plain = all(n.kind == "DECL_REF_EXPR" or n.type.kind == "float" for n in stored)
    return is_read and plain and _is_kept(base.decl, nest, facts)
