"""Inputs that are made up: every coordinate has an element, and any two calls agree on it."""

from __future__ import annotations

from enum import Enum

import numpy as np

from s2s.net.pipelines.arrays import Values, dtype
from s2s.scop.expressions import BOOL, Type
from s2s.source.records import dataclass

_ODD = np.uint32(0x9E3779B1)


class Mood(Enum):
    """How elements are spread."""

    EVEN = 0
    WILD = 1
    CALM = 2


@dataclass(frozen=True)
class Noise:
    """Elements by their coordinates, of a box and beyond.

    Integers of at most 16 bits are of any size, now and then an extreme; larger ones are small, so
    that sums do not overflow. Floats are few different fractions, whose sums are mostly exact:
    from 0 to 1, in a wild mood of either sign and larger. In a calm one all elements are alike,
    for what looks at differences.
    """

    type: Type
    minima: tuple[int, ...]
    extents: tuple[int, ...]
    seed: int
    mood: Mood = Mood.EVEN

    def at(self, places: list[Values]) -> Values:
        """The elements at coordinates."""
        bits: Values = np.asarray(self.seed, np.uint32)
        with np.errstate(over="ignore"):
            for place in places:
                bits = (bits ^ place.astype(np.uint32)) * _ODD
                bits = bits ^ (bits >> np.uint32(15))
            bits = bits * _ODD
        return self._elements(bits >> np.uint32(4))

    def bits(self) -> Values:
        """All elements as they lie in memory."""
        grid = self.grid()
        if self.type.code == "bfloat":
            return (grid.view(np.uint32) >> np.uint32(16)).astype(np.uint16)
        return grid

    def grid(self) -> Values:
        """All elements of the box; the first dimension is the last axis."""
        rank = len(self.extents)
        axes = []
        for d, (low, extent) in enumerate(zip(self.minima, self.extents, strict=True)):
            along = [1] * rank
            along[rank - 1 - d] = extent
            axes.append(np.arange(low, low + extent, dtype=np.int64).reshape(along))
        shape = tuple(reversed(self.extents))
        return np.ascontiguousarray(np.broadcast_to(self.at(axes), shape))

    def _elements(self, bits: Values) -> Values:
        kind = self.type
        if kind == BOOL:
            return (bits & 1).astype(np.bool_)
        if kind.code == "float":
            return self._fractions(bits).astype(dtype(kind))
        if kind.code == "bfloat":
            return self._fractions(bits).astype(np.float32)
        if self.mood is Mood.CALM:
            return ((bits & 7) + 96).astype(dtype(kind))
        if kind.bits > 16:
            low, most = (
                (-100 if kind.code == "int" else 0),
                (5000 if self.mood is Mood.WILD else 100),
            )
            values: Values = (bits % (most - low + 1)).astype(np.int64) + low
            return values.astype(dtype(kind))
        rare = (bits >> np.uint32(20)) % 32
        values = (bits & 0xFFFF).astype(dtype(kind))
        values = np.where(rare == 0, dtype(kind).type(kind.largest), values)
        return np.where(rare == 1, dtype(kind).type(kind.smallest), values)

    def _fractions(self, bits: Values) -> Values:
        if self.mood is Mood.CALM:
            return ((bits & 15).astype(np.float64) + 32.5) / 64.0
        if self.mood is Mood.WILD:
            return ((bits & 255).astype(np.float64) - 96.0) / 16.0
        return ((bits & 63).astype(np.float64) + 0.5) / 64.0
