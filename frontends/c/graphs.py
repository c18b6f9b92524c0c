"""The graphs that are declared for a function, and its loops over their vertices.

Compressed rows (offsets), rows with a length (``adj[v][k]``, ``v->out.edges[k]``), vertices as
numbers and as pointers to structs (``vertices[i]``) are told apart by what the loads are made of,
wherever they stand: variables, parameters, members. A vertex loop is one that OpenMP or Cilk runs
in parallel, or one around a loop over the edges of its vertices.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from s2s.frontends.c import clang
from s2s.frontends.c.graph_loops import Of, VertexLoop, ascending
from s2s.frontends.c.graph_pragmas import Graph
from s2s.frontends.c.integer_constants import NotAffine
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Node
from s2s.source import Span

_CILK = re.compile(rb"(?:_Cilk|cilk)_for\b")


def graphs_of(function: Function) -> tuple[Graph, ...]:
    """The graphs that are declared for a function."""
    cursors = function.unit.functions()
    spans = [Span(*clang.extent(cursor)[:2]) for cursor in cursors]
    return function.unit.graphs.of(function.node.span, spans)


def vertex_loops(function: Function) -> Iterator[VertexLoop]:
    """The outermost vertex loops of a function, in the text's order."""
    yield from _vertex_loops(function, function.body)


def _vertex_loops(function: Function, node: Node) -> Iterator[VertexLoop]:
    for child in node.children:
        found = vertex_loop(function, child) if child.kind == "FOR_STMT" else None
        if found is not None and (found.is_parallel or _has_own_edges(found)):
            yield found
        else:
            yield from _vertex_loops(function, child)


def _has_own_edges(loop: VertexLoop) -> bool:
    return any(edges.owner_of is Of.OWN for edges in loop.edge_loops)


def vertex_loop(function: Function, node: Node) -> VertexLoop | None:
    """A loop as one over vertices, whatever it does; None where it does not count up by one."""
    try:
        loop, last = ascending(node)
    except NotAffine:
        return None
    data = function.unit.buffer.data
    cilk = _CILK.match(data, node.span.start) is not None
    directives = tuple(function.attached.before(node.span.start))
    return VertexLoop(
        function, node, loop.variable, loop.declared, loop.first, last, directives, cilk
    )
