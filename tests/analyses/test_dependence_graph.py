"""Graphs of loops: what their edges say, against instances that are looked at one by one."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from s2s.analyses.dependence_graph import Dependence, Graph, Kind, dependence_graph
from tests.analyses.random_loops import Element, Program, random_program
from tests.analyses.vector_loops import loop, loop_of, loops
from tests.lifting import lifted, parse_text

_PROGRAMS = Path(__file__).parent / "dependence_graph"

Edge = tuple[str, str, str, str]
"""Source, target, kind, array."""


def edges(graph: Graph) -> list[str]:
    return [
        f"{d.source} {d.target} {d.kind.value} {d.array} {d.direction}"
        + ("" if d.distance is None else str(d.distance))
        for d in graph.dependences
    ]


def edges_of(body: str, declarations: str = "", behind: str = "") -> list[str]:
    return edges(dependence_graph(*loop(body, declarations, behind)))


def test_kinds_and_distances() -> None:
    assert edges_of("a[i] = b[i]; b[i - 2] = a[i] + a[i - 3];") == [
        "S1 S2 flow a =0", "S1 S2 flow a <3", "S1 S2 anti b <2",
    ]  # fmt: skip
    assert edges_of("a[i] = 1; a[i - 1] = 2; a[0] = 3;") == [
        "S1 S2 output a <1", "S3 S3 output a <1",
    ]  # fmt: skip


def test_a_value_that_is_overwritten_flows_nowhere() -> None:
    assert edges_of("a[i] = 1; a[i] = 2; b[i] = a[i];") == ["S1 S2 output a =0", "S2 S3 flow a =0"]


def test_live_ranges_of_dead_scalars_change_places_as_wholes() -> None:
    body = "t = a[i]; b[i] = t; t = c[i]; d[i] = t;"
    dead = ["S1 S2 flow t =0", "S2 S1 anti t <", "S2 S3 anti t <=", "S3 S4 flow t =0",
            "S4 S1 anti t <", "S4 S3 anti t <"]  # fmt: skip
    assert edges_of(body, "float t;") == dead
    live = edges_of(body, "float t = 0;", "a[0] = t;")
    assert "S1 S3 output t =0" in live
    assert "S3 S1 output t <1" in live


def test_private_scalars() -> None:
    reused = "t = a[i]; b[i] = t; t = c[i]; d[i] = t;"
    apart = dependence_graph(*loop(reused, "float t;"), privatize=True)
    assert apart.private == {"t"}
    assert edges(apart) == ["S1 S2 flow t =0", "S2 S3 anti t =0", "S3 S4 flow t =0"]
    carried = "b[i] = t; t = a[i];"
    for body, declared, behind in (
        (carried, "float t = 0;", ""), (reused, "float t;", "a[0] = t;"),
        ("if (i > 5) t = a[i]; b[i] = t;", "float t = 0;", ""),
        ("if (a[i] > 5) t = a[i]; b[i] = t;", "float t = 0;", ""),
    ):  # fmt: skip
        graph = dependence_graph(*loop(body, declared, behind), privatize=True)
        assert not graph.private
        assert graph == dependence_graph(graph.scop, graph.loop)


def test_an_unread_value_of_a_dead_scalar_stays_in_front_of_the_next() -> None:
    assert "S1 S2 output t =0" in edges_of("t = a[i]; t = c[i]; d[i] = t;", "float t;")


def test_loops_that_count_down_or_in_steps() -> None:
    text = (_PROGRAMS / "down_in_steps.c").read_text()
    graph = dependence_graph(*loops(text)["f"])
    assert edges(graph) == ["S1 S2 flow a <1", "S1 S2 anti b <2"]


def test_loops_around_are_fixed() -> None:
    text = (_PROGRAMS / "loop_inside.c").read_text()
    ((_, scop),) = lifted(parse_text(text))
    assert edges(dependence_graph(scop, loop_of(scop, 1))) == ["S1 S2 flow a <1", "S1 S2 anti b =0"]
    outer = edges(dependence_graph(scop, loop_of(scop, 0)))
    assert "S2 S1 flow b <1" in outer
    assert "S1 S2 flow a <1" in outer


def test_statements_elsewhere_are_not_in_the_graph() -> None:
    text = (_PROGRAMS / "loops_beside.c").read_text()
    ((_, scop),) = lifted(parse_text(text))
    graph = dependence_graph(scop, loop_of(scop, 1))
    assert graph.statements == ("S1",)
    assert graph.dependences == ()
    assert len(dependence_graph(scop, loop_of(scop, 0)).statements) == 2


# -- against instances ------------------------------------------------------------------------


def observed(program: Program) -> dict[Edge, set[int]]:
    """The distances of every dependence, found by looking at all pairs of accesses in turn."""
    trace = []
    for time, (i, number) in enumerate(program.instances()):
        statement = program.statements[number]
        for reference in statement.reads:
            trace.append((time, i, f"S{number + 1}", False, reference.element(i)))
        trace.append((time, i, f"S{number + 1}", True, statement.target.element(i)))
    touched: dict[Element, list[tuple[int, int, str, bool]]] = defaultdict(list)
    for time, i, name, write, element in trace:
        touched[element].append((time, i, name, write))
    found: dict[Edge, set[int]] = defaultdict(set)
    for element, accesses in touched.items():
        dead = element[0] in "tuv" and element[0] not in program.live
        if dead and all(write for *_, write in accesses):
            continue  # nothing reads it: it is no memory at all
        for a in accesses:
            for b in accesses:
                kind = _kind(a, b, accesses, dead)
                if kind is not None:
                    found[a[2], b[2], kind.value, element[0]].add(b[1] - a[1])
    return found


def _kind(
    a: tuple[int, int, str, bool], b: tuple[int, int, str, bool],
    accesses: list[tuple[int, int, str, bool]], dead: bool,
) -> Kind | None:  # fmt: skip
    if a[0] >= b[0] or not (a[3] or b[3]):
        return None
    overwritten = any(w[3] and a[0] < w[0] < b[0] for w in accesses)
    if a[3] and not b[3]:
        return None if overwritten else Kind.FLOW
    if b[3] and not a[3]:
        return None if overwritten and not dead else Kind.ANTI
    seen = any(not r[3] and a[0] < r[0] < b[0] for r in accesses)
    return None if overwritten or (dead and seen) else Kind.OUTPUT


@pytest.mark.parametrize("seed", range(150))
def test_random_loops(seed: int) -> None:
    program = random_program(seed)
    graph = dependence_graph(*loops(program.text())["kernel"])
    expected = observed(program)
    names = {name: array.spelling for name, array in graph.scop.arrays.items()}
    by_edge: dict[Edge, list[Dependence]] = defaultdict(list)
    for item in graph.dependences:
        key = (item.source, item.target, item.kind.value, names[item.array])
        by_edge[key].append(item)
    assert by_edge.keys() == expected.keys(), program.text()
    for key, items in by_edge.items():
        assert min(d.least for d in items if d.least is not None) == min(expected[key])
        assert max(d.most for d in items if d.most is not None) == max(expected[key])
