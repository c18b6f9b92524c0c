"""The datapath in numpy: multiplications, and what is between accumulators and vectors.

Registers are arrays whose last axis are the lanes. Sums of 48 bits are kept modulo 2**64 and taken
modulo 2**48 where something other than a sum looks at them, which gives the same as wrapping after
each operation. Sums of 80 bits are two arrays, ``high * 2**32 + low``, with the carries still in
``low``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from s2s.simulators.aie.instructions import Multiply, Selection, Shape
from s2s.simulators.aie.selection import x_picks, z_picks
from s2s.simulators.aie.values import AccumulatorType, VectorType
from s2s.source.records import dataclass

if TYPE_CHECKING:
    import numpy as np

    Data = np.ndarray[Any, Any]

_LOW = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class Sums:
    """An accumulator: of 48 bits in ``low`` alone, of 80 bits in both; complex ones have two."""

    low: Data
    high: Data | None = None
    imaginary: Sums | None = None

    def plus(self, other: Sums, sign: int = 1) -> Sums:
        def added(one: Data, two: Data) -> Data:
            return one + two if sign > 0 else one - two

        return joined((self, other), lambda both: added(*both))

    def each(self, change: Callable[[Data], Data]) -> Sums:
        """With another array in the place of each."""
        return joined((self,), lambda one: change(one[0]))


def joined(parts: Sequence[Sums], join: Callable[[list[Data]], Data]) -> Sums:
    """One accumulator of several of one kind, array by array."""
    highs = [one.high for one in parts if one.high is not None]
    others = [one.imaginary for one in parts if one.imaginary is not None]
    return Sums(
        join([one.low for one in parts]),
        join(highs) if highs else None,
        joined(others, join) if others else None,
    )


def zero(kind: AccumulatorType) -> Sums:
    import numpy as np

    nothing = np.zeros(kind.lanes, np.int64)
    high = nothing if kind.bits == 80 else None
    return Sums(nothing, high, Sums(nothing, high) if kind.is_complex else None)


@cache
def _columns(shape: Shape, selection: Selection, of_x: bool) -> Data:
    """Indices without the start, a row for each column."""
    import numpy as np

    picks = x_picks(shape, selection) if of_x else z_picks(shape, selection)
    return np.array(picks).T.copy()


@cache
def _indices(shape: Shape, selection: Selection, of_x: bool, start: int, count: int) -> Data:
    return ((_columns(shape, selection, of_x) + start) % count).ravel()


def pick_operands(
    shape: Shape, selection: Selection, of_x: bool, start: Any, register: Data
) -> Data:
    """The operand of every multiplier: axes of iterations, columns times lanes."""
    import numpy as np

    count = register.shape[-1]
    if isinstance(start, int):
        return register.take(_indices(shape, selection, of_x, start, count), axis=-1)
    columns = _columns(shape, selection, of_x).ravel()
    indices = (np.asarray(start)[..., None] + columns) % count
    axes = np.broadcast_shapes(register.shape[:-1], indices.shape[:-1])
    register = np.broadcast_to(register, (*axes, count))
    return np.take_along_axis(register, np.broadcast_to(indices, (*axes, columns.size)), axis=-1)


def used_lanes(shape: Shape, selection: Selection, of_x: bool, start: int, count: int) -> int:
    """The elements that are picked, as a mask of bits."""
    mask = 0
    for index in _indices(shape, selection, of_x, start, count).tolist():
        mask |= 1 << index
    return mask


Picked = tuple[Any, Any]
"""A register and where it starts to be picked from."""


def products(item: Multiply, x: Picked, z: Picked, y: Picked | None = None) -> Sums:
    """The sum over the columns of each lane."""
    import numpy as np

    shape, kind = item.shape, item.value.type
    first = _folded(item, x, y)
    second = pick_operands(shape, item.z_selection, False, z[1], z[0])
    assert isinstance(kind, AccumulatorType)
    if kind.is_complex:
        every = first * second
        real, imaginary = (np.rint(part).astype(np.int64) for part in (every.real, every.imag))
        return replace(
            _summed(real, shape, kind.bits), imaginary=_summed(imaginary, shape, kind.bits)
        )
    narrow = kind.bits == 48 and y is None and shape.x_bits + shape.z_bits <= 32
    every = np.multiply(first, second, dtype=np.int32 if narrow else np.int64)
    return _summed(every, shape, kind.bits)


def _summed(every: Data, shape: Shape, bits: int) -> Sums:
    if bits == 48:
        return Sums(_over_columns(every, shape))
    return Sums(_over_columns(every & _LOW, shape), _over_columns(every >> 32, shape))


def _folded(item: Multiply, x: Picked, y: Picked | None) -> Data:
    """What is multiplied of X, after the pre-adder."""
    import numpy as np

    shape, selection, fold = item.shape, item.x_selection, item.fold
    first = pick_operands(shape, selection, True, x[1], x[0])
    if fold is None or y is None:
        return first
    second = pick_operands(shape, fold.selection(selection), True, y[1], y[0])
    kind = first.dtype if np.iscomplexobj(first) else np.int64
    found: Data = first.astype(kind) + fold.sign * second.astype(kind)
    if fold.middle is not None:
        alone = pick_operands(shape, replace(selection, step=0), True, x[1] + fold.middle, x[0])
        found[..., -shape.lanes :] = alone[..., -shape.lanes :]
    return found


def float_products(item: Multiply, x: Picked, z: Picked, sums: Data | None) -> Data:
    """Products of floats, or these added to sums: each operation is rounded."""
    shape = item.shape
    first = pick_operands(shape, item.x_selection, True, x[1], x[0])
    second = pick_operands(shape, item.z_selection, False, z[1], z[0])
    every = first * second
    if sums is None:
        return -every if item.negated else every
    found: Data = sums - every if item.negated else sums + every
    return found


def _over_columns(every: Data, shape: Shape) -> Data:
    import numpy as np

    if shape.columns == 1:
        return every.astype(np.int64, copy=False)
    split = every.reshape(*every.shape[:-1], shape.columns, shape.lanes)
    total: Data = split.sum(axis=-2, dtype=np.int64)
    return total


# ----------------------------------------------------------------------- between sums and vectors


def wrapped(values: Data, bits: int) -> Data:
    """The numbers of ``bits`` bits (with sign) that have the same low bits."""
    unused = 64 - bits
    found: Data = (values << unused) >> unused
    return found


def exact(sums: Sums) -> Data:
    """The sums as integers: of 48 bits as int64, of 80 bits as Python's."""
    if sums.high is None:
        return wrapped(sums.low, 48)
    high, low = _carried(sums)
    found: Data = high.astype(object) * (1 << 32) + low.astype(object)
    return found


