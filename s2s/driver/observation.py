"""Regions that are looked at for races only, where regions are explained."""

from __future__ import annotations

from functools import partial

from s2s.analyses.races import certain_races
from s2s.analyses.region import analyse
from s2s.driver.remarks import Remarks
from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.regions import Attempt, Function, find_observed
from s2s.scop.budget import budget
from s2s.scop.nodes import Scop
from s2s.source import Span


def observe(function: Function, remarks: Remarks) -> None:
    """Report the races of regions that need not be such as can be transformed."""
    for attempt in find_observed(function):
        if not remarks.options.explains(function.unit.buffer, attempt.span):
            continue
        with budget(remarks.allowance):
            scop = remarks.survive(attempt.span, partial(_report_races, attempt, remarks))
        if scop is not None and not any(_covers(s, attempt.span) for s in remarks.described):
            with budget(remarks.allowance):
                remarks.survive(attempt.span, partial(_describe, attempt, scop, remarks))


def _report_races(attempt: Attempt, remarks: Remarks) -> Scop | None:
    try:
        scop = attempt.scop()
    except NotLiftable:
        return None  # what could be transformed has had its remark
    remarks.races(scop, certain_races(scop))
    return scop


def _describe(attempt: Attempt, scop: Scop, remarks: Remarks) -> None:
    remarks.describe(attempt.function, analyse(scop), scop, "looked at for races only")


def _covers(one: Span, other: Span) -> bool:
    return one.start <= other.start and other.end <= one.end
