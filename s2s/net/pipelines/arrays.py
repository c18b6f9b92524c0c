"""Arrays of a pipeline's elements: numpy's types for Halide's, and elements with their place."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from s2s.scop.expressions import BOOL, FLOAT32, Type
from s2s.source.records import dataclass

Values = NDArray[Any]


@dataclass(frozen=True)
class Array:
    """Elements with the minimum of each dimension; ``values`` has the first dimension last."""

    values: Values
    minima: tuple[int, ...]

    @property
    def extents(self) -> tuple[int, ...]:
        return tuple(reversed(self.values.shape))

    def bits(self) -> Values:
        """The elements as they lie in memory."""
        return self.values


def dtype(type: Type) -> np.dtype[Any]:
    """Numpy's element type; of bfloat16, that of its bits."""
    if type == BOOL:
        return np.dtype(np.bool_)
    code = {"int": "i", "uint": "u", "float": "f", "bfloat": "u"}[type.code]
    return np.dtype(f"{code}{type.bits // 8}")


def widen_held(type: Type) -> Type:
    """The type in which definitions are evaluated: of bfloat16, float32 rounded each time."""
    return FLOAT32 if type.code == "bfloat" else type


def rounded(values: Values) -> Values:
    """The nearest values of bfloat16."""
    with np.errstate(all="ignore"):
        fraction, exponent = np.frexp(values.astype(np.float64))
        nearest: Values = np.ldexp(np.rint(fraction * 256.0), exponent - 8)
        return nearest.astype(np.float32)


def widened(bits: Values) -> Values:
    """The values of bfloat16 with these bits."""
    return (bits.astype(np.uint32) << np.uint32(16)).view(np.float32)
