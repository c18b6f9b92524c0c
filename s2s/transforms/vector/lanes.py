"""A loop of independent iterations that a compiler leaves scalar, declared to be one.

::

                                                 #pragma omp simd
    for i: { g = a[n[i]] - a[i];                 for i: { g = a[n[i]] - a[i];
             c[i] = 1 / (1 + g * g);       ->             c[i] = 1 / (1 + g * g);
             if (c[i] < 0) c[i] = 0; }                    if (c[i] < 0) c[i] = 0; }

Compilers do not see which element ``a[n[i]]`` is, and stores through ``c`` could be to it; nor do
they do what stands under a condition unless they may. What is proved of the loop, with what its
guard compares, says that no iteration needs anything of another one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from s2s.analyses.loop_carried import bodies, inner_loop
from s2s.scop.nodes import Construct, walk
from s2s.scop.schedule import Parallelism
from s2s.transforms.errors import NotApplicable, NothingToGain
from s2s.transforms.vector.candidate import Candidate, VectorLoop
from s2s.transforms.vector.storage import in_strips_of

# Iterations from which on vectors are worth what stands before and after them.
_SHORTEST = 16
# Bytes of vectors with which elements are gathered and branches masked: with 16, srad of Rodinia
# takes 1.1 times as long.
_WIDE = 32


def propose(loop: VectorLoop) -> Iterator[Candidate]:
    """The loop in its own order as one whose iterations may run in lanes."""
    single = loop.single()
    scop = loop.scop
    if single.step <= 0 or scop.guards or scop.carried:
        raise NothingToGain(scop.span, "statements have no order that could be changed")
    if any(isinstance(node, Construct) for node in walk(scop.tree)):
        raise NothingToGain(scop.span, "the source says how the loop runs")
    if loop.vector < _WIDE:
        raise NothingToGain(scop.span, "vectors are too short to be put together by elements")
    (body,) = bodies(scop)
    carried = inner_loop(scop, body, loop.dependences).carried
    if carried:
        raise NotApplicable(scop.span, "iterations depend on each other")
    target = in_strips_of(scop, single, [list(body.statements)], 0, Parallelism.SIMD)
    masked = replace(target.dimensions[0], masked=True)
    words = "vectorized the loop"
    yield Candidate(
        replace(scop, target=target.with_dimension(0, masked), history=(words,)), shortest=_SHORTEST
    )
