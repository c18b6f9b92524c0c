"""Vertex loops, edge loops and whose the accesses are, however the graph is written down."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s.frontends.c.graph_loops import Of, VertexLoop
from s2s.frontends.c.graphs import graphs_of, vertex_loops
from s2s.frontends.c.regions import functions
from tests.lifting import parse_text

_PROGRAMS = Path(__file__).parent / "graphs"


def _loops(text: str) -> list[VertexLoop]:
    unit = parse_text(text)
    return [loop for f in functions(unit, every=True) for loop in vertex_loops(f)]


def _of(loop: VertexLoop) -> dict[str, str]:
    """Whose each memory access is, and what it is called, by its text."""
    data = loop.function.unit.buffer
    return {
        data.text(a.node.span): f"{a.of.name} {loop.item(a.place)}"
        for a in loop.accesses if a.of is not Of.LOCAL
    }  # fmt: skip


# The same pull along weighted edges: declarations, the number of vertices, the loop's text, and
# what its property, edge and neighbour's accesses are.
_FORMS = {
    "parameters": (
        "void f(int n, const int *off, const int *nbr, const long *w, long *dist, long *next) {",
        "for (int e = off[v]; e < off[v + 1]; e++) next[v] += dist[nbr[e]] + w[e];",
        {"next[v]": "OWN next", "w[e]": "EDGE w", "dist[nbr[e]]": "NEIGHBOUR dist"},
    ),
    "copies": (
        "void f(int n, const int *off, const int *nbr, const long *w, long *dist, long *next) {"
        "int start, u; long *d = dist;",
        "start = off[v]; const int end = off[v + 1];"
        "for (int e = start; e < end; e++) { u = nbr[e]; next[v] += d[u] + w[e]; }",
        {"next[v]": "OWN next", "w[e]": "EDGE w", "d[u]": "NEIGHBOUR dist"},
    ),
    "members": (
        "struct g { int n, *off, *nbr; long *w, *dist, *next; };"
        "void f(struct g *g) { int n = g->n;",
        "for (int e = g->off[v]; e < g->off[v + 1]; e++)"
        "{ int u = g->nbr[e]; g->next[v] += g->dist[u] + g->w[e]; }",
        {"g->next[v]": "OWN g.next", "g->w[e]": "EDGE g.w", "g->dist[u]": "NEIGHBOUR g.dist"},
    ),
    "globals": (
        "enum { N = 100 }; int off[N + 1], nbr[1000]; long w[1000], dist[N], next[N];"
        "void f(int n) {",
        "for (int e = off[v]; e < off[v + 1]; e++) next[v] += dist[nbr[e]] + w[e];",
        {"next[v]": "OWN next", "w[e]": "EDGE w", "dist[nbr[e]]": "NEIGHBOUR dist"},
    ),
    "rows": (
        "void f(int n, int *deg, int **adj, long **w, long *dist, long *next) {",
        "for (int k = 0; k < deg[v]; k++) { int u = adj[v][k]; next[v] += dist[u] + w[v][k]; }",
        {"next[v]": "OWN next", "w[v][k]": "EDGE w", "dist[u]": "NEIGHBOUR dist"},
    ),
    "objects": (
        "struct vertex; struct edge { struct vertex *to; long w; };"
        "struct vertex { long deg; struct edge *edges; long dist, next; };"
        "void f(int n, struct vertex **vs) {",
        "struct vertex *x = vs[v]; for (int k = 0; k < x->deg; k++)"
        "{ const struct edge *e = &x->edges[k]; x->next += e->to->dist + e->w; }",
        {"x->next": "OWN vertex.next", "e->w": "EDGE vertex.edges.w",
         "e->to->dist": "NEIGHBOUR vertex.dist"},
    ),
    "records": (
        "struct edge { int to; long w; };"
        "struct vertex { long deg; struct edge *edges; long dist, next; };"
        "void f(int n, struct vertex *vs) {",
        "for (int k = 0; k < vs[v].deg; k++)"
        "vs[v].next += vs[vs[v].edges[k].to].dist + vs[v].edges[k].w;",
        {"vs[v].next": "OWN vertex.next", "vs[v].edges[k].w": "EDGE vertex.edges.w",
         "vs[vs[v].edges[k].to].dist": "NEIGHBOUR vertex.dist"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("form", _FORMS)
@pytest.mark.parametrize("parallel", [False, True])
def test_a_pull_is_the_same_in_all_forms(form: str, parallel: bool) -> None:
    head, body, expected = _FORMS[form]
    pragma = "#pragma omp parallel for\n" if parallel else ""
    (loop,) = _loops(f"{head}\n{pragma}for (int v = 0; v < n; v++) {{ {body} }} }}\n")
    assert loop.is_parallel == parallel
    (edges,) = loop.edge_loops
    assert edges.owner_of is Of.OWN
    assert _of(loop).items() >= expected.items()


def test_edges_of_neighbours() -> None:
    (loop,) = _loops((_PROGRAMS / "neighbours.c").read_text())
    first, second = loop.edge_loops
    assert (first.owner_of, second.owner_of) == (Of.OWN, Of.NEIGHBOUR)
    assert second.around is first


_OTHERS = {
    "a number that is no vertex's": "next[v] += dist[comp[v]];",
    "a changed number": "int u = v; u = comp[u]; next[v] += dist[u];",
    "another vertex": "next[v] += dist[v + 1];",
    "a neighbour's neighbour": "for (int e = off[v]; e < off[v + 1]; e++) next[v] += "
    "dist[comp[off[e]]];",
}


@pytest.mark.parametrize("body", _OTHERS.values(), ids=_OTHERS)
def test_other_vertices_are_told_apart(body: str) -> None:
    (loop,) = _loops(f"""
void f(int n, int *off, int *comp, long *dist, long *next)
{{
#pragma omp parallel for
    for (int v = 0; v < n; v++) {{ {body} }}
}}
""")
    (read,) = (a for a in loop.accesses if a.place.steps and loop.item(a.place) == "dist")
    assert read.of is Of.OTHER


def test_graphs_are_declared_for_a_function_or_a_file() -> None:
    unit = parse_text((_PROGRAMS / "declared_twice.c").read_text())
    first, second = functions(unit, every=True)
    (graph,) = graphs_of(first)
    assert graph.flipped("off") == {"off": "back", "nbr": "from", "w": "v"}
    assert graph.flipped("back") == {"back": "off", "from": "nbr", "v": "w"}
    assert [g.flipped("off")["nbr"] for g in graphs_of(second)] == ["from", "nbr"]


@pytest.mark.parametrize(
    "clauses",
    ["out(off, nbr)", "vertices(n) out(off, nbr) in(back)", "vertices(n) out(off, nbr) in(a, b, c)",
     "vertices(n) both(off, nbr) out(off, nbr)", "vertices(n) both(off, nbr) else",
     "vertices(n) both(off, n+1)", "vertices(n)"],
)  # fmt: skip
def test_a_pragma_that_is_not_understood_is_ignored_with_a_warning(clauses: str) -> None:
    unit = parse_text(f"#pragma s2s graph {clauses}\nint x;\n")
    assert unit.graphs.graphs == ()
    (said,) = unit.graphs.diagnostics
    assert "ignored" in said.text
