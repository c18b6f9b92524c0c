"""What expressions are worth: integers as polynomials, pointers as places, or data."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum

from s2s.scop.executions import Place
from s2s.scop.polynomial import Polynomial
from s2s.source.records import dataclass

ZERO = Polynomial()


class Data(Enum):
    """A value that only memory knows; nothing but what was read there decides it."""

    LOADED = "loaded"


@dataclass(frozen=True)
class Pointer:
    """The address of an element, or of a row: ``dims`` are its sizes, outermost first."""

    place: Place
    dims: tuple[Polynomial, ...] = ()

    def at(self, index: Polynomial) -> Pointer:
        """The pointer further by some elements or rows."""
        step = index
        for size in self.dims:
            step = step * size
        return replace(self, place=moved(self.place, step))


Value = Polynomial | Pointer | Data | None
"""None is a value of which nothing is known, not even what decides it."""


def moved(place: Place, step: Polynomial) -> Place:
    *others, last = place.subscripts
    return replace(place, subscripts=(*others, last + step))


def bound_subscript(place: Place, index: Polynomial, size: int) -> Place:
    """With a subscript of a row whose size is a number."""
    return replace(place, bounds=(*place.bounds, (index, size)))


def inside(place: Place, step: str) -> Place:
    """What is behind a field or a pointer; both may be the first of several."""
    return replace(place, path=place.path + step, subscripts=(*place.subscripts, ZERO))
