"""What the columns of the tables are, taken from a design's measurement."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import field
from math import ceil
from typing import Any

from s2s.bench.accelerators.description import Design
from s2s.bench.accelerators.lines import Lines
from s2s.simulators.amber.machine import load
from s2s.source.records import dataclass
from s2s.tuning.clockwork.measured import Measured

Number = float | None


@dataclass(frozen=True)
class Row:
    """A design, what was measured of it, the lines of its source, and parameters that a search
    chose, in words.
    """

    design: Design
    measured: Measured
    lines: Lines
    chosen: str = ""

    @property
    def name(self) -> str:
        return self.design.name

    @property
    def details(self) -> dict[str, Any]:
        """By buffer and file (``Measured.details``)."""
        found: dict[str, Any] = json.loads(self.measured.details)
        return found

    def lines_of(self, ending: str) -> int:
        """Lines of the emitted file with this ending; 0 where there is none."""
        lines: dict[str, int] = self.details.get("lines", {})
        return sum(count for name, count in lines.items() if name.endswith(ending))


@dataclass(frozen=True)
class Asked:
    """A row, the buffer that is meant of it, the row that it is compared with, and published
    figures by metric.
    """

    row: Row
    buffer: str = ""
    against: Row | None = None
    published: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Metric:
    """A column: its head, its unit in records, digits after the point, and where it is from."""

    head: str
    unit: str
    digits: int
    of: Callable[[Asked], Number]


def value(name: str, asked: Asked) -> Number:
    """A figure of a design; None where it is not known, as where the design fails before it."""
    if asked.row.measured.failure and name not in _BEFORE:
        return None
    return METRICS[name].of(asked)


def _share(pick: Callable[[Measured], int], number: str) -> Callable[[Asked], Number]:
    return lambda asked: 100 * pick(asked.row.measured) / load()[number]


def _of(pick: Callable[[Measured], float]) -> Callable[[Asked], Number]:
    return lambda asked: pick(asked.row.measured)


def _lines(pick: Callable[[Row], int]) -> Callable[[Asked], Number]:
    return lambda asked: pick(asked.row) or None


def _buffer(which: str, place: int | None = None) -> Callable[[Asked], Number]:
    def of(asked: Asked) -> Number:
        found = asked.row.details.get(which, {}).get(asked.buffer)
        if found is None:
            return None
        return float(found if place is None else found[place])

    return of


def _occupancy(asked: Asked) -> Number:
    one = asked.row.measured
    return 100 * one.ideal / one.cycles if one.ideal else None


def _slowdown(asked: Asked) -> Number:
    if asked.against is None or not asked.against.measured.is_good:
        return None
    return 100 * (asked.row.measured.cycles / asked.against.measured.cycles - 1)


def _frames(asked: Asked) -> Number:
    one = asked.row.measured
    return load()["clock_hz"] / (one.cycles * one.windows) / 1000 if one.windows else None


def _least(asked: Asked) -> Number:
    """Cycles that no schedule of these functions goes below: an operation for each of the PEs in
    each cycle, a word for each stream.
    """
    pes, streams = asked.published.get("pes", load()["pes"]), load()["io_tiles"]
    details = asked.row.details
    return float(max(ceil(details["work"] / pes), ceil(details["streamed"] / streams)))


def _most(asked: Asked) -> Number:
    """How many times as fast as the published design no schedule can be; None for misprints."""
    published, least = asked.published.get("cycles"), _least(asked)
    return published / least if published and least and published >= least else None


def _gain(asked: Asked) -> Number:
    """Published cycles by ours; None where a design takes more than the published one, or where
    those are fewer than there can be.
    """
    published = asked.published.get("cycles")
    within = all(
        getattr(asked.row.measured, name) <= asked.published.get(name, load()[of])
        for name, of in (("pes", "pes"), ("memories", "memory_tiles"))
    )
    if (
        not published
        or not within
        or asked.row.details["streamed"] > published * load()["io_tiles"]
    ):
        return None
    return float(published / asked.row.measured.cycles)


def _sum(*endings: str) -> Callable[[Row], int]:
    return lambda row: sum(map(row.lines_of, endings))


METRICS: Mapping[str, Metric] = {
    "first_read": Metric("first read", "cycles", 0, _buffer("first_reads", 0)),
    "row_stride": Metric("row stride", "cycles", 0, _buffer("first_reads", 1)),
    "capacity": Metric("capacity", "words", 0, _buffer("capacities")),
    "windows": Metric("kernels", "", 0, _of(lambda m: m.windows)),
    "words": Metric("words", "words", 0, _of(lambda m: m.words)),
    "cycles": Metric("cycles", "cycles", 0, _of(lambda m: m.cycles)),
    "memories": Metric("MEMs", "", 0, _of(lambda m: m.memories)),
    "slowdown": Metric("slowdown %", "%", 1, _slowdown),
    "fps_per_kernel": Metric("kfps/kernel", "kHz", 0, _frames),
    "registers": Metric("registers", "", 0, _of(lambda m: m.registers)),
    "muxes": Metric("muxes", "", 0, _of(lambda m: m.muxes)),
    "pes": Metric("PEs", "", 0, _of(lambda m: m.pes)),
    "seconds": Metric("compile s", "s", 1, _of(lambda m: m.seconds)),
    "frontend_seconds": Metric("frontend s", "s", 2, _of(lambda m: m.frontend_seconds)),
    "schedule_seconds": Metric(
        "schedule s", "s", 1, _of(lambda m: m.schedule_seconds + m.mapping_seconds)
    ),
    "algorithm_lines": Metric("algorithm", "lines", 0, _lines(lambda r: r.lines.algorithm)),
    "schedule_lines": Metric("schedule", "lines", 0, _lines(lambda r: r.lines.schedule)),
    "header_lines": Metric("shared header", "lines", 0, _lines(lambda r: r.lines.header)),
    "declarative_lines": Metric("by levels", "lines", 0, _lines(lambda r: r.lines.declared)),
    "halide_lines": Metric(
        "Halide", "lines", 0, _lines(lambda r: r.lines.algorithm + r.lines.schedule)
    ),
    "memory_lines": Metric("memory", "lines", 0, _lines(_sum("_memory.cpp"))),
    "compute_lines": Metric("compute", "lines", 0, _lines(_sum("_compute.h"))),
    "clockwork_lines": Metric("Clockwork", "lines", 0, _lines(_sum("_memory.cpp", "_compute.h"))),
    "coreir_lines": Metric("CoreIR", "lines", 0, _lines(_sum("_compute.json", "_design.json"))),
    "rate": Metric("rate", "1/cycle", 0, lambda asked: asked.row.design.rate),
    "tile_elements": Metric("tile", "elements", 0, _of(lambda m: m.elements)),
    "runs": Metric("runs", "", 0, _of(lambda m: m.runs)),
    "operations": Metric("kernels", "", 0, _of(lambda m: m.operations)),
    "buffers": Metric("buffers", "", 0, _of(lambda m: m.buffers)),
    "mem_bytes": Metric("MEM B", "B", 0, _of(lambda m: 2 * m.largest)),
    "glb_kb": Metric("GLB kB", "kB", 2, _of(lambda m: 2 * m.lane_words / 1024)),
    "pe_percent": Metric("PEs %", "%", 0, _share(lambda m: m.pes, "pes")),
    "memory_percent": Metric("MEMs %", "%", 0, _share(lambda m: m.memories, "memory_tiles")),
    "occupancy": Metric("occupancy %", "%", 1, _occupancy),
    "least": Metric("at least", "cycles", 0, _least),
    "most": Metric("at most", "", 3, _most),
    "gain": Metric("times as fast", "", 3, _gain),
    "area": Metric("PEs + MEMs", "", 0, _of(lambda m: m.pes + m.memories)),
}

_BEFORE = frozenset(
    ("algorithm_lines", "schedule_lines", "header_lines", "declarative_lines", "halide_lines")
)
"""Metrics of the source alone."""
