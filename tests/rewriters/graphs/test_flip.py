"""Flipped edges: every reduction both ways, in all forms of graphs, with the same results."""

from __future__ import annotations

from pathlib import Path

from tests.rewriters.graphs.running import GRAPH, HEAD, UNDIRECTED, check, kernel, transformed

_PROGRAMS = Path(__file__).parent / "flip"

# Updates of the vertex T from those of the other end O and the weight W.
_UPDATES = {
    "sum": "T += O + W;",
    "sum_by_hand": "T = O * W + T;",
    "difference": "T -= O;",
    "count": "T++;",
    "product": "T *= O | 1;",
    "set_bits": "T |= 1l << (O & 31);",
    "clear_bits": "T &= ~O;",
    "toggle_bits": "T ^= O + W;",
    "least": "if (O + W < T) T = O + W;",
    "greatest": "if (T <= O - W) { T = O - W; }",
    "least_of": "T = T < O + W ? T : O + W;",
    "greatest_of": "T = T < O * 2 ? O * 2 : T;",
    "mark": "if (O < 20) T = -1;",
    "copied": "long d = O; const long length = d + W; if (length < T) T = length;",
    "narrowed": "int d = (int)O; T += d * W;",
    "heavy": "if (W > 3) T += O;",
    "both_ends": "if (O < C) T += O;",
    "numbers": "T += I * 3 + U;",
}
_PULL = (_PROGRAMS / "pull.c").read_text()
_PUSH = (_PROGRAMS / "push.c").read_text()


def _pulled(update: str) -> str:
    return _PULL.replace("UPDATE", update)


def _pull(update: str) -> str:
    names = {"T": "b[v]", "O": "a[u]", "W": "bw[e]", "C": "c[v]", "I": "v", "U": "u"}
    return _pulled(_named(update, names))


def _push(update: str) -> str:
    names = {"T": "b[nbr[e]]", "O": "a[u]", "W": "w[e]", "C": "c[nbr[e]]", "I": "nbr[e]", "U": "u"}
    pragma = "critical" if update.startswith(("if (O + W", "if (T", "T = T", "long d")) else ""
    return _PUSH.replace("UPDATE", f"\n#pragma omp atomic{pragma}\n" + _named(update, names))


def _named(update: str, names: dict[str, str]) -> str:
    return "".join(names.get(c, c) if not _in_word(update, i) else c for i, c in enumerate(update))


def _in_word(text: str, place: int) -> bool:
    around = text[max(place - 1, 0) : place] + text[place + 1 : place + 2]
    return any(c.isalnum() or c == "_" for c in around)


def test_pulls_become_pushes_with_the_same_results(tmp_path: Path) -> None:
    text = "".join(kernel(name, _pull(u)) for name, u in _UPDATES.items())
    ran = check(text, tmp_path, "graph:flip=push")
    for name in _UPDATES:
        assert ran.done(name, "vertices push"), (name, ran.said[name])
    assert "back[" not in ran.text


def test_pushes_become_pulls_with_the_same_results(tmp_path: Path) -> None:
    chosen = {n: u for n, u in _UPDATES.items() if u.startswith("T") and "T = T" not in u}
    chosen |= {"marked": "T = -1;"}
    text = "".join(kernel(name, _push(u)) for name, u in chosen.items())
    text = text.replace("atomic\nb[nbr[e]] = -1", "atomic write\nb[nbr[e]] = -1")
    ran = check(text, tmp_path, "graph:flip=pull")
    for name in chosen:
        assert ran.done(name, "vertices pull"), (name, ran.said[name])
    assert "atomic" not in ran.text


_CONDITIONS = {
    "own": "if (c[v] > 40) for (E) b[v] += a[from[e]];",
    "own_continue": "if (c[v] > 40) continue; for (E) b[v] += a[from[e]];",
    "other": "for (E) { if (c[from[e]] > 40) b[v] += a[from[e]]; }",
    "other_continue": "for (E) { long u = from[e]; if (c[u] > 40) continue; b[v] += a[u]; }",
    "all": "if (c[v] > 20) { for (E) { if (c[from[e]] > 40) if (bw[e] > 1) b[v] += 2; } }",
    "first": "if (c[v] > 20) for (E) if (c[from[e]] > 40) { b[v] = n + 3; break; }",
}


