"""The C names of a tensor's elements: one array for each component, or a scalar for each."""

from __future__ import annotations

from collections.abc import Iterator

from s2s.scop.expressions import Const, Expr, Type
from s2s.scop.nest import Tensor
from s2s.scop.normal_form import integer
from s2s.scop.storage import SCALARS, address, size
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Memory:
    """A tensor and the C names of its components."""

    tensor: Tensor
    names: tuple[str, ...]

    @property
    def scalar(self) -> bool:
        """Whether each element has a name."""
        return self.tensor.memory == SCALARS

    def components(self) -> Iterator[tuple[Type, str]]:
        """The type and the name of each component."""
        return zip(self.tensor.types, self.names, strict=True)

    def address(self, subscripts: tuple[Expr, ...]) -> Expr:
        """The place of an element, counted in elements."""
        return address(self.tensor, subscripts)

    def element(self, offset: int, component: int) -> str:
        """The name of an element that is a scalar of its own."""
        alone = isinstance(size(self.tensor), Const) and size(self.tensor) is integer(1)
        return self.names[component] + ("" if alone else f"_{offset}")
