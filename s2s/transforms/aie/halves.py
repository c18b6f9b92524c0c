"""An operand whose loads alternate between two pointers, as two halves in different banks.

Where one pointer takes the even 256-bit parts and the other one the odd ones, the parts of each lie
together: no element lies twice, as in ``banks.spread_loads``, and the pointers never meet::

    part 0 | part 1 | part 2 | part 3        ->   part 0 | part 2 || part 1 | part 3
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import prod

from s2s.scop.layouts import Axis, Tiled
from s2s.scop.vector_kernel import KernelNest, LoadPart, Operation, PackedArray, Pointer
from s2s.transforms.aie.datapath import PART_BITS


def in_halves(
    array: PackedArray, nests: Sequence[KernelNest], bank: int, apart: int
) -> tuple[PackedArray, tuple[KernelNest, ...]] | None:
    """The array in halves and the nests that walk through them; None where loads do not alternate.

    Halves that fill a bank of ``bank`` bytes begin at least ``apart`` bytes from each other; where
    shorter ones meet, a bank ends (``banks.placed``).
    """
    part = PART_BITS // array.type.bits
    layout = array.layout
    if array.is_output or not isinstance(layout, Tiled) or layout.tail:
        return None
    if array.size != layout.size or any(_sides(nest, array.name, part) is None for nest in nests):
        return None
    split = _split(layout, part, array.type.bits, (bank, apart))
    if split is None:
        return None
    size = split.size
    moved = tuple(_moved(nest, array.name, part, size // 2) for nest in nests)
    return replace(array, layout=split, size=size, half=size // 2, is_natural=False), moved


def _split(layout: Tiled, part: int, bits: int, limits: tuple[int, int]) -> Tiled | None:
    """The layout with what tells even parts from odd ones as its outermost axis."""
    inner = [prod(a.extent for a in layout.axes[n + 1 :]) for n in range(len(layout.axes))]
    place = next((n for n, size in enumerate(inner) if size <= part), len(inner) - 1)
    axis = layout.axes[place]
    within = part // inner[place]
    if part % inner[place] or axis.extent % (2 * within) or not axis.divisor:
        return None
    wide = replace(axis, divisor=2 * within * axis.divisor, extent=axis.extent // (2 * within))
    narrow = [replace(axis, extent=within)] if within > 1 else []
    rest = [*layout.axes[:place], wide, *narrow, *layout.axes[place + 1 :]]
    half = prod(a.extent for a in rest)
    bank, apart = limits
    if bank <= half * bits // 8 < apart and place > 0:
        first, each = rest[0], half // rest[0].extent
        least = -(-apart * 8 // bits // each)
        rest[0] = replace(first, extent=max(first.extent, least))
    return Tiled((Axis(axis.dimension, within * axis.divisor, 2), *rest))


def _pointers(nest: KernelNest, array: str) -> list[Pointer]:
    return [pointer for pointer in nest.pointers if pointer.array == array]


def _loads(nest: KernelNest, pointer: str) -> Iterator[LoadPart]:
    for op in (*nest.hoisted, *nest.before, *nest.body, *nest.after):
        if isinstance(op, LoadPart) and op.pointer == pointer:
            yield op


def _sides(nest: KernelNest, array: str, part: int) -> dict[str, int] | None:
    """Whether each pointer takes even (0) or odd (1) parts; None where one takes both."""
    found = {}
    for pointer in _pointers(nest, array):
        places = [op.offset for op in _loads(nest, pointer.name)]
        steps = [step for _, step in pointer.steps]
        if any(one % (2 * part) for one in (pointer.offset, *steps)):
            return None
        sides = {divmod(place, part) for place in places}
        if any(rest for _, rest in sides) or len({number % 2 for number, _ in sides}) > 1:
            return None
        found[pointer.name] = next((number % 2 for number, _ in sides), 0)
    return found


def _moved(nest: KernelNest, array: str, part: int, half: int) -> KernelNest:
    sides = _sides(nest, array, part) or {}

    def through(operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
        return tuple(
            replace(op, offset=op.offset // (2 * part) * part)
            if isinstance(op, LoadPart) and op.pointer in sides
            else op
            for op in operations
        )

    def pointer(one: Pointer) -> Pointer:
        if one.name not in sides:
            return one
        steps = tuple((name, step // 2) for name, step in one.steps)
        return replace(one, offset=one.offset // 2 + sides[one.name] * half, steps=steps)

    return replace(
        nest,
        pointers=tuple(pointer(one) for one in nest.pointers),
        body=through(nest.body),
        hoisted=through(nest.hoisted),
        before=through(nest.before),
        after=through(nest.after),
    )
