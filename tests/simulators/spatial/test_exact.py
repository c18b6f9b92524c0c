"""The exact model against the machine that executes: the model is what is tested."""

from __future__ import annotations

from dataclasses import asdict, replace
from random import Random

import pytest

from s2s.simulators.spatial.costs import exact
from s2s.simulators.spatial.execution import execute_all
from s2s.simulators.spatial.machine import load
from tests.simulators.spatial.random_mappings import random_plan


@pytest.mark.parametrize("seed", range(4))
def test_all_that_the_model_says_is_what_the_machine_counts(seed: int) -> None:
    random = Random(seed)
    machine = replace(
        load("p1"),
        noc_bandwidth=random.randint(1, 5),
        dram_bandwidth=random.randint(1, 9),
        dram_block=(1, 4, 8, 64)[seed],
    )
    plans = [random_plan(random) for _ in range(130)]
    for plan, done in zip(plans, execute_all(plans, machine, seed), strict=True):
        assert done.wrong == 0, plan
        expected = asdict(done.figures) | {"model": "exact"}
        assert asdict(exact.evaluate(plan, machine)) == expected, plan


@pytest.mark.parametrize("seed", range(2))
def test_so_it_does_with_three_buffers(seed: int) -> None:
    random = Random(10 + seed)
    machine = replace(
        load("p1"),
        noc_bandwidth=random.randint(1, 5),
        dram_bandwidth=random.randint(1, 5),
        dram_block=(4, 64)[seed],
        l3=1 << 20,
        l3_bandwidth=random.randint(1, 4),
    )
    plans = [random_plan(random, deep=True) for _ in range(100)]
    for plan, done in zip(plans, execute_all(plans, machine, seed), strict=True):
        assert done.wrong == 0, plan
        expected = asdict(done.figures) | {"model": "exact"}
        assert asdict(exact.evaluate(plan, machine)) == expected, plan
    assert any(done.figures.l3_stalls for done in execute_all(plans[:40], machine, seed))


def test_numbers_do_not_overflow() -> None:
    from s2s.simulators.spatial.cuts import plan
    from s2s.source.spatial.layers import Kind, Layer
    from s2s.source.spatial.tiles import TileLevel, TileLoop

    size = 2**40
    layer = Layer("", Kind.GEMM, (("M", size), ("N", size), ("K", size)))
    level = TileLevel(tuple(TileLoop(dim, 1, size, dim == "K") for dim in "MNK"), 2)
    found = exact.evaluate(plan(layer, [level]), load("p1"))
    assert found.macs == size**3
    assert found.compute == size**3 // 2
    assert found.traffic[0].noc_in == size**3
