"""Loops over tensors whose iterations may run at the same time: what one does to another.

Iterations of a ``parallel`` loop and lanes of a ``vectorized`` one must not touch the same memory
where one of them writes. Two exceptions: both write the same instance of a pure definition, which
is the same value (tiles that overlap), or both change the element in one atomic step.
"""

from __future__ import annotations

from collections.abc import Iterator

import islpy as isl

from s2s.scop.nest import Store
from s2s.scop.nodes import (
    Access,
    Construct,
    Kind,
    Leaf,
    Loop,
    LoopVariable,
    Scop,
    Statement,
    Tree,
    walk,
)
from s2s.scop.trees import paths
from s2s.source.records import dataclass

IN, OUT = isl.dim_type.in_, isl.dim_type.out
_CONCURRENT = {Kind.LOOP: "parallel", Kind.SIMD: "vectorized"}


@dataclass(frozen=True)
class Race:
    """Iterations of a loop that touch the same memory of ``tensor``, one of them by ``store``.

    ``kind`` is how they run at once, ``parallel`` or ``vectorized``. ``sure``: all that matters is
    affine; else there may be no such iterations.
    """

    loop: LoopVariable
    kind: str
    tensor: str
    store: Store
    sure: bool


def races(scop: Scop) -> Iterator[Race]:
    """For each concurrent loop the first tensor over which its iterations meet."""
    statements = {s.name: s for s in scop.statements}
    for loop, (kind, depth) in _concurrent_loops(scop.tree).items():
        inside = [statements[leaf.statement] for leaf in walk(loop) if isinstance(leaf, Leaf)]
        for writer, access, sure in _meetings(inside, depth):
            yield Race(loop.variable, kind, access.array, writer.store, sure)
            break


def _concurrent_loops(tree: Tree) -> dict[Loop, tuple[str, int]]:
    """The loops whose iterations run at once: how they do, and the number of loops around."""
    found: dict[Loop, tuple[str, int]] = {}
    for path in paths(tree).values():
        depth = 0
        for outside, node in zip((None, *path), path, strict=False):
            if not isinstance(node, Loop):
                continue
            if isinstance(outside, Construct) and outside.kind in _CONCURRENT:
                found.setdefault(node, (_CONCURRENT[outside.kind], depth))
            depth += 1
    return found


def _meetings(inside: list[Statement], depth: int) -> Iterator[tuple[Statement, Access, bool]]:
    """Writers and accesses that meet in different iterations of the loop at a depth."""
    for writer in inside:
        for other in inside:
            for access in other.accesses:
                if access.array == writer.write.array and _meet(depth, writer, other, access):
                    sure = writer.exact and other.exact and writer.write.exact and access.exact
                    yield writer, access, sure


def _meet(depth: int, writer: Statement, other: Statement, access: Access) -> bool:
    """Whether memory that one iteration writes is touched by another iteration."""
    own = access.elements.is_equal(other.write.elements)
    if writer.store.atomic and other.store.atomic and own:
        return False
    if writer.write.relation.dim(OUT) != access.relation.dim(OUT):
        return False  # Memory of two allocations, in loops of different depths.
    pairs = writer.write.relation.apply_range(access.relation.reverse())
    for outer in range(depth):
        pairs = pairs.equate(IN, outer, OUT, outer)
    pairs = pairs.subtract(pairs.equate(IN, depth, OUT, depth))
    if access.write:
        pairs = pairs.subtract(_same(writer, other))
    return not pairs.is_empty()


def _same(writer: Statement, other: Statement) -> isl.Map:
    """Pairs that are one instance of a pure definition."""
    domain, range_ = writer.domain.get_space(), other.domain.get_space()
    nothing = isl.Map.empty(domain.map_from_domain_and_range(range_))
    if writer.store.stage or other.store.stage:
        return nothing
    if writer.instance is None or other.instance is None:
        return nothing
    return writer.instance.apply_range(other.instance.reverse())
