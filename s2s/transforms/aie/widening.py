"""Bytes as elements of 16 bits, for contractions whose bytes the shuffle network cannot select.

The network picks bytes in pairs, so that strided and depth-wise layers of many shapes have no
mapping as they are. Packing makes wider elements of them, and there is one.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

from s2s.scop.contraction import Access, Array, Contraction, View
from s2s.scop.expressions import Type
from s2s.transforms.aie.errors import Unmappable

_T = TypeVar("_T")


def mapped_as_it_is_or_wider(contraction: Contraction, mapped: Callable[[Contraction], _T]) -> _T:
    """What ``mapped`` makes of a contraction, or of the same with 16 bits for each byte.

    Raises Unmappable with the reason of the contraction itself.
    """
    try:
        return mapped(contraction)
    except Unmappable:
        wider = _wider(contraction)
        if wider is not None:
            with suppress(Unmappable):
                return mapped(wider)
        raise


def _wider(contraction: Contraction) -> Contraction | None:
    """The contraction with 16 bits for bytes of its factors; None where none of them has bytes."""
    factors = contraction.image, contraction.weight
    names = [access.array.name for access in contraction.accesses]
    if any(names.count(access.array.name) > 1 for access in factors):
        return None
    if all(access.array.type.bits != 8 for access in factors):
        return None
    image, weight = map(_as_16_bits, factors)
    return replace(contraction, image=image, weight=weight)


def _as_16_bits(access: Access) -> Access:
    array = access.array
    if array.type.bits != 8:
        return access
    extents = array.extents
    whole = tuple((0, extent) for extent in extents)
    view = array.view or View(array.type, extents, (0,) * len(extents), whole)
    data = array.data
    return replace(
        access, array=Array(array.name, Type("int", 16), extents, view, array.reached, data)
    )
