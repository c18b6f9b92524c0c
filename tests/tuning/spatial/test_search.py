"""The search of mappings: legal, near its bound, and the same whenever it is asked."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from random import Random

import numpy as np
import pytest

from s2s.simulators.spatial import fitting
from s2s.simulators.spatial.costs import exact
from s2s.simulators.spatial.costs.models import MODELS
from s2s.simulators.spatial.cuts import plan
from s2s.simulators.spatial.execution import execute
from s2s.simulators.spatial.machine import load
from s2s.source.diagnostics import UserError
from s2s.source.spatial.layers import Kind, Layer, Network
from s2s.source.spatial.reading import read_network
from s2s.source.spatial.tiles import tile_levels
from s2s.source.spatial.writing import write_network
from s2s.tuning.spatial.bound import grids, roofline
from s2s.tuning.spatial.candidate import Problem, footprints
from s2s.tuning.spatial.fixed import Fixed, fixed_by
from s2s.tuning.spatial.found import Found
from s2s.tuning.spatial.networks import Wanted, search_all
from s2s.tuning.spatial.report import gap
from s2s.tuning.spatial.search import Search
from s2s.tuning.spatial.store import Store
from s2s.tuning.spatial.styles import STYLES, is_for, with_style
from s2s.tuning.spatial.tiles import footprints_of

P1 = load("p1")
GEMM = Layer("product", Kind.GEMM, (("M", 84), ("N", 64), ("K", 50)))
CONV = Layer(
    "strided", Kind.CONV, (("K", 6), ("C", 5), ("R", 3), ("S", 3), ("Y", 15), ("X", 13)), (2, 2)
)
DEPTHWISE = Layer("depthwise", Kind.DSCONV, (("C", 24), ("R", 3), ("S", 3), ("Y", 12), ("X", 12)))
LAYERS = [GEMM, CONV, DEPTHWISE]


def least_cycles(problem: Problem, units: tuple[int, ...]) -> int:
    """The least with so many units along each dimension: the busiest one's multiplications."""
    return prod(-(-size // unit) for size, unit in zip(problem.sizes, units, strict=True))


def _best(layer: Layer, effort: int = 30, **options: object) -> tuple[Search, Found]:
    search = Search(Problem(layer, P1), effort=effort, **options)  # type: ignore[arg-type]
    found = search.run()
    assert found is not None
    return search, found


@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.name)
def test_the_text_of_a_mapping_executes_as_it_was_promised(layer: Layer) -> None:
    search, found = _best(layer)
    text = write_network(Network("", (found.candidate.mapped(search.problem),)))
    again = read_network("best.m", text.encode()).layers[0]
    mapped = plan(again, tile_levels(again, None, P1.elements))
    assert not fitting.overflows(mapped, P1)
    done = execute(mapped, P1)
    assert done.wrong == 0
    assert done.figures.cycles == found.figures.cycles >= search.bound >= roofline(layer, P1) - 1


def test_objectives_differ() -> None:
    fast, thrifty = _best(GEMM, 200)[1], _best(GEMM, 200, objective="energy")[1]
    assert thrifty.figures.energy(P1) < fast.figures.energy(P1)


def test_the_same_effort_finds_the_same() -> None:
    assert _best(GEMM)[1] == _best(GEMM)[1]


def test_tiles_that_divide() -> None:
    search, found = _best(GEMM, divide=True)
    one = found.candidate
    for size, shared, array, units in zip(
        search.problem.sizes, one.shared(search.problem), one.array(search.problem), one.units,
        strict=True,
    ):  # fmt: skip
        assert size % shared == shared % array == array % units == 0


def test_what_is_fixed_stays() -> None:
    fixed = fixed_by(["units:M=4,N=8", "l1:K=5", "l2:N=32", "order:K,M"], GEMM.loops)
    search, found = _best(GEMM, fixed=fixed)
    one = found.candidate
    assert one.units[:2] == (4, 8)
    assert one.tile[2] == 5
    assert one.shared(search.problem)[1] == 32
    assert one.inner == one.outer == (1, 2, 0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("units:Q=2", "the layer has no dimension 'Q'"),
        ("unit:M=2", "did you mean 'units'?"),
        ("l1:M", "'M' is not DIMENSION=NUMBER"),
        ("l2:M=85", "85 is more than the 84 iterations of M"),
        ("order:M,M", "twice"),
        ("parallel:M=2", "'parallel' has no numbers"),
    ],
)
def test_what_cannot_be_fixed(text: str, said: str) -> None:
    with pytest.raises(UserError) as caught:
        fixed_by([text], GEMM.loops)
    assert said in str(caught.value)


