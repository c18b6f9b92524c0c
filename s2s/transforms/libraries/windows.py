"""Windows over images as arguments of the runtime: convolutions and pooling in any plain layout."""

from __future__ import annotations

from collections.abc import Sequence

from s2s.scop.expressions import Const, Expr
from s2s.scop.library_calls import (
    Address,
    Argument,
    AtLeast,
    LibraryCall,
    NotTaken,
    NotZero,
    Scalar,
)
from s2s.scop.operation import Dim, Operand, Operation
from s2s.scop.polynomial import Polynomial
from s2s.source.records import dataclass
from s2s.transforms.libraries.strides import ONE, ZERO

AXES = 3
"""Windows move along at most so many."""


@dataclass(frozen=True)
class Axis:
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


def axes_of(
    operation: Operation, image: Operand, weight: Operand | None = None
) -> tuple[list[Axis], Polynomial]:
    """The axes in which windows move, outermost first, and where the image begins.

    What weights move along with is no window: groups of channels may share a subscript with these.
    """
    found = []
    start = image.offset(operation.names)
    inner = ONE
    for place in reversed(range(len(image.subscripts))):
        subscript, limit = image.subscripts[place], image.limits[place]
        inside = [d for d in operation.dims if d.name in subscript.names]
        outs = [d for d in inside if not d.reduction]
        taps = [d for d in inside if d.reduction]
        grouped = weight is not None and any(weight.stride(d.name) != ZERO for d in outs)
        if grouped and limit is not None:
            raise NotTaken("each window has weights of its own")
        if (outs and taps and not grouped) or limit is not None:
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
                Axis(
                    outs[0] if outs else None, taps[0] if taps else None,
                    image.axis_stride(place, outs[0].name) if outs else 1,
                    image.axis_stride(place, taps[0].name) if taps else 1,
                    before, limit, inner,
                )
            )  # fmt: skip
        size = image.sizes[place]
        inner = inner if size is None else inner * size
    return found[::-1], start


_NONE = Axis(None, None, 1, 1, ZERO, ONE, ZERO)


def all_axes(axes: Sequence[Axis]) -> list[Axis]:
    """The axes with those first that have one point."""
    if len(axes) > AXES:
        raise NotTaken(f"windows of {len(axes)} dimensions")
    return [*[_NONE] * (AXES - len(axes)), *axes]


def shape_arguments(axes: Sequence[Axis]) -> tuple[Argument, ...]:
    """Counts of windows, points, taps, strides, dilations and padding, each for all axes."""
    return (
        *(a.count for a in axes), *(a.points for a in axes), *(a.kernel for a in axes),
        *(a.stride for a in axes), *(a.dilation for a in axes), *(a.before for a in axes),
    )  # fmt: skip


def convolution(
    operation: Operation, library: str, entry: str, function: str, *, factors: bool = False
) -> LibraryCall:
    """A convolution by a function of the runtime; with ``factors`` products may have one, too."""
    if operation.attributes.get("triangle"):
        raise NotTaken("it runs over a triangle")
    output, *inputs = operation.operands
    image, weight = inputs
    if not _slides(operation, image):
        image, weight = weight, image
    if weight.is_padded:
        raise NotTaken("its weights have borders")
    axes, start = axes_of(operation, image, weight)
    axes = all_axes(axes)
    used = {d.name for axis in axes for d in (axis.out, axis.tap) if d is not None}
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
    alpha, beta = operation.alpha, operation.beta
    if not factors and not is_number(alpha, 1):
        raise NotTaken("its products have a factor")
    if beta is not None and not (is_number(beta, 0) or is_number(beta, 1)):
        raise NotTaken("what was there has a factor")
    from_image = [step(image, d) for d in (images, group, channels)]
    to_output = [step(output, d) for d in (images, group, outputs)]
    conditions: list[AtLeast | NotZero] = [
        *_channels(group, channels, image), *_channels(group, outputs, output)
    ]  # fmt: skip
    weights = [step(weight, d) for d in (group, outputs, channels, *(a.tap for a in axes))]
    factor = (Scalar(1.0 if alpha is None else alpha, output.type),) if factors else ()
    arguments: tuple[Argument, ...] = (
        *(extent(d) for d in (images, group, outputs, channels)), *shape_arguments(axes),
        *from_image, *(a.step for a in axes), *weights,
        *to_output, *(step(output, a.out) for a in axes),
        *factor, Address(image, start), Address(weight, weight.offset(operation.names)),
        Scalar(0.0 if beta is None else _value(beta), output.type),
        Address(output, output.offset(operation.names)),
    )  # fmt: skip
    conditions += [AtLeast(axis.before, ZERO) for axis in axes]
    if alpha is not None and not isinstance(alpha, Const):
        conditions.append(NotZero(alpha))
    return LibraryCall(
        library, entry, function, arguments, operation,
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


def extent(dim: Dim | None) -> Polynomial:
    return ONE if dim is None else dim.extent


def step(operand: Operand, dim: Dim | None) -> Polynomial:
    return ZERO if dim is None else operand.stride(dim.name)


def _channels(group: Dim | None, channel: Dim | None, operand: Operand) -> list[AtLeast]:
    """That channels of all groups lie one after the other."""
    if group is None or channel is None:
        return []
    one, other = operand.stride(group.name), operand.stride(channel.name) * channel.extent
    return [] if one == other else [AtLeast(one, other), AtLeast(other, one)]


def is_number(value: Expr | None, number: int) -> bool:
    return (
        value is None
        if number == 0 and value is None
        else (isinstance(value, Const) and value.value == number)
    )


def _value(value: Expr) -> float:
    assert isinstance(value, Const)
    return float(value.value)
