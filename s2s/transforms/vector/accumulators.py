"""Elements that every iteration of a loop updates are held in locals.

::

    for j: f[i].x += q[j] * g(r[i], r[j]);       t = f[i].x;
                                           ->    for j: t += q[j] * g(r[i], r[j]);
                                                 f[i].x = t;

A compiler that does not know ``f``, ``q`` and ``r`` to lie apart stores in each iteration, waits
for what it has stored, and makes no vectors of the sum, where it may regroup one. (Scalar
replacement of a reference that does not move: Callahan, Carr and Kennedy, "Improving register
allocation for subscripted variables", 1990.)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from s2s.analyses.loop_carried import bodies
from s2s.analyses.registers import accumulators
from s2s.transforms.errors import NothingToGain
from s2s.transforms.vector.candidate import Candidate, VectorLoop
from s2s.transforms.vector.storage import in_strips_of


def propose(loop: VectorLoop) -> Iterator[Candidate]:
    """The loop in its own order with the elements in locals that all its iterations update."""
    single = loop.single()
    scop = loop.scop
    if not scop.checked or single.step <= 0 or scop.guards or scop.carried:
        raise NothingToGain(scop.span, "a compiler holds what all iterations update by itself")
    held = accumulators(scop, single.variable.spelling)
    if not held:
        raise NothingToGain(scop.span, "no element is updated by all iterations")
    names = [name for body in bodies(scop) for name in body.statements]
    target = replace(in_strips_of(scop, single, [names], 0), held=held)
    accesses = [scop.statement(h.statement).accesses[h.access] for h in held]
    number = len({str(a.relation.range()) for a in accesses})
    words = f"held {number} element{'s' if number > 1 else ''} in locals"
    yield Candidate(replace(scop, target=target, history=(words,)))
