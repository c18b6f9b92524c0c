"""P, HB and P' of Figure 3.5 (c), (d) and (e); HB here is transitively closed."""

from __future__ import annotations

import islpy as isl
import pytest

from s2s.scop.nodes import Scop
from tests.jacobi import JACOBI
from tests.lifting import Analysed, analysed, between, scop_of

_EARLIER = "t < u or (t = u and (i < k or (i = k and j < l)))"


@pytest.fixture(scope="module")
def figure() -> Analysed:
    return analysed(scop_of(JACOBI))


def _expected(scop: Scop, source: str, target: str, formula: str) -> isl.Map:
    """Pairs of instances ``source[t, i, j] -> target[u, k, l]`` for which a formula holds."""
    names = ", ".join(p.name for p in scop.parameters)
    text = f"[{names}] -> {{ {source}[t, i, j] -> {target}[u, k, l] : {formula} }}"
    left, right = scop.statement(source).domain, scop.statement(target).domain
    return isl.Map(text).intersect_domain(left).intersect_range(right)


def _check(figure: Analysed, relation: isl.UnionMap, pair: tuple[str, str], formula: str) -> None:
    found = between(relation, *pair)
    assert found is not None
    assert found.is_equal(_expected(figure.scop, *pair, formula)), found


@pytest.mark.parametrize(
    ("pair", "formula"),
    [
        (("S1", "S1"), _EARLIER),
        (("S1", "S2"), "t <= u"),
        (("S2", "S1"), "t < u"),
        (("S2", "S2"), _EARLIER),
    ],
)
def test_conservative_dependences_are_the_whole_sequential_order(
    figure: Analysed, pair: tuple[str, str], formula: str
) -> None:
    _check(figure, figure.found.all, pair, formula)


_CLOSURE = [
    (("S1", "S1"), "(t < u and 2*(t - u) <= k - i <= 2*(u - t)) or (t = u and i = k and j < l)"),
    (("S1", "S2"), "t <= u and 2*(t - u) - 1 <= k - i <= 2*(u - t) + 1"),
    (("S2", "S1"), "t < u and 2*(t - u) + 1 <= k - i <= 2*(u - t) - 1"),
    (("S2", "S2"), "(t < u and 2*(t - u) <= k - i <= 2*(u - t)) or (t = u and i = k and j < l)"),
]


@pytest.mark.parametrize(("pair", "formula"), _CLOSURE)
def test_happens_before_is_a_cone(figure: Analysed, pair: tuple[str, str], formula: str) -> None:
    _check(figure, figure.order, pair, formula)


@pytest.mark.parametrize(("pair", "formula"), _CLOSURE)
def test_accurate_dependences_are_those_that_tasks_order(
    figure: Analysed, pair: tuple[str, str], formula: str
) -> None:
    _check(figure, figure.pruned, pair, formula)


def test_the_figure_has_no_race(figure: Analysed) -> None:
    assert figure.races.is_empty()


def test_a_missing_depend_item_is_a_race() -> None:
    """Without u[i - 1] among its tags the second task reads a row that is just being written."""
    found = analysed(scop_of(JACOBI.replace("f[i], u[i - 1], u[i]", "f[i], u[i]")))
    inside = "1 <= k <= nx - 2 and 1 <= l <= ny - 2"
    _check(found, found.races, ("S1", "S2"), f"u = t and k = i + 1 and l = j and {inside}")
    inside = "1 <= i <= nx - 2 and 1 <= j <= ny - 2"
    _check(found, found.races, ("S2", "S1"), f"u = t + 1 and k = i - 1 and l = j and {inside}")
