"""Where the elements of a tensor are: the kinds of memory, and places counted in elements."""

from __future__ import annotations

from s2s.scop.expressions import INT32, Binary, Expr
from s2s.scop.nest import Tensor
from s2s.scop.normal_form import integer, normalized

SCALARS = "scalars"
"""Each element is a scalar variable of its own."""
STACK = "stack"
HEAP = "heap"
THREAD = "thread"
"""On the heap; each thread of the parallel loop around gets it once."""
SHIFTED = "shifted"
"""On the stack; elements some lanes on are printed as ``(w + 1)[x]``: from ``w[x + 1]`` clang makes
the next iteration's ``w[x]``, and of that shuffles of vectors."""


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


def bytes_of(tensor: Tensor, count: int) -> int:
    """What so many elements of each component take."""
    return count * sum(max(t.bits, 8) // 8 for t in tensor.types)


def address(tensor: Tensor, subscripts: tuple[Expr, ...]) -> Expr:
    """The place of an element, counted in elements."""
    total: Expr = integer(0)
    parts = zip(subscripts, tensor.dimensions, strides(tensor), strict=True)
    for subscript, dimension, stride in reversed(list(parts)):
        if dimension.fold is not None:
            place: Expr = Binary(INT32, "mod", subscript, dimension.fold)
        else:
            place = Binary(INT32, "sub", subscript, dimension.minimum)
        total = Binary(INT32, "add", total, Binary(INT32, "mul", place, stride))
    return normalized(total)
