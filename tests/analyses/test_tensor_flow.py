"""Values in loop nests: right orders are proved, wrong ones are found."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl
import pytest

from s2s.analyses.tensor_flow import check
from s2s.scop.definitions import Stage
from s2s.scop.expressions import INT32, Binary, Const, Expr, Load, Variable
from s2s.scop.lift_nest import lift_nest
from s2s.scop.nest import (
    Allocate,
    Argument,
    Block,
    Dimension,
    For,
    Nest,
    Node,
    Produce,
    Store,
    Tensor,
)


def c(value: int) -> Expr:
    return Const(INT32, value)


def v(name: str) -> Expr:
    return Variable(INT32, name)


def add(left: Expr, right: Expr | int) -> Expr:
    return Binary(INT32, "add", left, right if isinstance(right, Expr) else c(right))


def load(name: str, *subscripts: Expr) -> Expr:
    return Load(INT32, name, subscripts)


def loop(name: str, first: Expr, count: Expr | int, body: Node, kind: str = "serial") -> For:
    return For(name, first, count if isinstance(count, Expr) else c(count), kind, body)


def tensor(name: str, size: int, fold: int | None = None) -> Tensor:
    folded = None if fold is None else c(fold)
    return Tensor(name, (INT32,), (Dimension(c(0), c(size), fold=folded),))


def produce(name: str, body: Node) -> Produce:
    return Produce(name, body)


def store(name: str, place: Expr, value: Expr, stage: int = 0, *reduction: Expr) -> Store:
    return Store(name, (place,), (value,), name, stage, (place, *reduction))


def nest(body: Node, size: int = 16) -> Nest:
    out = Argument("g", tensor("g", size), INT32, output=True)
    return Nest("pipeline", (Argument("in", tensor("in", 64), INT32), out), body)


POINT = Stage(isl.Map("{ [x] -> [x] }"), 1)
DEFINITIONS = {"f": [POINT], "g": [POINT]}


def problems(body: Node, definitions: dict[str, list[Stage]] | None = None) -> list[str]:
    return [p.text for p in check(lift_nest(nest(body)), definitions or DEFINITIONS)]


def f_of(x: Expr) -> Node:
    return store("f", x, load("in", x))


def g_of(x: Expr) -> Node:
    return store("g", x, add(load("f", x), load("f", add(x, 1))))


def root(first: int = 0, count: int = 17) -> Node:
    body = (
        loop("f.x", c(first), count, f_of(v("f.x"))),
        loop("g.x", c(0), 16, g_of(v("g.x"))),
    )
    return Allocate(tensor("f", 17), Block(body))


def test_compute_root() -> None:
    assert problems(root()) == []


@pytest.mark.parametrize(("first", "count"), [(1, 16), (0, 16), (0, 0)])
def test_a_region_too_small(first: int, count: int) -> None:
    assert problems(root(first, count)) == ["f is read where nothing has computed it"]


def test_consumer_first() -> None:
    allocate = root()
    assert isinstance(allocate, Allocate) and isinstance(allocate.body, Block)
    swapped = replace(allocate, body=Block(allocate.body.children[::-1]))
    assert problems(swapped) == ["f is read where nothing has computed it"]


def tile(offset: Expr, size: int, stored_outside: bool) -> Node:
    inner = Block(
        (
            loop("f.x", offset, size, f_of(v("f.x"))),
            loop("g.x", offset, 4, g_of(v("g.x"))),
        )
    )
    if stored_outside:
        return Allocate(tensor("f", 17), loop("t", c(0), 4, inner))
    return loop("t", c(0), 4, Allocate(tensor("f", 17), inner))


@pytest.mark.parametrize("stored_outside", [False, True])
def test_tiles(stored_outside: bool) -> None:
    start = Binary(INT32, "mul", v("t"), c(4))
    assert problems(tile(start, 5, stored_outside)) == []
    assert problems(tile(start, 4, stored_outside)) == ["f is read where nothing has computed it"]


def sliding(size: int, inside: bool = False) -> Node:
    steps = Block((f_of(add(v("g.x"), 1)), g_of(v("g.x"))))
    warm = f_of(c(0))
    whole = Block((warm, loop("g.x", c(0), 16, steps)))
    return Allocate(tensor("f", 17, fold=size), whole)


def test_folded_storage() -> None:
    assert problems(sliding(2)) == []
    assert problems(sliding(3)) == []
    assert problems(sliding(1)) == ["the memory of f holds another element when it is read"]


def windowed(count: int, fold: int | None, offsets: tuple[int, ...]) -> Node:
    """A row of f for each step of g, which reads several elements of it."""
    x = v("g.x")
    value: Expr = c(0)
    for offset in offsets:
        value = Binary(INT32, "add", value, load("f", add(x, offset)))
    steps = Block((f_of(add(x, max(offsets))), store("g", x, value)))
    warm = loop("f.x", c(0), count, f_of(v("f.x")))
    return Allocate(tensor("f", 20, fold), Block((warm, loop("g.x", c(0), 16, steps))))


@pytest.mark.parametrize("offsets", [(0, 1, 2, 3), (3, 0, 1, 2), (0, 3), (1, 1, 0, 3)])
def test_reads_of_a_window(offsets: tuple[int, ...]) -> None:
    assert problems(windowed(3, None, offsets)) == []
    assert problems(windowed(2, None, offsets)) == ["f is read where nothing has computed it"]
    assert problems(windowed(3, 4, offsets)) == []
    assert problems(windowed(3, 3, offsets)) == [
        "the memory of f holds another element when it is read"
    ]


def test_elements_that_share_memory() -> None:
    """Two elements in one cell: the last writer matters, and a window needs both at once."""
    both = store("g", v("g.x"), add(load("f", c(0)), load("f", c(2))))
    body = Block((f_of(c(0)), f_of(c(2)), loop("g.x", c(0), 16, both)))
    assert problems(Allocate(tensor("f", 4, fold=4), body)) == []
    assert problems(Allocate(tensor("f", 4, fold=2), body)) != []


SUM = [POINT, Stage(isl.Map("{ [x, r] -> [x] : 0 <= r < 3 }"), 1)]
SCAN = [POINT, Stage(isl.Map("{ [x, r] -> [r] : 1 <= r < 16 and x = 0 }"), 1)]


def update(r: Expr) -> Node:
    x = v("g.x")
    return store("g", x, add(load("g", x), load("in", add(x, r))), 1, r)


def summed(first: Expr, count: int, *more: Node) -> Node:
    parts = (store("g", v("g.x"), c(0)), loop("r", first, count, update(v("r"))), *more)
    return loop("g.x", c(0), 16, Block(parts))


@pytest.mark.parametrize("commutes", [False, True])
def test_reductions(commutes: bool) -> None:
    table = {"g": [POINT, replace(SUM[1], commutes=commutes)]}
    assert problems(summed(c(0), 3), table) == []
    assert problems(summed(c(0), 2), table) == ["the updates of g have not all run when it is read"]
    twice = summed(c(0), 3, update(c(1)))
    assert problems(twice, table) != []


def test_reversed_reductions() -> None:
    backwards = loop(
        "g.x",
        c(0),
        16,
        Block(
            (
                store("g", v("g.x"), c(0)),
                loop("r", c(0), 3, update(Binary(INT32, "sub", c(2), v("r")))),
            )
        ),
    )
    assert problems(backwards, {"g": SUM}) != []
    assert problems(backwards, {"g": [POINT, replace(SUM[1], commutes=True)]}) == []


def test_updates_of_other_elements() -> None:
    """A scan: each element from the one before."""

    def scan(place: Expr) -> Node:
        value = add(load("g", Binary(INT32, "sub", place, c(1))), load("g", place))
        return Store("g", (place,), (value,), "g", 1, (c(0), place))

    first = loop("g.x", c(0), 16, store("g", v("g.x"), load("in", v("g.x"))))
    forward = Block((first, loop("r", c(1), 15, scan(v("r")))))
    assert problems(forward, {"g": SCAN}) == []
    back = Block((first, loop("r", c(1), 15, scan(Binary(INT32, "sub", c(16), v("r"))))))
    assert problems(back, {"g": SCAN}) != []


def test_updates_of_elements_that_nothing_needs() -> None:
    """Tiles made whole at the edge update what was never set; only who reads it is wrong."""

    def whole(read: int) -> Node:
        x = v("f.x")
        changed = store("f", x, add(load("f", x), load("in", x)), 1)
        body = (
            loop("f0.x", c(0), 10, store("f", v("f0.x"), c(0))),
            loop("f.x", c(0), 16, changed),
            loop("g.x", c(0), 16, store("g", v("g.x"), load("f", c(read)))),
        )
        return Allocate(tensor("f", 16), Block(body))

    table = {"f": [POINT, POINT], "g": [POINT]}
    assert problems(whole(9), table) == []
    assert problems(whole(10), table) == ["f is read where nothing has computed it"]


def edge(needed: int) -> Node:
    """``h`` reads 16 elements of f of which 10 are set, ``g`` reads ``needed`` elements of h."""
    body = (
        loop("f.x", c(0), 10, store("f", v("f.x"), load("in", v("f.x")))),
        loop("h.x", c(0), 16, store("h", v("h.x"), load("f", v("h.x")))),
        loop("g.x", c(0), 16, store("g", v("g.x"), load("h", c(needed - 1)))),
    )
    return Allocate(tensor("f", 16), Allocate(tensor("h", 16), Block(body)))


def test_definitions_of_elements_that_nothing_needs() -> None:
    table = {"g": [POINT], "h": [POINT], "f": [POINT]}
    assert problems(edge(10), table) == []
    assert problems(edge(11), table) == ["f is read where nothing has computed it"]


@pytest.mark.parametrize("scan", [False, True])
def test_updates_of_definitions_that_nothing_needs(scan: bool) -> None:
    """As ``edge``, with an update of ``h`` from its own element, or from the one before, too."""
    x = v("h1.x")
    value = add(load("h", x), load("h", add(x, -1)) if scan else c(1))
    changed = replace(store("h", x, value, 1), instance=(c(0), x) if scan else (x,))

    def found(needed: int) -> list[str]:
        body = (
            loop("f.x", c(0), 10, store("f", v("f.x"), load("in", v("f.x")))),
            loop("h.x", c(0), 16, store("h", v("h.x"), load("f", v("h.x")))),
            loop("h1.x", c(1), 15, changed),
            loop("g.x", c(0), 16, store("g", v("g.x"), load("h", c(needed - 1)))),
        )
        whole = Allocate(tensor("f", 16), Allocate(tensor("h", 16), Block(body)))
        table = {"g": [POINT], "h": [POINT, SCAN[1] if scan else INNER], "f": [POINT]}
        return problems(whole, table)

    assert found(10) == []
    assert found(11) == found(16) == ["f is read where nothing has computed it"]


INNER = Stage(isl.Map("{ [x] -> [x] : 1 <= x < 16 }"), 1)
