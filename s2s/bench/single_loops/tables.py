"""The results of a suite of loops as tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from s2s.bench.records import Outcome, group_lanes
from s2s.bench.report import Setting, legend
from s2s.bench.single_loops import figures
from s2s.bench.single_loops.description import LoopSuite
from s2s.bench.single_loops.result import GAIN, LOSS, LoopResult, Summary, summaries
from s2s.bench.spread import ratio_words, spread_lines
from s2s.bench.tables import digits, table


def render(
    results: Sequence[LoopResult], rows: Sequence[figures.Row], loops: LoopSuite, setting: Setting
) -> str:
    """The loops, the figures over all of them, what was done to each, and where it was measured."""
    said = [line for summary in summaries(results) for line in _lines(summary)]
    said += spread_lines(result.range for result in results)
    said += figures.lines(rows, results, loops)
    drawn = _table(loops.name, results)
    return "\n".join([drawn, "", *said, "", *_applied(results), "", *legend(setting)])


def _table(name: str, results: Sequence[LoopResult]) -> str:
    """A row for each loop, for each variant three columns: time, ratio, vectorized."""
    variants = list(dict.fromkeys(result.variant for result in results))
    head = ["loop"]
    for variant in variants:
        head += [f"{variant} ms", "ratio", "vec"]
    found = {(result.case, result.variant): result for result in results}
    rows, bad = [], []
    for place, loop in enumerate(dict.fromkeys(result.case for result in results)):
        mine = [found.get((loop, variant)) for variant in variants]
        rows.append([loop, *(cell for result in mine for cell in _cells(result))])
        bad += [place] * any(result and result.outcome.is_bad for result in mine)
    return table(head, rows, title=name, left=("loop", "vec"), bad=bad)


def _cells(result: LoopResult | None) -> tuple[str, str, str]:
    if result is None:
        return "", "", ""
    time = digits(result.original, 1e3)
    if result.outcome is Outcome.UNCHANGED:
        return time, "same", result.before
    return time, ratio_words(result.ratio, result.range), f"{result.before} {result.after}"


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
    words = ((r, "; ".join(filter(None, (r.applied, r.note)))) for r in results)
    return group_lanes(
        (f"{r.case}: {r.outcome.value}: {said}".rstrip(": "), r.variant)
        for r, said in words
        if r.outcome is not Outcome.UNCHANGED or said
    )
