"""Proof that cells which elements of temporaries share hold each value as long as it is needed.

In the SCoP a temporary has an element for each lifetime; in the new code, the iterations of the
innermost tile loop have an array of cells each, and several elements may lead to one of them.
"""

from __future__ import annotations

import islpy as isl

from s2s.scop.nodes import Scop
from s2s.scop.schedule import Parallelism, Role
from s2s.scop.texts import Storage

_IN, _OUT = isl.dim_type.in_, isl.dim_type.out


def are_enough(scop: Scop) -> bool:
    """Whether all storage holds its elements from their first use to their last one.

    Each element has one cell and is used in one tile; of two that share a cell there, one has been
    used for the last time before the other one is used at all.
    """
    return all(_holds(scop, storage) for storage in scop.storage)


def _holds(scop: Scop, storage: Storage) -> bool:
    assert scop.target is not None
    times = _times(scop, storage)
    if times is None or storage.cells is None:
        return False
    tiles = scop.target.count(Role.TILE)
    rest = times.dim(_OUT) - tiles
    tile = times.project_out(_OUT, tiles, rest)
    if not tile.is_single_valued():
        return False
    places = tile.flat_range_product(storage.cells)
    sharing = places.apply_range(places.reverse())
    sharing = sharing.subtract(isl.Map.identity(sharing.get_space()))
    if sharing.is_empty():
        return True
    if any(d.parallelism is not Parallelism.NONE for d in scop.target.dimensions[tiles:]):
        return False
    first, last = times.lexmin(), times.lexmax()
    begins_meanwhile = first.lex_le_map(first).intersect(last.lex_ge_map(first))
    return bool(sharing.intersect(begins_meanwhile).is_empty())


def _times(scop: Scop, storage: Storage) -> isl.Map | None:
    """From elements to the times at which they are used; None where one has no cell."""
    assert scop.target is not None
    found: isl.Map | None = None
    for statement in scop.statements:
        time = scop.target.maps[statement.name].intersect_domain(statement.domain)
        for access in statement.accesses:
            if access.array != storage.name:
                continue
            elements = access.relation.intersect_domain(statement.domain).reset_tuple_id(_OUT)
            if not _are_within(elements, storage, scop):
                return None
            item = elements.reverse().apply_range(time.reset_tuple_id(_OUT))
            found = item if found is None else found.union(item)
    return found


def _are_within(elements: isl.Map, storage: Storage, scop: Scop) -> bool:
    """Whether all elements have a cell, and all cells are in the array."""
    cells = storage.cells
    known = elements.intersect_params(scop.assumptions).intersect_params(scop.context).range()
    if cells is None or not cells.is_single_valued() or not known.is_subset(cells.domain()):
        return False
    names = [f"c{i}" for i in range(1 + len(storage.inner))]
    bounds = zip(names, (storage.size, *storage.inner), strict=True)
    box = " and ".join(f"0 <= {name} < {size}" for name, size in bounds)
    return bool(known.apply(cells).is_subset(isl.Set(f"{{ [{', '.join(names)}] : {box} }}")))
