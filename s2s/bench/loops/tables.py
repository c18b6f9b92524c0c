"""The results of a suite of loops as tables for the terminal."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from s2s.bench.loops import figures
from s2s.bench.loops.result import GAIN, LOSS, LoopResult, Summary, summaries
from s2s.bench.loops.suite import LoopSuite
from s2s.bench.report import legend
from s2s.bench.result import Outcome

if TYPE_CHECKING:
    from _typeshed import DataclassInstance
    from rich.table import Table

_WIDEST = 200


def render(
    results: Sequence[LoopResult], rows: Sequence[figures.Row], loops: LoopSuite,
    setting: DataclassInstance,
) -> str:  # fmt: skip
    """The loops, the figures over all of them, what was done to each, and where it was measured."""
    from rich.console import Console

    stream = io.StringIO()
    terminal = sys.stdout is not None and sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if terminal else _WIDEST
    console = Console(file=stream, width=width, highlight=False, force_terminal=terminal)
    console.print(_table(loops.name, results))
    tables = "\n".join(line.rstrip() for line in stream.getvalue().splitlines())
    said = [line for summary in summaries(results) for line in _lines(summary)]
    said += figures.lines(rows, results, loops)
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


def _applied(results: Sequence[LoopResult]) -> list[str]:
    """One line for each thing done or wrong; several variants of a loop mostly have the same."""
    said: dict[str, list[str]] = {}
    for result in results:
        words = "; ".join(filter(None, (result.applied, result.note)))
        if result.outcome is not Outcome.UNCHANGED or words:
            line = f"{result.loop}: {result.outcome.value}: {words}".rstrip(": ")
            said.setdefault(line, []).append(result.variant)
    return [f"{line} [{', '.join(variants)}]" for line, variants in said.items()]
