"""Loops over tensors whose iterations may run at the same time: what one does to another.

Iterations of a ``parallel`` loop and lanes of a ``vectorized`` one must not touch the same memory
where one of them writes. Two exceptions: both write the same instance of a pure definition, which
is the same value (tiles that overlap), or both change the element in one atomic step.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import islpy as isl

from s2s.scop.nest import For, Store
from s2s.scop.tensors import IN, OUT, TensorAccess, TensorScop, TensorStatement

_CONCURRENT = frozenset({"parallel", "vectorized"})


@dataclass(frozen=True)
class Race:
    """Iterations of ``loop`` that touch the same memory of ``tensor``, one of them by ``store``.

    ``sure``: all that matters is affine; else there may be no such iterations.
    """

    loop: For
    tensor: str
    store: Store
    sure: bool


def races(scop: TensorScop) -> Iterator[Race]:
    """For each concurrent loop the first tensor over which its iterations meet."""
    loops = {loop.name: loop for s in scop.statements for loop in s.loops}
    for name, loop in loops.items():
        if loop.kind in _CONCURRENT:
            inside = [s for s in scop.statements if any(around.name == name for around in s.loops)]
            found = _race(scop, loop, inside)
            if found is not None:
                yield found


def _race(scop: TensorScop, loop: For, inside: list[TensorStatement]) -> Race | None:
    for writer in inside:
        for other in inside:
            for access in (other.write, *other.reads):
                if access.tensor == writer.write.tensor and _meet(
                    scop, loop, writer, other, access
                ):
                    sure = writer.exact and other.exact and writer.write.exact and access.exact
                    return Race(loop, access.tensor, writer.store, sure)
    return None


def _meet(
    scop: TensorScop,
    loop: For,
    writer: TensorStatement,
    other: TensorStatement,
    access: TensorAccess,
) -> bool:
    """Whether an element that one iteration writes is touched by another iteration."""
    own = access.relation.is_equal(other.write.relation)
    if writer.store.atomic and other.store.atomic and own:
        return False
    if writer.write.home.dim(OUT) != access.home.dim(OUT):
        return False  # Memory of two allocations, in loops of different depths.
    fold = scop.folds[access.tensor]
    pairs = writer.write.cells(fold).apply_range(access.cells(fold).reverse())
    depth = next(k for k, around in enumerate(writer.loops) if around.name == loop.name)
    for outer in range(depth):
        pairs = pairs.equate(IN, outer, OUT, outer)
    pairs = pairs.subtract(pairs.equate(IN, depth, OUT, depth))
    if access is other.write:
        pairs = pairs.subtract(_same(writer, other))
    return not pairs.is_empty()


def _same(writer: TensorStatement, other: TensorStatement) -> isl.Map:
    """Pairs that are one instance of a pure definition."""
    domain, range_ = writer.domain.get_space(), other.domain.get_space()
    nothing = isl.Map.empty(domain.map_from_domain_and_range(range_))
    if writer.store.stage or other.store.stage:
        return nothing
    if writer.instance is None or other.instance is None:
        return nothing
    return writer.instance.apply_range(other.instance.reverse())
