"""The emitted text of a region, read again: it has to execute the same instances in a legal order.

The legality proof speaks of a schedule; what is compiled is text. Here the new text goes through
the parser, and its loops are executed for a few parameter values and numbers of threads: small
regions as a whole, of others windows. The statement instances found are compared with the region's
domains and dependences.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

import islpy as isl

from s2s.emitters.c.region import Rewritten
from s2s.frontends.c.reread import NewCode
from s2s.frontends.c.text import directives
from s2s.net import Mismatch
from s2s.net.control import Box, Control, Instance, TooLong
from s2s.net.errors import OutOfSteps
from s2s.net.guards import GuardReader, check_guard
from s2s.net.instances import Expected, expect
from s2s.net.leaves import Leaves, check_leaves
from s2s.net.samples import Sample, Windows, samples, volume
from s2s.net.shared import Shared, shared_loops
from s2s.scop.nodes import Scop
from s2s.source import SourceBuffer, Span

# Regions of so many instances are executed as a whole; of others windows of about so many.
_WHOLE, _WINDOW = 10_000, 2_000
_STEPS = 200_000
_IN_TEAM = re.compile(r"pragma omp (for|simd|barrier|atomic|critical)\b|if|el|endif")


def check(
    scop: Scop, dependences: isl.UnionMap, known: isl.Set, rewritten: Rewritten, code: NewCode,
    source: SourceBuffer, prefix: str = "s2s_",
) -> None:  # fmt: skip
    """Read the new code's guard, execute its loops and compare its statements. Raises Mismatch,
    and OutOfSteps where no part of the region is small enough for this.

    It was made for the ``known`` parameters; ``prefix`` is what its own names begin with.
    """
    start = rewritten.edit.start
    leaves = [(Span(s.start + start, s.end + start), name) for s, name in rewritten.leaves]
    check_leaves(scop, code.data, leaves, source, prefix)
    names = {p.spelling: p.name for p in scop.parameters}
    declared = {
        d.name: d.children[-1] for node in code.before for d in node.children
        if d.kind == "VAR_DECL" and d.children
    }  # fmt: skip
    reader = GuardReader(names, code.text, f"{prefix}threads", declared)
    check_guard(reader, code.guard, known, scop.context)
    _check_loops(scop, dependences, known, leaves, code, f"{prefix}threads")


def _check_loops(
    scop: Scop, dependences: isl.UnionMap, known: isl.Set, leaves: Sequence[tuple[Span, str]],
    code: NewCode, threads: str,
) -> None:  # fmt: skip
    spans = {span.start: (span.end, name) for span, name in leaves}
    iterators = {s.name: tuple(v.spelling for v in s.iterators) for s in scop.statements}
    spelled = {p.spelling: p.name for p in scop.parameters}
    inputs = (*spelled, threads, "omp_get_max_threads()")
    where = Span(code.block.span.start, code.block.span.end)
    shared = shared_loops(code.data, where)
    if scop.team is not None:
        _check_team(code, shared, list(spans))
    tile = scop.target.tile if scop.target is not None else None
    lanes = None if tile is None else (tile.name, tile.statement, tile.lane, tile.width)
    control = Control(code.block, code.text, Leaves(spans, iterators, lanes), inputs, shared)
    for sample in samples(scop, known):
        given = {name: sample.values[spelled[name]] for name in spelled}
        given |= dict.fromkeys(inputs[len(spelled) :], sample.threads)
        expected = expect(scop, dependences, control.visible, sample.values)
        if sum(map(volume, expected.extents.values())) <= _WHOLE:
            expected.compare(_ended(control.run, given), {})
            if shared and expected.shows_all:
                expected.compare(_ended(control.run_last_first, given), {})
            continue
        tried = list(_executed(control, expected, given, sample))
        if not tried:
            raise Mismatch(f"the new loops take too long to follow for {dict(sample.values)}")
        for window, executed in tried:
            expected.compare(executed, window)


def _check_team(code: NewCode, shared: Mapping[int, Shared], leaves: Sequence[int]) -> None:
    """A team that is formed elsewhere shares all of the new code's loops, each just once."""
    where = Span(code.block.span.start, code.block.span.end)
    for line in directives(code.data[: where.end]):
        if line.span.start >= where.start and not _IN_TEAM.match(line.text):
            raise Mismatch(f"'#{line.text}' in a loop that a team shares")
    loops = [n.span for n in code.block.walk() if n.kind == "FOR_STMT" and n.span.start in shared]
    for place in leaves:
        if sum(span.start <= place < span.end for span in loops) != 1:
            raise Mismatch("not each statement is shared by the team once")


def _ended(
    run: Callable[[Mapping[str, int], int], list[Instance]], given: Mapping[str, int]
) -> list[Instance]:
    try:
        return run(given, _STEPS)
    except TooLong:
        raise Mismatch("the emitted loops do not end") from None


def _executed(
    control: Control, expected: Expected, given: Mapping[str, int], sample: Sample
) -> Iterator[tuple[dict[str, Box], list[Instance]]]:
    """What has run of each window that can be followed in time."""
    drawn = Windows(expected.extents, expected.shown, _WINDOW)
    for window in drawn.drawn(sample.windows, random.Random(str(sample))):
        wanted = drawn.instances(window)
        if wanted > _STEPS:  # loops whose counters are not seen have so many iterations
            raise OutOfSteps
        try:
            yield window, control.run_window(given, window, _STEPS, wanted)
        except TooLong:
            continue
