"""Whole programs that read a graph, build lists in functions of their own, and go through them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.driver.transform import transform_file

_HELPERS = r"""
#include <stdio.h>
#include <stdlib.h>
static int n, m, *src, *dst, *begin, *list, *rbegin, *rlist;
static void offsets(const int *key, int **found)
{
    int i, *count = (int *)calloc(n + 1, sizeof(int));
    for (i = 0; i < m; i++) count[key[i] + 1]++;
    for (i = 1; i <= n; i++) count[i] += count[i - 1];
    *found = count;
}
static int *filled(const int *start, const int *key, const int *value)
{
    int *to = malloc(m * sizeof(int)), *next = malloc(n * sizeof(int)), i;
    for (i = 0; i != n; i++) next[i] = start[i];
    for (i = 0; i < m; i++) to[next[key[i]]++] = value[i];
    free(next);
    return to;
}
int main(int argc, char **argv)
{
    FILE *file = fopen(argv[1], "r");
    int v, e;
    if (!file || fscanf(file, "%d %d", &n, &m) != 2) return 1;
    src = malloc(m * sizeof(int));
    dst = malloc(m * sizeof(int));
    for (e = 0; e < m; e++) if (fscanf(file, "%d %d", src + e, dst + e) != 2) exit(1);
    offsets(src, &begin);
    offsets(dst, &rbegin);
    list = filled(begin, src, dst);
    rlist = filled(rbegin, dst, src);
    long *a = malloc(n * sizeof(long)), *b = calloc(n + 1, sizeof(long));
    for (v = 0; v < n; v++) a[v] = v;
#pragma omp parallel for private(e)
    for (v = 0; v < n; v++)
        for (e = rbegin[v]; e < rbegin[v + 1]; e++)
            b[v] += a[rlist[e]];
    for (v = 0; v < n; v++) printf("%ld\n", b[v]);
    return 0;
}
"""
_STRUCTS = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct arc { unsigned tail, head; };
struct rows { unsigned count; size_t *start; unsigned *to; };
static struct rows rows_of(unsigned count, size_t arcs, const struct arc *arc)
{
    size_t *at = malloc(count * sizeof *at), *start = calloc(count + 1ul, sizeof *start);
    struct rows made = {count, start, malloc(arcs * sizeof(unsigned))};
    for (size_t i = 0; i < arcs; i++) made.start[arc[i].tail + 1]++;
    for (unsigned v = 0; v < count; v++) made.start[v + 1] += made.start[v];
    memcpy(at, made.start, count * sizeof *at);
    for (size_t i = 0; i < arcs; i++) {
        const struct arc *one = &arc[i];
        made.to[at[one->tail]++] = one->head;
    }
    free(at);
    return made;
}
static void turn(const struct rows *from, struct rows *made)
{
    size_t *at = malloc(from->count * sizeof *at);
    made->count = from->count;
    made->start = calloc(from->count + 1ul, sizeof(size_t));
    made->to = malloc(from->start[from->count] * sizeof(unsigned));
    for (unsigned v = 0; v < from->count; v++)
        for (size_t k = from->start[v]; k < from->start[v + 1]; k++)
            made->start[from->to[k] + 1]++;
    for (unsigned v = 0; v < from->count; v++) made->start[v + 1] += made->start[v];
    for (unsigned v = 0; v < from->count; v++) at[v] = made->start[v];
    for (unsigned v = 0; v < from->count; v++)
        for (size_t k = from->start[v]; k < from->start[v + 1]; k++)
            made->to[at[from->to[k]]++] = v;
    free(at);
}
static int step(const struct rows *out, const struct rows *in, const long *now, long *next)
{
#pragma omp parallel for
    for (unsigned v = 0; v < in->count; v++) {
        long sum = 3;
        for (size_t k = in->start[v]; k < in->start[v + 1]; k++)
            sum += now[in->to[k]] / (long)(out->start[in->to[k] + 1] - out->start[in->to[k]]);
        next[v] = 1000 + sum * 17 / 20;
    }
    return 1;
}
int main(int argc, char **argv)
{
    unsigned n;
    size_t m;
    FILE *file = fopen(argv[1], "r");
    if (!file || fscanf(file, "%u %zu", &n, &m) != 2) return 1;
    struct arc *arcs = malloc(m * sizeof *arcs);
    for (size_t i = 0; i < m; i++)
        if (fscanf(file, "%u %u", &arcs[i].tail, &arcs[i].head) != 2) return 1;
    struct rows out = rows_of(n, m, arcs), in;
    turn(&out, &in);
    free(arcs);
    long *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    for (unsigned v = 0; v < n; v++) x[v] = 100000;
    for (int t = 0; t < 4 && step(&out, &in, x, y); t++) { long *z = x; x = y; y = z; }
    for (unsigned v = 0; v < n; v++) printf("%ld\n", x[v]);
    return 0;
}
"""
_STATIC = r"""
#include <stdio.h>
int n, m, from[999], to[999], start[99], list[999], rstart[99], rlist[999], at[99];
long a[99], b[99];
int main(int argc, char **argv)
{
    FILE *file = fopen(argv[1], "r");
    if (!file || fscanf(file, "%d %d", &n, &m) != 2) return 1;
    for (int e = 0; e < m; e++) {
        int u, v;
        if (fscanf(file, "%d %d", &u, &v) != 2) return 1;
        from[e] = u, to[e] = v;
        start[u + 1]++, rstart[v + 1]++;
    }
    for (int v = 0; v < n; v++) start[v + 1] += start[v], rstart[v + 1] += rstart[v];
    for (int v = 0; v < n; v++) at[v] = start[v];
    for (int e = 0; e < m; e++) list[at[from[e]]++] = to[e];
    for (int v = 0; v < n; v++) at[v] = rstart[v];
    for (int e = 0; e < m; e++) rlist[at[to[e]]++] = from[e];
    for (int v = 0; v < n; v++) a[v] = v;
    for (int v = 0; v < n; v++)
        for (int k = rstart[v]; k < rstart[v + 1]; k++) b[v] += a[rlist[k]];
    for (int v = 0; v < n; v++) printf("%ld\n", b[v]);
    return 0;
}
"""
_GRAPHS = {
    "empty": "0 0\n",
    "without edges": "4 0\n",
    "star": "5 6\n0 1\n0 2\n0 3\n0 4\n2 0\n4 0\n",
    "loops and twins": "4 7\n0 0\n1 1\n0 1\n0 1\n1 2\n3 2\n2 3\n",
}


