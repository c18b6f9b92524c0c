"""Regions: what is brought together, what a rule gives back, where a region is cut."""

from collections.abc import Iterator, Sequence

import pytest

from s2s.transforms.outline import Graph, Node, Tensor, is_op, register_patterns
from s2s.transforms.outline.graph import HOST
from s2s.transforms.outline.partition import (
    Choice,
    Partition,
    Region,
    partition,
    partition_for,
)
from s2s.transforms.outline.table import forget

MERGING = Choice(merging=frozenset({"acc"}))


@pytest.fixture(autouse=True)
def table() -> Iterator[None]:
    register_patterns([("acc.any", is_op("work")), ("two.any", is_op("work", "other"))])
    yield
    forget("acc")
    forget("two")


def graph(
    ops: Sequence[str], edges: Sequence[tuple[int, int]], sizes: Sequence[int] = (), macs: int = 1
) -> Graph:
    """Operations by name; each writes an array of its own, an edge is a use of it."""
    tensors = [Tensor(f"t{k}", "int8", (sizes[k] if sizes else 1,)) for k in range(len(ops))]
    nodes = []
    for number, op in enumerate(ops):
        inputs = tuple(tensors[a] for a, b in edges if b == number)
        nodes.append(
            Node(number, op, inputs, (tensors[number],), number, number + 1, macs=macs, flops=1)
        )
    flow = {(a, b): frozenset({f"t{a}"}) for a, b in edges}
    return Graph(tuple(nodes), flow, frozenset(edges))


def shape(found: Partition) -> list[object]:
    return [sorted(i.pieces) if isinstance(i, Region) else i for i in found.sequence]


def test_neighbours_with_data_in_common_are_merged() -> None:
    found = partition(graph(["work"] * 3, [(0, 1), (1, 2)]), ["acc"], MERGING)
    assert shape(found) == [[0, 1, 2]]
    found = partition(graph(["work"] * 3, [(0, 1)]), ["acc"], MERGING)
    assert shape(found) == [[0, 1], [2]]
    found = partition(graph(["work"] * 3, [(0, 1), (1, 2)]), ["acc"], Choice())
    assert shape(found) == [[0], [1], [2]]


def test_a_statement_between_that_has_nothing_to_do_with_it_is_passed() -> None:
    found = partition(graph(["work", HOST, "work"], [(0, 2)]), ["acc"], MERGING)
    assert shape(found) == [[0, 2], 1]


def test_a_region_is_convex() -> None:
    through_the_host = graph(["work", HOST, "work"], [(0, 1), (1, 2), (0, 2)])
    assert shape(partition(through_the_host, ["acc"], MERGING)) == [[0], 1, [2]]


def test_between_what_is_passed_and_what_is_not() -> None:
    # The host's statements keep their own order, so no place is after 2 and before 1.
    crossed = graph(["work", HOST, HOST, "work"], [(0, 3), (0, 1), (2, 3)])
    assert shape(partition(crossed, ["acc"], MERGING)) == [[0], 1, 2, [3]]
    between = graph(["work", HOST, HOST, "work"], [(0, 3), (1, 3), (0, 2)])
    assert shape(partition(between, ["acc"], MERGING)) == [1, [0, 3], 2]


def test_one_device_as_it_is_registered() -> None:
    two = graph(["work", "work", "other"], [(0, 1), (1, 2)])
    assert shape(partition_for("acc", two)) == [[0], [1], 2]
    assert shape(partition_for("acc", two, "macs")) == [[0], [1], 2]


def test_the_first_device_goes_first() -> None:
    found = partition(graph(["work", "other", "work"], [(0, 1), (1, 2)]), ["acc", "two"], Choice())
    assert [region.device for region in found.regions] == ["acc", "two", "acc"]
    found = partition(graph(["work", "other"], [(0, 1)]), ["two", "acc"], Choice())
    assert [region.device for region in found.regions] == ["two", "two"]


def test_what_multiplies_nothing_goes_back() -> None:
    choice = Choice(rule="macs", merging=frozenset({"acc"}))
    found = partition(graph(["work", "work"], [(0, 1)], macs=0), ["acc"], choice)
    assert shape(found) == [0, 1]
    assert {one.reason for one in found.rejected} == {"it multiplies and accumulates nothing"}
    assert shape(partition(graph(["work", "work"], [(0, 1)]), ["acc"], choice)) == [[0, 1]]


def test_what_costs_more_to_bring_than_it_saves_goes_back() -> None:
    choice = Choice(rule="time", merging=frozenset({"acc"}))
    small = partition(graph(["work"] * 2, [(0, 1)], macs=1000), ["acc"], choice)
    assert shape(small) == [0, 1]
    assert all("more than on the host" in one.reason for one in small.rejected)
    large = partition(graph(["work"] * 2, [(0, 1)], macs=10**7), ["acc"], choice)
    assert shape(large) == [[0, 1]]
    # Large arrays in between: one alone is not worth it, together they are.
    sizes = [4_000_000, 1]
    both = partition(graph(["work"] * 2, [(0, 1)], sizes, macs=900_000), ["acc"], choice)
    alone = partition(graph(["work", HOST], [(0, 1)], sizes, macs=900_000), ["acc"], choice)
    assert (shape(both), shape(alone)) == ([[0, 1]], [0, 1])


def test_a_region_is_cut_where_the_fewest_bytes_cross() -> None:
    ops, edges = ["work"] * 6, [(k, k + 1) for k in range(5)]
    choice = Choice(most=4, merging=frozenset({"acc"}))
    found = partition(graph(ops, edges, [9, 9, 1, 9, 9, 9]), ["acc"], choice)
    assert shape(found) == [[0, 1, 2], [3, 4, 5]]
    found = partition(graph(ops, edges, [9, 2, 9, 9, 9, 9]), ["acc"], choice)
    assert shape(found) == [[0, 1], [2, 3, 4, 5]]
