"""Factors of counters that are no numbers: strides and dilations that a layer is given.

``x[(i * stride + u) * w + j * stride + v]`` is affine in the loops where ``stride`` is a number.
What a nest means for some numbers is right where the program asks, before it, whether the factor
is that number. Only for reading: no text is made of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain

from s2s.frontends.c.facts import Facts
from s2s.frontends.c.syntax import ASSIGNMENTS, CASTS, INCREMENTS, Decl, Node
from s2s.frontends.c.typed.nodes import INT, local, number, reference

Spelled = Callable[[Node], str]
"""The text of a node without spaces."""
_MOST = 2
_LAYER = 10
"""Loops of a layer: images, groups, channels of both sides, three axes and their taps."""


def factors_of(nest: Node, facts: Facts, spelled: Spelled) -> list[str]:
    """The texts of what multiplies counters and stays what it is while a nest runs.

    A length of rows multiplies one counter of an array's subscript, as the inner ones move within
    a row; a stride has all that move a window, so that those of the most counters are taken, two
    at most.
    """
    if sum(1 for _ in _loops(nest)) > _LAYER:
        return []
    counters = {decl for loop in _loops(nest) if (decl := _counter(loop)) is not None}
    limits = {
        spelled(side.uncast)
        for loop in _loops(nest)
        for part in loop.children[1].walk()
        for side in part.children
        if part.op in ("<", "<=", ">", ">=", "!=")
    }
    found: dict[str, dict[Decl | None, set[Decl]]] = {}
    for array, node in _products(nest, None):
        one, other = (child.uncast for child in node.children)
        for counter, factor in ((one, other), (other, one)):
            decl = counter.decl
            if counter.kind != "DECL_REF_EXPR" or decl not in counters or decl is None:
                continue
            if factor.decl not in counters and _stays(factor, nest, facts):
                found.setdefault(spelled(factor), {}).setdefault(array, set()).add(decl)
    known = {
        text: max(map(len, of_array.values()))
        for text, of_array in found.items()
        if text not in limits
    }
    most = max(known.values(), default=0)
    texts = [text for text, many in known.items() if many == most][:_MOST]
    return texts if most > 1 or len(texts) > 1 else []  # else it is a length of rows


def _products(node: Node, array: Decl | None) -> Iterator[tuple[Decl | None, Node]]:
    """Products with the array in whose subscripts they stand, if they do."""
    if node.op == "*" and len(node.children) == 2 and not node.in_macro:
        yield array, node
    for child in node.children:
        inside = node.kind == "ARRAY_SUBSCRIPT_EXPR" and child is node.children[-1]
        yield from _products(child, node.children[0].uncast.decl if inside else array)


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
    return tree.with_children([with_numbers(child, values, spelled) for child in tree.children])


def with_products_named(nest: Node, facts: Facts, spelled: Spelled) -> Node:
    """A nest in which ``x[i * n + h * size + e]`` has one name for ``h * size``.

    Only for products of what the nest does not change that are added to a subscript: where the
    columns of a head begin. Elsewhere they are lengths of rows.
    """
    counters = {_counter(loop) for loop in _loops(nest)}
    names: dict[str, Decl] = {}

    def is_fixed(node: Node) -> bool:
        kept = all(
            _stays(part, nest, facts) and part.decl not in counters
            for part in node.walk()
            if part.kind in ("DECL_REF_EXPR", "MEMBER_REF_EXPR")
        )
        kinds = {"DECL_REF_EXPR", "INTEGER_LITERAL", "BINARY_OPERATOR", "PAREN_EXPR", *CASTS}
        plain = node.kinds | {node.kind} <= kinds
        return kept and plain and not node.in_macro and node.type.size >= INT.size

    def added(node: Node) -> Node:
        if node.kind in ("PAREN_EXPR", *CASTS) and node.children:
            return node.with_children([*node.children[:-1], added(node.children[-1])])
        if node.op in ("+", "-") and len(node.children) == 2:
            return node.with_children(list(map(added, node.children)))
        if node.op == "*" and len(node.children) == 2 and is_fixed(node):
            text = f"({spelled(node)})"
            names.setdefault(text, local(text, node.type, nest.span))
            return reference(names[text], node.span)
        return node

    def one(node: Node) -> Node:
        below = list(map(one, node.children))
        if node.kind == "ARRAY_SUBSCRIPT_EXPR" and len(below) == 2:
            below[1] = added(below[1])
        return node.with_children(below)

    return one(nest)


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
