"""A prepared nest says all that the emitter prints; the emitter decides nothing itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from s2s.emitters.c.nests import emit
from s2s.scop import storage
from s2s.scop.expressions import FLOAT32, INT32, Binary, Const, Expr, Load, Variable
from s2s.scop.nest import Allocate, Argument, Block, Dimension, For, Nest, Node, Store, Tensor, walk
from s2s.scop.rewrite import map_children
from s2s.transforms.nest.prepare import CHANGES, prepare


def _number(value: int) -> Expr:
    return Const(INT32, value)


def _dense(*extents: Expr) -> tuple[Dimension, ...]:
    return tuple(Dimension(_number(0), extent) for extent in extents)


def _loop(name: str, extent: Expr, kind: str, body: Node) -> For:
    return For(name, _number(0), extent, kind, body, var=name)


def _rows(memory: Expr) -> Nest:
    """Two parallel loops, in them a row of ``memory`` elements: it is filled, then added up."""
    y, z, x, n = (Variable(INT32, name) for name in "yzxn")
    row, out = Load(FLOAT32, "row", (x,)), Load(FLOAT32, "out", (y, z))
    scale = Binary(FLOAT32, "mul", Variable(FLOAT32, "a"), Variable(FLOAT32, "a"))
    fill = _loop("x", memory, "serial", Store("row", (x,), (scale,)))
    sums = _loop("x", memory, "serial", Store("out", (y, z), (Binary(FLOAT32, "add", out, row),)))
    body = Allocate(Tensor("row", (FLOAT32,), _dense(memory)), Block((fill, sums)))
    tensor = Tensor("out", (FLOAT32,), _dense(n, n))
    return Nest(
        "rows",
        (
            Argument("a", None, FLOAT32),
            Argument("n", None, INT32),
            Argument("out", tensor, FLOAT32, output=True),
        ),
        _loop("y", n, "parallel", _loop("z", n, "parallel", body)),
    )


def _memories(nest: Nest) -> Iterator[str]:
    return (node.tensor.memory for node in walk(nest.body) if isinstance(node, Allocate))


@pytest.mark.parametrize(
    ("elements", "kind"),
    [(Variable(INT32, "n"), storage.THREAD), (_number(5000), storage.THREAD),
     (_number(1000), storage.STACK)],
)  # fmt: skip
def test_memory_says_where_it_lies(elements: Expr, kind: str) -> None:
    ready = prepare(_rows(elements))
    assert list(_memories(ready)) == [kind]
    assert ("malloc" in emit(ready).source) == (kind == storage.THREAD)


def test_loops_in_one_another_run_together_where_the_nest_says_so() -> None:
    ready = prepare(_rows(_number(1000)))
    assert isinstance(ready.body, For)
    assert (ready.body.kind, ready.body.collapse) == ("parallel", 2)
    apart = replace(ready, body=replace(ready.body, collapse=1))
    assert "collapse(2)" in emit(ready).source
    assert "collapse" not in emit(apart).source


def test_names_are_those_that_the_nest_has() -> None:
    """A product of arguments is computed before the loops, once."""
    ready = prepare(_rows(_number(1000)))
    assert len(ready.invariants) == 1
    assert emit(ready).source.count("a * a") == 1
    without = replace(ready, invariants=())
    assert re.search(r"row\[x\] = a \* a;", emit(without).source)


def test_a_nest_that_is_not_ready_is_not_printed() -> None:
    with pytest.raises(ValueError, match="the nest is not ready"):
        emit(prepare(_rows(_number(1000)), CHANGES))


def test_the_kind_of_memory_is_printed_as_it_is() -> None:
    def moved(node: Node) -> Node:
        if isinstance(node, Allocate):
            node = replace(node, tensor=replace(node.tensor, memory=storage.HEAP))
        return map_children(node, moved)

    ready = prepare(_rows(_number(1000)))
    assert "malloc" not in emit(ready).source
    assert "malloc" in emit(replace(ready, body=moved(ready.body))).source
