"""Renaming of variables (SoVR, SiVR), statement reordering and distribution in strips.

Chapter 4 of the dissertation named in ``s2s/transforms/polysimd.py``; which renamings, is for
``analyses/cover.py`` to say. Without any, what is left is the order of the statements and their
distribution.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

import islpy as isl

from s2s.analyses import dependences as memory
from s2s.analyses import storage
from s2s.analyses.cover import Cover, cover
from s2s.analyses.extents import constant, extent
from s2s.analyses.renaming import Renaming, strip_size
from s2s.analyses.same_values import Agreement
from s2s.analyses.value_flow import ValueFlow
from s2s.analyses.vector_cost import VECTOR_BYTES
from s2s.scop.nodes import Loop, Scop, Statement
from s2s.scop.schedule import Role
from s2s.source.records import dataclass
from s2s.transforms.errors import NotApplicable, NothingToGain
from s2s.transforms.vector.candidate import Candidate, VectorLoop
from s2s.transforms.vector.dead import drop_dead_writes
from s2s.transforms.vector.loops import Order, loops_in_strips, one_loop
from s2s.transforms.vector.rename import check_able, rename
from s2s.transforms.vector.renamed import Renamed
from s2s.transforms.vector.storage import place

# Iterations of a strip: enough to make little of what each strip costs, few enough for the first
# cache to hold all temporaries (measured on Zen 3 with gcc and clang: 128 to 512 are the same).
STRIP = 256
# Iterations of a loop from which on strips are faster: measured with gcc and clang.
_WORTH_STRIPS = 128


# A loop is not split for statements with fewer instances.
_FEW = 16
_NONE = "nothing has to be renamed"


@dataclass(frozen=True)
class RenamingProof:
    """That a renamed loop computes the same values and that its storage keeps them."""

    agreement: Agreement
    sign: int
    threads: bool = False
    """Whether scalars are those of a thread for each iteration of a strip."""

    def dependences(self, before: Scop, after: Scop, _: isl.UnionMap) -> isl.UnionMap | None:
        """The dependences of the renamed loop in its source's order."""
        if not self.agreement.between(before, after).holds:
            return None
        kept = after.target is None or storage.is_enough(after, self.sign, threads=self.threads)
        if not kept:
            return None
        return memory.conservative(after).all


def propose(loop: VectorLoop) -> Iterator[Candidate]:
    """The loop with the cheapest renamings that break its cycles, in one loop and in strips.

    What nothing needs is left out first, unless it is the chapter's method that is asked for.
    """
    single = loop.single()
    _check(loop.scop)
    flow = loop.flow if loop.paper else loop.lean
    found = cover(flow.scop, single, able=lambda r: is_able(flow.scop, single, r))
    if not found.chosen and len(flow.scop.statements) < 2:
        why = _obstacle(found)
        kind = NothingToGain if why == _NONE else NotApplicable
        raise kind(loop.scop.span, why)
    yield from renamed_candidates(loop, found.chosen, (_strip(loop, found),), flow)


def renamed_candidates(
    loop: VectorLoop, chosen: Collection[Renaming], strips: Sequence[int] = (STRIP,),
    flow: ValueFlow | None = None,
) -> Iterator[Candidate]:  # fmt: skip
    """The loop with given renamings: in one loop if it can be, and distributed in strips.

    ``strips`` are the iterations of a strip to choose from; ``flow`` is that of the loop without
    what nothing needs.
    """
    single = loop.single()
    renamed = rename(flow or loop.flow, single, chosen)
    copies = {s.name for s in renamed.scop.statements} - set(renamed.provenance.origins)
    only = frozenset(copies) if loop.paper else None
    left = drop_dead_writes(ValueFlow(renamed.scop), only)
    needed = left.scop
    if not needed.statements:
        raise NothingToGain(needed.span, "nothing that the loop computes is needed")
    renamed = replace(renamed, scop=needed)
    agreement = Agreement(loop.flow, left, renamed.provenance)
    few = frozenset(s.name for s in needed.statements if _runs_seldom(s))
    order = Order(needed, memory.conservative(needed).all, few)
    lanes = _lanes(renamed)
    glued = {f"{r.statement}_load{r.access}": r.statement for r in chosen if r.kind == "source"}
    ways = [one_loop(order), loops_in_strips(order, lanes, glued)]
    proof = RenamingProof(agreement, 1 if single.step > 0 else -1)
    for number, loops in enumerate(ways):
        if loops is None or (number and loops == ways[0]):
            continue
        for strip in strips:
            try:
                scop = place(renamed, single, loops, strip)
            except NotApplicable:
                continue
            words = _words(chosen, scop, loops)
            shortest = _WORTH_STRIPS if _is_in_strips(scop) else 0
            yield Candidate(replace(scop, history=(words,)), proof=proof, shortest=shortest)
            if not _is_in_strips(scop):
                break


def _is_in_strips(scop: Scop) -> bool:
    return scop.target is not None and scop.target.count(Role.TILE) > 0


def _runs_seldom(statement: Statement) -> bool:
    """Whether a statement has a few instances at an end of the loop."""
    count = constant(extent(statement.domain, 0))
    return count is not None and count <= _FEW


def is_able(scop: Scop, loop: Loop, renaming: Renaming) -> bool:
    """Whether a renaming has a text."""
    try:
        check_able(scop, loop, renaming)
    except NotApplicable:
        return False
    return True


def _check(scop: Scop) -> None:
    if scop.order is not None or scop.guards or scop.carried:
        raise NothingToGain(scop.span, "statements have no order that could be changed")


def _obstacle(found: Cover) -> str:
    reasons = [c.obstacle for c in found.components if c.obstacle is not None]
    return reasons[0] if reasons else _NONE


def _lanes(renamed: Renamed) -> int:
    sizes = [a.element_size or 4 for a in renamed.scop.arrays.values() if a.rank]
    return max(1, VECTOR_BYTES // max(sizes, default=4))


def _strip(loop: VectorLoop, found: Cover) -> int:
    """Iterations of a strip: section 4.5.5 where the storage is bounded."""
    if not loop.spacelimit:
        return STRIP
    vectors = strip_size(loop.spacelimit, found.chosen)
    if vectors is None:
        raise NotApplicable(loop.scop.span, f"{loop.spacelimit} vectors are too little storage")
    sizes = [loop.scop.arrays[a.array].element_size or 4
             for s in loop.scop.statements for a in s.accesses if a.write]  # fmt: skip
    return min(STRIP, vectors * max(1, VECTOR_BYTES // max(sizes)))


def _words(chosen: Collection[Renaming], scop: Scop, loops: list[list[str]]) -> str:
    sources = sum(r.kind == "source" for r in chosen)
    sinks = len(chosen) - sources
    words = []
    if sources:
        words.append(f"{sources} source{'s' if sources > 1 else ''}")
    if sinks:
        words.append(f"{sinks} sink{'s' if sinks > 1 else ''}")
    renamed = [f"renamed {' and '.join(words)}"] if words else []
    assert scop.target is not None
    if len(scop.target.dimensions) > 2:
        count = f"{len(loops)} loop{'s' if len(loops) > 1 else ''}"
        size = scop.target.dimensions[0].size
        return ", ".join([*renamed, f"{count} in strips of {size}"])
    return ", ".join([*renamed, "reordered the statements"])
