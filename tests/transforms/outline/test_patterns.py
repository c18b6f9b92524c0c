"""Patterns and tables: what matches, which match is taken, and why another one is not."""

from collections.abc import Iterator

import pytest

from s2s.transforms.outline import (
    Graph,
    Node,
    PatternCheckContext,
    Tensor,
    is_const,
    is_op,
    is_tuple,
    register_patterns,
    wildcard,
)
from s2s.transforms.outline.matching import annotate
from s2s.transforms.outline.table import forget


@pytest.fixture(autouse=True)
def table() -> Iterator[None]:
    yield
    forget("acc")


def tensor(name: str, *, constant: bool = False) -> Tensor:
    return Tensor(name, "int16", (4, 4), constant)


def chain(*rows: tuple[str, str, str], constants: str = "w") -> Graph:
    """Operations ``(name, what it reads, what it writes)``, arrays by letters."""
    nodes: list[Node] = []
    flow: dict[tuple[int, int], frozenset[str]] = {}
    writer: dict[str, int] = {}
    for number, (op, reads, writes) in enumerate(rows):
        inputs = tuple(tensor(name, constant=name in constants) for name in reads)
        outputs = tuple(tensor(name) for name in writes)
        nodes.append(Node(number, op, inputs, outputs, number, 10 + number))
        for name in reads:
            if name in writer:
                pair = writer[name], number
                flow[pair] = flow.get(pair, frozenset()) | {name}
        writer |= dict.fromkeys(writes, number)
    return Graph(tuple(nodes), flow, frozenset(flow))


CONV_RELU = chain(("conv", "xw", "y"), ("add", "by", "z"), ("relu", "z", "u"))


def taken(graph: Graph) -> list[tuple[str, list[int]]]:
    composites, _ = annotate(graph, "acc")
    return [(one.name, [node.number for node in one.nodes]) for one in composites]


def test_the_longest_match_wins_over_the_earlier_line() -> None:
    conv = is_op("conv")(wildcard(), is_const())
    added = is_op("add")(wildcard(), conv)
    register_patterns([
        ("acc.conv", conv), ("acc.added", added), ("acc.relu", is_op("relu")(added)),
    ])  # fmt: skip
    assert taken(CONV_RELU) == [("acc.relu", [0, 1, 2])]


def test_of_matches_as_long_the_earlier_line_wins() -> None:
    register_patterns(
        [("acc.one", is_op("conv")), ("acc.other", is_op("conv")(wildcard(), wildcard()))]
    )
    assert taken(CONV_RELU) == [("acc.one", [0])]


def test_optional_parts_and_alternatives() -> None:
    conv = is_op("conv")(wildcard(), wildcard())
    either = is_op("add")(wildcard(), conv) | is_op("sub")(conv, wildcard())
    register_patterns([("acc.any", either.optional(lambda x: is_op("relu")(x)))])
    assert taken(CONV_RELU) == [("acc.any", [0, 1, 2])]
    assert taken(chain(("conv", "xw", "y"), ("sub", "yb", "z"))) == [("acc.any", [0, 1])]
    assert taken(chain(("conv", "xw", "y"), ("sub", "by", "z"))) == []
    # Sums may stand in any order.
    assert taken(chain(("conv", "xw", "y"), ("add", "yb", "z"))) == [("acc.any", [0, 1])]


def test_constants_are_constants() -> None:
    register_patterns([("acc.conv", is_op("conv")(wildcard(), is_const()))])
    assert taken(chain(("conv", "xw", "y"))) == [("acc.conv", [0])]
    assert taken(chain(("conv", "xv", "y"))) == []


def test_the_same_wildcard_is_the_same_thing() -> None:
    x = wildcard()
    register_patterns([("acc.square", is_op("mul")(x, x))])
    assert taken(chain(("mul", "aa", "b"))) == [("acc.square", [0])]
    assert taken(chain(("mul", "ac", "b"))) == []


def test_several_results() -> None:
    x = wildcard()
    pair = is_tuple([is_op("conv")(x, is_const()), is_op("conv")(x, is_const())])
    register_patterns([("acc.pair", pair)])
    assert taken(chain(("conv", "xw", "y"), ("conv", "xw", "z"))) == [("acc.pair", [0, 1])]
    assert taken(chain(("conv", "xw", "y"), ("conv", "vw", "z"))) == []


def test_attributes() -> None:
    graph = Graph((Node(0, "pool", (), (tensor("y"),), 0, 1, {"window": (2, 2)}),), {}, frozenset())
    register_patterns([("acc.pool", is_op("pool").has_attr({"window": (3, 3)}))])
    assert taken(graph) == []
    register_patterns([("acc.pool2", is_op("pool").has_attr({"window": (2, 2)}))])
    assert taken(graph) == [("acc.pool2", [0])]


def test_a_result_that_others_need_stays_outside() -> None:
    graph = chain(("conv", "xw", "y"), ("relu", "y", "z"), ("copy", "y", "u"))
    register_patterns([("acc.relu", is_op("relu")(is_op("conv")))])
    composites, rejected = annotate(graph, "acc")
    assert not composites
    assert [one.reason for one in rejected] == [
        "the result of conv (line 10) is needed by copy (line 12), too"
    ]


def test_a_check_says_why_not() -> None:
    conv = is_op("conv")(wildcard(), wildcard())

    def check(context: PatternCheckContext) -> bool | str:
        return f"line {context.node('conv').line} is odd" if context.node("conv").line % 2 else True

    register_patterns([("acc.conv", conv, {"conv": conv}, check)])
    graph = chain(("conv", "xw", "y"), ("conv", "xw", "z"))
    composites, rejected = annotate(graph, "acc")
    assert [one.nodes[0].number for one in composites] == [0]
    assert [(one.name, one.node.number, one.reason) for one in rejected] == [
        ("acc.conv", 1, "line 11 is odd")
    ]


def test_two_lines_of_one_name() -> None:
    with pytest.raises(ValueError, match=r"two patterns are named 'acc\.x'"):
        register_patterns([("acc.x", wildcard()), ("acc.x", wildcard())])


def test_a_check_that_fails_rejects() -> None:
    conv = is_op("conv")
    register_patterns([("acc.conv", conv, {}, lambda context: context.node("none").macs > 0)])
    composites, rejected = annotate(chain(("conv", "xw", "y")), "acc")
    assert not composites
    assert [one.reason for one in rejected] == ["its check raises KeyError: 'none'"]
