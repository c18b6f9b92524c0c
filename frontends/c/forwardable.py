"""Sequences of statements that fill a local array and end with a loop that copies it elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from s2s.frontends.c.confined import is_confined
from s2s.frontends.c.regions import Attempt, Function
from s2s.frontends.c.syntax import Decl, Node
from s2s.source import Span

# Statements between the first one that uses the array and the copy.
_MOST_STATEMENTS = 6
_MOVED = frozenset({"FOR_STMT", "COMPOUND_STMT"})


def forwardable(function: Function) -> Iterator[Attempt]:
    """Statements of a block, from the first that uses an array to the copy of it."""
    for block in function.body.walk():
        if block.kind != "COMPOUND_STMT":
            continue
        for end, child in enumerate(block.children):
            array = _copied(child)
            if array is None:
                continue
            users = [i for i in range(end) if _mentions(block.children[i], array)]
            users = [i for i in users if block.children[i].kind in _MOVED]
            if not users or end - users[0] >= _MOST_STATEMENTS:
                continue
            statements = block.children[users[0] : end + 1]
            span = Span(statements[0].span.start, child.span.end)
            plain = all(s.kind in _MOVED for s in statements)
            plain = plain and not function.attached.within(Span(block.span.start, span.end))
            buffer = function.unit.buffer
            if plain and is_confined(array, span, function.facts, buffer):
                yield function.attempt(list(statements))


def _copied(node: Node) -> Decl | None:
    """The local array of which a nest of loops copies elements, if it does nothing else."""
    while node.kind == "FOR_STMT" and len(node.children) == 4:
        node = node.children[3]
        while node.kind == "COMPOUND_STMT" and len(node.children) == 1:
            (node,) = node.children
    if node.kind != "BINARY_OPERATOR" or node.op != "=":
        return None
    target, value = node.children[0], node.children[1].bare
    if target.kind != "ARRAY_SUBSCRIPT_EXPR" or value.kind != "ARRAY_SUBSCRIPT_EXPR":
        return None
    while value.children:
        value = value.children[0]
    decl = value.decl
    return decl if decl is not None and decl.is_local and not decl.is_static else None


def _mentions(node: Node, decl: Decl) -> bool:
    return any(n.decl is decl for n in node.walk())
