"""Layers of ``benchmarks/davinci/layers.toml``."""

from __future__ import annotations

import importlib.resources
from dataclasses import replace
from pathlib import Path

from s2s.bench.descriptions import BadValueError, bench_error, read, read_toml
from s2s.scop.pooling import Axis, Kind, Mask, Pooling
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Layer:
    """A maximum over square windows. The fields are explained in the file.

    ``extents``: height, width, channels.
    """

    name: str
    source: str
    operation: str
    extents: tuple[int, ...]
    kernel: int
    stride: int
    by: str
    published: float | None = None
    fastest: str = ""

    def pooling(self, channels: int | None = None) -> Pooling:
        """As an operator, without padding; the mask marks all points that equal the maximum."""
        height, width, own = self.extents
        y, x = (
            Axis(size, self.kernel, self.stride, 0, (size - self.kernel) // self.stride + 1)
            for size in (height, width)
        )
        mask = Mask.ALL if self.operation == "mask" else Mask.NONE
        back = self.operation == "backward"
        return Pooling("pooling", Kind.MAX, back, (1,), channels or own, y, x, mask)


def layers(small: bool = False) -> list[Layer]:
    """All layers; ``small``: of at most 24 x 24 points and 32 channels, compared with nothing."""
    path = Path(str(importlib.resources.files("s2s.benchmarks"))) / "davinci" / "layers.toml"
    try:
        found = [read(Layer, table) for table in read_toml(path)["layer"]]
    except BadValueError as error:
        raise bench_error(f"{path}: {error}") from error
    if not small:
        return found
    return [
        replace(one, extents=(*(min(24, n) for n in one.extents[:2]), min(32, one.extents[2])),
                published=None, fastest="")
        for one in found
    ]  # fmt: skip
