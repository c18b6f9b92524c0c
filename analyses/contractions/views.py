"""Arrays whose elements are not the program's own: borders around it, zero points taken off."""

from __future__ import annotations

from collections.abc import Sequence

from s2s.analyses.contractions.arrays import Shaped
from s2s.analyses.contractions.linear import Affine, Ranges
from s2s.analyses.contractions.values import Element
from s2s.scop.contraction import Array, NotAContraction, View
from s2s.scop.expressions import INT32, Type


def viewed(element: Element, form: Shaped) -> tuple[Array, tuple[int, ...]]:
    """The array of the elements that a program multiplies, and where its own first one lies."""
    rank = len(form.extents)
    whole = tuple((0, extent) for extent in form.extents)
    inside, first, extents = form.inside or whole, (0,) * rank, form.extents
    if form.inside is not None and form.wide is not None:
        first = tuple(max(0, -low) for low, _ in form.wide)
        ends = [max(e, high + 1) for e, (_, high) in zip(form.extents, form.wide, strict=True)]
        extents = tuple(end + by for end, by in zip(ends, first, strict=True))
    inside = tuple((low + by, high + by) for (low, high), by in zip(inside, first, strict=True))
    type_ = _type(element, bordered=form.inside is not None)
    array = Array(element.tensor, type_, extents, None, form.reached)
    if element.is_distance:
        if form.inside is not None or element.less:
            raise NotAContraction("a sum is shifted by an element under a condition")
        view = View(element.type, form.extents, first, inside, is_distance=True)
        return Array(element.tensor, INT32, extents, view, form.reached), first
    if form.inside is None and element.less == 0:
        return array, first
    fill = element.fill if form.inside is not None else 0
    view = View(element.type, form.extents, first, inside, fill, element.less)
    return Array(element.tensor, type_, extents, view, form.reached), first


def cut_to(
    array: Array, subscripts: Sequence[Affine], ranges: Ranges
) -> tuple[Array, tuple[Affine, ...]]:
    """An output of the written elements alone, and what its own indices are in the memory's.

    Whole vectors are stored, from aligned places on: what the program leaves alone would not be.
    """
    lows = [s.bounds(ranges)[0] for s in subscripts]
    steps = tuple(s.content if len(s.terms) == 1 else 1 for s in subscripts)
    ends = [s.bounds(ranges)[1] for s in subscripts]
    extents = tuple(
        (high - low) // step + 1 for low, high, step in zip(lows, ends, steps, strict=True)
    )
    if extents == array.extents:
        return array, tuple(subscripts)
    inside = tuple((0, extent) for extent in extents)
    first = tuple(-low for low in lows)
    view = View(array.type, array.extents, first, inside, steps=steps)
    return Array(array.name, array.type, extents, view, array.reached), _moved(
        subscripts, first, steps
    )


def _moved(
    subscripts: Sequence[Affine], first: Sequence[int], steps: Sequence[int]
) -> tuple[Affine, ...]:
    found = []
    for subscript, by, step in zip(subscripts, first, steps, strict=True):
        index = subscript.shifted(by).divided(step)
        assert index is not None
        found.append(index)
    return tuple(found)


def _type(element: Element, *, bordered: bool) -> Type:
    """The smallest type for all values; raises NotAContraction where there is none."""
    if element.type.is_float:
        return element.type
    values = [element.type.smallest, element.type.largest, *([element.fill] if bordered else [])]
    low, high = min(values) - element.less, max(values) - element.less
    choices = [element.type, *(Type("int", bits) for bits in (8, 16, 32))]
    for type_ in choices:
        if type_.smallest <= low and high <= type_.largest and type_.bits >= element.type.bits:
            return type_
    text = f"elements of {element.tensor} less {element.less} need more than 32 bits"
    raise NotAContraction(text)
