"""Unions of sets and of maps whose spaces differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import islpy as isl


def union_of_sets(parts: Sequence[isl.Set]) -> isl.UnionSet:
    """The union set of some sets, at least one."""
    import islpy as isl  # 0.1 s that a file without regions does not need

    result = isl.UnionSet.from_set(parts[0])
    for part in parts[1:]:
        result = result.union(isl.UnionSet.from_set(part))
    return result


def union_of_maps(parts: Sequence[isl.Map]) -> isl.UnionMap:
    """The union map of some maps, at least one."""
    import islpy as isl

    result = isl.UnionMap.from_map(parts[0])
    for part in parts[1:]:
        result = result.union(isl.UnionMap.from_map(part))
    return result
