"""What was found for each workload, and the figures over several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

from s2s.bench.convolutions.workloads import Workload, Workloads
from s2s.bench.records import Record, geometric_mean
from s2s.source.records import dataclass
from s2s.tuning.aie.measured import Measured
from s2s.tuning.aie.published import Choice
from s2s.tuning.aie.search import Found

PEAK = {"int32": 8, "int16": 32, "int8": 128}
BYTES_PER_CYCLE = 96
"""Two loads and a store of 32 bytes each."""


@dataclass
class Row:
    """One workload: the best mapping, and how the others did (for the roofline)."""

    workload: Workload
    macs: int = 0
    best: Found | None = None
    same: bool = True
    halide_lines: int = 0
    tried: list[Found] = field(default_factory=list)
    published: Choice | None = None
    note: str = ""

    @property
    def measured(self) -> Measured | None:
        return self.best[1] if self.best else None

    @property
    def rate(self) -> float | None:
        """MACs per cycle; those of padding are not counted."""
        return None if self.measured is None else self.macs / self.measured.cycles

    @property
    def roofline(self) -> float | None:
        """What the memory's width allows."""
        if self.measured is None:
            return None
        moved = self.measured.bytes_moved / BYTES_PER_CYCLE
        return min(PEAK[self.workload.type], self.macs / moved)


def line_ratios(rows: Sequence[Row], suite: Workloads) -> Iterator[tuple[str, float, float | None]]:
    """(rows, how many times as long kernels are as their programs, the published figure)."""
    names, published = suite.expert_lines
    for title, some, paper in (
        ("all", rows, None),
        (" and ".join(names), [row for row in rows if _has_expert(row, suite)], published),
    ):
        ratio = geometric_mean(
            [r.measured.lines / r.halide_lines for r in some if r.measured is not None]
        )
        if ratio is not None:
            yield title, ratio, paper


def _has_expert(row: Row, suite: Workloads) -> bool:
    """Whether the paper had a kernel written by experts for a workload."""
    workload = row.workload
    return workload.name in suite.expert_lines[0] and ("all", workload.type) in suite.means


def means(rows: Sequence[Row], suite: Workloads) -> Iterator[tuple[str, str, float, float | None]]:
    """(group, type, geometric mean, published one), also of odd sizes; then over all groups."""
    groups = list(dict.fromkeys(row.workload.group for row in rows))
    for type_ in dict.fromkeys(row.workload.type for row in rows):
        own = [row for row in rows if row.workload.type == type_]
        for group in groups:
            value = geometric_mean([r.rate for r in own if r.rate and r.workload.group == group])
            if value is not None:
                yield group, type_, value, suite.means.get((group, type_))
            odd = [row for row in own if row.workload.group == group and row.workload.is_odd]
            value = geometric_mean([row.rate for row in odd if row.rate])
            if value is not None:
                yield f"{group}, odd sizes", type_, value, None
        value = geometric_mean([r.rate for r in own if r.rate])
        if value is not None and len(groups) > 1:
            yield "all", type_, value, suite.means.get(("all", type_))


def records(rows: Sequence[Row], suite: Workloads) -> Iterator[Record]:
    """The figures as the comparison harness takes them."""
    for row in rows:
        case, type_ = row.workload.name, row.workload.type
        note = row.note or str(row.best and row.best[0])
        if row.measured is not None or row.note:
            yield _record(case, type_, "macs_per_cycle", row.rate, row.workload.published, note)
        if row.measured is not None:
            lines = row.measured.lines / row.halide_lines
            yield _record(case, type_, "roofline", row.roofline)
            yield _record(case, type_, "cycles", row.measured.cycles, None, row.measured.limit)
            yield _record(case, type_, "lines_ratio", lines)
            yield _record(case, type_, "bank_stalls", row.measured.stalls)
            yield _record(case, type_, "packed_bytes", row.measured.packed)
        yield from _published(row)
    for group, type_, value, published in means(rows, suite):
        yield _record(f"geomean {group}", type_, "macs_per_cycle", value, published)
    for name, ratio, published in line_ratios(rows, suite):
        yield _record(f"geomean {name}", "", "lines_ratio", ratio, published)


def _published(row: Row) -> Iterator[Record]:
    """Factors in the paper's own schedule, as far as one of the two is not 1."""
    found, schedule = row.published, row.workload.schedule
    if found is None or found.chosen is None or schedule is None:
        return
    ours = dict(found.chosen.jam)
    for loop in {**schedule.jam, **ours} or {"y": 1}:
        note = "the paper's own schedule"
        value, printed = ours.get(loop, 1), schedule.jam.get(loop, 1)
        yield _record(row.workload.name, row.workload.type, f"jam_{loop}", value, printed, note)


_UNITS = {
    "macs_per_cycle": "MACs/cycle",
    "roofline": "MACs/cycle",
    "cycles": "cycles",
    "bank_stalls": "cycles",
    "packed_bytes": "bytes",
}


def _record(
    case: str, variant: str, metric: str, value: float | None, published: float | None = None,
    note: str = "",
) -> Record:  # fmt: skip
    return Record(
        suite="vyasa", case=case, variant=variant, metric=metric, value=value,
        unit=_UNITS.get(metric, "x"), published=published, note=note,
    )  # fmt: skip
