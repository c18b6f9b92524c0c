"""Local variables that are numbers from their declaration on, written out as these.

``unsigned gi = 8; ... x[gi * g + c]`` is affine only where ``gi`` is a number. Only for reading:
no text is made of it.
"""

from __future__ import annotations

from s2s.frontends.c.facts import Facts
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.typed.nodes import number


def with_constants_written_out(tree: Node, function: Node, facts: Facts) -> Node:
    """A part of a function with numbers for the variables that nothing sets after they begin."""
    declared = (n.decl for n in function.walk() if n.kind == "VAR_DECL" and n.decl is not None)
    numbers = ((decl, facts.number(decl)) for decl in declared)
    known = {decl: value for decl, value in numbers if value is not None}
    return _written_out(tree, known) if known else tree


def _written_out(node: Node, known: dict[Decl, int]) -> Node:
    if known.keys().isdisjoint(node.decls):
        return node
    if node.kind == "DECL_REF_EXPR" and node.decl in known:
        return number(known[node.decl], node.span, node.type)
    return node.with_children([_written_out(child, known) for child in node.children])
