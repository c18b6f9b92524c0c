"""The results of suites of programs as tables for the terminal, one for each suite."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from s2s.bench.programs.description import Case
from s2s.bench.programs.result import Result, by_case
from s2s.bench.records import Outcome, geometric_mean, group_lanes
from s2s.bench.report import Setting, legend
from s2s.bench.spread import ratio_words, spread_lines
from s2s.bench.tables import digits, number, table

_SAME = "same"


def render(results: Sequence[Result], cases: Sequence[Case], setting: Setting) -> str:
    """Tables, means, what was said of each program, and what it was all measured on."""
    tables = []
    for suite in dict.fromkeys(case.suite for case in cases):
        mine = [result for result in results if result.suite == suite]
        described = {case.name: case for case in cases if case.suite == suite}
        if mine:
            tables.append(_table(suite, mine, described))
    means = [*_means(results), *_mean_of_the_paper(results, cases)]
    spread = spread_lines(r.range for r in results)
    said = [*means, *spread, *_notes(results), *_baselines(cases)]
    return "\n".join([*tables, "", *said, *([""] if said else []), *legend(setting)])


def _table(suite: str, results: Sequence[Result], cases: Mapping[str, Case]) -> str:
    release = next((case.release for case in cases.values() if case.release), "")
    columns = _columns(results, cases)
    rows, bad = [], []
    for place, (name, row) in enumerate(by_case(results).items()):
        cells = _cells(row, cases[name])
        rows.append([cells.get(column, "-") for column in columns])
        bad += [place] * any(result.outcome.is_bad for result in row)
    return table(columns, rows, title=f"{suite} {release}".strip(), left=_WORDS, bad=bad)


_WORDS = ("program", "found", "paper", "outcome")


def _columns(results: Sequence[Result], cases: Mapping[str, Case]) -> list[str]:
    columns = ["program"]
    for result in results:
        columns += [f"{result.baseline} s", result.variant]
        if any(result.variant in case.published for case in cases.values()):
            columns.append(f"{result.variant} published")
    threads = sorted({result.threads for result in results})
    peers = [f"peers-{count}t" for count in threads if _has_peers(cases.values(), count)]
    columns += [*peers, "found"]
    if any(case.paper for case in cases.values()):
        columns.append("paper")
    return list(dict.fromkeys([*columns, "tool s", "gcc x", "outcome"]))


def _has_peers(cases: Iterable[Case], threads: int) -> bool:
    return any(name.endswith(f"-{threads}t") for case in cases for name in case.peers)


def _cells(results: Sequence[Result], case: Case) -> dict[str, str]:
    last = results[-1]
    cells = {
        "program": case.name,
        "found": last.letters or "-",
        "paper": case.paper.found if case.paper else "-",
        "tool s": number(_largest(r.tool_seconds for r in results)),
        "gcc x": number(_largest(r.compile_ratio for r in results), 1),
        "outcome": next((r.outcome for r in results if r.outcome.is_bad), last.outcome).value,
    }
    for result in results:
        cells[f"{result.baseline} s"] = digits(result.original)
        cells[result.variant] = _ratio(result)
        cells[f"{result.variant} published"] = number(case.published.get(result.variant))
        cells[f"peers-{result.threads}t"] = _best_peer(case, result.threads)
    return cells


def _ratio(result: Result) -> str:
    if result.outcome is Outcome.UNCHANGED:
        return _SAME
    return ratio_words(result.ratio, result.range)


def _best_peer(case: Case, threads: int) -> str:
    """The best of the other tools on that many threads, as 'polly 4.51'."""
    suffix = f"-{threads}t"
    known = {n.removesuffix(suffix): x for n, x in case.peers.items() if n.endswith(suffix)}
    if not known:
        return "-"
    best = max(known, key=lambda name: known[name])
    return f"{best} {known[best]:.2f}"


def _largest(values: Iterable[float | None]) -> float | None:
    return max((value for value in values if value is not None), default=None)


def _means(results: Sequence[Result]) -> list[str]:
    lines = []
    groups = dict.fromkeys((result.suite, result.variant) for result in results)
    for suite, variant in groups:
        mine = [r for r in results if (r.suite, r.variant) == (suite, variant)]
        ratios = [r.ratio for r in mine if r.ratio is not None]
        mean = geometric_mean(ratios)
        if mean is not None:
            changed = sum(r.outcome is Outcome.CHANGED for r in mine)
            lines.append(
                f"{suite} {variant}: geometric mean of {len(ratios)}, {changed} changed: {mean:.2f}"
            )
    return lines


def _mean_of_the_paper(results: Sequence[Result], cases: Sequence[Case]) -> list[str]:
    """Means over the programs that the paper transforms; several sizes of one count once."""
    rows = {(c.suite, c.name): c.paper.row for c in cases if c.paper and c.paper.has_letters}
    lines = []
    for variant in dict.fromkeys(result.variant for result in results):
        ratios: dict[tuple[str, str], list[float]] = {}
        for result in results:
            row = rows.get((result.suite, result.case))
            if row and result.variant == variant and result.ratio is not None:
                ratios.setdefault((result.suite, row), []).append(result.ratio)
        mean = geometric_mean(geometric_mean(several) or 0.0 for several in ratios.values())
        if len(ratios) > 1:
            lines.append(
                f"{variant}: geometric mean of the {len(ratios)} programs here that the paper "
                f"transforms: {mean:.2f}"
            )
    return lines


def _baselines(cases: Sequence[Case]) -> list[str]:
    return [f"{case.name}: original: {case.baseline}" for case in cases if case.baseline]


def _notes(results: Sequence[Result]) -> list[str]:
    """One line for each thing said; several variants of a program mostly say the same."""
    return group_lanes(
        (f"{r.case}: {r.outcome.value}: {r.note}".rstrip(": "), r.variant)
        for r in results
        if r.note or r.outcome.is_bad
    )
