"""Where the elements of a tensor are: one C array for each component, or a scalar for each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from s2s.scop.expressions import INT32, Binary, Const, Expr, Type
from s2s.scop.linear_forms import integer, normalized
from s2s.scop.nest import Tensor


@dataclass(frozen=True)
class Memory:
    """A tensor and the C names of its components; ``scalar``: each element has a name."""

    tensor: Tensor
    names: tuple[str, ...]
    scalar: bool = False

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


def strides(tensor: Tensor) -> tuple[Expr, ...]:
    """How far apart neighbours along each dimension are, in elements."""
    found: dict[int, Expr] = {}
    dense: Expr = integer(1)
    for d in tensor.order or range(len(tensor.dimensions)):
        dimension = tensor.dimensions[d]
        found[d] = dimension.stride if dimension.stride is not None else dense
        count = dimension.extent if dimension.fold is None else dimension.fold
        dense = normalized(Binary(INT32, "mul", found[d], count))
    return tuple(found[d] for d in range(len(tensor.dimensions)))


def size(tensor: Tensor) -> Expr:
    """How many elements a tensor without explicit strides has."""
    total: Expr = integer(1)
    for dimension in tensor.dimensions:
        count = dimension.extent if dimension.fold is None else dimension.fold
        total = normalized(Binary(INT32, "mul", total, count))
    return total


def address(tensor: Tensor, subscripts: tuple[Expr, ...]) -> Expr:
    total: Expr = integer(0)
    parts = zip(subscripts, tensor.dimensions, strides(tensor), strict=True)
    for subscript, dimension, stride in reversed(list(parts)):
        if dimension.fold is not None:
            place: Expr = Binary(INT32, "mod", subscript, dimension.fold)
        else:
            place = Binary(INT32, "sub", subscript, dimension.minimum)
        total = Binary(INT32, "add", total, Binary(INT32, "mul", place, stride))
    return normalized(total)
