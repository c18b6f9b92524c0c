"""Loops over the same vertices that become one, and those that must not."""

from __future__ import annotations

from pathlib import Path

from tests.rewriters.graphs.running import check, kernel, transformed

_HERE = Path(__file__).parent

_EDGES = "for (long e = off[v]; e < off[v + 1]; e++)"
_HEAD = "for (long v = 0; v < n; v++)"
_PARALLEL = "#pragma omp parallel for"


def _two(first: str, second: str, *, one: str = "", other: str = "", between: str = "") -> str:
    return (
        f"{_PARALLEL} {one}\n{_HEAD} {first}\n{between}{_PARALLEL} {other}\n"
        f"{_HEAD.replace('v', 'i') if '[i]' in second else _HEAD} {second}\n"
    )


_SUM = "long s = 0, t = 0, x;\n@\nif (n) a[0] = s, c[0] = t;"
_FUSED = {
    "own": _two("b[v] = a[v] + 1;", f"{_EDGES} c[v] += a[nbr[e]] + b[v];"),
    "edges_first": _two(f"{_EDGES} b[v] += a[nbr[e]];", "c[v] = b[v] * 2;"),
    "other_name": _two(f"{_EDGES} b[v] += a[nbr[e]];", "{ long k = i; c[k] = b[i] * 2; }"),
    "sums": _SUM.replace("@", _two(f"{_EDGES} s += nbr[e];", "t += a[v];",
                                   one="reduction(+ : s)", other="reduction(+ : t)")),
    "same_sum": _SUM.replace("@", _two(f"{_EDGES} s += nbr[e];", "s += a[v];",
                             one="reduction(+ : s) schedule(static, 3)",
                             other="reduction(+ : s) schedule(dynamic)")),
    "private": _SUM.replace("@", _two(f"{{ x = a[v]; {_EDGES} b[v] += x; }}",
                            "{ x = b[v]; c[v] = x; }", one="private(x)", other="private(x)")),
    "comments": _two(f"{_EDGES} /* all */ b[v] += 1; // one", "c[v] = b[v];",
                     between="/* and then */\n"),
    "three": _two(f"{_EDGES} b[v] += a[nbr[e]];", "c[v] = b[v];") + f"{_PARALLEL}\n{_HEAD} "
             "{ if (c[v] > 3) c[v] = 3; }",
    "serial": f"{_HEAD} {_EDGES} b[v] += a[nbr[e]];\n{_HEAD} c[v] += b[v];",
    "atomics": _two(f"{_EDGES} {{\n#pragma omp atomic\nb[nbr[e]] += 1; }}", "c[v] = a[v];"),
}  # fmt: skip
_APART = {
    "neighbours": _two("b[v] = a[v] + 1;", f"{_EDGES} c[v] += b[nbr[e]];"),
    "written_later": _two(f"{_EDGES} b[v] += a[nbr[e]];", "a[v] = b[v];"),
    "pushed": _two(f"{_EDGES} {{\n#pragma omp atomic\nb[nbr[e]] += 1; }}", "c[v] = b[v];"),
    "total": _SUM.replace("@", _two(f"{_EDGES} s += nbr[e];", "c[v] = s;",
                                    one="reduction(+ : s)")),
    "operators": _SUM.replace("@", _two(f"{_EDGES} s += nbr[e];", "s |= a[v];",
                              one="reduction(+ : s)", other="reduction(| : s)")),
    "ranges": f"{_PARALLEL}\n{_HEAD} {_EDGES} b[v] += a[nbr[e]];\n"
              f"{_PARALLEL}\n{_HEAD.replace('v < n', 'v < n - 1')} c[v] = b[v];",
    "next": _two(f"{_EDGES} b[v] += a[nbr[e]];", "c[v] = b[v > 0 ? v - 1 : 0];"),
    "statement": _two(f"{_EDGES} b[v] += a[nbr[e]];", "c[v] = b[v];", between="if (n) b[0] = 1;\n"),
    "roles": _SUM.replace("@", "x = 1;\n" + _two(f"{{ x = a[v]; {_EDGES} b[v] += x; }}",
                          "c[v] = x;", one="private(x)")),
    "leaves": _two(f"{{ if (a[v] > 3) continue; {_EDGES} b[v] += 1; }}", "c[v] = b[v];"),
    "preprocessor": _two(f"{_EDGES} b[v] += a[nbr[e]];", "c[v] = b[v];",
                         between="#ifdef NO\n#endif\n"),
}  # fmt: skip


def test_loops_over_the_same_vertices_become_one(tmp_path: Path) -> None:
    text = "".join(kernel(n, b) for n, b in {**_FUSED, **_APART}.items())
    ran = check(text, tmp_path, "graph:flip=no")
    for name in _FUSED:
        assert ran.done(name, "loops over the same vertices are one"), (name, ran.said[name])
    assert ran.done("three", "3 loops")
    for name in _APART:
        assert not ran.done(name, "are one"), (name, ran.said[name])
    for name, words in {"neighbours": "the later loop reads 'b' that other iterations of the "
                        "earlier one write", "written_later": "the later loop writes 'a' that "
                        "other iterations of the earlier one read", "roles": "'x' is not the same",
                        "operators": "'s' is not the same"}.items():  # fmt: skip
        assert ran.done(name, words), (name, ran.said[name])


_OBJECTS = (_HERE / "fused_objects.c").read_text()


def test_objects_are_different_where_that_is_declared(tmp_path: Path) -> None:
    graph = "#pragma s2s graph vertices(n, all) both(vertex.size, vertex.others)"
    source = tmp_path / "objects.c"
    for pragma, fused in ((graph, True), ("", False)):
        source.write_text(_OBJECTS.replace("GRAPH", pragma))
        assert transformed(source, "graph:flip=no").done("f", "are one") == fused


def test_loops_of_no_graph_stay(tmp_path: Path) -> None:
    source = tmp_path / "kernels.c"
    source.write_text(kernel("f", _two("b[v] = a[v];", "c[v] = b[v];"), graph=""))
    assert transformed(source, "graph").said["f"] == []
