"""A maximum over windows of an image as a kernel: vectors of windows, or of channels.

Each point of a window is one load and one comparison for as many windows as there are lanes.
Channels that lie next to each other are lanes as they are. Windows of a row are lanes where the
image is packed once for each point of a window's row, so that all loads are aligned: a row of
windows of k points with stride s takes k / s times the memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import inf, prod

from s2s.scop.contraction import Array, View
from s2s.scop.expressions import Type
from s2s.scop.layouts import Axis as Places
from s2s.scop.layouts import Tiled
from s2s.scop.pooling import Axis, Pooling
from s2s.scop.pooling import Places as Memory
from s2s.scop.vector_kernel import (
    ConstantVector,
    Datapath,
    Declare,
    Kernel,
    KernelLoop,
    KernelNest,
    LoadPart,
    Maximum,
    Operation,
    PackedArray,
    Pointer,
    Put,
    Register,
    Widen,
)
from s2s.source.records import dataclass
from s2s.transforms.aie.banks import REACH, placed
from s2s.transforms.aie.errors import Unmappable
from s2s.transforms.aie.names import unlike

_LEAST_FLOAT = -3.4028234663852886e38


@dataclass(frozen=True)
class _Dimension:
    """One of an array's: elements from one index to the next, and how many indices there are."""

    step: int
    extent: int
    before: int = 0
    """Indices of padding before the first element that memory has."""
    inside: int = 0
    """Indices that memory has elements for (0: all)."""


@dataclass(frozen=True)
class _Way:
    """Lanes and loops: ``image`` and ``windows`` are layouts, innermost axis last."""

    image: tuple[Places, ...]
    windows: tuple[Places, ...]
    loops: tuple[tuple[str, int, int, int], ...]
    """Name, trips, elements that the image's and the output's pointer move."""
    taps: tuple[int, ...]
    iterations: int
    in_order: bool


def map_maxima(readings: Sequence[Pooling], types: Mapping[str, Type]) -> tuple[Pooling, Kernel]:
    """The reading of a program that gives the shortest kernel, and that. Raises Unmappable.

    ``types`` are those of the arrays, in the order of the kernel's arguments.
    """
    refused: list[Unmappable] = []
    found: list[tuple[int, int, int, Pooling, Kernel]] = []
    for pooling in readings:
        try:
            kernel = _map(pooling, types)
        except Unmappable as error:
            refused.append(error)
            continue
        packed = sum(a.size for a in kernel.arrays if not a.is_natural)
        flat = (pooling.y.count, pooling.x.count).count(1)
        found.append((_iterations(kernel), packed, flat, pooling, kernel))
    if not found:
        raise min(refused, key=lambda one: one.step != "memory")
    return min(found, key=lambda one: one[:3])[3:]


def _iterations(kernel: Kernel) -> int:
    return sum(prod(loop.trips for loop in nest.loops) for nest in kernel.nests)


