"""What a block's statements need of each other, and what may not be moved over."""

import pytest

from s2s.driver.offload.blocks import make_block
from s2s.driver.offload.captures import NoPiece
from s2s.driver.offload.facts import Facts, look_at
from s2s.driver.offload.pieces import Piece, blocks, piece_of
from s2s.transforms.outline.graph import HOST, Graph
from tests.driver.offload.test_pieces import unit_of

FIRST = "for (int i = 0; i < 8; i++) y[i] = w[i];"
SECOND = "for (int i = 0; i < 8; i++) x[0][i] = y[i];"


def graph_of(body: str) -> Graph:
    unit = unit_of(body)
    name, whole, block = list(blocks(unit))[-1]
    pieces: list[Piece] = []
    for number in range(len(block.children)):
        try:
            pieces.append(piece_of(unit, (name, whole), block, number, {}))
        except NoPiece:
            continue
    found = {p.number: f for p, f in zip(pieces, look_at(unit, pieces), strict=True)}
    facts = {number: one for number, one in found.items() if isinstance(one, Facts)}
    return make_block(unit, (name, whole), block, facts).graph


def test_flow_is_that_of_elements() -> None:
    graph = graph_of(f"{FIRST} {SECOND}")
    assert [node.op for node in graph.nodes] == ["copy", "copy", HOST]
    assert graph.flow[0, 1] == {"y"}
    apart = "for (int i = 0; i < 4; i++) w[i] = 1; for (int i = 4; i < 8; i++) y[i] = w[i];"
    assert (0, 1) not in graph_of(apart).order


def test_what_is_overwritten_flows_no_further() -> None:
    again = "for (int i = 0; i < 8; i++) y[i] = 5;"
    graph = graph_of(f"{FIRST} {again} {SECOND}")
    assert (0, 2) not in graph.flow
    assert {(0, 1), (1, 2)} <= graph.order


@pytest.mark.parametrize(
    ("between", "passes"),
    [
        ("int z = count;", True),
        ("if (count > 7) return 1;", False),
        ("again: ;", False),
        ("unknown();", False),
        ("y[2] = 5;", False),
        ("w[2] = 5;", False),
        ("x[2][2] = count;", False),
        ("if (count) goto after;", False),
    ],
)
def test_what_stands_between(between: str, passes: bool) -> None:
    graph = graph_of(f"{FIRST} {between} {SECOND} after: ;")
    assert ((0, 1) not in graph.order and (1, 2) not in graph.order) == passes


def test_a_scalar_that_the_host_sets_between() -> None:
    use = "for (int i = 0; i < n; i++) x[0][i] = w[i];"
    graph = graph_of(f"int n = 8; {FIRST} n = 4; {use}")
    assert {(0, 3), (2, 3)} <= graph.order
    assert (1, 2) not in graph.order
