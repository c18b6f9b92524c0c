"""The datapath in numpy: multiplications, and what is between accumulators and vectors.

Registers are arrays whose last axis are the lanes. Sums of 48 bits are kept modulo 2**64 and taken
modulo 2**48 where something other than a sum looks at them, which gives the same as wrapping after
each operation. Sums of 80 bits are two arrays, ``high * 2**32 + low``, with the carries still in
``low``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from s2s.simulators.aie.instructions import Multiply, Selection, Shape
from s2s.simulators.aie.selection import x_picks, z_picks
from s2s.simulators.aie.values import AccumulatorType, VectorType

if TYPE_CHECKING:
    import numpy as np

    Data = np.ndarray[Any, Any]

_LOW = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class Sums:
    """An accumulator: of 48 bits in ``low`` alone, of 80 bits in both."""

    low: Data
    high: Data | None = None

    def plus(self, other: Sums, sign: int = 1) -> Sums:
        if self.high is None or other.high is None:
            return Sums(self.low + other.low if sign > 0 else self.low - other.low)
        if sign > 0:
            return Sums(self.low + other.low, self.high + other.high)
        return Sums(self.low - other.low, self.high - other.high)


def zero(kind: AccumulatorType) -> Sums:
    import numpy as np

    nothing = np.zeros(kind.lanes, np.int64)
    return Sums(nothing, nothing if kind.bits == 80 else None)


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


def products(item: Multiply, x: Data, x_start: Any, z: Data, z_start: Any) -> Sums:
    """The sum over the columns of each lane."""
    import numpy as np

    shape = item.shape
    first = pick_operands(shape, item.x_selection, True, x_start, x)
    second = pick_operands(shape, item.z_selection, False, z_start, z)
    if item.value.type == AccumulatorType(shape.lanes, 48):
        every = np.multiply(first, second, dtype=np.int32)
        return Sums(_over_columns(every, shape))
    every = np.multiply(first, second, dtype=np.int64)
    return Sums(_over_columns(every & _LOW, shape), _over_columns(every >> 32, shape))


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
