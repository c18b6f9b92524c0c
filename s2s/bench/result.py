"""What a benchmark run found: one result for each program and variant, and its numbers as records.

A speedup is the original's time over the transformed program's, both on the same number of threads
unless the program is sequential. It is 1 by construction where no byte of the source changed, and
there is none where outputs differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum

from s2s.bench.suite import Case


class Outcome(Enum):
    """What became of a program; the value is the word that is printed."""

    CHANGED = "changed"
    UNCHANGED = "unchanged"
    DIFFERENT = "outputs differ"
    INEXACT = "timed outputs differ"
    CRASHED = "the new program fails"
    FAILED = "failed"

    @property
    def is_bad(self) -> bool:
        return self not in (Outcome.CHANGED, Outcome.UNCHANGED)


@dataclass(frozen=True, kw_only=True)
class Result:
    """One program in one variant, the fastest times in seconds.

    ``letters`` are the transformations found; ``tool_seconds`` the time of s2s for all files of the
    program; ``compile_ratio`` the compiler's time for the new text over that for the original.
    """

    suite: str
    case: str
    variant: str
    threads: int
    outcome: Outcome
    baseline: str
    original: float | None = None
    transformed: float | None = None
    published: float | None = None
    letters: str = ""
    tool_seconds: float | None = None
    compile_ratio: float | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """Original over transformed time where both compute the same."""
        if self.outcome is Outcome.UNCHANGED:
            return 1.0
        if self.outcome is not Outcome.CHANGED or not self.original or not self.transformed:
            return None
        return self.original / self.transformed

    @property
    def remark(self) -> str:
        same = " (no byte changed, so the ratio is 1)" if self.outcome is Outcome.UNCHANGED else ""
        return f"{self.outcome.value}{same}: {self.note}" if self.note else self.outcome.value


@dataclass(frozen=True, kw_only=True)
class Record:
    """A number or a word as JSON and CSV hold it."""

    suite: str
    case: str
    variant: str
    metric: str
    value: float | str | None
    unit: str
    published: float | str | None
    note: str


def records(results: Iterable[Result], cases: Iterable[Case]) -> Iterator[Record]:
    """All numbers of the results, then those of other tools that the suites carry over."""
    described = {(case.suite, case.name): case for case in cases}
    baselines = set()
    for result in results:
        case = described.get((result.suite, result.case))
        yield _record(result, "speedup", result.ratio, "x", result.published)
        baseline = (result.suite, result.case, result.baseline)
        if baseline not in baselines:
            baselines.add(baseline)
            yield _baseline(result, case)
        for metric, value, unit in (
            ("time", result.transformed, "s"),
            ("tool time", result.tool_seconds, "s"),
            ("compile time ratio", result.compile_ratio, "x"),
        ):
            if value is not None:
                yield _record(result, metric, value, unit, None)
        if case and case.paper:
            yield _record(result, "transformations", result.letters, "", case.paper.found)
    for case in described.values():
        yield from _peers(case)


def _record(
    result: Result,
    metric: str,
    value: float | str | None,
    unit: str,
    published: float | str | None,
    variant: str = "",
) -> Record:
    return Record(
        suite=result.suite,
        case=result.case,
        variant=variant or result.variant,
        metric=metric,
        value=value,
        unit=unit,
        published=published,
        note=result.remark,
    )


def _baseline(result: Result, case: Case | None) -> Record:
    """The original's time, and what is special about how it runs."""
    record = _record(result, "time", result.original, "s", None, result.baseline)
    return replace(record, note=case.baseline if case else "")


def _peers(case: Case) -> Iterator[Record]:
    for tool, speedup in case.peers.items():
        yield Record(
            suite=case.suite,
            case=case.name,
            variant=tool,
            metric="speedup",
            value=speedup,
            unit="x",
            published=None,
            note=case.peers_from,
        )


def by_case(results: Iterable[Result]) -> Mapping[str, list[Result]]:
    """The results of each program, in their order."""
    found: dict[str, list[Result]] = {}
    for result in results:
        found.setdefault(result.case, []).append(result)
    return found
