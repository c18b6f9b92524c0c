"""The workloads, from ``benchmarks/vyasa/suite.toml``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from s2s.bench.descriptions import bench_error, find, read_toml
from s2s.driver.contractions import contraction_of
from s2s.source import SourceBuffer
from s2s.source.records import dataclass
from s2s.targets.forms import ContractionProgram
from s2s.targets.source_options import SourceOptions
from s2s.tuning.aie.published import Schedule, layout, without_single

TYPES = ("int32", "int16", "int8")
TENSORS = ("output", "weight", "image")
_SPATIAL = ("X'", "Y'", "Z'")


@dataclass(frozen=True)
class Source:
    """A program in both languages.

    ``names``: per tensor the program's names of its extents, innermost first, empty for those that
    follow from others; ``parameters``: the names that the Halide program takes as parameters.
    """

    path: Path
    names: Mapping[str, tuple[str, ...]]
    parameters: tuple[str, ...]

    @property
    def halide(self) -> Path:
        """The Halide-like source."""
        return self.path.with_suffix(".cpp")

    @property
    def c(self) -> Path:
        """The same in C."""
        return self.path.with_suffix(".c")

    def numbers(self, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, int]:
        """The value of each name. Raises UserError where two tensors disagree."""
        found: dict[str, int] = {}
        for tensor in TENSORS:
            for name, extent in zip(self.names[tensor], shapes[tensor], strict=True):
                if name and found.setdefault(name, extent) != extent:
                    raise bench_error(f"{self.path}: {name} is {found[name]} and {extent}")
        return found


@dataclass(frozen=True)
class Workload:
    """A convolution of given shapes (innermost first) on elements of a type.

    ``published``: MACs per cycle of this workload, where the paper has it.
    """

    name: str
    group: str
    type: str
    source: Source
    shapes: Mapping[str, tuple[int, ...]]
    schedule: Schedule | None = None
    published: float | None = None

    @property
    def is_odd(self) -> bool:
        """Whether rows of the filter have an odd number of elements: columns of 16 bits are two."""
        return self.shapes["weight"][0] % 2 == 1 and self.shapes["weight"][0] > 1

    def from_halide(self) -> ContractionProgram:
        """Its contraction by way of Halide-like C++."""
        tensors = [(letter, self.shapes[name]) for name, letter in zip(TENSORS, "OWI", strict=True)]
        numbers = self.source.numbers(self.shapes)
        parameters = [(name, str(numbers[name])) for name in self.source.parameters]
        parameters += [(f"{letter}.type", self.type) for letter, _ in tensors]
        options = SourceOptions(sizes=tuple(tensors), parameters=tuple(parameters))
        return contraction_of(_buffer(self.source.halide), (), options, "aie")

    def from_c(self) -> ContractionProgram:
        """Its contraction by way of C."""
        numbers = self.source.numbers(self.shapes)
        sizes = tuple((name, (value,)) for name, value in numbers.items())
        flags = (f"-DBITS={self.type[3:]}",)
        return contraction_of(_buffer(self.source.c), flags, SourceOptions(sizes=sizes), "aie")


@dataclass(frozen=True)
class Workloads:
    """All workloads, and the published geometric means by group (or "all") and type.

    ``expert_lines``: the workloads of which the paper had kernels written by experts, and how many
    times as many lines as the Halide programs those had.
    """

    workloads: tuple[Workload, ...]
    means: Mapping[tuple[str, str], float]
    expert_lines: tuple[tuple[str, ...], float]


def read() -> Workloads:
    """The suite, as it came with s2s or beside the current directory. Raises UserError."""
    path = find("vyasa/suite.toml")
    tables = read_toml(path)
    try:
        sources = {name: _source(path.parent / name, t) for name, t in tables["sources"].items()}
        workloads = tuple(
            _workload(table, type_, sources) for table in tables["workload"] for type_ in TYPES
        )
        means = {
            (group, type_): float(value)
            for group, values in tables["means"].items()
            for type_, value in values.items()
        }
        experts = tables["expert_lines"]
        lines = tuple(map(str, experts["workloads"])), float(experts["ratio"])
    except (KeyError, TypeError, ValueError) as error:
        raise bench_error(f"{path}: {error!r}") from error
    return Workloads(workloads, means, lines)


def _source(path: Path, table: Mapping[str, Any]) -> Source:
    names = {tensor: tuple(map(str, table[tensor])) for tensor in TENSORS}
    return Source(path, names, tuple(map(str, table["parameters"])))


def _workload(table: Mapping[str, Any], type_: str, sources: Mapping[str, Source]) -> Workload:
    shapes = {tensor: _extents(table[tensor]) for tensor in TENSORS}
    source = sources[table["source"]]
    schedule = table.get("schedule", {}).get(type_)
    return Workload(
        str(table["name"]),
        str(table["group"]),
        type_,
        source,
        shapes,
        None if schedule is None else _schedule(str(table["table"]), schedule, source, shapes),
        table.get("published", {}).get(type_),
    )


def _schedule(
    name: str, table: Mapping[str, Any], source: Source, shapes: Mapping[str, tuple[int, ...]]
) -> Schedule:
    jam = {str(loop): int(factor) for loop, factor in table["jam"].items() if factor > 1}
    layouts = {
        tensor: without_single(layout(text, _letters(source, tensor), shape), shape)
        for tensor, text in table.get("layouts", {}).items()
        for shape in (shapes[tensor],)
    }
    return Schedule(name, str(table["vector"]), str(table["order"]), jam, layouts)


def _letters(source: Source, tensor: str) -> list[str]:
    """The paper's names of a tensor's dimensions: X' and Y' are the image's."""
    names = [name.upper() for name in source.names[tensor]]
    if tensor != "image":
        return names
    return [_SPATIAL[n] if name in ("", "WIDTH") else name for n, name in enumerate(names)]


def _extents(values: Sequence[Any]) -> tuple[int, ...]:
    return tuple(int(value) for value in values)


def _buffer(path: Path) -> SourceBuffer:
    return SourceBuffer(str(path), path.read_bytes())
