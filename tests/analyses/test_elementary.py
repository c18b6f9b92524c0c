"""Components and elementary cycles against what can be enumerated."""

from __future__ import annotations

from itertools import combinations, pairwise, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s.analyses import elementary
from s2s.analyses.elementary import components, elementary_cycles, shortest_cycle

Graph = dict[int, list[int]]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    count = draw(st.integers(1, 6))
    return {n: sorted(draw(st.sets(st.integers(0, count - 1)))) for n in range(count)}


def enumerated(graph: Graph) -> set[tuple[int, ...]]:
    """All cycles of two or more nodes, each from its smallest node on."""
    return {
        (first, *others)
        for size in range(2, len(graph) + 1)
        for first, *rest in combinations(graph, size)
        for others in permutations(rest)
        if all(b in graph[a] for a, b in pairwise((first, *others, first)))
    }


def reachable(graph: Graph, node: int) -> set[int]:
    found = {node}
    while more := {m for n in found for m in graph[n]} - found:
        found |= more
    return found


@settings(max_examples=150, deadline=None)
@given(graphs())
def test_the_elementary_cycles_are_all_cycles_once_in_their_order(graph: Graph) -> None:
    assert elementary_cycles(graph) == sorted(enumerated(graph))


@settings(max_examples=50, deadline=None)
@given(graphs(), st.integers(0, 30))
def test_networkx_finds_the_same_where_steps_are_short(graph: Graph, steps: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(elementary, "_FEW_STEPS", steps)
        assert elementary_cycles(graph) == sorted(enumerated(graph))


@settings(max_examples=150)
@given(graphs())
def test_a_shortest_cycle_is_one_of_them(graph: Graph) -> None:
    cycles = enumerated(graph)
    found = shortest_cycle(graph)
    if found is None:
        assert not cycles
    else:
        turn = found.index(min(found))
        assert found[turn:] + found[:turn] in cycles
        assert len(found) == min(map(len, cycles))


@settings(max_examples=150)
@given(graphs())
def test_components_reach_each_other_and_come_in_topological_order(graph: Graph) -> None:
    reach = {n: reachable(graph, n) for n in graph}
    place = {n: i for i, c in enumerate(components(graph)) for n in c}
    assert place.keys() == graph.keys()
    for a in graph:
        for b in graph:
            assert (place[a] == place[b]) == (a in reach[b] and b in reach[a])
            assert b not in reach[a] or place[a] <= place[b]


def test_no_more_cycles_than_the_bound_are_looked_for() -> None:
    complete = {n: list(range(40)) for n in range(40)}
    assert len(set(elementary_cycles(complete, 100))) == 100
