"""``s2s bench vyasa``: the tuner's choice for each workload, the published figure beside it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import exp, log
from pathlib import Path

from s2s.bench.descriptions import bench_error
from s2s.bench.result import Record
from s2s.bench.vyasa.published import Choice, agreement, choice
from s2s.bench.vyasa.workloads import Suite, Workload, read
from s2s.source.diagnostics import UserError
from s2s.source.output import write_file
from s2s.transforms.aie.mapping import Mapping
from s2s.tuning.aie.measured import Measured, source_lines
from s2s.tuning.aie.search import Plan, Search
from s2s.tuning.aie.store import Store
from s2s.tuning.settings import default_cache

PEAK = {"int32": 8, "int16": 32, "int8": 128}
BYTES_PER_CYCLE = 96
"""Two loads and a store of 32 bytes each."""


@dataclass(frozen=True)
class Setting:
    """What the figures depend on."""

    date: str
    machine: str
    search: str


@dataclass
class Row:
    """One workload: the best mapping, and how the others did (for the roofline)."""

    workload: Workload
    macs: int = 0
    mapping: Mapping | None = None
    measured: Measured | None = None
    same: bool = True
    halide_lines: int = 0
    tried: list[tuple[Mapping, Measured]] = field(default_factory=list)
    published: Choice | None = None
    note: str = ""

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


@dataclass(frozen=True)
class Files:
    """Where --json, --csv and --plot want their output; ``out`` is the folder of the kernels."""

    json: str | None = None
    csv: str | None = None
    plot: str | None = None
    out: Path | None = None


def run(plan: Plan, only: Sequence[str], files: Files, store: str | None = None) -> int:
    """Tune all workloads (or those named, by name, group or type), a line for each, and means."""
    suite = read()
    chosen = _chosen(suite, only)
    database = Store(default_cache() if store is None else store)
    rows = []
    print(_HEAD)
    for workload in _with_progress(chosen):
        rows.append(_row(workload, plan, database))
        print(_line(rows[-1]), flush=True)
        if files.out:
            _keep(rows[-1], files.out)
    print(summary(rows, suite))
    search = f"effort {plan.effort} for each workload, at most {plan.seconds:g} seconds"
    _write(rows, suite, files, _setting(search))
    return 1 if any(row.measured is None or not row.same for row in rows) else 0


def run_published(plan: Plan, only: Sequence[str], files: Files, store: str | None = None) -> int:
    """Choose factors of unroll-and-jam in the schedules that the paper publishes, nothing else."""
    suite = read()
    database = Store(default_cache() if store is None else store)
    rows = []
    for workload in _with_progress([w for w in _chosen(suite, only) if w.schedule is not None]):
        contraction = workload.from_halide().contraction
        rows.append(Row(workload, contraction.macs))
        rows[-1].published = choice(Search(contraction, plan, database), workload)
    print(agreement([row.published for row in rows if row.published is not None]))
    _write(rows, suite, files, _setting("all factors of the published schedules"))
    return 0


def _chosen(suite: Suite, only: Sequence[str]) -> list[Workload]:
    chosen = [w for w in suite.workloads if not only or {w.name, w.group, w.type} & set(only)]
    if not chosen:
        names = ", ".join(dict.fromkeys(w.name for w in suite.workloads))
        raise bench_error(f"no such workload; there are {names}")
    return chosen


def _setting(search: str) -> Setting:
    return Setting(
        datetime.now(UTC).isoformat(timespec="seconds"),
        "model of the first AI Engine (simulators/aie/timing/aie1.toml)",
        search,
    )


def _with_progress(workloads: Sequence[Workload]) -> Iterator[Workload]:
    for number, workload in enumerate(workloads, start=1):
        if sys.stderr.isatty():
            name = f"{workload.name} {workload.type}"
            print(f"\r\033[K{number}/{len(workloads)} {name} ...", end="", file=sys.stderr)
        yield workload
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)


def _row(workload: Workload, plan: Plan, store: Store) -> Row:
    row = Row(workload, halide_lines=source_lines(workload.source.halide.read_text()))
    try:
        contraction = workload.from_halide().contraction
        row.same = workload.from_c().contraction == contraction
    except UserError as error:
        row.note = "; ".join(d.text for d in error.diagnostics)
        return row
    row.macs = contraction.macs
    search = Search(contraction, plan, store)
    row.tried = search.run()
    if row.tried:
        row.mapping, row.measured = row.tried[0]
    else:
        failed = (m.failure for _, m in search.found.values() if not m.is_passed_over)
        reasons = Counter(failed)
        row.note = "; ".join(reason for reason, _ in reasons.most_common(2))
    if workload.schedule is not None:
        row.published = choice(Search(contraction, plan, store), workload)
    return row


def _keep(row: Row, folder: Path) -> None:
    """Writes the chosen kernel."""
    if row.mapping is None:
        return
    from s2s.emitters.aie.kernel import emit
    from s2s.transforms.aie.compile import compile_contraction

    kernel = compile_contraction(row.workload.from_halide().contraction, row.mapping).kernel
    folder.mkdir(parents=True, exist_ok=True)
    write_file(str(folder / f"{row.workload.name}-{row.workload.type}.cc"), emit(kernel).encode())


def mean(values: Sequence[float]) -> float | None:
    """The geometric mean; None of nothing."""
    return exp(sum(map(log, values)) / len(values)) if values else None


_HEAD = (
    f"{'workload':<16} {'type':<6} {'MACs/cycle':>10} {'paper':>6} {'roof':>6} {'II':>5}"
    f" {'spills':>6} {'code':>6} {'lines':>9}  mapping"
)


def summary(rows: Sequence[Row], suite: Suite) -> str:
    """The means of groups and types, and the factors in published schedules."""
    lines = ["", f"{'geometric means':<23} {'MACs/cycle':>10} {'paper':>6}"]
    for group, type_, value, published in means(rows, suite):
        paper = "" if published is None else f"{published:.2f}"
        lines.append(f"{group:<16} {type_:<6} {value:>10.2f} {paper:>6}")
    lines.append("")
    for name, ratio, experts in line_ratios(rows, suite):
        beside = "" if experts is None else f" (the experts' kernels of the paper: {experts:g})"
        lines.append(f"lines of kernels to those of Halide programs, {name}: {ratio:.1f}{beside}")
    choices = [row.published for row in rows if row.published is not None]
    if choices:
        lines += ["", agreement(choices)]
    return "\n".join(lines)


def line_ratios(rows: Sequence[Row], suite: Suite) -> Iterator[tuple[str, float, float | None]]:
    """(rows, how many times as long kernels are as their programs, the published figure)."""
    names, published = suite.expert_lines
    for title, some, paper in (
        ("all", rows, None),
        (" and ".join(names), [row for row in rows if _has_expert(row, suite)], published),
    ):
        ratio = mean([r.measured.lines / r.halide_lines for r in some if r.measured is not None])
        if ratio is not None:
            yield title, ratio, paper


def _has_expert(row: Row, suite: Suite) -> bool:
    """Whether the paper had a kernel written by experts for a workload."""
    workload = row.workload
    return workload.name in suite.expert_lines[0] and ("all", workload.type) in suite.means


def _line(row: Row) -> str:
    head = f"{row.workload.name:<16} {row.workload.type:<6}"
    if row.measured is None or row.rate is None or row.roofline is None:
        return f"{head} {'-':>10}  {row.note or 'no mapping'}"
    measured = row.measured
    paper = "" if row.workload.published is None else f"{row.workload.published:.2f}"
    same = "" if row.same else "  C and Halide differ"
    lines = f"{row.halide_lines}/{measured.lines}"
    return (
        f"{head} {row.rate:>10.2f} {paper:>6} {row.roofline:>6.1f} {measured.interval:>5}"
        f" {measured.spills:>6} {measured.code_bytes:>6} {lines:>9}  {row.mapping}{same}"
    )


def means(rows: Sequence[Row], suite: Suite) -> Iterator[tuple[str, str, float, float | None]]:
    """(group, type, geometric mean, published one); then those of each type over all groups."""
    groups = list(dict.fromkeys(row.workload.group for row in rows))
    for type_ in dict.fromkeys(row.workload.type for row in rows):
        own = [row for row in rows if row.workload.type == type_]
        for group in groups:
            value = mean([r.rate for r in own if r.rate and r.workload.group == group])
            if value is not None:
                yield group, type_, value, suite.means.get((group, type_))
        value = mean([r.rate for r in own if r.rate])
        if value is not None and len(groups) > 1:
            yield "all", type_, value, suite.means.get(("all", type_))


def records(rows: Sequence[Row], suite: Suite) -> Iterator[Record]:
    """The figures as the comparison harness takes them."""
    for row in rows:
        case, type_ = row.workload.name, row.workload.type
        note = row.note or str(row.mapping)
        if row.measured is not None or row.note:
            yield _record(case, type_, "macs_per_cycle", row.rate, row.workload.published, note)
        if row.measured is not None:
            lines = row.measured.lines / row.halide_lines
            yield _record(case, type_, "roofline", row.roofline)
            yield _record(case, type_, "cycles", row.measured.cycles, None, row.measured.limit)
            yield _record(case, type_, "lines_ratio", lines)
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


_UNITS = {"macs_per_cycle": "MACs/cycle", "roofline": "MACs/cycle", "cycles": "cycles"}


def _record(
    case: str,
    variant: str,
    metric: str,
    value: float | None,
    published: float | None = None,
    note: str = "",
) -> Record:
    return Record(
        suite="vyasa",
        case=case,
        variant=variant,
        metric=metric,
        value=value,
        unit=_UNITS.get(metric, "x"),
        published=published,
        note=note,
    )


def _write(rows: Sequence[Row], suite: Suite, files: Files, setting: Setting) -> None:
    from s2s.bench import report
    from s2s.bench.vyasa.roofline import plot

    if files.json:
        write_file(files.json, report.to_json(records(rows, suite), setting))
    if files.csv:
        write_file(files.csv, report.to_csv(records(rows, suite), setting))
    if files.plot:
        write_file(files.plot, plot(rows, Path(files.plot).suffix))
