"""Operations as calls of oneDNN: convolutions and pooling in any plain layout."""

from __future__ import annotations

from collections.abc import Sequence

from s2s.scop.expressions import Const, Expr
from s2s.scop.library_calls import Address, AtLeast, LibraryCall, NotTaken
from s2s.scop.operation import Kind, Operation
from s2s.scop.polynomial import Polynomial
from s2s.transforms.libraries.strides import ZERO
from s2s.transforms.libraries.windows import (
    all_axes,
    axes_of,
    convolution,
    extent,
    is_number,
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
    match first.kind:
        case Kind.CONVOLUTION:
            return convolution(first, LIBRARY, "dnnl_convolution", "s2s_convolution"), 1
        case Kind.FILL if len(operations) > 1 and operations[1].kind is Kind.POOL_MAX:
            return _pool(first, operations[1]), 2
        case Kind.POOL_MAX:
            raise NotTaken("its maximum does not begin with the lowest number")
    raise NotTaken(f"oneDNN is not asked for {first.kind.value}")


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


_LOWEST = -3.4028234663852886e38


def _is_lowest(value: Expr | None) -> bool:
    """Whether a literal is at most the least single-precision number."""
    from s2s.scop.expressions import Binary, Cast

    while isinstance(value, Cast):
        value = value.value
    if isinstance(value, Binary) and value.op == "sub" and is_number(value.left, 0):
        return isinstance(value.right, Const) and -value.right.value <= _LOWEST
    return isinstance(value, Const) and value.value <= _LOWEST
