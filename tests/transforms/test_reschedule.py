"""The schedule that isl finds from P' is the published one."""

from __future__ import annotations

import islpy as isl
import pytest

from s2s.analyses import legality
from s2s.scop.nodes import Scop
from s2s.scop.schedule import Role
from s2s.transforms.reschedule import reschedule
from tests.jacobi import JACOBI
from tests.lifting import Analysed, analysed, scop_of


@pytest.fixture(scope="module")
def found() -> Analysed:
    return analysed(scop_of(JACOBI))


@pytest.fixture(scope="module")
def planned(found: Analysed) -> Scop:
    return reschedule(found.scop, found.pruned)


@pytest.mark.parametrize(
    ("statement", "published"),
    [("S1", "S1[t, i, j] -> [t, 2t + i]"), ("S2", "S2[t, i, j] -> [t, 2t + i + 1]")],
)
def test_jacobi_has_the_schedule_of_figure_3_5_b(
    planned: Scop, statement: str, published: str
) -> None:
    assert planned.target is not None
    times = planned.target.maps[statement]
    band = times.project_out(isl.dim_type.out, 2, times.dim(isl.dim_type.out) - 2)
    assert [d.role for d in planned.target.dimensions[:2]] == [Role.BAND, Role.BAND]
    expected = isl.Map(f"{{ {published} }}").intersect_domain(planned.statement(statement).domain)
    assert band.is_equal(expected), band


def test_both_band_dimensions_are_permutable_and_the_schedule_is_legal(
    found: Analysed, planned: Scop
) -> None:
    assert legality.check(planned, found.pruned) is None
    assert legality.permutable_band(planned, found.pruned) == 2


def test_without_happens_before_there_is_no_such_schedule(found: Analysed) -> None:
    """Conservative dependences alone leave nothing to skew: the arrays may be the same memory."""
    planned = reschedule(found.scop, found.found.all)
    assert legality.permutable_band(planned, found.found.all) < 2


def test_the_published_schedule_is_not_legal_without_the_tasks(
    found: Analysed, planned: Scop
) -> None:
    violation = legality.check(planned, found.found.all)
    assert violation is not None
    assert violation.reason == "a dependence goes backwards in time"