_COLLECTED = {
    "loaded": "long best = b[v]; LOOP if (a[from[e]] + bw[e] < best) best = a[from[e]] + bw[e];"
    " b[v] = best;",
    "counted": "long sum = 0; LOOP { if (c[from[e]] > 40) sum += a[from[e]]; } b[v] += sum;",
    "united": "long all = 0; if (c[v] > 20) { LOOP all |= a[from[e]]; } b[v] |= all;",
}
_SET = {
    "from_elsewhere": "long best = c[v]; LOOP if (a[from[e]] < best) best = a[from[e]];"
    " b[v] = best;",
    "from_all": "long best = n; LOOP if (a[from[e]] > best) best = a[from[e]]; b[v] = best - c[v];",
    "scaled": "long sum = c[v] * 2; LOOP sum += a[from[e]]; b[v] = 3 * sum - sum / 7 + v;",
    "cleared": "b[v] = 0; LOOP b[v] += a[from[e]] * bw[e];",
    "set_before": "b[v] = c[v]; LOOP if (a[from[e]] < b[v]) b[v] = a[from[e]];",
    "set_late": "long sum; sum = 1; LOOP { if (c[from[e]] > 40) sum ^= a[from[e]]; } b[v] = sum;",
    "next_to": "long sum = 0; LOOP sum += a[from[e]] * (off[from[e] + 1] - off[from[e]]);"
    " b[v] = sum + back[v + 1];",
}
_NOT_COLLECTED = {
    "other_operator": "long sum = 0; LOOP sum += a[from[e]]; b[v] |= sum;",
    "not_nothing": "long sum = 1; LOOP sum += a[from[e]]; b[v] += sum;",
    "narrow": "int sum = 0; LOOP sum += a[from[e]]; b[v] += sum;",
    "narrow_set": "int sum = 0; LOOP sum += a[from[e]]; b[v] = sum;",
    "scaled_added": "long sum = 0; LOOP sum += a[from[e]]; b[v] += 2 * sum;",
    "read_twice": "long best = b[v]; LOOP if (a[from[e]] < best) best = a[from[e]];"
    " b[v] = best; c[v] = best;",
    "own_before": "long sum = 0; LOOP sum += a[from[e]]; b[v] = b[v] * 2 + sum;",
    "own_first": "long sum = b[v] * 2; LOOP sum += a[from[e]]; b[v] = sum;",
    "some": "if (c[v] > 40) { b[v] = 0; LOOP b[v] += a[from[e]]; }",
    "set_other": "c[v] = 0; LOOP b[v] += a[from[e]];",
    "set_twice": "b[v] = 0; c[v] = 1; LOOP b[v] += a[from[e]];",
}


def test_locals_may_collect_a_result(tmp_path: Path) -> None:
    loop = "#pragma omp parallel for\nfor (long v = 0; v < n; v++) { "
    edges = "for (long e = back[v]; e < back[v + 1]; e++)"
    bodies = {**_COLLECTED, **_SET, **_NOT_COLLECTED}
    text = "".join(kernel(n, loop + b.replace("LOOP", edges) + " }") for n, b in bodies.items())
    ran = check(text, tmp_path, "graph:flip=push")
    for name in bodies:
        assert ran.done(name, "vertices push") != (name in _NOT_COLLECTED), (name, ran.said[name])


def test_conditions_stay_with_their_vertices(tmp_path: Path) -> None:
    header = "long e = back[v]; e < back[v + 1]; e++"
    loop = "#pragma omp parallel for\nfor (long v = 0; v < n; v++) { "
    bodies = {n: loop + b.replace("E)", header + ")", 1) + " }" for n, b in _CONDITIONS.items()}
    ran = check("".join(kernel(n, b) for n, b in bodies.items()), tmp_path, "graph:flip=push")
    for name in _CONDITIONS:
        assert ran.done(name, "vertices push"), (name, ran.said[name])


