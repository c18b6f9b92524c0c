"""The results of a suite of loops as tables for the terminal."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from s2s.loops.result import GAIN, LOSS, LoopResult, Summary, summaries
from s2s.loops.suite import LoopSuite
from s2s.report import legend
from s2s.result import Outcome, Record

if TYPE_CHECKING:
    from _typeshed import DataclassInstance
    from rich.table import Table

_WIDEST = 200
_COLUMNS = ("statements", "dependences", "cycles", "sovr", "sivr")


def render(results: Sequence[LoopResult], loops: LoopSuite, setting: DataclassInstance) -> str:
    """The loops, the figures over all of them, what was done to each, and where it was measured."""
    from rich.console import Console

    stream = io.StringIO()
    terminal = sys.stdout is not None and sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if terminal else _WIDEST
    console = Console(file=stream, width=width, highlight=False, force_terminal=terminal)
    console.print(_table(loops.name, results))
    tables = "\n".join(line.rstrip() for line in stream.getvalue().splitlines())
    said = [line for summary in summaries(results) for line in _lines(summary)]
    said += _published(loops)
    return "\n".join([tables, "", *said, "", *_applied(results), "", *legend(setting)])


def _table(name: str, results: Sequence[LoopResult]) -> Table:
    """A row for each loop, for each variant three columns: time, ratio, vectorized."""
    from rich.box import SIMPLE
    from rich.table import Table

    variants = list(dict.fromkeys(result.variant for result in results))
    table = Table(title=name, title_justify="left", box=SIMPLE, pad_edge=False)
    table.add_column("loop", no_wrap=True)
    for variant in variants:
        table.add_column(f"{variant} ms", justify="right", no_wrap=True)
        table.add_column("ratio", justify="right", no_wrap=True)
        table.add_column("vec", no_wrap=True)
    found = {(result.loop, result.variant): result for result in results}
    for loop in dict.fromkeys(result.loop for result in results):
        mine = [found.get((loop, variant)) for variant in variants]
        bad = any(result and result.outcome.is_bad for result in mine)
        cells = [cell for result in mine for cell in _cells(result)]
        table.add_row(loop, *cells, style="red" if bad else "")
    return table


def _cells(result: LoopResult | None) -> tuple[str, str, str]:
    if result is None:
        return "", "", ""
    time = "-" if result.original is None else f"{result.original * 1e3:.3g}"
    ratio = "-" if result.ratio is None else f"{result.ratio:.2f}"
    if result.outcome is Outcome.UNCHANGED:
        return time, "same", result.before
    return time, ratio, f"{result.before} {result.after}"


def _lines(of: Summary) -> Iterator[str]:
    """The figures of a variant in sentences."""
    before, after = of.vectorized
    yield (
        f"{of.variant}: {of.loops} loops, {of.changed} changed; geometric mean {of.mean:.2f}; "
        f"vectorized {before} -> {after}"
    )
    yield (
        f"  of {of.left} that the compiler did not vectorize: geometric mean {of.left_mean:.2f}, "
        f"{of.left_gained} at least {GAIN}"
    )
    if of.slower:
        yield f"  slower than {LOSS}: {', '.join(of.slower)}"
    if of.bad:
        yield f"  failed: {', '.join(of.bad)}"


def _published(loops: LoopSuite) -> Iterator[str]:
    """Table 4.4 and what the text says of Figure 4.4, beside our sources of the same loops."""
    if loops.name != "polysimd":
        return
    yield ""
    yield f"Table 4.4   {'  '.join(f'{name:>11}' for name in _COLUMNS)}"
    for name, row in _kernels(loops).items():
        yield f"{name:11} {'  '.join(f'{row[column]:>11}' for column in _COLUMNS)}"
    figure = loops.paper["figure"]
    yield (
        f"Figure 4.4: geometric mean {figure['geomean']} over ICC 17 on KNL; "
        f"{_range(figure['sovr'])} with SoVR, {_range(figure['sivr'])} with SiVR"
    )


def _range(ends: Sequence[float]) -> str:
    return f"{ends[0]} to {ends[1]}"


def _kernels(loops: LoopSuite) -> Mapping[str, Mapping[str, float]]:
    found: Mapping[str, Mapping[str, float]] = loops.paper.get("kernels", {})
    return found


def table_records(loops: LoopSuite) -> Iterator[Record]:
    """Table 4.4 as records; without a value of ours where nothing counts it here."""
    if loops.name != "polysimd":
        return
    for name, row in _kernels(loops).items():
        for column in _COLUMNS:
            yield Record(
                suite=loops.name, case=name, variant="polysimd", metric=column, value=None,
                unit="", published=row[column], note="Table 4.4",
            )  # fmt: skip


def _applied(results: Sequence[LoopResult]) -> list[str]:
    """One line for each thing done or wrong; several variants of a loop mostly have the same."""
    said: dict[str, list[str]] = {}
    for result in results:
        words = "; ".join(filter(None, (result.applied, result.note)))
        if result.outcome is not Outcome.UNCHANGED or words:
            line = f"{result.loop}: {result.outcome.value}: {words}".rstrip(": ")
            said.setdefault(line, []).append(result.variant)
    return [f"{line} [{', '.join(variants)}]" for line, variants in said.items()]
