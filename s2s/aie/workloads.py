"""The workloads of ``s2s bench vyasa``, from ``benchmarks/vyasa/suite.toml``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from s2s.aie.roads import Found, contraction_of
from s2s.descriptions import bench_error, benchmark_folders, read_toml
from s2s.source import SourceBuffer
from s2s.tensor_pipelines import PipelineOptions

TYPES = ("int32", "int16", "int8")
_VARIABLES = {"conv2d": "xy", "conv": "xyk", "depthwise": "xyk", "conv3d": "xyz"}


@dataclass(frozen=True)
class Workload:
    """A convolution of given sizes on elements of a type.

    ``filter`` are R, S ... as the sources call them; ``jam`` the published factor of
    unroll-and-jam of y; ``published`` MACs per cycle of this workload, where the paper has it.
    """

    name: str
    group: str
    type: str
    folder: Path
    source: str
    output: tuple[int, ...]
    width: int
    filter: tuple[tuple[str, int], ...]
    jam: int | None = None
    published: float | None = None

    @property
    def halide(self) -> Path:
        """The Halide-like source."""
        return self.folder / f"{self.source}.cpp"

    def from_halide(self) -> Found:
        """Its contraction by way of Halide-like C++."""
        tensors = [("I", self._input), ("W", self._weights), ("O", self.output)]
        parameters = [(name, str(value)) for name, value in self.filter]
        parameters += [(f"{name}.type", self.type) for name, _ in tensors]
        options = PipelineOptions(sizes=tuple(tensors), parameters=tuple(parameters))
        return contraction_of(_buffer(self.halide), (), options)

    def from_c(self) -> Found:
        """Its contraction by way of C."""
        extents = zip(_VARIABLES[self.source], self.output, strict=True)
        numbers = {**dict(self.filter), **dict(extents), "width": self.width}
        sizes = tuple((name, (value,)) for name, value in numbers.items())
        flags = (f"-DBITS={self.type[3:]}",)
        path = self.folder / f"{self.source}.c"
        return contraction_of(_buffer(path), flags, PipelineOptions(sizes=sizes))

    @property
    def _input(self) -> tuple[int, ...]:
        sizes = dict(self.filter)
        more = [sizes.get(name, 1) - 1 for name in ("S", "T")]
        spatial = [extent + more[k] for k, extent in enumerate(self.output[1:]) if k < 2]
        if self.source in ("conv", "depthwise"):
            spatial[1:] = [sizes["C"] if self.source == "conv" else self.output[2]]
        return (self.width, *spatial)

    @property
    def _weights(self) -> tuple[int, ...]:
        own = tuple(value for _, value in self.filter)
        return (*own, self.output[2]) if self.source in ("conv", "depthwise") else own


@dataclass(frozen=True)
class Suite:
    """All workloads, and the published geometric means by group and type."""

    workloads: tuple[Workload, ...]
    means: dict[tuple[str, str], float]


def read() -> Suite:
    """The suite beside the current directory or in the checkout. Raises UserError."""
    for folder in benchmark_folders():
        path = folder / "vyasa/suite.toml"
        if path.is_file():
            tables = read_toml(path)["workload"]
            every = [
                w for t in tables for type_ in TYPES for w in _workloads(t, type_, path.parent)
            ]
            return Suite(tuple(every), dict(_means(tables)))
    raise bench_error("benchmarks/vyasa/suite.toml is not here: run this in a checkout of s2s")


def _means(tables: list[dict[str, Any]]) -> Iterator[tuple[tuple[str, str], float]]:
    for table in tables:
        for type_, value in table.get("published", {}).items():
            yield (table["group"], type_), float(value)


def _workloads(table: dict[str, Any], type_: str, folder: Path) -> Iterator[Workload]:
    jams = table.get("jam", {}).get(type_, [])
    for number, (name, filter_) in enumerate(_filters(table)):
        yield Workload(
            name,
            table["group"],
            type_,
            folder,
            table["source"],
            tuple(table["output"]),
            _wide_enough(table, filter_),
            tuple(filter_.items()),
            jams[number] if jams else None,
            table.get("values", {}).get(type_),
        )


def _wide_enough(table: dict[str, Any], filter_: dict[str, int]) -> int:
    """The published width; what large filters read beyond it in whole vectors of 8 elements."""
    needed = int(table["output"][0]) + filter_["R"] - 1
    return max(int(table["width"]), -(-needed // 8) * 8)


def _filters(table: dict[str, Any]) -> Iterator[tuple[str, dict[str, int]]]:
    if "filter" in table:
        yield table["name"], table["filter"]
    for size in table.get("squares", ()):
        yield f"{table['name']}-{size}x{size}", {"R": size, "S": size}
    for size in table.get("cubes", ()):
        yield f"{table['name']}-{size}x{size}x{size}", {"R": size, "S": size, "T": size}


def _buffer(path: Path) -> SourceBuffer:
    return SourceBuffer(str(path), path.read_bytes())
