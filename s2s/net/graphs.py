"""Small graphs for code that goes through edge lists which a program declares.

Loops over incoming edges and loops over outgoing ones do the same only where both lists hold the
same edges: that is what ``#pragma s2s graph`` promises, and what the inputs here have to keep.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from s2s.frontends.c.graph_pragmas import Graph
from s2s.net.inputs import Input
from s2s.net.memory import Contents
from s2s.source.records import dataclass

Edge = tuple[int, int, int]
_SIZES = (5, 0, 1, 2, 9, 12, 7, 3, 20)


@dataclass(frozen=True)
class GraphInput:
    """An input whose ``arrays`` hold graphs with as many vertices as the input's size."""

    given: Input
    arrays: dict[str, list[int]]


def are_plain(graphs: Sequence[Graph]) -> bool:
    """Whether all the graphs are variables of their own: counts, and arrays of integers."""
    items = [i for g in graphs for i in (g.count, *g.outgoing, *g.incoming)]
    return bool(graphs) and not any("." in item for item in items) and not any(
        g.table for g in graphs
    )  # fmt: skip


def graph_inputs(graphs: Sequence[Graph], *, exact: bool) -> Iterator[GraphInput]:
    """Inputs with graphs of several sizes, with loops, parallel edges and lonely vertices."""
    for seed, size in enumerate(_SIZES):
        arrays: dict[str, list[int]] = {}
        for graph in graphs:
            arrays |= _lists(graph, size, _edges(size, seed, both=_is_undirected(graph)))
        contents = Contents(seed=seed, exact=exact, signed=seed % 2 == 1)
        yield GraphInput(Input(size, contents), arrays)


def _is_undirected(graph: Graph) -> bool:
    return bool(graph.outgoing) and graph.outgoing == graph.incoming


def _edges(size: int, seed: int, *, both: bool) -> list[Edge]:
    """Edges with a number; an undirected graph has each in both directions."""
    count = size * (1 + seed % 3)
    drawn = [(k * 2654435761 + seed * 97) >> 7 for k in range(1, count + 1)]
    found = [(d % size, d // size % (size if d % 3 else size // 2 + 1), k)
             for k, d in enumerate(drawn)]  # fmt: skip
    if not both:
        return found
    return [*found, *((v, u, k) for u, v, k in found if u != v)]


def _lists(graph: Graph, size: int, edges: list[Edge]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    if graph.outgoing:
        found |= _rows(graph.outgoing, size, edges)
    if graph.incoming and not _is_undirected(graph):
        found |= _rows(graph.incoming, size, [(v, u, k) for u, v, k in edges])
    return found


def _rows(items: Sequence[str], size: int, edges: list[Edge]) -> dict[str, list[int]]:
    """Compressed rows of the first ends: where they begin, the other ends, attributes."""
    ordered = sorted(edges, key=lambda e: (e[0], e[2] * 7 % 5, e[2]))
    ends = [sum(1 for e in ordered if e[0] < v) for v in range(size + 1)]
    found = {items[0]: ends, items[1]: [e[1] for e in ordered]}
    for number, item in enumerate(items[2:]):
        found[item] = [e[2] * (number + 5) % 11 - 2 for e in ordered]
    return found
