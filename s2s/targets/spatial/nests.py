"""The loop nests of a C file that a mapping may be for, with the verdicts on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from s2s.analyses.conformability import Conformability, judge
from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.parse import Unit
from s2s.frontends.c.regions import Attempt, Function, candidates, functions
from s2s.scop.budget import budget
from s2s.scop.nodes import Scop
from s2s.source import Span
from s2s.transforms.spatial.nest_layers import NestLayer, NoLayer, layer_of


@dataclass(frozen=True)
class Judged:
    """One outermost loop of a function: its SCoP and the verdicts, or why there are none.

    ``layer`` is there where it is conformable and a layer, ``no_layer`` says why not.
    """

    function: Function
    attempt: Attempt
    scop: Scop | None = None
    verdicts: Conformability | None = None
    layer: NestLayer | None = None
    no_layer: tuple[str, Span] | None = None
    unread: tuple[str, Span] | None = None

    @property
    def name(self) -> str:
        """The function's name."""
        return self.function.node.name

    @property
    def refusal(self) -> tuple[str, Span] | None:
        """Why no directives are for it, and the place; None where some are."""
        if self.unread is not None:
            return f"R1: this is no loop nest that can be judged: {self.unread[0]}", self.unread[1]
        assert self.verdicts is not None
        for verdict in self.verdicts.verdicts:
            if not verdict.holds:
                return f"{verdict.rule}: {verdict.reason}", verdict.at
        return self.no_layer


def judged_nests(unit: Unit) -> Iterator[Judged]:
    """All outermost loops of a file, judged."""
    for function in functions(unit, every=True):
        for attempt in candidates(function):
            yield _judged(function, attempt)


def _judged(function: Function, attempt: Attempt) -> Judged:
    try:
        with budget():
            scop = attempt.scop(separate=True)
            verdicts = judge(scop)
    except NotLiftable as problem:
        return Judged(function, attempt, unread=(problem.reason, problem.span))
    if not verdicts.holds:
        return Judged(function, attempt, scop, verdicts)
    if len(scop.statements) != 1:
        several = "several statements in the innermost loop", scop.statements[1].span
        return Judged(function, attempt, scop, verdicts, no_layer=several)
    normal = verdicts.dimensions[0].normal
    assert normal is not None
    try:
        layer = layer_of(function.node.name, normal)
    except NoLayer as problem:
        missing = problem.reason, problem.at
        return Judged(function, attempt, scop, verdicts, no_layer=missing)
    return Judged(function, attempt, scop, verdicts, layer)
