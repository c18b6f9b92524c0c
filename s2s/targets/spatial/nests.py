"""The loop nests of a C file that a mapping may be for, with the verdicts on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import islpy as isl

from s2s.analyses.conformability import Conformability, judge
from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.parse import Unit, parse_again
from s2s.frontends.c.regions import Attempt, Function, candidates, functions
from s2s.frontends.c.text import free_prefix
from s2s.scop.budget import budget
from s2s.scop.nodes import Scop
from s2s.source import Edit, SourceBuffer, Span, apply_edits
from s2s.transforms.errors import NotApplicable
from s2s.transforms.spatial.nest_layers import NestLayer, NoLayer, layer_of
from s2s.transforms.spatial.separate import separate


@dataclass(frozen=True)
class Made:
    """Nests in place of one: the file with them, what was done, and the verdicts on each.

    ``text`` is what stands in the place of the one.
    """

    unit: Unit
    text: str
    words: tuple[str, ...]
    nests: tuple[Judged, ...]


@dataclass(frozen=True)
class Judged:
    """One outermost loop of a function: its SCoP and the verdicts, or why there are none.

    ``layer`` is there where it is conformable and a layer, ``no_layer`` says why not. ``made`` are
    conformable nests that do the same, where it is none itself.
    """

    unit: Unit
    function: Function
    attempt: Attempt
    scop: Scop | None = None
    verdicts: Conformability | None = None
    layer: NestLayer | None = None
    no_layer: tuple[str, Span] | None = None
    unread: tuple[str, Span] | None = None
    made: Made | None = None

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
    """All outermost loops of a file, judged; those that are no perfect nests are made some."""
    for function in functions(unit, every=True):
        for attempt in candidates(function):
            found = _judged(unit, function, attempt)
            if found.verdicts is not None and not found.verdicts.verdicts[0].holds:
                found = replace(found, made=_made(found))
            yield found


def _made(found: Judged) -> Made | None:
    """Perfect nests in place of one; None where they cannot be made, or none is conformable."""
    assert found.scop is not None
    unit, span = found.unit, found.scop.span
    try:
        with budget():
            done = separate(found.scop, unit.buffer, free_prefix(unit.buffer.data))
    except (NotApplicable, isl.Error):
        return None
    data = apply_edits(unit.buffer.data, [Edit(span.start, span.end, done.text.encode())])
    again = parse_again(unit, SourceBuffer(unit.buffer.path, data))
    if again.errors:
        return None
    whole = Span(span.start, span.start + len(done.text.encode()))
    nests = tuple(
        _judged(again, function, attempt)
        for function in functions(again, every=True)
        if function.node.name == found.name
        for attempt in candidates(function)
        if attempt.span in whole
    )
    if not any(nest.verdicts is not None and nest.verdicts.holds for nest in nests):
        return None
    return Made(again, done.text, done.words, nests)


def _judged(unit: Unit, function: Function, attempt: Attempt) -> Judged:
    try:
        with budget():
            scop = attempt.scop(separate=True)
            verdicts = judge(scop)
    except NotLiftable as problem:
        return Judged(unit, function, attempt, unread=(problem.reason, problem.span))
    found = Judged(unit, function, attempt, scop, verdicts)
    if not verdicts.holds:
        return found
    if len(scop.statements) != 1:
        several = "several statements in the innermost loop", scop.statements[1].span
        return replace(found, no_layer=several)
    normal = verdicts.dimensions[0].normal
    assert normal is not None
    try:
        return replace(found, layer=layer_of(function.node.name, normal))
    except NoLayer as problem:
        return replace(found, no_layer=(problem.reason, problem.at))