_GLOBALS = """
static long count, *offsets, *heads, *costs, *rback, *rheads, *rcosts;
static long dist[4000], best[4000];
#pragma s2s graph vertices(count) out(offsets, heads, costs) in(rback, rheads, rcosts)
"""
_STRUCT = (_PROGRAMS / "struct.c").read_text()
_ROWS = (_PROGRAMS / "rows.c").read_text()
_OBJECTS = (_PROGRAMS / "objects.c").read_text()
_FORMS = f"""{_GLOBALS}{_STRUCT}{_ROWS}{_OBJECTS}
void structs({HEAD})
{{
    const struct csr g = {{n, off, nbr, w, back, from, bw, a, b}};
    csr_pull(&g);
}}
void globals({HEAD})
{{
    count = n; offsets = (long *)off; heads = (long *)nbr; costs = (long *)w;
    rback = (long *)back; rheads = (long *)from; rcosts = (long *)bw;
    for (long v = 0; v < n; v++) dist[v] = a[v], best[v] = b[v];
#pragma omp parallel for
    for (long v = 0; v < count; v++)
        for (long e = rback[v]; e < rback[v + 1]; e++)
            best[v] += dist[rheads[e]] * rcosts[e];
    for (long v = 0; v < n; v++) b[v] = best[v];
}}
void in_rows({HEAD})
{{
    long *len[2], **rows_of[4];
    for (int i = 0; i < 2; i++) len[i] = malloc((n + 1) * sizeof(long));
    for (int i = 0; i < 4; i++) rows_of[i] = malloc((n + 1) * sizeof(long *));
    for (long v = 0; v < n; v++) {{
        len[0][v] = off[v + 1] - off[v]; len[1][v] = back[v + 1] - back[v];
        rows_of[0][v] = (long *)nbr + off[v]; rows_of[1][v] = (long *)w + off[v];
        rows_of[2][v] = (long *)from + back[v]; rows_of[3][v] = (long *)bw + back[v];
    }}
    rows(n, len[0], rows_of[0], rows_of[1], len[1], rows_of[2], rows_of[3], a, b);
}}
void objects({HEAD})
{{
    struct vertex *all = malloc((n + 1) * sizeof *all);
    struct world world = {{n, malloc((n + 1) * sizeof(struct vertex *))}};
    for (long v = 0; v < n; v++) {{
        all[v].a = a[v]; all[v].b = b[v]; world.all[v] = &all[v];
        all[v].out = arcs(all, off, nbr, w, v); all[v].in = arcs(all, back, from, bw, v);
    }}
    object_pull(&world);
    for (long v = 0; v < n; v++) b[v] = all[v].b;
}}
"""


def test_graphs_in_structs_globals_rows_and_objects(tmp_path: Path) -> None:
    ran = check(_FORMS, tmp_path, "graph:flip=push")
    lines = [line for said in ran.said.values() for line in said]
    assert sum("vertices push" in line for line in lines) == 4, lines


def test_arrays_that_may_overlap_are_compared(tmp_path: Path) -> None:
    pull = (_PROGRAMS / "pull_sums.c").read_text()
    graph = "n, off, nbr, w, back, from, bw"
    calls = {
        "same": "a, a, b",
        "shifted": "a + 1, a, b",
        "inside": "a, b, a + n / 2",
        "apart": "a, b, c",
        "behind": "a, a + n, c",
    }
    text = pull + "".join(
        kernel(n, f"    if (n > 1) pull({graph}, {c});", "") for n, c in calls.items()
    )
    ran = check(text, tmp_path, "graph:flip=push")
    assert ran.done("same", "vertices push"), ran.said


def test_undirected_graphs_have_one_list(tmp_path: Path) -> None:
    body = _pulled("if (a[u] < b[v]) b[v] = a[u];")
    body = body.replace("back", "off").replace("from", "nbr")
    ran = check(kernel("spread_both", body, UNDIRECTED), tmp_path, "graph:flip=push")
    assert ran.done("spread_both", "vertices push")


