"""Operations as calls of oneDNN: convolutions and pooling in any plain layout."""

from __future__ import annotations

from collections.abc import Sequence

from s2s.analyses.operators.steps import number_of
from s2s.scop.expressions import Expr
from s2s.scop.library_calls import Address, AtLeast, LibraryCall, NotTaken, Scalar
from s2s.scop.operation import Kind, Operand, Operation
from s2s.scop.polynomial import Polynomial
from s2s.transforms.libraries.strides import ONE, ZERO, fuse
from s2s.transforms.libraries.windows import (
    all_axes,
    axes_of,
    convolution,
    extent,
    shape_arguments,
    step,
)

LIBRARY = "onednn"


def take(operations: Sequence[Operation]) -> tuple[LibraryCall, int]:
    """The call for the first of some operations, and how many it does. Raises NotTaken."""
    first = operations[0]
    if any((o.type.code, o.type.bits) != ("float", 32) for o in first.operands):
        raise NotTaken("its calls here are of single precision")
    if any(o.rows for o in first.operands):
        raise NotTaken("its rows may lie anywhere")
    if first.attributes.get("triangle"):
        raise NotTaken("it runs over a triangle")
    match first.kind:
        case Kind.CONVOLUTION:
            return convolution(first, LIBRARY, "dnnl_convolution", "s2s_convolution"), 1
        case Kind.FILL if len(operations) > 1 and operations[1].kind is Kind.POOL_MAX:
            return _pool(first, operations[1]), 2
        case Kind.POOL_MAX:
            raise NotTaken("its maximum does not begin with the lowest number")
        case Kind.SOFTMAX:
            return _softmax(first), 1
        case Kind.ELEMENTWISE if first.function in _FUNCTIONS:
            return _elements(first), 1
    raise NotTaken(f"oneDNN is not asked for {first.kind.value}")


def _check_apart(operation: Operation, source: Operand) -> None:
    """That all indices count, and a source in the output's array is its own elements.

    Raises NotTaken.
    """
    output = operation.output
    if any(o.is_padded for o in operation.operands):
        raise NotTaken("it is padded")
    if source.array == output.array and source.address != output.address:
        raise NotTaken("it goes on from one element to another")


_FUNCTIONS = {"exp": 0, "tanh": 1, "logistic": 2}
"""Functions of elements by their numbers in the runtime; oneDNN's log is inexact near 1."""


def _elements(operation: Operation) -> LibraryCall:
    """A function of each element of what lies in a row in memory."""
    output = operation.output
    source = operation.inputs[0] if operation.inputs else output
    _check_apart(operation, source)
    groups = fuse(operation.dims, (output, source))
    if not groups or any(groups[-1].step(o) != ONE for o in (output, source)):
        raise NotTaken("its elements do not follow each other")
    loops = tuple(d for group in groups[:-1] for d in group.dims)
    inside = frozenset(d.name for d in groups[-1].dims)
    return LibraryCall(
        LIBRARY, "dnnl_eltwise", "s2s_elements",
        (
            _FUNCTIONS[operation.function], groups[-1].extent,
            Address(source, source.offset(inside)), Address(output, output.offset(inside)),
        ),
        operation, loops, work=groups[-1].extent, kind="elements", is_optional=True,
    )  # fmt: skip


def _softmax(operation: Operation) -> LibraryCall:
    """Softmax of rows, each of which lies in a row in memory."""
    output, source = operation.operands
    _check_apart(operation, source)
    axis = operation.dim(str(operation.attributes["axis"]))
    if any(o.stride(axis.name) != ONE for o in (output, source)):
        raise NotTaken("the elements of its rows do not follow each other")
    rest = [d for d in operation.dims if d is not axis]
    groups = fuse(rest, (output, source))
    loops = tuple(d for group in groups[:-1] for d in group.dims)
    inside = operation.names - {d.name for d in loops}
    rows = groups[-1].extent if groups else ONE
    steps = [groups[-1].step(o) if groups else axis.extent for o in (source, output)]
    least = float(str(operation.attributes["least"]))
    return LibraryCall(
        LIBRARY, "dnnl_softmax", "s2s_softmax",
        (
            rows, axis.extent, Address(source, source.offset(inside)), steps[0],
            Address(output, output.offset(inside)), steps[1], Scalar(least, output.type),
        ),
        operation, loops, tuple(AtLeast(s, axis.extent) for s in steps),
        work=rows * axis.extent, kind="softmax", is_optional=True,
    )  # fmt: skip


# ---- pooling


def _pool(fill: Operation, pool: Operation) -> LibraryCall:
    (image,) = pool.inputs
    output = pool.output
    if not _is_lowest(fill.value):
        raise NotTaken("its maximum begins higher than all numbers")
    axes, start = axes_of(pool, image)
    axes = all_axes(axes)
    used = {d.name for axis in axes for d in (axis.out, axis.tap) if d is not None}
    rest = [d for d in pool.dims if d.name not in used]
    if any(d.reduction or image.stride(d.name) == ZERO for d in rest):
        raise NotTaken("a maximum over more than windows")
    images, channels = ([None, *rest] if len(rest) == 1 else [*rest, None, None])[:2]
    if len(rest) > 2:
        raise NotTaken("several dimensions of images")
    moves = [(step(o, images), ZERO, step(o, channels)) for o in (image, output)]
    arguments = (
        extent(images), 1, extent(channels), extent(channels), *shape_arguments(axes),
        *moves[0], *(a.step for a in axes), *[0] * 6,
        *moves[1], *(step(output, a.out) for a in axes),
        Address(image, start), Address(output, output.offset(pool.names)),
    )  # fmt: skip
    work = Polynomial.integer(1)
    for dim in pool.dims:
        work = work * dim.extent
    return LibraryCall(
        LIBRARY, "dnnl_pooling", "s2s_pool_max", arguments, pool,
        conditions=tuple(AtLeast(axis.before, ZERO) for axis in axes),
        work=work, kind="max_pool",
    )  # fmt: skip


_LOWEST, _INFINITE = -3.4028234663852886e38, -3.4028235677973366e38
"""The least single-precision number, and from where on literals are infinite."""


def _is_lowest(value: Expr | None) -> bool:
    """Whether a literal is the least single-precision number."""
    number = None if value is None else number_of(value)
    return number is not None and _INFINITE < number <= _LOWEST
