"""Lists that are known by how they are built: every way of building them, and near misses."""

from __future__ import annotations

from pathlib import Path

from tests.rewriters.graphs.running import HEAD, check, kernel, transformed

_PROGRAMS = Path(__file__).parent / "built"

# Edges by number, of the kernel's rows: src, dst, wt.
_EDGES = (_PROGRAMS / "edges.c").read_text()
_ARRAYS = """
long *first = calloc(n + 1, sizeof(long)), *to = malloc((m + 1) * sizeof(long));
long *begin = calloc(n + 1, sizeof(long)), *by = malloc((m + 1) * sizeof(long));
long *cost = malloc((m + 1) * sizeof(long)), *price = malloc((m + 1) * sizeof(long));
"""
_PULL = """
#pragma omp parallel for
for (long v = 0; v < n; v++)
    for (long k = begin[v]; k < begin[v + 1]; k++)
        if (a[by[k]] + price[k] < b[v]) b[v] = a[by[k]] + price[k];
"""
_PLAIN = _PULL.replace(" + price[k]", "")
_FREE = "free(first); free(to); free(begin); free(by); free(cost); free(price);"
_COPIES = """
long *p = malloc(n * sizeof *p), *q = malloc(n * sizeof *q);
for (long v = 0; v < n; v++) { p[v] = first[v]; q[v] = begin[v]; }
"""
_FILL = (_PROGRAMS / "fill.c").read_text()
_COUNT = "for (long e = 0; e < m; e++) { first[src[e] + 1]++; begin[dst[e] + 1]++; }\n"
_SUM = "for (long v = 0; v < n; v++) { first[v + 1] += first[v]; begin[v + 1] += begin[v]; }\n"
_USUAL = _COUNT + _SUM + _COPIES + _FILL

_BUILT = {
    "usual": _USUAL,
    "two_loops": """
for (long e = 0; e < m; e++) first[src[e] + 1] += 1;
for (long e = 0; e < m; e++) ++begin[dst[e] + 1];
for (long v = 1; v <= n; ++v) first[v] = first[v - 1] + first[v];
for (long v = 1; v <= n; ++v) begin[v] += begin[v - 1];
"""
    + _COPIES
    + """
for (long e = 0; e < m; e++) { to[p[src[e]]] = dst[e]; cost[p[src[e]]++] = wt[e]; }
for (long e = 0; e < m; e++) { by[q[dst[e]]] = src[e]; price[q[dst[e]]] = wt[e]; q[dst[e]]++; }
""",
    "counts_apart": (_PROGRAMS / "counts_apart.c").read_text() + _FILL,
    "running_sum": (_PROGRAMS / "running_sum.c").read_text() + _FILL,
    "shifted_back": _COUNT + _SUM + (_PROGRAMS / "shifted_back.c").read_text(),
    "backwards": _COUNT + _SUM + (_PROGRAMS / "backwards.c").read_text(),
    "counted_again": _COUNT + _SUM + (_PROGRAMS / "counted_again.c").read_text(),
    "without_loops": """
for (long e = 0; e < m; e++) if (src[e] != dst[e]) { first[src[e] + 1]++; begin[dst[e] + 1]++; }
"""
    + _SUM
    + _COPIES
    + (_PROGRAMS / "loops_left_out.c").read_text(),
    "one_of_the_other": (_PROGRAMS / "one_of_the_other.c").read_text(),
    "with_threads": (_PROGRAMS / "counted_by_threads.c").read_text()
    + _SUM
    + _COPIES
    + (_PROGRAMS / "filled_by_threads.c").read_text(),
}


def _kernel(name: str, build: str, pull: str = _PULL, head: str = HEAD) -> str:
    return kernel(name, _EDGES + _ARRAYS + build + pull + _FREE, "", head)


_INCLUDES = "#include <stdlib.h>\n#include <string.h>\n"
_ROWS = (_PROGRAMS / "rows.c").read_text()
_BOTH = (_PROGRAMS / "both.c").read_text()
_BOTH_PLAIN = _BOTH.replace("    cost[p[u]] = wt[e];\n", "").replace(
    "    cost[p[v]] = wt[e];\n", ""
)
_BOTH_PULL = _PULL.replace("begin", "first").replace("by", "to").replace("price", "cost")
_OWN = _PLAIN.replace("begin", "first").replace("by", "to")


