"""The results as tables: one line for each workload, means, and the factors that were chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from s2s.bench.convolutions.rows import Row, line_ratios, means
from s2s.bench.convolutions.workloads import Workloads
from s2s.bench.tables import number, table

_HEAD = (
    "workload", "type", "MACs/cycle", "paper", "roof", "II", "spills", "stalls", "packs", "code",
    "lines",
)  # fmt: skip
_SAID = (
    "MACs/cycle include the cycles that memory banks cost (stalls); packs: bytes of images and"
    " outputs\nin another layout than the program's. Whether the paper's simulator counts stalls is"
    " not known;\nits schedules are compared without any."
)


def render(rows: Sequence[Row], suite: Workloads) -> str:
    """The workloads, the means of groups and types, and the factors in published schedules."""
    cells = [_cells(row) for row in rows]
    lines = [table((*_HEAD, "mapping"), cells, left=("workload", "type", "mapping"), ruled=False)]
    over = [
        (group, type_, number(value), number(published, missing=""))
        for group, type_, value, published in means(rows, suite)
    ]
    head = ("geometric means", "", "MACs/cycle", "paper")
    lines += ["", _SAID]
    lines += ["", table(head, over, left=(0, 1), ruled=False), ""]
    for name, ratio, experts in line_ratios(rows, suite):
        beside = "" if experts is None else f" (the experts' kernels of the paper: {experts:g})"
        lines.append(f"lines of kernels to those of Halide programs, {name}: {ratio:.1f}{beside}")
    if any(row.published for row in rows):
        lines += ["", agreement(rows)]
    return "\n".join(lines)


def _cells(row: Row) -> Sequence[str]:
    name = row.workload.name, row.workload.type
    if row.best is None:
        return *name, "-", *[""] * 8, row.note or "no mapping"
    mapping, measured = row.best
    return (
        *name,
        number(row.rate),
        number(row.workload.published, missing=""),
        number(row.roofline, 1),
        str(measured.interval),
        str(measured.spills),
        str(measured.stalls),
        str(measured.packed),
        str(measured.code_bytes),
        f"{row.halide_lines}/{measured.lines}",
        f"{mapping}{'' if row.same else '  C and Halide differ'}",
    )


def agreement(rows: Sequence[Row]) -> str:
    """A line for each published schedule, and how many agree by table."""
    choices = [(row, row.published) for row in rows if row.published is not None]
    cells = []
    for row, one in choices:
        name = row.workload.name, row.workload.type, _jam(one.schedule.jam)
        if one.chosen is None:
            cells.append([*name, one.note, "", "", ""])
            continue
        slower = f"{one.published / one.cycles - 1:.1%}" if one.published else "-"
        ours = _jam(dict(one.chosen.jam))
        cells.append([*name, ours, str(one.cycles), slower, "" if one.agrees else "*"])
    head = ("workload", "type", "published", "here", "cycles", "slower", "")
    lines = [table(head, cells, left=(0, 1, 2, 3, 6), ruled=False)]
    for where in dict.fromkeys(one.schedule.table for _, one in choices):
        own = [one for _, one in choices if one.schedule.table == where]
        equal = sum(one.agrees for one in own)
        lines.append(f"factors of unroll-and-jam as in table {where}: {equal} of {len(own)}")
    return "\n".join(lines)


def _jam(jam: Mapping[str, int]) -> str:
    return " ".join(f"{name}{factor}" for name, factor in jam.items()) or "1"
