"""Which functions threads may run: what they do goes to no device.

A region's arrays are copied whole, and a second thread may be at work on other elements. Without
``-fopenmp`` directives are comments.
"""

from __future__ import annotations

from s2s.frontends.c.syntax import Node
from s2s.frontends.c.unit import Unit
from s2s.source import Span
from s2s.source.compiler import asks_for_openmp

_WHOLE = frozenset({"parallel for", "simd", "parallel for simd"})
"""Directives whose loop, with them, is one statement for whoever runs the function."""
_STARTING = (b"pthread_create", b"thrd_create", b"cilk_spawn", b"cilk_for")


def threaded_functions(unit: Unit) -> frozenset[str]:
    """Functions with other directives than those of loops, and all that functions with any call.

    All functions of a file that starts threads in another way.
    """
    nodes = {name: unit.convert(c) for name, c in unit.functions_by_name.items()}
    if any(call in text for text in unit.own_texts for call in _STARTING):
        return frozenset(nodes)
    if not asks_for_openmp(unit.flags) or not unit.pragmas:
        return frozenset()
    found: set[str] = set()
    todo: list[str] = []
    for name, node in nodes.items():
        directives = [d for d in unit.pragmas if node.span.start <= d.span.start < node.span.end]
        if any(d.name not in _WHOLE for d in directives):
            found.add(name)
        if directives:
            todo += _called(node, nodes)
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += _called(nodes[name], nodes)
    return frozenset(found)


def is_under_directive(unit: Unit, statement: Span) -> bool:
    """Whether a directive stands right before a statement, so that threads may run its parts."""
    if not asks_for_openmp(unit.flags):
        return False
    data = unit.buffer.data
    return any(
        d.span.end <= statement.start and not data[d.span.end : statement.start].strip()
        for d in unit.pragmas
    )


def _called(node: Node, known: dict[str, Node]) -> list[str]:
    names = {n.decl.name for n in node.walk() if n.kind == "CALL_EXPR" and n.decl is not None}
    return [name for name in names if name in known]
