"""Unroll-and-jam: what is taken, and how far it is written out."""

from __future__ import annotations

from pathlib import Path

import islpy as isl
import pytest

from s2s.analyses import legality
from s2s.scop.nodes import Scop
from s2s.scop.schedule import Parallelism
from s2s.transforms.block import is_blocked
from s2s.transforms.distribute import distribute
from s2s.transforms.errors import NotApplicable
from s2s.transforms.jam import Jam
from s2s.transforms.unroll_and_jam import whole_tiles
from tests import inputs
from tests.lifting import analysed, scop_of

_FOLDER = Path(__file__).parent / "jam"
_MATMUL, _MATMUL_THEN_SCALED, _LU, _TWICE = (
    inputs.body(_FOLDER / f"{name}.c") for name in ("matmul", "scaled", "lu", "twice")
)
_STENCIL = """
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            c[i][j] = a[i][j - 1] + a[i][j] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j];
"""
_SHORTEST_PATHS = """
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = a[i][j] < a[i][m] + a[m][j] ? a[i][j] : a[i][m] + a[m][j];
"""
_COLLIDING = """
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                c[i / 2][j] += a[i][k] * b[k][j];
"""

_PARAMETERS = (
    "int n, int m, double (*restrict a)[70], double (*restrict b)[70], double (*restrict c)[70], "
    "double *restrict x, double *restrict y, double *restrict z"
)


def _function(loops: str) -> str:
    return f"void f({_PARAMETERS})\n{{{loops}}}\n"


def _run(loops: str) -> Scop:
    found = analysed(scop_of(_function(loops)))
    done = Jam().run(found.scop, found.pruned).scop
    assert legality.check(done, found.pruned) is None
    return done


def test_eight_sums_hide_the_latency_of_an_addition() -> None:
    """One loop around many sums is written out eightfold, else fourfold."""
    rows = """
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            x[i] += a[i][j] * y[j];
"""
    assert "'i' by 8" in _run(rows).history[0]
    assert "'i' by 4" in _run(rows.replace("i < n", "i < 12")).history[0]
    assert "by 8" not in _run(_MATMUL).history[0]


def test_few_short_sums_keep_their_order() -> None:
    """Eight rows at a time need many rows, or long ones."""
    rows = """
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            x[i] += a[i][j] * y[j];
"""
    found = analysed(scop_of(_function(rows)))
    gains = Jam().run(found.scop, found.pruned).profitable
    sizes = {(32, 12): True, (31, 31): False, (8, 32): True, (7, 32): False, (32, 11): False}
    for (n, m), expected in sizes.items():
        size = gains.intersect(isl.Set(f"[n, m] -> {{ : n = {n} and m = {m} }}"))
        assert size.is_empty() is not expected, (n, m)


@pytest.mark.parametrize(
    ("loops", "reason"),
    [
        (_STENCIL, "few loads and stores"),
        (_SHORTEST_PATHS, "an element of 'a' may be touched in other ways"),
        (_COLLIDING, "an element of 'c' may be touched|the innermost loop|no legal order"),
    ],
)
def test_what_is_left_alone(loops: str, reason: str) -> None:
    found = analysed(scop_of(_function(loops)))
    with pytest.raises(NotApplicable, match=reason):
        Jam().run(found.scop, found.pruned)


def test_matrix_product_is_blocked_for_registers() -> None:
    done = _run(_MATMUL)
    assert done.target is not None
    assert done.history == ("loops (i, k, j), unrolled and jammed 'i' by 4 and 'k' by 4",)
    assert [d.name for d in done.target.dimensions if d.parallelism is Parallelism.SIMD] == [
        "j",
        "j_r",
    ]
    update = done.statements[1]
    held = {(done.arrays[update.accesses[h.access].array].spelling, h.inside, h.written)
            for h in done.target.held}  # fmt: skip
    assert held == {("a", False, False), ("b", True, False), ("c", True, True)}


def _blocked(loops: str, rows: str) -> bool:
    matrices = ", ".join(f"double (*restrict {name})[{rows}]" for name in "abc")
    found = analysed(scop_of(f"void f(int n, int m, {matrices})\n{{{loops}}}\n"))
    done = Jam().run(found.scop, found.pruned).scop
    assert legality.check(done, found.pruned) is None
    assert done.target is not None
    return is_blocked(done.target)


def test_matrix_product_runs_in_blocks_of_rows_where_matrices_outgrow_the_cache() -> None:
    assert _blocked(_MATMUL, "800")
    assert not _blocked(_MATMUL, "70")


def test_an_initialisation_behind_the_product_keeps_loops_in_one_piece() -> None:
    """What comes after all iterations of k cannot run with the first block of them."""
    assert not _blocked(_MATMUL_THEN_SCALED, "800")


def test_a_sum_is_held_across_the_innermost_loop() -> None:
    done = _run(_TWICE)
    assert done.target is not None
    sums = [h for h in done.target.held if h.statement == "S2" and h.written]
    assert [h.inside for h in sums] == [False]


def test_whole_tiles_are_those_without_a_missing_point() -> None:
    times = isl.Set("{ [i, j] : 0 <= i < 7 and 0 <= j <= i }")
    expected = isl.Set("{ [i, j] : 0 <= i < 6 and 0 <= j <= 3*floor(i/3) }")
    assert whole_tiles(times, {0: 3}).is_equal(expected)


@pytest.mark.parametrize(
    "points",
    [
        "-5 <= i < n and -2 <= j < 9",
        "0 <= i < n and i <= 2*j < 13",
        "0 <= i and 0 <= j and 2*i + j <= n and j <= 7",
        "0 <= i < 9 and 0 <= j < n and (i + j) mod 2 = 0",
        "0 <= i < n and 0 <= j < 9 and 2*i = j",
        "0 <= i < 9 and (0 <= j < 4 or 6 <= j < n)",
    ],
)
def test_whole_tiles_of_many_shapes(points: str) -> None:
    """By their definition: with each point of a tile all points of the tile."""
    times = isl.Set(f"[n] -> {{ [i, j] : {points} }}").fix_val(isl.dim_type.param, 0, isl.Val(11))
    here = {(i, j) for i in range(-12, 24) for j in range(-12, 24) if _holds(times, i, j)}
    for factors in ({0: 3}, {1: 4}, {0: 2, 1: 3}):
        wide = [range(factors.get(d, 1)) for d in (0, 1)]
        whole = {
            (i, j) for i, j in here
            if all((i - i % len(wide[0]) + a, j - j % len(wide[1]) + b) in here
                   for a in wide[0] for b in wide[1])
        }  # fmt: skip
        found = whole_tiles(times, factors)
        assert {p for p in here if _holds(found, *p)} == whole
        assert found.is_subset(times)


def _holds(points: isl.Set, *place: int) -> bool:
    for dimension, value in enumerate(place):
        points = points.fix_val(isl.dim_type.set, dimension, isl.Val(value))
    return not points.is_empty()


def test_distribution_orders_parts_by_their_dependences() -> None:
    """The division of LU comes before the updates that use its result."""
    found = analysed(scop_of(_function(_LU)))
    orders = {"S1": (0, 2, 1), "S2": (0, 1), "S3": (0, 2, 1)}
    done = distribute(found.scop, found.pruned, orders, 2)
    assert legality.check(done, found.pruned) is None
    with pytest.raises(NotApplicable, match="depend on each other"):
        distribute(found.scop, found.pruned, orders, 1)
