"""Where the arguments of a kernel lie in memory, so that accesses of one cycle do not meet.

Data memory is double banks of 8 KB; two loads of 256 bits from one of them wait for each other.
Two pointers into one array would do that most of the time. One pointer is enough where an iteration
multiplies longer than it loads. Where it does not, and the pointers take turns, each has a half of
the array (``halves.py``); elsewhere the array lies in memory twice, the second pointer walks in the
second copy, and copies are so far apart that what both load in one cycle is in different banks.
Arrays start at double banks of their own as long as there are enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from math import prod

from s2s.scop.layouts import Axis, Tiled
from s2s.scop.vector_kernel import (
    KernelNest,
    LoadPart,
    Multiply,
    Operation,
    PackedArray,
    Pointer,
)
from s2s.transforms.aie.datapath import ALIGNMENT_BITS
from s2s.transforms.aie.halves import in_halves

BANK = 8192
"""Bytes of a double bank."""
REACH = 16 * BANK
"""Bytes of data memory that a core reaches."""
_SPARE = 0.4
"""Loads per product up to which one pointer does as well as two (more leave it little choice)."""
_STAGES = 3
"""Iterations of a pipelined loop that may load in one cycle."""


def spread_loads(
    arrays: Sequence[PackedArray], nests: Sequence[KernelNest], vector: str
) -> tuple[tuple[PackedArray, ...], tuple[KernelNest, ...]]:
    """Arrays and nests in which pointers into the array ``vector`` do not meet in a bank."""
    second = {p.name for nest in nests for p in _pointers(nest, vector)[1:]}
    if not second:
        return tuple(arrays), tuple(nests)
    operand = next(array for array in arrays if array.name == vector)
    if any(_is_wide(nest, vector) for nest in nests):
        halves = in_halves(
            operand, nests, BANK, BANK + _span(operand, nests) * operand.type.bits // 8
        )
        if halves is not None:
            return tuple(halves[0] if one is operand else one for one in arrays), halves[1]
        doubled = _doubled(operand, nests)
        whole = sum(_bytes(a) for a in arrays) - _bytes(operand)
        if doubled is not None and whole + _bytes(doubled) <= REACH:
            half = doubled.size // 2
            return (
                tuple(doubled if array is operand else array for array in arrays),
                tuple(_moved(nest, second, half) for nest in nests),
            )
    return tuple(arrays), tuple(_merged(nest, vector) for nest in nests)


def placed(arrays: Sequence[PackedArray]) -> tuple[PackedArray, ...]:
    """The arrays with addresses: double banks of their own, or one after the other."""
    for step in (BANK, ALIGNMENT_BITS // 8):
        at, found = 0, []
        for array in arrays:
            place = at + _until_halves(array, at)
            found.append(replace(array, place=place))
            at = -(-(place + _bytes(array)) // step) * step
        if at <= REACH:
            break
    return tuple(found)


def _until_halves(array: PackedArray, at: int) -> int:
    """Bytes to leave free so that the first half of an array ends where a bank does."""
    half = array.half * array.type.bits // 8
    return -(at + half) % BANK if 0 < half < BANK else 0


def _bytes(array: PackedArray) -> int:
    return array.size * array.type.bits // 8


def _pointers(nest: KernelNest, array: str) -> list[Pointer]:
    return [pointer for pointer in nest.pointers if pointer.array == array]


def _is_wide(nest: KernelNest, array: str) -> bool:
    """Whether an iteration loads more than one pointer can beside its products."""
    names = {pointer.name for pointer in _pointers(nest, array)}
    loads = sum(isinstance(op, LoadPart) and op.pointer in names for op in nest.body)
    products = sum(isinstance(op, Multiply) for op in nest.body)
    return loads > _SPARE * products


def _doubled(array: PackedArray, nests: Sequence[KernelNest]) -> PackedArray | None:
    """The array twice, far enough apart; None for a stream."""
    layout = array.layout
    if not isinstance(layout, Tiled) or array.is_output or not layout.axes:
        return None
    first, *rest = layout.axes
    inner = prod(axis.extent for axis in rest)
    bits = array.type.bits
    least = max(array.size, (BANK + _span(array, nests) * bits // 8) * 8 // bits)
    extent = next(
        e for e in count(max(first.extent, -(-least // inner))) if e * inner * bits % 512 == 0
    )
    axes = (Axis(first.dimension, 0, 2), replace(first, extent=extent), *rest)
    return replace(
        array, layout=replace(layout, axes=axes, tail=0), size=2 * extent * inner, is_natural=False
    )


def _span(array: PackedArray, nests: Sequence[KernelNest]) -> int:
    """Elements between the first and the last one that may be loaded in one cycle."""
    found = 0
    for nest in nests:
        pointers = _pointers(nest, array.name)
        names = {pointer.name for pointer in pointers}
        offsets = [
            op.offset for op in nest.body if isinstance(op, LoadPart) and op.pointer in names
        ]
        if offsets:
            steps = [abs(p.step(nest.loops[-1].name)) for p in pointers] if nest.loops else [0]
            found = max(found, max(offsets) - min(offsets) + _STAGES * max(steps))
    return found


def _moved(nest: KernelNest, names: set[str], half: int) -> KernelNest:
    pointers = tuple(
        replace(p, offset=p.offset + half) if p.name in names else p for p in nest.pointers
    )
    return replace(nest, pointers=pointers)


def _merged(nest: KernelNest, array: str) -> KernelNest:
    """The nest with one pointer into the array."""
    pointers = _pointers(nest, array)
    if len(pointers) < 2:
        return nest
    first, away = pointers[0], {pointer.name for pointer in pointers[1:]}

    def through(operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
        return tuple(
            replace(op, pointer=first.name)
            if isinstance(op, LoadPart) and op.pointer in away
            else op
            for op in operations
        )

    return replace(
        nest,
        pointers=tuple(p for p in nest.pointers if p.name not in away),
        body=through(nest.body),
        hoisted=through(nest.hoisted),
        before=through(nest.before),
        after=through(nest.after),
    )
