"""Proof that cells which elements of temporaries share hold each value as long as it is needed.

In the SCoP a temporary has an element for each lifetime; in the new code, the iterations of the
innermost tile loop have an array of cells each, and several elements may lead to one of them.
"""

from __future__ import annotations

import islpy as isl

from s2s.analyses.dependences import SerialOrder
from s2s.scop.nodes import Scop
from s2s.scop.schedule import Role
from s2s.scop.texts import Storage


def sharing(scop: Scop) -> isl.UnionMap | None:
    """Pairs of instances that use one cell, in the order in which they have to stay.

    None where an element is used in several tiles, or has no cell in the array.
    """
    assert scop.target is not None
    found = isl.UnionMap.empty(scop.domain().get_space())
    for storage in scop.storage:
        if storage.cells is None:
            return None
        item = _of_array(scop, storage, storage.cells)
        if item is None:
            return None
        found = found.union(item)
    return found


def _of_array(scop: Scop, storage: Storage, cells: isl.Map) -> isl.UnionMap | None:
    assert scop.target is not None
    tiles = scop.target.count(Role.TILE)
    tiles_of: isl.Map | None = None
    users: isl.UnionMap | None = None
    for statement in scop.statements:
        time = scop.target.maps[statement.name].intersect_domain(statement.domain)
        rest = time.dim(isl.dim_type.out) - tiles
        tile = time.project_out(isl.dim_type.out, tiles, rest).reset_tuple_id(isl.dim_type.out)
        for access in statement.accesses:
            if access.array != storage.name:
                continue
            elements = access.relation.intersect_domain(statement.domain)
            elements = elements.reset_tuple_id(isl.dim_type.out)
            if not elements.is_single_valued() or not _within(elements, storage, cells, scop):
                return None
            item = elements.reverse().apply_range(tile)
            tiles_of = item if tiles_of is None else tiles_of.union(item)
            used = isl.UnionMap.from_map(tile.flat_range_product(elements.apply_range(cells)))
            users = used if users is None else users.union(used)
    if users is None or tiles_of is None:
        return isl.UnionMap.empty(scop.domain().get_space())
    if not tiles_of.is_single_valued():
        return None
    return SerialOrder(scop).restrict_all(users.apply_range(users.reverse()))


def _within(elements: isl.Map, storage: Storage, cells: isl.Map, scop: Scop) -> bool:
    """Whether all elements have a cell, and all cells are in the array."""
    known = elements.intersect_params(scop.assumptions).intersect_params(scop.context).range()
    if not cells.is_single_valued() or not known.is_subset(cells.domain()):
        return False
    names = [f"c{i}" for i in range(1 + len(storage.inner))]
    bounds = zip(names, (storage.size, *storage.inner), strict=True)
    box = " and ".join(f"0 <= {name} < {size}" for name, size in bounds)
    return bool(known.apply(cells).is_subset(isl.Set(f"{{ [{', '.join(names)}] : {box} }}")))