def _map(pooling: Pooling, types: Mapping[str, Type]) -> Kernel:
    assert pooling.image is not None and pooling.windows is not None
    element = types[pooling.image.array]
    if types[pooling.windows.array] != element:
        raise Unmappable("pooling", f"its elements are converted, from {element}")
    packed = _packed_type(element)
    lanes = 256 // packed.bits if packed.is_float or packed.bits == 8 else 512 // packed.bits
    image = _array(pooling, pooling.image, element, is_image=True)
    windows = _array(pooling, pooling.windows, element, is_image=False)
    ways = [_along_channels(pooling, lanes), _along_windows(pooling, lanes)]
    way = min(ways, key=lambda one: (one.iterations, not one.in_order))
    arrays = [
        _pack(image, packed, way.image, way.in_order, is_output=False),
        _pack(windows, packed, way.windows, way.in_order, is_output=True),
    ]
    size = sum(a.size * a.type.bits // 8 for a in arrays)
    if size > REACH:
        raise Unmappable("memory", f"its {size} bytes do not fit the {REACH} that a core reaches")
    arrays.sort(key=lambda array: list(types).index(array.name))
    least = _least(pooling, packed, lanes)
    return Kernel(
        pooling.name,
        Datapath(lanes, 1, packed.bits, packed.bits, 48, packed.is_float),
        placed(arrays),
        (_nest(pooling, way, packed, lanes, least),),
        0,
        _comparisons(pooling),
        constants=(least,) if least is not None else (),
        compares=True,
    )


def _comparisons(pooling: Pooling) -> int:
    windows = pooling.batch * pooling.channels * pooling.y.count * pooling.x.count
    return windows * pooling.y.kernel * pooling.x.kernel


def _packed_type(element: Type) -> Type:
    """The type of elements in the kernel: 16 bits without sign only fit 32 with one."""
    if element.is_float and element.bits == 32 and element.code == "float":
        return element
    if element == Type("uint", 16):
        return Type("int", 32)
    if element.is_integer and (element.bits in (8, 16) or element == Type("int", 32)):
        return element
    raise Unmappable("pooling", f"there are no vectors of {element} that are compared")


def _least(pooling: Pooling, packed: Type, lanes: int) -> ConstantVector | None:
    """What maxima begin with, if that is more than nothing."""
    lowest = -inf if packed.is_float else packed.smallest
    if pooling.least <= lowest:
        return None
    value = float(pooling.least) if packed.is_float else int(pooling.least)
    wide = Type("int", 16) if packed.bits == 8 else packed
    if not packed.is_float and value > wide.largest:
        raise Unmappable("pooling", f"maxima begin with {value}")
    return ConstantVector(f"{pooling.name}_least", wide, value, lanes)


# ---- arrays


def _dimensions(pooling: Pooling, places: Memory, *, is_image: bool) -> list[_Dimension]:
    """x, y, channels, then the batches from the last one on."""
    axes = zip((pooling.x, pooling.y), (places.point, places.line), strict=True)
    found = [_along(axis, step, is_image=is_image) for axis, step in axes]
    found.append(_Dimension(places.channel, pooling.channels))
    batches = zip(reversed(pooling.batches), reversed(places.batches), strict=True)
    return found + [_Dimension(step, extent) for extent, step in batches]


def _along(axis: Axis, step: int, *, is_image: bool) -> _Dimension:
    if not is_image:
        return _Dimension(step, axis.count)
    reach = (axis.count - 1) * axis.stride + axis.reach
    return _Dimension(step, reach, axis.before, min(axis.size, reach - axis.before))


def _array(pooling: Pooling, places: Memory, element: Type, *, is_image: bool) -> Array:
    """The program's array as dimensions x, y, channel and batches, which its memory may mix."""
    dimensions = _dimensions(pooling, places, is_image=is_image)
    order = sorted(
        (k for k, d in enumerate(dimensions) if d.extent > 1), key=lambda k: dimensions[k].step
    )
    steps = [1, *(dimensions[k].step for k in order)]
    if any(step <= 0 for step in steps) or any(b % a for a, b in pairwise(steps)):
        raise Unmappable("pooling", f"the dimensions of '{places.array}' lie in each other")
    sizes = [b // a for a, b in pairwise(steps)]
    left, digits = places.start, []
    for step in reversed(steps):
        digits.append(left // step)
        left %= step
    starts = digits[::-1]
    kept = [dimensions[k] for k in order]
    last = [d.inside or d.extent for d in kept]
    whole = starts[-1] + last[-1] if kept else starts[0] + 1
    memory = (*sizes, whole)
    for d, count, start, size in zip(kept, last, starts[1:], memory[1:], strict=True):
        if start + count > size:
            raise Unmappable("pooling", f"rows of '{places.array}' lie in each other")
        assert d.step > 0
    reached = 1 + sum(
        step * (start + count - 1)
        for step, start, count in zip(steps, starts, (1, *last), strict=True)
    )
    return Array(
        places.array,
        element,
        (1, *(d.extent for d in kept)),
        View(
            element,
            memory,
            (-starts[0], *(d.before - s for d, s in zip(kept, starts[1:], strict=True))),
            ((0, 1), *((d.before, d.before + n) for d, n in zip(kept, last, strict=True))),
            _fill(pooling, element),
        ),
        reached if is_image else None,
    )


def _fill(pooling: Pooling, element: Type) -> int | float:
    """What is around the image: the program's number, or what counts as lower than all."""
    if element.is_float:
        return _LEAST_FLOAT if pooling.outside is None else float(pooling.outside)
    outside = element.smallest if pooling.outside is None else int(pooling.outside)
    if not element.smallest <= outside <= element.largest:
        raise Unmappable("pooling", f"no {element} is {outside}, as it is around the image")
    return outside


def _numbers(pooling: Pooling, places: Memory, *, is_image: bool) -> dict[str, int]:
    """The number of each dimension in ``_array``, by its name; those of one index have none."""
    dimensions = _dimensions(pooling, places, is_image=is_image)
    order = sorted(
        (k for k, d in enumerate(dimensions) if d.extent > 1), key=lambda k: dimensions[k].step
    )
    return {_NAMES[k] if k < 3 else f"n{k - 3}": n + 1 for n, k in enumerate(order)}


_NAMES = ("x", "y", "c")


def _pack(
    array: Array, type_: Type, axes: Sequence[Places], in_order: bool, *, is_output: bool
) -> PackedArray:
    layout = Tiled(tuple(axes))
    size = -(-layout.size * type_.bits // 512) * 512 // type_.bits
    natural = in_order and _is_natural(array, layout) and array.type == type_
    return PackedArray(
        array.name, type_, layout.size if natural else size, array, layout,
        is_output=is_output, is_input=not is_output, is_natural=natural,
    )  # fmt: skip


def _is_natural(array: Array, layout: Tiled) -> bool:
    """Whether places of a layout are the memory's own, from the first to the last."""
    view = array.view
    assert view is not None
    if any(view.first) or any(i != (0, e) for i, e in zip(view.inside, array.extents, strict=True)):
        return False
    strides = array.memory.strides
    every = zip(layout.axes, layout.strides, strict=True)
    return layout.size == array.memory.size and all(
        axis.extent == 1 or axis.divisor * strides[axis.dimension] == stride
        for axis, stride in every
    )


# ---- ways


def _along_channels(pooling: Pooling, lanes: int) -> _Way:
    """Lanes are channels: each point of a window is a vector."""
    y, x = pooling.y, pooling.x
    groups = -(-pooling.channels // lanes)
    row_y, row_x = (a.stride * (a.count - 1) + a.reach for a in (y, x))
    image = [("y", 1, row_y), ("x", 1, row_x), ("c", 1, groups * lanes)]
    windows = [("y", 1, y.count), ("x", 1, x.count), ("c", 1, groups * lanes)]
    wide = groups * lanes
    loops = [
        ("y", y.count, y.stride * row_x * wide, x.count * wide),
        ("x", x.count, x.stride * wide, wide),
        ("c", groups, lanes, lanes),
    ]
    taps = [
        (ky * y.dilation * row_x + kx * x.dilation) * wide
        for ky in range(y.kernel)
        for kx in range(x.kernel)
    ]
    return _way(pooling, image, windows, loops, taps, row_y * row_x * wide, True)


def _along_windows(pooling: Pooling, lanes: int) -> _Way:
    """Lanes are windows of a row: the image once for each point of a window's row."""
    y, x = pooling.y, pooling.x
    groups = -(-x.count // lanes)
    row_y, wide = y.stride * (y.count - 1) + y.reach, groups * lanes
    image = [
        ("c", 1, pooling.channels), ("y", 1, row_y), ("x", x.dilation, x.kernel),
        ("x", x.stride, wide),
    ]  # fmt: skip
    windows = [("c", 1, pooling.channels), ("y", 1, y.count), ("x", 1, wide)]
    line = x.kernel * wide
    loops = [
        ("c", pooling.channels, row_y * line, y.count * wide),
        ("y", y.count, y.stride * line, wide),
        ("x", groups, lanes, lanes),
    ]
    taps = [ky * y.dilation * line + kx * wide for ky in range(y.kernel) for kx in range(x.kernel)]
    in_order = x.kernel == 1 and x.stride == 1
    return _way(pooling, image, windows, loops, taps, pooling.channels * row_y * line, in_order)


def _way(
    pooling: Pooling, image: list[tuple[str, int, int]], windows: list[tuple[str, int, int]],
    loops: list[tuple[str, int, int, int]], taps: list[int], whole: int, in_order: bool,
) -> _Way:  # fmt: skip
    """With the batches around, the longest loop innermost."""
    assert pooling.image is not None and pooling.windows is not None
    around = [(f"n{k}", 1, extent) for k, extent in enumerate(reversed(pooling.batches))]
    size = prod(extent for _, _, extent in windows)
    outer = []
    for name, _, extent in around:
        outer.append((name, extent, whole, size))
        whole, size = whole * extent, size * extent
    every = [loop for loop in (*reversed(outer), *loops) if loop[1] > 1]
    every.sort(key=lambda loop: loop[1])
    return _Way(
        _axes([*reversed(around), *image], _numbers(pooling, pooling.image, is_image=True)),
        _axes([*reversed(around), *windows], _numbers(pooling, pooling.windows, is_image=False)),
        tuple(every),
        tuple(taps),
        prod(loop[1] for loop in every),
        in_order,
    )


def _axes(axes: list[tuple[str, int, int]], numbers: dict[str, int]) -> tuple[Places, ...]:
    """Axes of dimensions; one that the array has no index of is padding of the first one."""
    return tuple(Places(numbers.get(name, 0), step, extent) for name, step, extent in axes)


# ---- the loops


def _nest(
    pooling: Pooling, way: _Way, packed: Type, lanes: int, least: ConstantVector | None
) -> KernelNest:
    assert pooling.image is not None and pooling.windows is not None
    arrays = pooling.image.array, pooling.windows.array
    loops = {loop[0]: unlike(loop[0], arrays) for loop in way.loops}
    source, target = (unlike(f"{array}_at", arrays) for array in arrays)
    hoisted: list[Operation] = []
    body: list[Operation] = []
    largest = ""
    for number, offset in enumerate(way.taps):
        point = Register(unlike(f"p{number}", arrays), packed, lanes)
        body += _load(point, source, offset)
        value = point.name
        if packed.bits == 8:
            value = unlike(f"w{number}", arrays)
            body.append(Widen(value, point))
        if largest:
            body.append(Maximum(largest, value))
        largest = largest or value
    if least is not None:
        begun = Register(unlike("least", arrays), least.type, lanes)
        hoisted += _load(begun, least.name, 0)
        body.append(Maximum(largest, begun.name))
    body.append(Put(largest, target, 0))
    return KernelNest(
        tuple(KernelLoop(loops[name], trips, 1) for name, trips, _, _ in way.loops),
        (
            Pointer(source, arrays[0], 0, tuple((loops[n], step) for n, _, step, _ in way.loops)),
            Pointer(target, arrays[1], 0, tuple((loops[n], step) for n, _, _, step in way.loops)),
        ),
        tuple(body),
        tuple(hoisted),
        inner=1 if way.loops else 0,
    )


def _load(register: Register, pointer: str, offset: int) -> Iterator[Operation]:
    """A whole register, 256 bits at a time."""
    count = 256 // register.type.bits
    if register.lanes > count:
        yield Declare(register)
    for part in range(register.lanes // count):
        yield LoadPart(register, part, pointer, offset + part * count)
