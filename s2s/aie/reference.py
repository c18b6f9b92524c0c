"""What a contraction computes, by numpy: exact integers, whatever the schedule."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import TYPE_CHECKING, Any

from s2s.scop.contraction import Access, Array, Contraction
from s2s.scop.expressions import Type

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Values = NDArray[np.signedinteger[Any] | np.unsignedinteger[Any]]


def reference(contraction: Contraction, arrays: Mapping[str, Values]) -> Values:
    """The output array (dimensions outermost first) for arrays of that shape by name.

    Elements that the contraction does not write keep the value of ``arrays``, or 0.
    """
    import numpy as np

    outer = contraction.output_loops
    shape = tuple(loop.extent for loop in outer)
    total = _initial(contraction, arrays, shape)
    for point in product(*(range(loop.extent) for loop in contraction.reductions)):
        at = dict(zip((loop.name for loop in contraction.reductions), point, strict=True))
        image = _elements(contraction, contraction.image, arrays, at)
        total = total + image * _elements(contraction, contraction.weight, arrays, at)
    half = 1 << contraction.shift >> 1 if contraction.rounds else 0
    total = (total + half) >> contraction.shift
    type_ = contraction.output.array.type
    if contraction.least is not None:
        total = np.maximum(total, contraction.least)
    if contraction.most is not None:
        total = np.minimum(total, contraction.most)
    if contraction.saturate:
        total = np.clip(total, type_.smallest, type_.largest)
    name = contraction.output.array.name
    given = arrays.get(name)
    result = (
        np.zeros(shape_of(contraction.output.array), dtype_of(type_))
        if given is None
        else np.array(given)
    )
    result[_places(contraction, contraction.output, {})] = total.astype(dtype_of(type_))
    return result


def shape_of(array: Array) -> tuple[int, ...]:
    """Extents outermost first, as numpy has them."""
    return tuple(reversed(array.extents))


def dtype_of(type_: Type) -> str:
    """The numpy type of an integer type."""
    return f"{'u' if type_.code == 'uint' else ''}int{type_.bits}"


def _initial(
    contraction: Contraction,
    arrays: Mapping[str, Values],
    shape: tuple[int, ...],
) -> Values:
    import numpy as np

    if isinstance(contraction.initial, Access):
        return _elements(contraction, contraction.initial, arrays, {})
    return np.full(shape, contraction.initial, np.int64)


def _elements(
    contraction: Contraction,
    access: Access,
    arrays: Mapping[str, Values],
    at: Mapping[str, int],
) -> Values:
    """The elements for all iterations of the output's loops, as wide numbers."""
    import numpy as np

    return np.asarray(arrays[access.array.name])[_places(contraction, access, at)].astype(np.int64)


def _places(contraction: Contraction, access: Access, at: Mapping[str, int]) -> tuple[Values, ...]:
    """Subscripts outermost first, each an array over the output's loops."""
    import numpy as np

    loops = contraction.output_loops
    grid = dict(
        zip(
            (loop.name for loop in loops),
            np.meshgrid(*(np.arange(loop.extent) for loop in loops), indexing="ij"),
            strict=True,
        )
    )
    places = []
    for subscript in reversed(access.subscripts):
        place = np.full(tuple(loop.extent for loop in loops), subscript.constant)
        for name, c in subscript.terms:
            place = place + c * grid.get(name, np.int64(at.get(name, 0)))
        places.append(place)
    return tuple(places)
