"""Legality refuses what breaks a dependence, whoever asks for it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import islpy as isl
import pytest

from s2s.analyses import legality
from s2s.scop.nodes import Scop
from s2s.scop.schedule import Dimension, Parallelism, Role, Schedule, SharedLoads
from tests.lifting import Analysed, analysed, scop_of

RECURRENCE = Path(__file__).with_name("legality.c").read_text()
ROWS = RECURRENCE.replace("a[i - 1][j + 1]", "a[i][j - 1]")
BOTH = RECURRENCE.replace("a[i - 1][j + 1]", "a[i - 1][j] + a[i][j - 1]")


def _found(text: str) -> Analysed:
    return analysed(scop_of(text))


def _verdict(found: Analysed, rows: str, marks: dict[int, Parallelism] | None = None) -> str | None:
    """Why ``S1[i, j] -> [rows]`` is not legal, None when it is."""
    violation = legality.check(_scheduled(found.scop, rows, marks or {}), found.pruned)
    return None if violation is None else violation.reason


def _scheduled(scop: Scop, rows: str, marks: dict[int, Parallelism]) -> Scop:
    (statement,) = scop.statements
    names = ", ".join(scop.parameters[i].name for i in range(len(scop.parameters)))
    times = isl.Map(f"[{names}] -> {{ S1[i, j] -> [{rows}] }}").intersect_domain(statement.domain)
    dimensions = tuple(
        Dimension(f"c{i}", Role.BAND, marks.get(i, Parallelism.NONE))
        for i in range(times.dim(isl.dim_type.out))
    )
    return replace(scop, target=Schedule({"S1": times}, dimensions))


BACKWARDS = "a dependence goes backwards in time"


@pytest.mark.parametrize(
    ("text", "rows", "reason"),
    [
        (RECURRENCE, "i, j", None),
        (RECURRENCE, "-i, j", BACKWARDS),
        (RECURRENCE, "i, -j", None),
        (RECURRENCE, "j, i", BACKWARDS),
        (RECURRENCE, "i + j, i", None),
        (RECURRENCE, "i + j, -i", BACKWARDS),
        (ROWS, "j, i", None),
        (ROWS, "-i, j", None),
        (ROWS, "i, -j", BACKWARDS),
        (BOTH, "j, i", None),
        (BOTH, "i - j, j", BACKWARDS),
        (BOTH, "i + j, j", None),
        (RECURRENCE, "i, 0", None),
        (ROWS, "i, floor(j/2), 0", BACKWARDS),
    ],
)
def test_orders(text: str, rows: str, reason: str | None) -> None:
    assert _verdict(_found(text), rows) == reason


@pytest.mark.parametrize(
    ("text", "rows", "position", "legal"),
    [
        (RECURRENCE, "i, j", 0, False),
        (RECURRENCE, "i, j", 1, True),
        (ROWS, "i, j", 0, True),
        (ROWS, "i, j", 1, False),
        (BOTH, "i, j", 0, False),
        (BOTH, "i, j", 1, False),
        (BOTH, "i + j, j", 1, True),
    ],
)
@pytest.mark.parametrize("kind", [Parallelism.DOALL, Parallelism.SIMD])
def test_a_parallel_loop_carries_nothing(
    text: str, rows: str, position: int, legal: bool, kind: Parallelism
) -> None:
    reason = _verdict(_found(text), rows, {position: kind})
    assert reason == (None if legal else f"a {kind.value} loop carries a dependence")


@pytest.mark.parametrize(
    ("text", "rows", "legal"),
    [
        (BOTH, "i, j", True),
        (BOTH, "j, i", True),
        (RECURRENCE, "i, j", False),
        (RECURRENCE, "i, i + j", True),
        (RECURRENCE, "i, -j", True),
    ],
)
def test_a_pipeline_flows_forward_along_each_loop(text: str, rows: str, legal: bool) -> None:
    marks = {0: Parallelism.DOACROSS, 1: Parallelism.DOACROSS}
    reason = _verdict(_found(text), rows, marks)
    assert reason == (None if legal else "a dependence goes against a pipelined loop")


@pytest.mark.parametrize(
    ("text", "rows", "legal"),
    [
        (BOTH, "i, floor((i + j)/8), i, j", True),
        (ROWS, "i, floor(j/8), i, j", True),
        # What one strip holds has to be ordered by the other entries.
        (RECURRENCE, "i, floor((i + j)/8), j, i", False),
        (RECURRENCE, "i, floor((2i + j)/8), i, j", True),
        (RECURRENCE, "i, floor(-j/8), i, -j", True),
    ],
)
def test_pipelined_strips_of_any_width(text: str, rows: str, legal: bool) -> None:
    pipelined = {0: Parallelism.DOACROSS, 1: Parallelism.DOACROSS}
    found = _found(text)
    planned = _scheduled(found.scop, rows, pipelined)
    assert planned.target is not None
    strip = replace(planned.target.dimensions[0], elastic=True, size=16)
    planned = replace(planned, target=planned.target.with_dimension(0, strip))
    assert (legality.check(planned, found.pruned) is None) == legal


def test_a_schedule_covers_all_instances() -> None:
    found = _found(ROWS)
    planned = _scheduled(found.scop, "i, j", {})
    assert planned.target is not None
    part = planned.target.maps["S1"].intersect_domain(isl.Set("{ S1[i, j] : j >= 5 }"))
    planned = replace(planned, target=replace(planned.target, maps={"S1": part}))
    violation = legality.check(planned, found.pruned)
    assert violation is not None
    assert violation.reason == "the schedule does not cover all instances"


def test_permutable_bands_are_counted() -> None:
    for text, count in ((BOTH, 2), (RECURRENCE, 1), (ROWS, 2)):
        found = _found(text)
        assert legality.permutable_band(_scheduled(found.scop, "i, j", {}), found.pruned) == count


@pytest.mark.parametrize(("read", "legal"), [("a[i - 1][j - 1]", True), ("a[i - 1][j]", False)])
def test_instances_that_share_loads_do_not_depend_on_each_other(read: str, legal: bool) -> None:
    found = _found(RECURRENCE.replace("a[i - 1][j + 1]", read))
    planned = _scheduled(found.scop, "floor(i/2), j, i", {})
    assert legality.check(planned, found.pruned) is None
    assert planned.target is not None
    name = planned.target.dimensions[1].name
    shared = replace(planned, target=replace(planned.target, shared=SharedLoads(name)))
    violation = legality.check(shared, found.pruned)
    assert (violation is None) == legal


def test_what_one_order_reverses_does_not_condemn_another() -> None:
    """Two instances that an order has reversed are asked about first in the next orders."""
    found = _found(BOTH)
    orders = ("-i, j", "i, -j", "i, j", "-i, -j", "j, i", "i - j, j", "i + j, j", "0, i", "i, j")
    expected = [BACKWARDS, BACKWARDS, None, BACKWARDS, None, BACKWARDS, None, BACKWARDS, None]
    assert [_verdict(found, rows) for rows in orders] == expected
    assert [_verdict(_found(BOTH), rows) for rows in orders] == expected