def test_no_random_mapping_beats_the_bound() -> None:
    random = Random(5)
    search, found = _best(CONV)
    problem = search.problem
    for _ in range(40):
        tile = tuple(random.randint(1, 3) for _ in problem.dims)
        units = tuple(random.choice((1, 1, 2, 5)) for _ in problem.dims)
        holds = tuple(random.randint(1, 3) for _ in problem.dims)
        order = tuple(random.sample(range(len(tile)), len(tile)))
        one = replace(
            found.candidate, units=units, tile=tile, holds=holds, outer=order, inner=order[::-1]
        )
        if one.fits(problem):
            cycles = exact.evaluate(one.plan(problem), P1).cycles
            assert cycles >= search.bound
            assert cycles >= least_cycles(problem, units)


def test_grids_come_by_their_bounds() -> None:
    found = grids(Problem(GEMM, P1), 20)
    assert [bound for bound, _ in found] == sorted(bound for bound, _ in found)
    assert found[0][0] == min(least_cycles(Problem(GEMM, P1), units) for _, units in found)


def test_the_models_disagree_about_the_best_mapping() -> None:
    """Each model's best is at least as good by that model as the other one's."""
    search, found = _best(GEMM, 150)
    other, best = _best(GEMM, 150, model="maestro")
    assert best.figures.model == "maestro"
    levels = found.candidate.levels(search.problem)
    assert best.figures.cycles <= MODELS["maestro"](GEMM, levels, P1).cycles
    levels = best.candidate.levels(other.problem)
    assert found.figures.cycles <= MODELS["exact"](GEMM, levels, P1).cycles


def test_many_footprints_at_once_are_those_of_each() -> None:
    random = Random(3)
    for layer in LAYERS:
        problem = Problem(layer, P1)
        rows = [[random.randint(1, size) for size in problem.sizes] for _ in range(40)]
        found = footprints_of(problem, np.array(rows))
        assert found.tolist() == [sum(footprints(problem, row)) for row in rows]


def test_footprints_do_not_overflow() -> None:
    size = 2**62
    problem = Problem(Layer("", Kind.GEMM, (("M", 1), ("N", size), ("K", 1))), P1)
    assert footprints_of(problem, np.array([[1, size, 1]])).tolist() == [2 * size]


def test_what_is_parallel_and_innermost_is_kept() -> None:
    fixed = fixed_by(["parallel:K,C", "innermost:R,S"], CONV.loops)
    search, found = _best(CONV, fixed=fixed)
    assert fixed.parallel == frozenset({"K", "C"})
    for one in search.evaluated:
        names = dict(zip(search.problem.dims, one.units, strict=True))
        assert all(units == 1 for dim, units in names.items() if dim not in "KC")
        inner = [search.problem.dims[d] for d in one.inner if search.problem.sizes[d] > 1]
        assert set(inner[-2:]) == {"R", "S"}
    assert search.bound > _best(CONV)[0].bound
    assert found.figures.cycles >= search.bound


@pytest.mark.parametrize("model", ["exact", "maestro"])
def test_nothing_that_was_looked_at_is_below_the_bound(model: str) -> None:
    fixed = fixed_by(["parallel:C"], DEPTHWISE.loops)  # few branches
    for objective in ("runtime", "energy", "edp"):
        search, found = _best(DEPTHWISE, 40, objective=objective, model=model, fixed=fixed)
        assert 0 < search.cost_bound <= found.cost


@pytest.mark.parametrize("style", sorted(STYLES))
def test_styles_fix_what_is_parallel(style: str) -> None:
    assert is_for(style, CONV)
    for layer in [one for one in LAYERS if is_for(style, one)]:
        fixed = with_style(Fixed(), style, layer)
        assert fixed.parallel
        _, found = _best(layer, 20, fixed=fixed, model="maestro", divide=True)
        parallel = {d for d, n in zip(layer.loops, found.candidate.units, strict=True) if n > 1}
        assert parallel <= fixed.parallel


def test_a_gap_of_nothing_is_a_proof() -> None:
    layer = Layer("tiny", Kind.GEMM, (("M", 1), ("N", 4), ("K", 1)))
    (result,) = search_all([layer], Wanted(P1, effort=50), Store(""))
    assert result.figures.cycles == result.outcome.bound == 6
    assert gap(result, Wanted(P1)) == "gap: no mapping is better (lower bound 6 cycles)"
