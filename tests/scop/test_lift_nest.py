"""A nest over tensors is a SCoP like any other: the analyses of C regions read it."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl
import pytest

from s2s.analyses import dependences, legality
from s2s.analyses.value_flow import ValueFlow
from s2s.scop.lift_nest import lift_nest
from s2s.scop.nest import Allocate, Block, Node
from s2s.scop.nodes import Construct, Kind, Loop, Scop, walk
from s2s.scop.schedule import Dimension, Role, Schedule
from tests.analyses.test_tensor_flow import c, f_of, g_of, loop, nest, sliding, tensor, v


def producer_and_consumer(kind: str = "serial") -> Scop:
    """``f`` of 17 elements, then ``g(x) = f(x) + f(x + 1)`` of 16."""
    loops = (
        loop("f.x", c(0), 17, f_of(v("f.x"))),
        loop("g.x", c(0), 16, g_of(v("g.x")), kind),
    )
    return lift_nest(nest(Allocate(tensor("f", 17), Block(loops))))


def test_dependences_of_a_nest() -> None:
    found = dependences.compute(producer_and_consumer())
    expected = isl.UnionMap("{ S0[x] -> S1[y] : 0 <= y < 16 and y <= x <= y + 1 }")
    assert found.all.is_equal(expected)
    assert found.exact.is_equal(expected)


def test_dependences_through_folded_storage() -> None:
    """``f`` has two elements of memory: a step overwrites what was read two steps before."""
    found = dependences.compute(lift_nest(nest(sliding(2))))
    overwritten = isl.UnionMap("{ S2[x] -> S1[x + 1] : 0 <= x < 15 }")
    assert overwritten.is_subset(found.all)
    longer = dependences.compute(lift_nest(nest(sliding(3))))
    assert overwritten.intersect(longer.all).is_empty()


@pytest.mark.parametrize(("later", "legal"), [(0, False), (1, True), (2, True)])
def test_schedule_of_a_nest(later: int, legal: bool) -> None:
    """One loop for both: the consumer has to run at least one step after the producer."""
    scop = producer_and_consumer()
    times = {
        "S0": isl.Map("{ S0[x] -> [x, 0] }"),
        "S1": isl.Map(f"{{ S1[x] -> [x + {later}, 1] }}"),
    }
    dimensions = (
        Dimension("x", Role.BAND),
        Dimension("part", Role.BAND),
    )
    chosen = replace(scop, target=Schedule(times, dimensions))
    found = legality.check(chosen, dependences.conservative(scop).all)
    assert (found is None) == legal


def test_values_of_a_nest() -> None:
    scop = producer_and_consumer()
    first = scop.statement("S1").reads[0]
    sources = ValueFlow(scop).sources(first)
    assert sources.before.is_empty()
    assert sources.writes.is_equal(isl.UnionMap("{ [S1[x] -> f[x]] -> S0[x] : 0 <= x < 16 }"))


@pytest.mark.parametrize(
    ("kind", "construct"), [("parallel", Kind.LOOP), ("vectorized", Kind.SIMD)]
)
def test_concurrent_loops_stand_in_constructs(kind: str, construct: Kind) -> None:
    tree = producer_and_consumer(kind).tree
    found = [node for node in walk(tree) if isinstance(node, Construct)]
    assert [node.kind for node in found] == [construct]
    assert isinstance(found[0].body, Loop) and found[0].body.variable.spelling == "g.x"


def test_memory_of_each_iteration() -> None:
    """An array that a loop allocates is other memory in each of its iterations."""
    inner: Node = Allocate(tensor("f", 17), Block((f_of(c(0)), f_of(c(1)), g_of(c(0)))))
    found = dependences.compute(lift_nest(nest(loop("t", c(0), 4, inner)))).all
    assert (
        isl.UnionMap("{ S0[t] -> S2[t]; S1[t] -> S2[t] }")
        .intersect_domain(isl.UnionSet("{ S0[t] : 0 <= t < 4; S1[t] : 0 <= t < 4 }"))
        .is_equal(found.intersect_domain(isl.UnionSet("{ S0[t]; S1[t] }")))
    )
