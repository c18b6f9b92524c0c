"""Which updates may run in another order or in parallel: the same answers as Halide's."""

from __future__ import annotations

import pytest

from tests.frontends.halide.oracle import needs_wheel
from tests.frontends.halide.twin import Tree, Twin
from tests.transforms.halide.test_against_halide_schedules import halide

X, Y, RX, RY = ("var", "x"), ("var", "y"), ("var", "r.x"), ("var", "r.y")
ZERO, ONE, TWO = ("const", 0), ("const", 1), ("const", 2)
A: Tree = ("load", "in", RX, RY)
B: Tree = ("load", "in", RY, RX)
OWN: Tree = ("load", "f", X, Y)

ASSOCIATIVE: list[Tree] = [
    ("add", OWN, A),
    ("add", A, OWN),
    ("add", ("add", OWN, A), B),
    ("sub", ("add", OWN, A), B),
    ("add", ("sub", A, B), OWN),
    ("sub", A, ("sub", B, OWN)),
    ("sub", ("add", OWN, A), ("const", 3)),
    ("mul", OWN, A),
    ("mul", ("mul", OWN, A), ("const", 3)),
    ("max", OWN, A),
    ("max", B, ("max", OWN, A)),
    ("min", A, OWN),
    ("select", ("gt", A, OWN), A, OWN),
    ("select", ("lt", A, OWN), A, OWN),
    ("select", ("lt", OWN, A), OWN, A),
    ("select", ("gt", A, ZERO), ("add", OWN, ONE), OWN),
    ("add", OWN, ("select", ("gt", A, ZERO), ONE, ZERO)),
    ("mul", A, ("mul", OWN, B)),
]
ORDERED: list[Tree] = [
    ("sub", OWN, A),
    ("sub", A, OWN),
    ("add", ("mul", OWN, TWO), A),
    ("add", OWN, OWN),
    ("min", B, ("max", OWN, A)),
    ("band", OWN, A),
    ("bxor", OWN, A),
    ("select", ("gt", A, ZERO), A, OWN),
    A,
    RX,
]


def twin(args: list[Tree], value: Tree, where: Tree | None = None) -> Twin:
    made = Twin(halide())
    made.image("in", 2)
    made.define("f", ["x", "y"], ZERO)
    made.rdom("r", (0, 10), (0, 10))
    if where:
        made.where("r", where)
    made.update("f", args, value, "r")
    return made


@needs_wheel
@pytest.mark.parametrize("value", ASSOCIATIVE, ids=str)
def test_may_be_reordered(value: Tree) -> None:
    assert twin([X, Y], value).directive("f", 1, "reorder", "r.y", "r.x") == [None, None]


@needs_wheel
@pytest.mark.parametrize("value", ORDERED, ids=str)
def test_keeps_its_order(value: Tree) -> None:
    ours, theirs = twin([X, Y], value).directive("f", 1, "reorder", "r.y", "r.x")
    assert ours is not None and "change the meaning" in ours
    assert theirs is not None


def plus(tree: Tree, value: int) -> Tree:
    return ("add", tree, ("const", value))


def at(*subscripts: Tree) -> Tree:
    return ("load", "f", *subscripts)


PARALLEL: list[tuple[list[Tree], Tree]] = [
    ([RX, RY], A),
    ([RX, Y], ("add", at(RX, Y), A)),
    ([RX, RY], ("add", at(RX, plus(RY, 1)), A)),
    ([("mul", RX, TWO), Y], A),
    ([plus(RX, 3), Y], A),
    ([plus(("mul", RX, TWO), 1), Y], at(("mul", RX, TWO), Y)),
    ([RX, Y], at(plus(RX, 20), Y)),
    ([("mod", RX, ("const", 20)), Y], A),
    ([("sub", ("const", 9), RX), Y], A),
]
RACING: list[tuple[list[Tree], Tree]] = [
    ([X, Y], ("add", OWN, A)),
    ([X, RX], at(X, ("sub", RX, ONE))),
    ([("div", RX, TWO), Y], A),
    ([("min", RX, TWO), Y], A),
    ([("load", "in", RX, RY), Y], A),
    ([X, RY], A),
    ([("add", ("mul", RX, ("const", 10)), RY), Y], A),
    ([RX, Y], at(("sub", ("const", 9), RX), Y)),
    ([RX, Y], at(plus(RX, 1), Y)),
    ([RX, Y], at(("load", "in", RX, RX), Y)),
]


@needs_wheel
@pytest.mark.parametrize(("args", "value"), PARALLEL, ids=str)
def test_no_race(args: list[Tree], value: Tree) -> None:
    assert twin(args, value).directive("f", 1, "parallel", "r.x") == [None, None]


@needs_wheel
@pytest.mark.parametrize(("args", "value"), RACING, ids=str)
def test_race(args: list[Tree], value: Tree) -> None:
    ours, theirs = twin(args, value).directive("f", 1, "parallel", "r.x")
    assert ours is not None and "race" in ours
    assert theirs is not None


@needs_wheel
def test_predicates_do_not_count() -> None:
    """The triangle is transposed in place: no race, but nobody proves it."""
    made = twin([RX, RY], at(RY, RX), where=("lt", RX, RY))
    assert None not in made.directive("f", 1, "parallel", "r.x")


@needs_wheel
def test_scatter_of_a_constant() -> None:
    made = twin([("load", "in", RX, RY), Y], ("const", 7))
    assert made.directive("f", 1, "reorder", "r.y", "r.x") == [None, None]
