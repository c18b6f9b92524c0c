"""The chapter's search: DRAM by distinct blocks, then the array, tiles that divide."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from s2s.simulators.spatial.machine import load
from s2s.source.spatial.layers import Kind, Layer
from s2s.tuning.spatial.candidate import Problem, footprints
from s2s.tuning.spatial.decoupled import best_shared_tile, order_of_slopes, search_decoupled
from s2s.tuning.spatial.spaces import spaces

MACHINE = replace(load("p1"), l2=600, dram_block=4)
GEMM = Layer("", Kind.GEMM, (("M", 12), ("N", 16), ("K", 18)))


def _blocks_for_an_iteration(tile: tuple[int, ...]) -> float:
    m, n, k = tile

    def blocks(rows: int, columns: int) -> int:
        return min(-(-rows // 4) * columns, rows * -(-columns // 4))

    return (blocks(m, k) + blocks(k, n) + blocks(m, n)) / (m * n * k)


def test_the_tile_of_l2_is_the_one_with_the_fewest_blocks() -> None:
    problem = Problem(GEMM, MACHINE)
    divisors = [[d for d in range(1, size + 1) if size % d == 0] for size in problem.sizes]
    fitting = [t for t in product(*divisors) if 2 * sum(footprints(problem, t)) <= 600]
    tile, count = best_shared_tile(problem)
    assert count == len(fitting)
    assert _blocks_for_an_iteration(tile) == min(map(_blocks_for_an_iteration, fitting))


def test_the_loop_with_the_steepest_slope_is_innermost() -> None:
    """A tile that is long in M and N gains nothing there: what K would save is the most."""
    assert order_of_slopes(Problem(GEMM, MACHINE), (12, 16, 1))[-1] == 2


def test_what_is_found_divides_and_fits() -> None:
    problem = Problem(GEMM, MACHINE)
    found = search_decoupled(problem)
    assert found is not None
    one = found.candidate
    assert one.fits(problem)
    for size, shared, array in zip(
        problem.sizes, one.shared(problem), one.array(problem), strict=True
    ):
        assert size % shared == shared % array == 0
    every = spaces(problem, one.shared(problem))
    assert found.off_chip <= every.off_chip and found.on_chip <= every.on_chip
    assert every.off_chip < every.original < every.remainders


def test_spaces_of_a_small_product() -> None:
    """Chains of tiles of 4: each of the three is the same or the next smaller power of 2."""
    problem = Problem(Layer("", Kind.GEMM, (("M", 4), ("N", 1), ("K", 1))), MACHINE)
    found = spaces(problem, (2, 1, 1))
    assert found.original == 10 * 2**3
    assert found.off_chip == 3 * 2**3
    assert found.on_chip == 3
