"""Loops over tensors that run at once: races are found, overlapping tiles are none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from s2s.analyses.tensor_races import races
from s2s.scop.expressions import INT32, Binary
from s2s.scop.lift_nest import lift_nest
from s2s.scop.nest import Allocate, Block, Node
from tests.analyses.test_tensor_flow import add, c, f_of, g_of, load, loop, nest, store, tensor, v


def found(body: Node) -> list[tuple[str, str]]:
    return [(r.loop.spelling, r.tensor) for r in races(lift_nest(nest(body)))]


@pytest.mark.parametrize("kind", ["parallel", "vectorized"])
def test_pure_loops(kind: str) -> None:
    body = Block(
        (
            loop("f.x", c(0), 17, f_of(v("f.x")), kind),
            loop("g.x", c(0), 16, g_of(v("g.x")), kind),
        )
    )
    assert found(Allocate(tensor("f", 17), body)) == []


def tile(stored_outside: bool) -> Node:
    start = Binary(INT32, "mul", v("t"), c(4))
    inner = Block((loop("f.x", start, 5, f_of(v("f.x"))), loop("g.x", start, 4, g_of(v("g.x")))))
    if stored_outside:
        return Allocate(tensor("f", 17), loop("t", c(0), 4, inner, "parallel"))
    return loop("t", c(0), 4, Allocate(tensor("f", 17), inner), "parallel")


def test_memory_of_each_iteration() -> None:
    assert found(tile(False)) == []


def test_memory_of_all_iterations() -> None:
    """One tile reads what another writes, even if it is the same value."""
    assert found(tile(True)) == [("t", "f")]


def test_overlapping_writes_of_one_value() -> None:
    start = Binary(INT32, "min", Binary(INT32, "mul", v("t"), c(4)), c(12))
    body = loop("g.x", start, 4, store("g", v("g.x"), load("in", v("g.x"))))
    assert found(loop("t", c(0), 5, body, "parallel")) == []


def test_reductions() -> None:
    sum_ = store("g", c(0), add(load("g", c(0)), load("in", v("r"))), 1, v("r"))
    assert found(loop("r", c(0), 8, sum_, "parallel")) == [("r", "g")]
    assert found(loop("r", c(0), 8, replace(sum_, atomic=True), "parallel")) == []
    scan = store("g", c(0), add(load("g", v("r")), load("in", v("r"))), 1, v("r"))
    assert found(loop("r", c(0), 8, replace(scan, atomic=True), "parallel")) == [("r", "g")]


def test_atomic_writes_alone() -> None:
    value = store("g", c(0), load("in", v("r")), 1, v("r"))
    assert found(loop("r", c(0), 8, value, "vectorized")) == [("r", "g")]
    assert found(loop("r", c(0), 8, replace(value, atomic=True), "vectorized")) == []