def _printed(program: Path, graph: Path) -> str:
    done = subprocess.run(
        [str(program), str(graph)], check=True, timeout=60, capture_output=True, text=True,
        env={"OMP_NUM_THREADS": "2", "OMP_WAIT_POLICY": "passive"},
    )  # fmt: skip
    return done.stdout


@pytest.mark.parametrize("text", [_HELPERS, _STRUCTS], ids=["helpers", "structs"])
def test_programs_with_lists_of_their_own_push(tmp_path: Path, text: str) -> None:
    source, new = tmp_path / "old.c", tmp_path / "new.c"
    source.write_text(text)
    options = Options(passes=("graph:flip=push",), strict=True)
    outcome = transform_file(str(source), ("-fopenmp",), options)
    said = [d.text for d in outcome.diagnostics]
    assert any("vertices push" in line for line in said), said
    new.write_text(outcome.text.decode())
    for file in (source, new):
        command = ["gcc", "-O1", "-fopenmp", "-w", "-o", str(file.with_suffix("")), str(file)]
        subprocess.run(command, check=True, timeout=60)
    for name, graph in _GRAPHS.items():
        path = tmp_path / name
        path.write_text(graph)
        wanted = _printed(source.with_suffix(""), path)
        assert _printed(new.with_suffix(""), path) == wanted, name


def test_edges_may_lead_beyond_the_vertices_of_static_arrays(tmp_path: Path) -> None:
    source = tmp_path / "old.c"
    source.write_text(_STATIC)
    options = Options(passes=("graph:flip=push",), strict=True)
    outcome = transform_file(str(source), ("-fopenmp",), options)
    words = "edges in 'rstart' may be of vertices that the loop does not go through"
    assert any(words in d.text for d in outcome.diagnostics), outcome.diagnostics
    assert not any("edges flipped" in d.text for d in outcome.diagnostics)
