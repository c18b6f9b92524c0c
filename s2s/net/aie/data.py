"""Elements for which the source's arithmetic is that of integers: no sum of it overflows."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt, prod
from typing import TYPE_CHECKING, Any

from s2s.net.aie.reference import dtype_of
from s2s.scop.contraction import Access, Array, Contraction

if TYPE_CHECKING:
    import numpy as np

    Values = np.ndarray[Any, np.dtype[Any]]

SETS = 2
"""Sets of elements that a kernel is tried on: as large as they may be, and such that outputs are
mostly neither limited nor nothing."""
_NARROW = 20
"""Bits of sums that are multiplied in 32 bits."""
_SHIFT = 7
"""By how much about sums are shifted that are multiplied, or shifted by elements."""
SLACK = 64
"""Elements after each array that the source may not use."""


def arrays_of(contraction: Contraction) -> list[Array]:
    """The program's own arrays that a caller passes, as they lie in memory."""
    found = {a.array.name: a.array.memory for a in contraction.accesses if a.array.data is None}
    return list(found.values())


def random_arrays(
    contraction: Contraction, bits: int, number: int, fixed: frozenset[str] = frozenset()
) -> dict[str, Values]:
    """Set ``number`` of elements by array, flat and with ``SLACK``; sums have ``bits`` bits.

    Arrays that are ``fixed`` have any elements. The output has elements as well: what the program
    does not write has to stay.
    """
    import zlib

    import numpy as np

    if contraction.floats is not None:
        return _random_floats(contraction, number)
    if contraction.scale is not None and contraction.scale.is_narrow:
        bits = min(bits, _NARROW)
    limits = _limits(contraction, bits, number, fixed)
    found = {}
    for array in arrays_of(contraction):
        generator = np.random.default_rng([number, zlib.crc32(array.name.encode())])
        low, high = limits.get(array.name, (array.type.smallest, array.type.largest))
        count = prod(array.extents) + SLACK
        values = generator.integers(low, high, count, dtype=np.int64, endpoint=True)
        ends = generator.random(count)
        values[ends < 0.02], values[ends > 0.98] = low, high
        found[array.name] = values.astype(dtype_of(array.type))
    return found


def compared_elements(arrays: Sequence[Array], number: int) -> dict[str, Values]:
    """Set ``number`` of elements that are only compared: any, or low ones.

    Low ones show what maxima begin with.
    """
    import zlib

    import numpy as np

    found = {}
    for array in arrays:
        generator = np.random.default_rng([number, zlib.crc32(array.name.encode())])
        count = prod(array.extents) + SLACK
        type_ = array.type
        values: Values
        if type_.is_float:
            values = generator.standard_normal(count)
            if number:
                values = -np.abs(values) * 2.0 ** generator.integers(-12, 120, count)
        else:
            high = type_.largest >> (type_.bits // 2 if number else 0)
            high = type_.smallest // 2 if number and type_.code == "int" else high
            values = generator.integers(type_.smallest, high, count, dtype=np.int64, endpoint=True)
        found[array.name] = values.astype(dtype_of(type_))
    return found


def _random_floats(contraction: Contraction, number: int) -> dict[str, Values]:
    """Floats of one size, or of many: sums of these show in which order they were made."""
    import zlib

    import numpy as np

    found = {}
    for array in arrays_of(contraction):
        generator = np.random.default_rng([number, zlib.crc32(array.name.encode())])
        count = prod(array.extents) + SLACK
        values = generator.standard_normal(count)
        if number:
            values *= 2.0 ** generator.integers(-12, 12, count)
        found[array.name] = values.astype(np.float32)
    return found


def _limits(
    contraction: Contraction, bits: int, number: int, fixed: frozenset[str]
) -> dict[str, tuple[int, int]]:
    """The range of each array's elements, in memory, so that every sum fits."""
    terms = prod(loop.extent for loop in contraction.reductions)
    factors = [contraction.image, contraction.weight]
    goal = _goal(contraction) if number else 1 << (bits - 3)
    wide = isqrt(goal // isqrt(terms)) if number else goal
    most = [_magnitude(a.array, 1 << 62 if a.array.name in fixed else wide) for a in factors]
    while terms * max(1, most[0]) * max(1, most[1]) >= 1 << (bits - 2) and max(most) > 1:
        arrays = [factor.array for factor in factors]
        free = [k for k in (0, 1) if arrays[k].data is None and most[k] > 1]
        free = [k for k in free if arrays[k].name not in fixed]
        if not free:
            break
        most[max(free, key=lambda k: most[k])] //= 2
    found: dict[str, tuple[int, int]] = {}
    for access, size in zip(factors, most, strict=True):
        _narrow(found, access.array, size)
    if isinstance(contraction.initial, Access):
        _narrow(found, contraction.initial.array, min(goal, (1 << (bits - 3)) - 1))
    if contraction.scale is not None:
        _narrow(found, contraction.scale.factor.array, *_factors(contraction, number))
    return found


def _factors(contraction: Contraction, number: int) -> tuple[int, int]:
    """The range of what sums are multiplied, or shifted, by: any, or such that little is left."""
    scale = contraction.scale
    assert scale is not None
    if scale.is_negative:
        return (_SHIFT - 3, _SHIFT + 3) if number else (0, 31)
    most = 1 << (31 - _NARROW) if scale.is_narrow else (1 << 31) - 1
    if number:
        most = min(most, 2 << max(1, contraction.shift - _SHIFT))
    return -most // 8 if number else -most, most


def _goal(contraction: Contraction) -> int:
    """About the largest sum that becomes an output without being limited."""
    type_ = contraction.output.array.type
    ends = (contraction.least, contraction.most)
    known = [abs(end) for end in ends if end is not None] or [type_.largest]
    shift = contraction.shift if contraction.scale is None else _SHIFT
    return max(1, int(max(*known, type_.largest >> 4)) << shift)


def _magnitude(array: Array, most: int) -> int:
    """The largest factor that an array's elements may be, its zero point taken off."""
    if array.data is not None:
        return int(max(map(abs, array.data), default=0)) + abs(_less(array))
    return max(1, min(most, max(abs(end - _less(array)) for end in _range(array))))


def _less(array: Array) -> int:
    return 0 if array.view is None else array.view.less


def _range(array: Array) -> tuple[int, int]:
    return array.memory.type.smallest, array.memory.type.largest


def _narrow(
    found: dict[str, tuple[int, int]], array: Array, first: int, last: int | None = None
) -> None:
    """Limits elements to a range, or to as much above and below the zero point."""
    low, high = found.get(array.name, _range(array))
    less = _less(array)
    first, last = (less - first, less + first) if last is None else (first, last)
    found[array.name] = max(low, first), min(high, last)
