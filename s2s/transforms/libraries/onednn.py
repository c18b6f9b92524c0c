"""Operations as calls of oneDNN: convolutions and pooling in any plain layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from s2s.scop.expressions import Const, Expr
from s2s.scop.library_calls import Address, Argument, AtLeast, LibraryCall, NotTaken, Scalar
from s2s.scop.operation import Dim, Kind, Operand, Operation
from s2s.scop.polynomial import Polynomial
from s2s.transforms.libraries.strides import ONE, ZERO

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
            return _convolution(first), 1
        case Kind.FILL if len(operations) > 1 and operations[1].kind is Kind.POOL_MAX:
            return _pool(first, operations[1]), 2
        case Kind.POOL_MAX:
            raise NotTaken("its maximum does not begin with the lowest number")
    raise NotTaken(f"oneDNN is not asked for {first.kind.value}")


@dataclass(frozen=True)
class _Axis:
    """Windows along one axis: ``out`` moves by ``stride``, ``tap`` by ``dilation``.

    ``before``: points of padding; ``size``: points of the image, None: all that is reached.
    """

    out: Dim | None
    tap: Dim | None
    stride: int
    dilation: int
    before: Polynomial
    size: Polynomial | None
    step: Polynomial
    """Elements from one point to the next."""

    @property
    def count(self) -> Polynomial:
        return ONE if self.out is None else self.out.extent

    @property
    def kernel(self) -> Polynomial:
        return ONE if self.tap is None else self.tap.extent

    @property
    def points(self) -> Polynomial:
        """Points of the image; of one without borders as many as windows reach."""
        if self.size is not None:
            return self.size
        last = (self.count - ONE).scaled(self.stride) + (self.kernel - ONE).scaled(self.dilation)
        return last + ONE


def _axes(operation: Operation, image: Operand) -> tuple[list[_Axis], Polynomial]:
    """The axes in which windows move, outermost first, and where the image begins."""
    found = []
    start = image.offset(operation.names)
    inner = ONE
    for place in reversed(range(len(image.subscripts))):
        subscript, limit = image.subscripts[place], image.limits[place]
        inside = [d for d in operation.dims if d.name in subscript.names]
        outs = [d for d in inside if not d.reduction]
        taps = [d for d in inside if d.reduction]
        if (outs and taps) or limit is not None:
            if len(outs) > 1 or len(taps) > 1:
                raise NotTaken("a subscript has several dimensions of windows")
            constant = subscript.part(lambda m: not set(m) & operation.names, subscript.constant)
            before = constant.scaled(-1) if limit is not None else ZERO
            if limit is not None:
                start = start - constant * inner
            steps = [image.axis_stride(place, d.name) for d in (outs + taps)]
            if min(steps) < 1:
                raise NotTaken("windows move backward")
            found.append(
                _Axis(
                    outs[0] if outs else None, taps[0] if taps else None,
                    image.axis_stride(place, outs[0].name) if outs else 1,
                    image.axis_stride(place, taps[0].name) if taps else 1,
                    before, limit, inner,
                )
            )  # fmt: skip
        size = image.sizes[place]
        inner = inner if size is None else inner * size
    return found[::-1], start


_NONE = _Axis(None, None, 1, 1, ZERO, ONE, ZERO)


def _two(axes: list[_Axis]) -> tuple[_Axis, _Axis]:
    if len(axes) > 2:
        raise NotTaken(f"windows of {len(axes)} dimensions")
    found = [_NONE] * (2 - len(axes)) + axes
    return found[0], found[1]


def _convolution(operation: Operation) -> LibraryCall:
    output, *inputs = operation.operands
    image, weight = inputs
    if not _slides(operation, image):
        image, weight = weight, image
    if weight.is_padded:
        raise NotTaken("its weights have borders")
    axes, start = _axes(operation, image)
    y, x = _two(axes)
    used = {d.name for axis in (y, x) for d in (axis.out, axis.tap) if d is not None}
    groups: dict[tuple[bool, bool, bool], list[Dim]] = {}
    for dim in operation.dims:
        if dim.name not in used:
            key = tuple(o.stride(dim.name) != ZERO for o in (output, image, weight))
            groups.setdefault((key[0], key[1], key[2]), []).append(dim)
    images, group, outputs, channels = (
        _at_most_one(groups.pop(key, []), word)
        for key, word in (
            ((True, True, False), "images"), ((True, True, True), "groups"),
            ((True, False, True), "output channels"), ((False, True, True), "channels"),
        )
    )  # fmt: skip
    if groups:
        raise NotTaken("a dimension is in one of the factors alone")
    if not _is_number(operation.alpha, 1):
        raise NotTaken("its products have a factor")
    beta = operation.beta
    if beta is not None and not (_is_number(beta, 0) or _is_number(beta, 1)):
        raise NotTaken("what was there has a factor")
    many = [images, group, outputs, channels]
    moves = [_steps(operand, [*many, y, x]) for operand in (image, output)]
    conditions = [
        *_channels(group, channels, image), *_channels(group, outputs, output)
    ]  # fmt: skip
    weights = [_step(weight, d) for d in (group, outputs, channels, y.tap, x.tap)]
    arguments: tuple[Argument, ...] = (
        *(_extent(d) for d in (images, group, outputs, channels)), y.count, x.count,
        y.points, x.points, y.kernel, x.kernel, y.stride, x.stride, y.dilation, x.dilation,
        y.before, x.before, *moves[0], *weights, *moves[1],
        Address(image, start), Address(weight, weight.offset(operation.names)),
        Scalar(0.0 if beta is None else _value(beta), output.type),
        Address(output, output.offset(operation.names)),
    )  # fmt: skip
    conditions += [AtLeast(axis.before, ZERO) for axis in (y, x)]
    return LibraryCall(
        LIBRARY, "dnnl_convolution", "s2s_convolution", arguments, operation,
        conditions=tuple(conditions), work=operation.macs, kind="convolution",
    )  # fmt: skip


def _slides(operation: Operation, operand: Operand) -> bool:
    """Whether windows move over an operand."""
    for subscript in operand.subscripts:
        inside = [d for d in operation.dims if d.name in subscript.names]
        if any(d.reduction for d in inside) and any(not d.reduction for d in inside):
            return True
    return operand.is_padded


def _at_most_one(dims: list[Dim], word: str) -> Dim | None:
    if len(dims) > 1:
        raise NotTaken(f"several dimensions of {word}")
    return dims[0] if dims else None


def _extent(dim: Dim | None) -> Polynomial:
    return ONE if dim is None else dim.extent


def _step(operand: Operand, dim: Dim | None) -> Polynomial:
    return ZERO if dim is None else operand.stride(dim.name)


def _steps(operand: Operand, dims: Sequence[Dim | _Axis | None]) -> tuple[Polynomial, ...]:
    """Steps for image, group, channel, row and column."""
    images, group, outputs, channels, y, x = dims
    assert not isinstance(images, _Axis) and not isinstance(group, _Axis)
    assert not isinstance(outputs, _Axis) and not isinstance(channels, _Axis)
    assert isinstance(y, _Axis) and isinstance(x, _Axis)
    if operand.writes:
        rows = (_step(operand, y.out), _step(operand, x.out))
        return (_step(operand, images), _step(operand, group), _step(operand, outputs), *rows)
    return (_step(operand, images), _step(operand, group), _step(operand, channels), y.step, x.step)


def _channels(group: Dim | None, channel: Dim | None, operand: Operand) -> list[AtLeast]:
    """That channels of all groups lie one after the other."""
    if group is None or channel is None:
        return []
    one, other = operand.stride(group.name), operand.stride(channel.name) * channel.extent
    return [] if one == other else [AtLeast(one, other), AtLeast(other, one)]


def _is_number(value: Expr | None, number: int) -> bool:
    return (
        value is None
        if number == 0 and value is None
        else (isinstance(value, Const) and value.value == number)
    )


def _value(value: Expr) -> float:
    assert isinstance(value, Const)
    return float(value.value)


# ---- pooling


def _pool(fill: Operation, pool: Operation) -> LibraryCall:
    (image,) = pool.inputs
    output = pool.output
    if not _is_lowest(fill.value):
        raise NotTaken("its maximum begins higher than all numbers")
    axes, start = _axes(pool, image)
    y, x = _two(axes)
    used = {d.name for axis in (y, x) for d in (axis.out, axis.tap) if d is not None}
    rest = [d for d in pool.dims if d.name not in used]
    if any(d.reduction or image.stride(d.name) == ZERO for d in rest):
        raise NotTaken("a maximum over more than windows")
    images, channels = ([None, *rest] if len(rest) == 1 else [*rest, None, None])[:2]
    if len(rest) > 2:
        raise NotTaken("several dimensions of images")
    moves = [
        (_step(o, images), ZERO, _step(o, channels)) for o in (image, output)
    ]  # fmt: skip
    arguments = (
        _extent(images), 1, _extent(channels), _extent(channels), y.count, x.count,
        y.points, x.points, y.kernel, x.kernel, y.stride, x.stride, y.dilation, x.dilation,
        y.before, x.before, *moves[0], y.step, x.step, 0, 0, 0, 0, 0,
        *moves[1], _step(output, y.out), _step(output, x.out),
        Address(image, start), Address(output, output.offset(pool.names)),
    )  # fmt: skip
    work = Polynomial.integer(1)
    for dim in pool.dims:
        work = work * dim.extent
    return LibraryCall(
        LIBRARY, "dnnl_pooling", "s2s_pool_max", arguments, pool,
        conditions=tuple(AtLeast(axis.before, ZERO) for axis in (y, x)),
        work=work, kind="max_pool",
    )  # fmt: skip


_LOWEST = -3.4028234663852886e38


def _is_lowest(value: Expr | None) -> bool:
    """Whether a literal is at most the least single-precision number."""
    from s2s.scop.expressions import Binary, Cast

    while isinstance(value, Cast):
        value = value.value
    if isinstance(value, Binary) and value.op == "sub" and _is_number(value.left, 0):
        return isinstance(value.right, Const) and -value.right.value <= _LOWEST
    return isinstance(value, Const) and value.value <= _LOWEST
