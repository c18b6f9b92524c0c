"""The tables again, published figures beside ours, and their records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from s2s.bench.accelerators.description import NAME, Description, Figure, Table, TableRow
from s2s.bench.accelerators.metrics import METRICS, Asked, Number, Row, value
from s2s.bench.records import Record, geometric_mean
from s2s.bench.tables import number, table
from s2s.source.records import dataclass

Found = Mapping[str, Row]
"""Measured designs by name."""


@dataclass(frozen=True)
class Cell:
    """A figure of ours, that of the dissertation, and what it prints instead."""

    metric: str
    ours: Number
    published: Number = None
    printed: Number = None


@dataclass(frozen=True)
class Line:
    """A row of a table with its figures."""

    label: str
    design: str
    cells: tuple[Cell, ...]
    derivable: str = ""
    note: str = ""


def lines(one: Table, found: Found, compare: bool) -> list[Line]:
    """The rows whose designs were measured, then the means of all that have both figures."""
    rows = [row for row in one.rows if row.design in found]
    made = [_line(one, row, found, compare) for row in rows]
    if one.geomean and len(rows) == len(one.rows):
        made.append(_mean(one, made, found, compare))
    return made


def _line(one: Table, row: TableRow, found: Found, compare: bool) -> Line:
    measured = found[row.design]
    asked = Asked(measured, row.buffer, found.get(row.against), row.published)
    cells = tuple(
        Cell(
            metric,
            value(metric, asked),
            row.published.get(metric) if compare else None,
            row.printed.get(metric) if compare else None,
        )
        for metric in one.columns
    )
    failed = measured.measured.failure
    if failed and not measured.design.search:
        failed = f"not compiled: {failed}"
    parts = [row.rule, measured.chosen, failed]
    note = "; ".join(filter(None, parts))
    return Line(row.label, row.design, cells, row.derivable, note)


def _mean(one: Table, made: Sequence[Line], found: Found, compare: bool) -> Line:
    cells = []
    for place, metric in enumerate(one.columns):
        values = [line.cells[place].ours for line in made]
        known = [v for v in values if v]
        mean = geometric_mean(known) if metric in one.geomean and known else None
        published = one.geomean.get(metric) if compare else None
        cells.append(Cell(metric, mean, published, one.printed.get(metric) if compare else None))
    return Line("geomean", "", tuple(cells), "", _speed(one, found) if compare else "")


def _speed(one: Table, found: Found) -> str:
    """How much fewer cycles ours have than the published designs, as a mean, also with what
    published figures may mean instead. A search that found nothing leaves the published design.
    """
    ratios: dict[str, float] = {}
    missing = 0
    for row in one.rows if "cycles" in one.columns else ():
        measured = found[row.design]
        ours = value("cycles", Asked(measured))
        if published := row.published.get("cycles"):
            if ours:
                ratios[row.label] = published / ours
            elif measured.design.search:
                ratios[row.label] = 1.0
                missing += 1
    mean = geometric_mean(ratios.values())
    if mean is None:
        return ""
    said = f"published cycles by ours: {mean:.3f} as a mean of {len(ratios)}"
    if missing:
        said += f", {missing} of them without a design and counted as 1"
    for row in one.rows:
        if "cycles" in row.readings and row.label in ratios:
            times = row.readings["cycles"] / row.published["cycles"]
            other = geometric_mean({**ratios, row.label: ratios[row.label] * times}.values())
            said += f"; {other:.3f} if {row.label}'s are {row.readings['cycles']:g}"
    return said


def render(description: Description, found: Found, *, compare: bool = True) -> str:
    """All tables of which a row was measured, then the figures as points."""
    parts = []
    for one in description.tables:
        made = lines(one, found, compare)
        if made:
            parts.append(_table(one, made, compare))
    parts += [_figure(one, found) for one in description.figures if one.designs & set(found)]
    return "\n\n".join(parts)


def _table(one: Table, made: Sequence[Line], compare: bool) -> str:
    head = [""]
    for metric in one.columns:
        head += [METRICS[metric].head, *(["published"] if compare else [])]
    head += ["derivable", "rule"]
    rows = []
    for line in made:
        cells = [line.label]
        for cell in line.cells:
            cells += [_shown(cell.metric, cell.ours), *([_published(cell)] if compare else [])]
        rows.append([*cells, line.derivable, line.note])
    title = f"Table {one.number}: {one.title}"
    return f"{title}\n{table(head, rows, left=(0, 'derivable', 'rule'), ruled=False)}"


def _shown(metric: str, figure: Number) -> str:
    return number(figure, METRICS[metric].digits)


def _published(cell: Cell) -> str:
    if cell.published is None:
        return ""
    text = f"{cell.published:g}" if cell.published < 1e6 else f"{cell.published:.0f}"
    return text if cell.printed is None else f"{text} (printed: {cell.printed:g})"


def points(one: Figure, found: Found) -> dict[str, list[tuple[float, float]]]:
    """The points of each curve that were measured."""
    curves: dict[str, list[tuple[float, float]]] = {}
    for name, designs in one.series.items():
        asked = [Asked(found[d]) for d in designs if d in found]
        pairs = [(value(one.x, each), value(one.y, each)) for each in asked]
        curves[name] = [(x, y) for x, y in pairs if x is not None and y is not None]
    return curves


def keeps_trend(one: Figure, curve: Sequence[tuple[float, float]]) -> bool:
    """Whether a curve rises or falls as the dissertation's does; of seconds, the fastest of
    several times, 5% against it are noise, of other figures 2%.
    """
    sign = 1 if one.trend == "rises" else -1
    noise = 0.05 if METRICS[one.y].unit == "s" else 0.02
    values = [y for _, y in sorted(curve)]
    return all(sign * (b - a) >= -noise * abs(a) for a, b in pairwise(values))


def _figure(one: Figure, found: Found) -> str:
    x, y = METRICS[one.x], METRICS[one.y]
    made = [f"Figure {one.number}: {one.title} ({y.head} by {x.head}; published: {one.trend})"]
    for name, curve in points(one, found).items():
        shown = ", ".join(f"{_shown(one.x, a)}: {_shown(one.y, b)}" for a, b in curve)
        verdict = "" if len(curve) < 2 or keeps_trend(one, curve) else "  (not so here)"
        made.append(f"  {name}: {shown or 'nothing measured'}{verdict}")
    return "\n".join(made)


def records(description: Description, found: Found, *, compare: bool = True) -> Iterator[Record]:
    """A record for each figure of each table, then for each point of the figures."""
    for one in description.tables:
        for line in lines(one, found, compare):
            for cell in line.cells:
                yield _record(f"table {one.number}: {line.label}", line, cell)
    for figure in description.figures:
        for name, designs in figure.series.items():
            for design in designs:
                if design in found:
                    ours = value(figure.y, Asked(found[design]))
                    line = Line(name, design, (), "", f"published: {figure.trend}")
                    yield _record(f"figure {figure.number}: {name}", line, Cell(figure.y, ours))


def _record(case: str, line: Line, cell: Cell) -> Record:
    said = [f"derivable: {line.derivable}"] if line.derivable else []
    said += [f"{cell.printed:g} is printed"] if cell.printed is not None else []
    return Record(
        suite=NAME, case=case, variant=line.design, metric=cell.metric, value=cell.ours,
        unit=METRICS[cell.metric].unit, published=cell.published,
        note="; ".join(filter(None, [*said, line.note])),
    )  # fmt: skip
