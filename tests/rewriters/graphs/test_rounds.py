"""Rounds in which only changed vertices push, and phases that are pulled or pushed as it suits."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rewriters.graphs.running import GRAPH, HEAD, check, kernel, transformed

_HERE = Path(__file__).parent

_PULL = """#pragma omp parallel for
    for (long v = 0; v < n; v++)
        for (long e = back[v]; e < back[v + 1]; e++)
            PULL
"""
_SET = """#pragma omp parallel for reduction(| : more)
    for (long v = 0; v < n; v++)
        SET
"""
_WHILE = "int more = 1;\nfor (long t = 0; more && t < n; t++) {\nmore = 0;\n@\n}"
_LEAST = "if (a[from[e]] + 2 + bw[e] < b[v]) b[v] = a[from[e]] + 2 + bw[e];"
_COPY = "{ if (a[v] != b[v]) more |= 1; a[v] = b[v]; }"


def _rounds(pull: str, setting: str, form: str = _WHILE) -> str:
    body = _PULL.replace("PULL", pull) + _SET.replace("SET", setting)
    return form.replace("@", body)


_KERNELS = {
    "least": _rounds(_LEAST, _COPY),
    "least_if": _rounds(_LEAST, "if (b[v] < a[v]) { a[v] = b[v]; more |= 1; }"),
    "greatest": _rounds("if (b[v] < a[from[e]]) b[v] = a[from[e]];", _COPY),
    "union_": _rounds("b[v] |= a[from[e]];", _COPY),
    "intersection": _rounds("b[v] &= a[from[e]];", _COPY),
    "lowered": _rounds(_LEAST, "{ if (b[v] < a[v]) { a[v]--; more |= 1; } c[v]++; }"),
    "do_while": _rounds(_LEAST, _COPY, "int more;\ndo { more = 0;\n@\n} while (more);").replace(
        "+ 2 + bw[e]", "+ 3 + bw[e]"
    ),
    "leaves": _rounds(_LEAST, _COPY, "for (long t = 0; t < n; t++) { int more = 0;\n@\n"
                                     "if (!more) break; }"),
    "sometimes": _rounds(_LEAST, _COPY).replace("#pragma", "if (t % 2 == 0)\n#pragma", 1),
}  # fmt: skip


@pytest.mark.parametrize("passes", ["graph:small=0", "graph:machine=emu", "graph:flip=push"])
def test_only_changed_vertices_push(tmp_path: Path, passes: str) -> None:
    text = "#include <stdlib.h>\n" + "".join(kernel(n, b) for n, b in _KERNELS.items())
    ran = check(text, tmp_path, passes)
    for name in _KERNELS:
        assert ran.done(name, "vertices that have changed push"), (name, ran.said[name])
    assert ("_pulled" in ran.text) == (passes == "graph:small=0")
    assert ran.text.count("if (s2s_changed) s2s_changed[v] = 0") >= len(_KERNELS)


@pytest.mark.xfail(
    reason="the net executes 'more = 1;' as part of the second loop's new text alone", strict=True
)
def test_two_searches_in_one_function(tmp_path: Path) -> None:
    again = _rounds(_LEAST, _COPY).partition(";")[2]
    text = f"#include <stdlib.h>\n{kernel('twice', _rounds(_LEAST, _COPY) + 'more = 1;' + again)}"
    ran = check(text, tmp_path, "graph:small=0")
    assert ran.text.count("[v] = 0;") >= 2


_ALL = {
    "sums": (_rounds("b[v] += a[from[e]] & 3;", _COPY), "may not be left out"),
    "other_stores": (_rounds(_LEAST, _COPY + " a[0] = 7;").replace("#pragma omp parallel for red",
                     "a[n / 2] = 9;\n#pragma omp parallel for red"), "a store may change"),
    "target_reset": (_rounds(_LEAST, "{ a[v] = b[v]; b[v] = 100; }"), "a store may change"),
    "both_ends": (_rounds("if (a[from[e]] + c[v] < b[v]) b[v] = a[from[e]] + c[v];", _COPY),
                  "both ends"),
    "limit": (_rounds("if (a[from[e]] - t < b[v]) b[v] = a[from[e]] - t;", _COPY), "'t' may"),
    "part": (_rounds(_LEAST, _COPY).replace("reduction(| : more)\n    for (long v = 0; v < n",
             "reduction(| : more)\n    for (long v = 0; v < n / 2"), "a store may change"),
    "calls": (_rounds(_LEAST, "{ a[v] = b[v]; touch(a); }"), "a store may change"),
    "team": ("#pragma omp parallel\n{\n" + _rounds(_LEAST, "a[v] = b[v];").replace(
             "parallel for", "for").replace(" reduction(| : more)", "").replace("more = 0;", "")
             + "\n}", "several threads"),
    "closed": (_rounds(_LEAST, _COPY).replace("reduction(| : more)",
               "reduction(| : more) default(none) shared(a, b, n)"), "a store may change"),
}  # fmt: skip


def test_all_vertices_push_where_marks_are_not_proved(tmp_path: Path) -> None:
    helper = "static void touch(long *p) { p[0] = 3; }\n"
    text = helper + "".join(kernel(n, b) for n, (b, _) in _ALL.items())
    source = tmp_path / "kernels.c"
    source.write_text(text)
    ran = transformed(source, "graph:flip=push")
    for name, (_, words) in _ALL.items():
        assert ran.done(name, f"all vertices push: {''}"), (name, ran.said[name])
        assert ran.done(name, words), (name, ran.said[name])
        assert not ran.done(name, "that have changed")


_BFS = (_HERE / "levels.c").read_text()


def test_a_phase_is_pushed_where_few_vertices_are_asked(tmp_path: Path) -> None:
    ran = check(kernel("levels", _BFS), tmp_path)
    assert ran.done("levels", "where they have few edges")
    assert "s2s_pushed < s2s_pulled" in ran.text


def test_small_graphs_pull(tmp_path: Path) -> None:
    """With 16 vertices as what is small, some of the graphs are."""
    ran = check(kernel("levels", _BFS) + kernel("least", _KERNELS["least"]), tmp_path,
                "graph:small=16")  # fmt: skip
    assert ran.text.count("if ((unsigned long)(n) >= 16) {") == 2
    assert "(unsigned long)(n) < 16 ? 0 : __builtin_malloc(" in ran.text


def test_two_loops_in_the_same_rounds(tmp_path: Path) -> None:
    second = _PULL.replace("PULL", "if (c[v] < a[from[e]]) c[v] = a[from[e]];")
    body = _rounds(_LEAST, _COPY).replace("#pragma", second + "#pragma", 1)
    ran = check(kernel("two", body), tmp_path, "graph:machine=emu")
    assert ran.done("two", "vertices that have changed push")


def test_graphs_without_memory_for_marks(tmp_path: Path) -> None:
    text = kernel("least", _KERNELS["least"], GRAPH, HEAD)
    ran = check(f"#define __builtin_malloc(n) ((void *)0)\n{text}", tmp_path)
    assert "__builtin_malloc" in ran.text
