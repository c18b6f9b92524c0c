"""An innermost loop as a kernel for many threads: all iterations at once, or strips of them.

::

    for i: { a[i] = b[i] + c[i];       for strips of 1024 iterations:
             b[i] = a[i + 1] * 2; }        all i: { t = b[i]; b[i] = a[i + 1] * 2; }
                                           all i: a[i] = t + c[i];

A vector loop reads all of its operands before it writes; threads do not. So statements with a
dependence between iterations are put into loops that follow each other in each strip, with a
barrier between them. Which renamings make that possible is for ``analyses/cover.py`` to say
(sections 4.5.4 and 4.6.1 of the dissertation named in ``s2s/transforms/polysimd.py``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import islpy as isl

from s2s.analyses import dependences as memory
from s2s.analyses import legality
from s2s.analyses.cover import cover
from s2s.analyses.dependences import by_statements
from s2s.analyses.extents import constant, iteration_count
from s2s.scop.nodes import Loop, Scop, Statement
from s2s.scop.schedule import Parallelism
from s2s.transforms.errors import NotApplicable, NothingToGain
from s2s.transforms.polysimd import check_aliases
from s2s.transforms.transformed import Transformed
from s2s.transforms.vector.candidate import Candidate, VectorLoop
from s2s.transforms.vector.renaming import RenamingProof, is_able, renamed_candidates
from s2s.transforms.vector.storage import in_strips_of

THREADS = 1024
"""Threads of a block and iterations of a strip: the most that a block may have."""

# A loop known to be shorter than a warp is not worth a launch.
_FEWEST = 32


def offload(scop: Scop, dependences: isl.UnionMap) -> Transformed:
    """The loop with a schedule for threads. Raises NotApplicable with the reason.

    Its dimensions are the parallel loop and the place in its body; where barriers are needed, the
    strip and the loop inside of the strip stand before these.
    """
    check_aliases(scop)
    if scop.order is not None or scop.guards or scop.carried:
        raise NothingToGain(scop.span, "statements have no order that could be changed")
    loop = VectorLoop(scop, dependences)
    single = loop.single()
    count = constant(iteration_count(scop, 0))
    if count is not None and count < _FEWEST:
        raise NothingToGain(scop.span, f"the loop has {count} iterations")
    reason = "no order of the statements is legal"
    for candidate in _candidates(loop, single):
        after = memory.conservative(candidate.scop).all
        threaded = _threaded(candidate.scop, single, after)
        assert isinstance(candidate.proof, RenamingProof)
        proof = replace(candidate.proof, threads=True)
        if proof.dependences(scop, threaded, dependences) is None:
            continue
        violation = legality.check(threaded, after)
        if violation is None:
            universe = isl.Set.universe(scop.context.get_space())
            return Transformed(threaded, universe, proof=proof)
        reason = violation.reason
    raise NotApplicable(scop.span, f"no loop for threads: {reason}")


def _candidates(loop: VectorLoop, single: Loop) -> Iterator[Candidate]:
    """The loop as it is, in another order, and renamed."""
    yield from renamed_candidates(loop, (), (THREADS,))
    found = cover(loop.scop, single, able=lambda r: is_able(loop.scop, single, r))
    if found.chosen:
        yield from renamed_candidates(loop, found.chosen, (THREADS,))


def _threaded(scop: Scop, loop: Loop, dependences: isl.UnionMap) -> Scop:
    """The statements in the candidate's order, in as few parallel loops as dependences allow."""
    parts = _parts(_in_order(scop), dependences)
    in_strips = len(parts) > 1 or any(s.size for s in scop.storage)
    names = [[statement.name for statement in part] for part in parts]
    strip = THREADS if in_strips else 0
    target = in_strips_of(scop, loop, names, strip, Parallelism.DOALL)
    return replace(scop, target=target, history=(_words(scop, parts, in_strips),))


def _in_order(scop: Scop) -> list[Statement]:
    """The statements by their places in an iteration of the candidate's schedule."""
    target = scop.target
    assert target is not None

    def places(statement: Statement) -> tuple[int, ...]:
        time = target.maps[statement.name]
        values = [
            time.plain_get_val_if_fixed(isl.dim_type.out, i)
            for i, d in enumerate(target.dimensions) if d.name in ("part", "place")
        ]  # fmt: skip
        return tuple(int(v.to_python()) for v in values)

    return sorted(scop.statements, key=places)


def _parts(statements: Sequence[Statement], dependences: isl.UnionMap) -> list[list[Statement]]:
    """Runs of statements without a dependence between different iterations."""
    between = {
        pair for pair, relation in by_statements(dependences).items() if _is_carried(relation)
    }
    parts: list[list[Statement]] = [[]]
    for statement in statements:
        meets = any(
            (other.name, statement.name) in between or (statement.name, other.name) in between
            for other in parts[-1]
        )
        if meets:
            parts.append([])
        parts[-1].append(statement)
    return parts


def _is_carried(relation: isl.Map) -> bool:
    """Whether some pair of instances belongs to different iterations."""
    for side in (isl.dim_type.in_, isl.dim_type.out):
        relation = relation.reset_tuple_id(side)
    return not relation.deltas().is_subset(isl.Set("{ [0] }"))


def _words(scop: Scop, parts: Sequence[Sequence[Statement]], in_strips: bool) -> str:
    renamed = [w for w in scop.history[0].split(", ") if w.startswith("renamed")]
    if not in_strips:
        return ", ".join(["CUDA kernel", *renamed])
    loops = f"{len(parts)} loop{'s' if len(parts) > 1 else ''} in strips of {THREADS}"
    return ", ".join(["CUDA kernel", *renamed, loops])
