"""Local variables that are numbers from their declaration on, written out as these.

``unsigned gi = 8; ... x[gi * g + c]`` is affine only where ``gi`` is a number. Only for reading:
no text is made of it.
"""

from __future__ import annotations

from s2s.frontends.c.facts import Facts, initializer
from s2s.frontends.c.integer_constants import constant_value
from s2s.frontends.c.syntax import CType, Decl, Node
from s2s.frontends.c.typed.nodes import number


def with_constants_written_out(tree: Node, function: Node, facts: Facts) -> Node:
    """A part of a function with numbers for the variables that nothing sets after they begin."""
    known = dict(_constants(function, facts))
    return _written_out(tree, known) if known else tree


def _constants(function: Node, facts: Facts) -> list[tuple[Decl, int]]:
    found = []
    for node in function.walk():
        decl = node.decl
        if node.kind != "VAR_DECL" or decl is None or decl.type.kind != "int":
            continue
        first = initializer(node) if facts.is_constant(decl) else None
        value = None if first is None else constant_value(first)
        if value is not None and _holds(decl.type, value):
            found.append((decl, value))
    return found


def _holds(type_: CType, value: int) -> bool:
    """Whether a variable has the number itself, which nothing cuts."""
    bits = 8 * type_.size
    least = -(1 << (bits - 1)) if type_.signed else 0
    return not type_.volatile and least <= value < least + (1 << bits)


def _written_out(node: Node, known: dict[Decl, int]) -> Node:
    if known.keys().isdisjoint(node.decls):
        return node
    if node.kind == "DECL_REF_EXPR" and node.decl in known:
        return number(known[node.decl], node.span, node.type)
    return node.with_children([_written_out(child, known) for child in node.children])
