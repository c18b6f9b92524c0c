"""Places in one list of edges as places in the list of the other direction."""

from __future__ import annotations

from dataclasses import replace

from s2s.frontends.c.places import Field, Index, Place


def element_of(array: Place, place: Place) -> Place:
    """The element of an array that has the subscript, and the members, of another place."""
    last = max(i for i, s in enumerate(place.steps) if isinstance(s, Index))
    pointer = array.root is not None and not (not array.steps and array.root.type.kind == "array")
    index = place.steps[last]
    assert isinstance(index, Index)
    return Place(
        array.root, (*array.steps, replace(index, pointer=pointer), *place.steps[last + 1 :])
    )


def renamed(place: Place, start: int | None, item: str) -> Place:
    """A place with the names of another item: its root's, or its members' from ``start`` on."""
    around, *names = item.split(".")
    if start is None:
        assert place.root is not None
        place = replace(place, root=replace(place.root, name=around))
    steps: list[Index | Field] = list(place.steps)
    fields = [i for i, s in enumerate(steps) if isinstance(s, Field) and i >= (start or 0)]
    for position, name in zip(fields, names, strict=True):
        field = steps[position]
        assert isinstance(field, Field)
        steps[position] = replace(field, name=name)
    return replace(place, steps=tuple(steps))