def test_lists_are_known_by_how_they_are_built(tmp_path: Path) -> None:
    text = _INCLUDES + "".join(_kernel(name, build) for name, build in _BUILT.items())
    text += kernel("of_given_rows", _ROWS + _PULL, "")
    text += kernel("undirected", _EDGES + _BOTH_PLAIN + _OWN, "")
    text += kernel("undirected_weights", _EDGES + _BOTH + _BOTH_PULL, "")
    ran = check(text, tmp_path, "graph:flip=push")
    for name, said in ran.said.items():
        assert ran.done(name, "vertices push"), (name, said)


# What is replaced in the usual way of building, and by what: the lists are no longer transposed, or
# may not be. The words are those of the remark.
_NEAR = {
    "loops_in_one": ("begin[dst[e] + 1]++;", "if (src[e] != dst[e]) begin[dst[e] + 1]++;",
                     "something else than what builds lists"),
    "loops_in_one_list": (
        "first[src[e] + 1]++; begin[dst[e] + 1]++; }",
        "if (src[e] == dst[e]) continue; first[src[e] + 1]++; begin[dst[e] + 1]++; }", "'by' is"),
    "other_keys": ("q[dst[e]]++", "q[src[e]]++", "'by' is written by something else"),
    "other_values": ("by[k] = src[e]", "by[k] = src[m - 1 - e]", "lists are not of the edges"),
    "one_less": ("e < m; e++) {\n    long k", "e < m - 1; e++) {\n    long k", "'by' is"),
    "one_less_counted": ("for (long e = 0; e < m; e++) { first[",
                         "for (long e = 1; e < m; e++) { first[", "'by' is"),
    "changed_between": ("long *p = malloc", "if (m > 1) dst[0] = src[1];\nlong *p = malloc",
                        "'by' is"),
    "changed_behind": ("#pragma", "if (m) by[0] = n - 1;\n#pragma", "'by' is written"),
    "changed_offsets": ("#pragma", "if (n) begin[n] -= 1;\n#pragma", "'begin' is written"),
    "changed_others": ("#pragma", "if (m) to[0] = 0;\n#pragma", "other lists are not of"),
    "changed_by_call": ("#pragma", "change(by);\n#pragma", "may be written by a call"),
    "sorted": ("#pragma", "qsort(by, m, sizeof *by, order);\n#pragma", "may be written by a call"),
    "freed": ("#pragma", "if (m == 7) free(to);\n#pragma", "other lists are not of"),
    "fewer_vertices": ("v < n; v++)\n    for (long k", "v < n - 1; v++)\n    for (long k",
                       "may be of vertices that the loop does not go through"),
    "not_from_first": ("v = 0; v < n; v++)\n    for (long k", "v = 1; v < n; v++)\n    for (long k",
                       "does not start at the first vertex"),
    "sum_from_second": ("for (long v = 0; v < n; v++) { first[v + 1] += first[v]; begin",
                        "for (long v = 1; v < n; v++) { first[v + 1] += first[v]; begin",
                        "'begin' is written by something else"),
    "not_zero": ("for (long e = 0; e < m; e++) { first[",
                 "begin[n] = 1;\nfor (long e = 0; e < m; e++) { first[", "'begin' is written"),
    "copied_late": ("q[v] = begin[v];", "q[v] = begin[v + 1] - begin[v];", "'by' is written"),
    "jumps": ("#pragma", "if (n > 100) goto end;\nend:;\n#pragma", "has jumps"),
    "weights_of_others": ("price[k] = wt[e];\n}", "price[k] = wt[m - 1 - e];\n}",
                          "neither of a vertex nor of a known list"),
}  # fmt: skip

_BEYOND = (_PROGRAMS / "beyond.c").read_text()


def test_near_misses_are_not_taken_for_lists(tmp_path: Path) -> None:
    text = _INCLUDES + "void change(long *);\nint order(const void *, const void *);\n"
    for name, (old, new, _) in _NEAR.items():
        whole = _EDGES + _ARRAYS + _USUAL + _PULL
        start = whole.rindex(old) if old == "#pragma" else whole.index(old)
        text += kernel(name, whole[:start] + new + whole[start + len(old) :], "")
    text += kernel(
        "weights_once", _EDGES + _BOTH.replace("cost[p[u]] = wt[e]", "") + _BOTH_PULL, ""
    )
    text += kernel("beyond", _EDGES + _ARRAYS + _BEYOND + _PULL, "")
    source = tmp_path / "kernels.c"
    source.write_text(text)
    ran = transformed(source, "graph:flip=push")
    assert not ran.done("weights_once", "vertices push"), ran.said
    assert ran.done("beyond", "of vertices that the loop does not go through"), ran.said
    for name, (_, _, words) in _NEAR.items():
        assert not ran.done(name, "vertices push"), (name, ran.said[name])
        assert ran.done(name, words), (name, ran.said[name])
