"""Every feasible set of renamings for a loop, each in every way that a pass would write it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, islice

from s2s.analyses import dependences, legality
from s2s.analyses.cover import cover, covers
from s2s.analyses.renaming import Renaming
from s2s.emitters.c.errors import Unprintable
from s2s.emitters.c.guard import Emission
from s2s.emitters.c.region import emit
from s2s.frontends.c.not_liftable import NotLiftable
from s2s.frontends.c.regions import candidates, functions
from s2s.scop.nodes import Scop
from s2s.source import apply_edits
from s2s.transforms.errors import NotApplicable
from s2s.transforms.vector.candidate import Candidate, VectorLoop
from s2s.transforms.vector.renaming import is_able, renamed_candidates
from tests.lifting import parse_text
from tests.properties.cyclic import HEADER, CyclicLoop

STRIPS = (8, 16)


def variants(loop: CyclicLoop, most: int) -> Iterator[str]:
    """The function with its loop renamed and reordered, in at most ``most`` ways."""
    unit = parse_text(HEADER + loop.text)
    (function,) = functions(unit, every=True)
    (attempt,) = candidates(function)
    try:
        scop = attempt.scop(separate=True)
    except NotLiftable:
        return
    if scop.order is not None or scop.guards:
        return
    found = VectorLoop(scop, dependences.conservative(scop).all)
    for candidate in islice(_candidates(found), most):
        assert candidate.proof is not None
        ordered = candidate.proof.dependences(scop, candidate.scop, found.dependences)
        assert ordered is not None, (loop.text, candidate.scop.history)
        violation = legality.check(candidate.scop, ordered)
        assert violation is None, (loop.text, candidate.scop.history, violation)
        yield _text(unit.buffer.data, candidate.scop, Emission(unit.buffer), loop)


def _candidates(loop: VectorLoop) -> Iterator[Candidate]:
    """Each set of renamings, in strips of one width or the other."""
    for number, chosen in enumerate(_sets(loop.scop, loop)):
        width = STRIPS[number % len(STRIPS)]
        with suppress(NotApplicable):
            yield from renamed_candidates(loop, chosen, (width,))


def _sets(scop: Scop, loop: VectorLoop) -> Iterator[tuple[Renaming, ...]]:
    """The feasible covers; and each single renaming, useful or not."""
    single = loop.single()
    found = cover(scop, single, able=lambda r: is_able(scop, single, r))
    every = [
        Renaming("sink" if access.write else "source", s.name, i)
        for s in scop.statements for i, access in enumerate(s.accesses)
    ]  # fmt: skip
    able = [r for r in every if is_able(scop, single, r)]
    yield from dict.fromkeys(
        chain([()], islice(covers(found), 6), ((r,) for r in able), [tuple(able)])
    )


def _text(data: bytes, scop: Scop, emission: Emission, loop: CyclicLoop) -> str:
    try:
        edit = emit(scop, emission).edit
    except Unprintable:
        return loop.text
    return apply_edits(data, [edit]).decode().removeprefix(HEADER)
