"""How many pairs of places gcc would have to compare as a loop runs before it may use vectors.

Where two pointers may lead to the same memory, gcc compares the ends of what a loop touches through
them and keeps the loop without vectors beside (``vect_prune_runtime_alias_test_list``). Places with
a known distance are one. It gives up where there are more pairs than ``LIMIT`` (its parameter
``vect-max-version-for-alias-checks``): high-order stencils and kernels with three results do that.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import islpy as isl

from s2s.analyses import registers
from s2s.analyses.loop_carried import InnerLoop
from s2s.scop.nodes import Access, Array

LIMIT = 10

# An array with what is not known of the distance to its other elements.
_Place = tuple[str, tuple[str, ...]]


def compared_pairs(loop: InnerLoop) -> int:
    """The pairs of places of a loop, one of them stored to, that may be the same memory."""
    found: dict[_Place, list[Access]] = {}
    for statement in loop.statements:
        held = [statement.accesses[index] for index in registers.held_in(loop.scop, statement.name)]
        for access in statement.accesses:
            place = _place(loop.scop.arrays[access.array], access)
            if place is not None and not any(_is_same(access, other) for other in held):
                found.setdefault(place, []).append(access)
    return sum(
        any(a.write for a in (*found[one], *found[other]))
        and _may_meet(loop, one, other, found)
        for one, other in combinations(found, 2)
    )  # fmt: skip


def _is_same(access: Access, held: Access) -> bool:
    """Whether a local stands for what an access touches."""
    return access.array == held.array and bool(access.relation.is_equal(held.relation))


def _may_meet(
    loop: InnerLoop, one: _Place, other: _Place, found: dict[_Place, list[Access]]
) -> bool:
    """Whether gcc takes two places for perhaps the same memory."""
    if one[0] == other[0]:
        return True
    if frozenset((one[0], other[0])) in loop.scop.may_alias | loop.scop.checked:
        return True
    arrays = loop.scop.arrays
    lost = loop.scop.outlined and arrays[one[0]].pointed and arrays[other[0]].pointed
    return lost and not {a.type for a in found[one]}.isdisjoint(a.type for a in found[other])


def _place(array: Array, access: Access) -> _Place | None:
    """Which places are at a known distance of an access: those with the same key.

    A subscript tells nothing by its constant where a step along it has a known number of bytes.
    """
    if not array.rank or not access.relation.is_single_valued():
        return None
    pieces: list[isl.MultiAff] = []
    function = access.relation.set_tuple_name(isl.dim_type.in_, "S").as_pw_multi_aff()
    function.foreach_piece(lambda _, piece: pieces.append(piece))
    return (array.name, tuple(_subscripts(array, pieces[0]))) if len(pieces) == 1 else None


def _subscripts(array: Array, parts: isl.MultiAff) -> Iterator[str]:
    rank = parts.dim(isl.dim_type.out)
    for place in range(rank):
        subscript = parts.get_at(place)
        inner = array.sizes[place + 1 :]
        step = len(inner) == rank - 1 - place and all(s and s.isdigit() for s in inner)
        known = step and place >= array.row_rank
        yield str(subscript.set_constant_val(isl.Val(0)) if known else subscript)
