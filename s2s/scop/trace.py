"""What a program leaves in its arrays, each element as a symbol, and in which iterations."""

from __future__ import annotations

from collections.abc import Mapping

from s2s.scop.expressions import Type
from s2s.scop.symbols import Element, Product, Value
from s2s.source.records import dataclass

Iterations = Mapping[str, int]
"""The number of the iteration of each loop that runs, by the loop's name."""


@dataclass(frozen=True)
class Trace:
    """A run of a program, of which some iterations of long loops may have been left out.

    ``types`` are the elements' types of arrays that the caller knows, in the order of the
    program's parameters; ``stored`` has what is in them afterwards. ``origins`` are, for elements
    and for products that come into them, the iterations in which they do; ``extents`` how many
    iterations loops have.
    """

    name: str
    types: Mapping[str, Type]
    stored: Mapping[Element, Value]
    origins: Mapping[Product, Iterations]
    extents: Mapping[str, int]

    @property
    def outputs(self) -> tuple[str, ...]:
        """The arrays that are written."""
        written = {array for array, _ in self.stored}
        return tuple(name for name in self.types if name in written)
