"""What a contraction is made of on its way: elements, sums of products, tables of numbers."""

from __future__ import annotations

from dataclasses import replace

from s2s.analyses.contractions.bounds import Guard
from s2s.analyses.contractions.forms import Sum
from s2s.analyses.contractions.linear import Affine
from s2s.analyses.contractions.statements import Range
from s2s.scop.expressions import Type
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Element:
    """``tensor[subscripts]``, subscripts affine in loops.

    ``fill`` where not all ``guards`` hold; ``less`` is taken off.
    """

    tensor: str
    type: Type
    subscripts: tuple[Affine, ...]
    guards: tuple[Guard, ...] = ()
    fill: int | float = 0
    less: int = 0
    literal: int | float | None = None
    """A number that stands in the place of an element."""
    is_distance: bool = False
    """Whether a sum is shifted to the right by it."""

    def with_values(self, values: dict[str, Affine]) -> Element:
        """The same with loop variables replaced."""
        return replace(
            self,
            subscripts=tuple(s.with_values(values) for s in self.subscripts),
            guards=tuple(guard.with_values(values) for guard in self.guards),
        )


TABLE = "weights"


@dataclass(frozen=True)
class Table:
    """Numbers in dimensions of some extents, innermost first."""

    extents: tuple[int, ...]
    values: tuple[int | float, ...]


@dataclass(frozen=True)
class Value:
    """A sum over ``reductions`` of products, for each iteration of ``loops``.

    As in ``Sum``; ``accumulator`` is the type in which the program adds up.
    """

    loops: tuple[Range, ...]
    reductions: tuple[Range, ...]
    products: tuple[tuple[Element, Element], ...]
    loads: tuple[Element, ...]
    form: Sum
    accumulator: Type
    negative: bool = False
    """Whether the products are taken off."""
    table: Table | None = None
    """The numbers by which elements are multiplied, as an array of the name ``TABLE``."""
    taps: tuple[tuple[tuple[str, int], ...], ...] = ()
    """Of a sum of floats: where loops over its written products are, in the order of these."""
    factor: Element | None = None
    """By what the sum is multiplied in the end."""

    @property
    def ranges(self) -> dict[str, tuple[int, int]]:
        """The first and the last value of each loop's variable."""
        every = (*self.loops, *self.reductions)
        return {r.name: (r.minimum, r.minimum + r.extent - 1) for r in every}
