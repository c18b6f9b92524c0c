"""Loops that were tiled by hand, joined again: a nest and the mapping that it is.

::

    for ii by 8: for k: for i from ii to ii + 8:  ... a[i][k]      i and k, tiles of 8 of i

In normal form a tile loop and the loop inside of it stand together in all subscripts, as
``8 * ii + i`` with i below 8. They are one dimension. Chapter 5.5.1 of Chatarasi's dissertation.
"""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from s2s.scop.nodes import Construct, Kind, Loop, Scop
from s2s.scop.trees import paths
from s2s.source.records import dataclass

_OUT, _SET = isl.dim_type.out, isl.dim_type.set


@dataclass(frozen=True)
class NestLoop:
    """A loop of the source: ``step`` iterations of the dimension ``place`` at a time."""

    place: int
    step: int
    parallel: bool


@dataclass(frozen=True)
class Joined:
    """``to_normal`` leads from iterations over dimensions to those over all loops.

    ``kept`` are for each dimension the loop that gives it its name.
    """

    loops: tuple[NestLoop, ...]
    to_normal: isl.Map
    domain: isl.Set
    kept: tuple[int, ...]


def join(
    scop: Scop, name: str, domain: isl.Set, subscripts: Sequence[dict[int, int]]
) -> Joined | None:
    """The dimensions of a statement's loops, given the terms of all its subscripts.

    ``domain`` is in normal form. None where no loop is another one's tile.
    """
    depth = domain.dim(_SET)
    parts = [{k: 1} for k in range(depth)]  # each dimension as a sum of loops
    while True:
        found = _pair(domain, parts, subscripts)
        if found is None:
            break
        outer, inner, size = found
        merged = {k: size * c for k, c in parts[outer].items()} | parts[inner]
        parts = [part for k, part in enumerate(parts) if k not in (outer, inner)] + [merged]
    if len(parts) == depth:
        return None
    parts.sort(key=lambda part: max(part))
    joined = _joined(domain, parts)
    if joined is None:
        return None
    parallel = _parallel(scop, name)
    steps = {k: (place, c) for place, part in enumerate(parts) for k, c in part.items()}
    loops = tuple(NestLoop(*steps[k], parallel[k]) for k in range(depth))
    kept = tuple(max(part) for part in parts)
    return Joined(loops, joined, joined.intersect_range(domain).domain().coalesce(), kept)


def _pair(
    domain: isl.Set, parts: Sequence[dict[int, int]], subscripts: Sequence[dict[int, int]]
) -> tuple[int, int, int] | None:
    """Two dimensions of which the first counts tiles of the second, and the tiles' size."""
    for inner, part in enumerate(parts):
        size = _width(domain, part)
        for outer, other in enumerate(parts):
            together = {k: size * c for k, c in other.items()} | part
            if outer == inner or size < 2 or max(other) > max(part):
                continue
            used = [terms for terms in subscripts if terms.keys() & together.keys()]
            if used and all(_multiple(terms, together) for terms in used):
                return outer, inner, size
    return None


def _width(domain: isl.Set, part: dict[int, int]) -> int:
    """How many values a sum of loops has; 0 where that is no number."""
    total = 1
    for k, c in part.items():
        most = domain.dim_max_val(k)
        if not most.is_int():
            return 0
        total += c * int(most.to_python())
    return total


def _multiple(terms: dict[int, int], part: dict[int, int]) -> bool:
    """Whether the loops of a part stand in a subscript as a multiple of it."""
    if not part.keys() <= terms.keys():
        return False
    k = max(part)
    return all(terms[j] * part[k] == terms[k] * c for j, c in part.items())


def _joined(domain: isl.Set, parts: Sequence[dict[int, int]]) -> isl.Map | None:
    """Leads from dimensions to loops; None where a sum of loops skips values, or has some twice."""
    old = [f"i{k}" for k in range(domain.dim(_SET))]
    sums = [" + ".join(f"{c} * {old[k]}" for k, c in part.items()) for part in parts]
    forward = isl.Map(f"{{ [{', '.join(old)}] -> [{', '.join(sums)}] }}")
    forward = forward.intersect_domain(domain.reset_tuple_id() if domain.has_tuple_id() else domain)
    image = forward.range()
    if not forward.is_injective():
        return None
    box = isl.Set.universe(image.get_space())
    for k in range(len(parts)):
        most = image.dim_max_val(k)
        if not most.is_int():
            return None
        box = box.lower_bound_val(_SET, k, 0).upper_bound_val(_SET, k, most)
    return forward.reverse() if box.is_subset(image) else None


def _parallel(scop: Scop, name: str) -> list[bool]:
    """For each loop around a statement whether its iterations run at once."""
    found = []
    shared = False
    for node in paths(scop.tree)[name]:
        if isinstance(node, Construct):
            shared = shared or node.kind in (Kind.LOOP, Kind.SIMD, Kind.TASKLOOP)
        elif isinstance(node, Loop):
            found.append(shared)
            shared = False
    return found
