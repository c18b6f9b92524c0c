"""What a contraction computes, by numpy: exact integers, whatever the schedule."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import TYPE_CHECKING, Any

from s2s.scop.contraction import Access, Array, Contraction, Scale
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
        term = image * _elements(contraction, contraction.weight, arrays, at)
        total = total - term if contraction.negative else total + term
    half = 1 << contraction.shift >> 1 if contraction.rounds else 0
    if contraction.scale is not None:
        total = _multiplied(contraction, contraction.scale, total, arrays)
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
    places = _in_memory(contraction.output.array, _places(contraction, contraction.output, {}))
    result[places] = total.astype(dtype_of(type_))
    return result


def _multiplied(
    contraction: Contraction, scale: Scale, total: Values, arrays: Mapping[str, Values]
) -> Values:
    factor = _elements(contraction, scale.factor, arrays, {})
    return total * (-factor if scale.is_negative else factor) + scale.late


def shape_of(array: Array) -> tuple[int, ...]:
    """Extents of the program's memory outermost first, as numpy has them."""
    return tuple(reversed(array.memory.extents))


def _in_memory(array: Array, places: tuple[Values, ...]) -> tuple[Values, ...]:
    """Indices of an output, outermost first, in the program's memory."""
    view = array.view
    if view is None:
        return places
    steps = view.steps or (1,) * len(places)
    every = zip(places, view.first[::-1], steps[::-1], strict=True)
    return tuple(step * place - first for place, first, step in every)


def viewed(array: Array, memory: Values) -> Values:
    """The elements of an array, outermost dimension first, out of the program's memory."""
    import numpy as np

    view = array.view
    values = np.asarray(memory).reshape(shape_of(array)).astype(np.int64)
    if view is None:
        return values
    found = np.full(tuple(reversed(array.extents)), view.fill, np.int64)
    ranges = list(zip(view.inside, view.first, strict=True))[::-1]
    here = tuple(slice(low, high) for (low, high), _ in ranges)
    steps = (view.steps or (1,) * len(ranges))[::-1]
    there = tuple(
        slice(step * low - first, step * (high - 1) - first + 1, step)
        for ((low, high), first), step in zip(ranges, steps, strict=True)
    )
    found[here] = values[there]
    return -(1 << (31 - found)) if view.is_distance else found - view.less


def dtype_of(type_: Type) -> str:
    """The numpy type of an element type."""
    if type_.is_float:
        return f"float{type_.bits}"
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

    data = access.array.data
    elements = viewed(access.array, np.asarray(arrays[access.array.name] if data is None else data))
    return elements[_places(contraction, access, at)]


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
        for name, c in subscript.terms.items():
            place = place + c * grid.get(name, np.int64(at.get(name, 0)))
        places.append(place)
    return tuple(places)