_SERIAL = _pulled("b[v] += a[u];").replace("#pragma omp parallel for", "")
_REFUSED = {
    "reads_what_it_writes": (_pulled("b[v] += b[u];"), "updates write"),
    "aliases": (_pulled("if (*d++ < x[v]) x[v] = *d;"), ""),
    "unknown": (_pulled("x[v] += d[a[u]];"), "may be 'x'"),
    "assigns": (_pulled("b[v] = a[u];"), "not commutative"),
    "shifts": (_pulled("b[v] = b[v] * 2 + a[u];"), "not commutative"),
    "writes_more": (_pulled("c[v] = a[u]; b[v] += a[u];"), "something follows"),
    "leaves_early": (_pulled("b[v] += a[u]; break;"), "left early"),
    "calls": (_pulled("b[v] += f(u);"), "effects or calls"),
    "part": (_pulled("b[v] += a[u];").replace("v < n", "v < n - 1"), "all vertices"),
    "divides": (_pulled("if (a[u] / c[v] > 1) b[v]++;"), "divides"),
    "other_weights": (_pulled("b[v] += x[e];"), "neither of a vertex nor"),
    "neighbour_of_weight": (_pulled("b[v] += a[bw[e]];"), "attribute selects"),
    "converts": (_pulled("if (a[u] * 1ul < b[v]) b[v] = a[u] * 1ul;"), "converted"),
    "last": (_pulled("b[v] += a[u];").replace("for\nfor", "for lastprivate(n)\nfor"),
             "a 'lastprivate'"),
    "used_behind": (f"long u;\n{_SERIAL.replace('const long u', 'u')}c[0] = u;", "'u' is used"),
    "counted_behind": (f"long e = 0;\n{_SERIAL.replace('(long e', '(e')}c[0] = e;", "'e' is used"),
    "shadowed": (_pulled("b[v] += a[u];").replace("v++", "v++").replace("[e]", "[w]")
                 .replace("long e", "long w").replace("e <", "w <").replace("e++", "w++")
                 .replace("a[u]", "bw[w]"), "also what a loop counts"),
    "captures": (
        _PUSH.replace("UPDATE", "long t;\n#pragma omp atomic capture\nt = b[nbr[e]]++;\nx[u] = t;"),
        "",
    ),
}  # fmt: skip


def test_what_cannot_be_proved_stays_as_it_is(tmp_path: Path) -> None:
    head = HEAD + ", long *d, long *x"
    text = "long f(long);\n" + "".join(
        kernel(name, body, head=head) for name, (body, _) in _REFUSED.items()
    )
    source = tmp_path / "kernels.c"
    source.write_text(text)
    ran = transformed(source, "graph:flip=push")
    for name, (_, words) in _REFUSED.items():
        assert not ran.done(name, "remark"), (name, ran.said[name])
        assert not words or ran.done(name, words), (name, ran.said[name])
    assert ran.text == text


def test_fractions_keep_their_order_without_leave(tmp_path: Path) -> None:
    head = HEAD + ", double *restrict x, double *restrict y"
    text = kernel("f", _pulled("x[v] += y[u];"), head=head)
    source = tmp_path / "kernels.c"
    source.write_text(text)
    assert transformed(source, "graph:flip=push").done(
        "f", "floating-point updates keep their order"
    )
    assert transformed(source, "graph:flip=push", reassociate=True).done("f", "vertices push")


def test_graphs_that_are_not_declared_are_not_flipped(tmp_path: Path) -> None:
    source = tmp_path / "kernels.c"
    source.write_text(kernel("f", _pulled("b[v] += a[u];"), graph=""))
    assert transformed(source, "graph").done("f", "no other lists are known")
    assert GRAPH not in source.read_text()


def test_cilk_loops_become_openmp_ones(tmp_path: Path) -> None:
    source = tmp_path / "kernels.c"
    pull = _pulled("b[v] += a[u];").replace("#pragma omp parallel for\nfor", "cilk_for")
    text = "#include <cilk/cilk.h>\n/* cilk_for */\n" + kernel("f", pull)
    source.write_text(text)
    ran = transformed(source, "graph:flip=push")
    assert ran.said["f"] == ["remark: edges flipped: vertices push with atomic updates"]
    assert "#pragma omp parallel for\nfor (long v" in ran.text
    assert ran.text.count("cilk") == 1
    source.write_text(text.replace("b[v] +=", "b[v] ="))
    assert transformed(source, "graph:flip=push").text == source.read_text()
