"""``#pragma s2s graph``: which edge lists hold the edges that come in, and which those that go out.

::

    #pragma s2s graph vertices(n) out(off, nbr, weight) in(back, from, back_weight)
    #pragma s2s graph vertices(graph.size, graph.vertices) both(vertex.out.size, vertex.out.to)

``out(ends, neighbour, attribute...)`` names what the edge lists of a vertex are made of: offsets or
a length, the other end, and what else an edge has. ``in`` names the same, in the same order, of the
edges that come in: for each edge from u to v in a list of u there is one in a list of v with equal
attributes, as often. ``both`` is for undirected graphs, whose edges are in the lists of both ends.
``vertices(count, array)`` is the number of vertices; lists hold no others. The elements of
``array`` are pointers to different vertices. What is named is memory of its own, in which there are
no properties of vertices.

Variables have their names, members the struct's tag in front: ``graph.size``. The pragma is about
the function that it stands in, or about the whole file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set
from functools import cached_property
from itertools import pairwise

from s2s.frontends.c.places import Field, Index, Place, ValueAt
from s2s.frontends.c.syntax import Decl
from s2s.frontends.c.text import DirectiveLine
from s2s.source import SourceBuffer, Span
from s2s.source.diagnostics import Diagnostic, Severity
from s2s.source.records import dataclass

Item = str
_PRAGMA = re.compile(r"pragma\s+s2s\s+graph\b(.*)", re.DOTALL)
_CLAUSE = re.compile(r"[\s,]*([A-Za-z_]\w*)\s*\(([^()]*)\)")
_ITEM = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_CLAUSES = {"vertices": (1, 2), "out": (2, 99), "in": (2, 99), "both": (2, 99)}


@dataclass(frozen=True)
class Graph:
    """What is known of a graph's arrays, as items such as ``off`` or ``graph.size``.

    ``outgoing`` and ``incoming`` are parallel: ends, neighbour, attributes. They are the same for
    an undirected graph, and empty where only the vertices are declared. ``arrays`` are those that
    the other lists are in, by items, where their names do not follow from the items.
    """

    count: Item
    table: Item | None
    outgoing: tuple[Item, ...]
    incoming: tuple[Item, ...]
    span: Span
    arrays: tuple[tuple[Item, Place], ...] = ()

    @cached_property
    def memory(self) -> frozenset[Item]:
        """All that is the graph's own: the items, and the members on the way to them."""
        items = (*self.outgoing, *self.incoming, *filter(None, [self.table]))
        parts = (item.split(".") for item in items)
        return frozenset(".".join(p[:n]) for p in parts for n in range(min(len(p), 2), len(p) + 1))

    def lists(self, ends: Item) -> tuple[Item, ...]:
        """The lists with such ends, () where there are none."""
        return next((s for s in (self.outgoing, self.incoming) if s and s[0] == ends), ())

    def flipped(self, ends: Item) -> dict[Item, Item]:
        """What stands for the items of the lists with such ends in those of the other direction."""
        for one, other in ((self.outgoing, self.incoming), (self.incoming, self.outgoing)):
            if one and one[0] == ends:
                return dict(zip(one, other, strict=True))
        return {}


@dataclass(frozen=True)
class GraphPragmas:
    """The pragmas of a file, and what is wrong with others."""

    graphs: tuple[Graph, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    def of(self, function: Span, others: Iterable[Span]) -> tuple[Graph, ...]:
        """The graphs that a function may speak of: declared in it, or outside of all functions."""
        elsewhere = [s for s in others if s != function]
        return tuple(
            g for g in self.graphs
            if not any(s.start <= g.span.start < s.end for s in elsewhere)
        )  # fmt: skip


class _Malformed(Exception):
    pass


def read_graph_pragmas(buffer: SourceBuffer, lines: Iterable[DirectiveLine]) -> GraphPragmas:
    """The pragmas among the preprocessor lines of a file."""
    graphs: list[Graph] = []
    said: list[Diagnostic] = []
    for line in lines:
        match = _PRAGMA.match(line.text)
        if match is None:
            continue
        try:
            graphs.append(_graph(match.group(1), line.span))
        except _Malformed as problem:
            text = f"{problem}; '#pragma s2s graph' is ignored"
            place = buffer.location(line.span)
            said.append(Diagnostic(Severity.WARNING, text, "graph", place))
    return GraphPragmas(tuple(graphs), tuple(said))


def _graph(text: str, span: Span) -> Graph:
    found = dict(_clauses(text))
    if "vertices" not in found:
        raise _Malformed("'vertices(count)' is missing")
    count, *table = found["vertices"]
    both = found.get("both", ())
    outgoing, incoming = found.get("out", both), found.get("in", both)
    if both and ("out" in found or "in" in found):
        raise _Malformed("'both' is for graphs without 'out' and 'in'")
    if outgoing and incoming and len(outgoing) != len(incoming):
        raise _Malformed("'out' and 'in' do not name the same")
    if not (outgoing and incoming):
        raise _Malformed("'out' and 'in', or 'both', are missing")
    return Graph(count, table[0] if table else None, outgoing, incoming, span)


def _clauses(text: str) -> Iterator[tuple[str, tuple[Item, ...]]]:
    seen: set[str] = set()
    position = 0
    while match := _CLAUSE.match(text, position):
        name, position = match.group(1), match.end()
        items = tuple(item.strip() for item in match.group(2).split(","))
        if name not in _CLAUSES:
            raise _Malformed(f"clause '{name}' is not understood")
        least, most = _CLAUSES[name]
        if name in seen or not least <= len(items) <= most or not all(map(_ITEM.fullmatch, items)):
            raise _Malformed(f"clause '{name}' is not understood")
        seen.add(name)
        yield name, items
    if text[position:].strip():
        raise _Malformed(f"'{text[position:].strip()[:40]}' is not understood")


def item_of(place: Place, edges: Set[Decl] = frozenset()) -> Item:
    """The item that an array's element, a length or a member is called by in a pragma.

    Members count from the struct that a pointer or a subscript leads to last, that of an edge (by
    an iterator in ``edges``) left out: ``vertices[v]->out.edges[e].to`` is ``vertex.out.edges.to``.
    """
    if place.root is None:
        return ""
    start = start_of(place, edges)
    names = [s.name for s in place.steps[start or 0 :] if isinstance(s, Field)]
    first = place.steps[start] if start is not None else None
    around = first.record if isinstance(first, Field) else place.root.name
    return ".".join([around, *names])


def start_of(place: Place, edges: Set[Decl] = frozenset()) -> int | None:
    """The step at which the members in a place's item begin, None where they are the root's."""
    starts = [0] if place.steps and isinstance(place.steps[0], Field) else []
    for position, (step, following) in enumerate(pairwise(place.steps)):
        if isinstance(step, Index) and isinstance(following, Field) and not _is_edge(step, edges):
            starts.append(position + 1)
    return starts[-1] if starts else None


def _is_edge(step: Index, edges: Set[Decl]) -> bool:
    term = step.term
    return isinstance(term, ValueAt) and not term.place.steps and term.place.root in edges