def _carried(sums: Sums) -> tuple[Data, Data]:
    assert sums.high is not None
    return wrapped(sums.high + (sums.low >> 32), 48), sums.low & _LOW


def narrowed(sums: Sums, shift: int, kind: VectorType, rounding: str, saturates: bool) -> Data:
    """``srs``: shifted right, rounded, saturated or wrapped."""
    from s2s.simulators.aie.memory import data_type

    if sums.imaginary is not None:
        part = VectorType(kind.lanes, kind.element.part.bits)
        real = narrowed(replace(sums, imaginary=None), shift, part, rounding, saturates)
        return real + 1j * narrowed(sums.imaginary, shift, part, rounding, saturates)
    if sums.high is not None and rounding == "rnd_floor" and not saturates and kind.bits <= 32:
        return _low_bits(sums, shift).astype(data_type(kind))
    values = _rounded(exact(sums), shift, rounding)
    if saturates:
        most = (1 << (kind.bits - kind.signed)) - 1
        values = values.clip(-most - 1 if kind.signed else 0, most)
    mask = (1 << kind.bits) - 1
    if values.dtype == object:
        values = values & mask
        return values.astype(data_type(VectorType(kind.lanes, 64, False))).astype(data_type(kind))
    return values.astype(data_type(kind))


def _low_bits(sums: Sums, shift: int) -> Data:
    """The low bits of a sum of 80 bits shifted right: all that is left where results wrap."""
    high, low = _carried(sums)
    if shift >= 32:
        return high >> (shift - 32)
    if shift < 0:
        return low << -shift
    return (high << (32 - shift)) | (low >> shift)


def _rounded(values: Data, shift: int, rounding: str) -> Data:
    import numpy as np

    if shift <= 0:
        return np.asarray(values * (1 << -shift))
    floor: Data = values >> shift
    if rounding == "rnd_floor":
        return floor
    rest = values - (floor << shift)
    half = 1 << (shift - 1)
    if rounding == "rnd_ceil":
        return np.asarray(floor + (rest != 0).astype(np.int64))
    ties = {
        "rnd_pos_inf": floor == floor,
        "rnd_neg_inf": floor != floor,
        "rnd_sym_inf": values >= 0,
        "rnd_sym_zero": values < 0,
        "rnd_conv_even": floor & 1 == 1,
        "rnd_conv_odd": floor & 1 == 0,
    }[rounding]
    up = (rest > half) | ((rest == half) & ties)
    return np.asarray(floor + up.astype(np.int64))


def widened(values: Data, shift: int, bits: int) -> Sums:
    """``ups``: shifted left into sums."""
    import numpy as np

    if np.iscomplexobj(values):
        parts = (widened(part, shift, bits) for part in (values.real, values.imag))
        return replace(next(parts), imaginary=next(parts))
    wide = values.astype(np.int64)
    if bits == 48:
        return Sums(wide << shift if shift >= 0 else wide >> 1)
    whole = wide.astype(object) * (1 << shift) if shift >= 0 else wide.astype(object) >> 1
    high = np.array([wrap80(int(one)) >> 32 for one in whole.ravel()], np.int64)
    low = np.array([int(one) & _LOW for one in whole.ravel()], np.int64)
    return Sums(low.reshape(whole.shape), high.reshape(whole.shape))


def wrap80(value: int) -> int:
    value &= (1 << 80) - 1
    return value - (1 << 80) if value >> 79 else value
