"""Arrays of a pipeline's elements: numpy's types for Halide's, and elements with their place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from s2s.scop.expressions import BOOL, Type

Values = NDArray[Any]


@dataclass(frozen=True)
class Array:
    """Elements with the minimum of each dimension; ``values`` has the first dimension last."""

    values: Values
    minima: tuple[int, ...]

    @property
    def extents(self) -> tuple[int, ...]:
        return tuple(reversed(self.values.shape))


def dtype(type: Type) -> np.dtype[Any]:
    """Numpy's element type; of bfloat16, that of its bits."""
    if type == BOOL:
        return np.dtype(np.bool_)
    code = {"int": "i", "uint": "u", "float": "f", "bfloat": "u"}[type.code]
    return np.dtype(f"{code}{type.bits // 8}")
