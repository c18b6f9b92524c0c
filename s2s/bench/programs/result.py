"""What a benchmark run found: one result for each program and variant, and its numbers as records.

A speedup is the original's time over the transformed program's, both on the same number of threads
unless the program is sequential. It is 1 by construction where no byte of the source changed, and
there is none where outputs differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from s2s.bench.programs.description import Case
from s2s.bench.records import Compared, Outcome, Record
from s2s.source.records import dataclass


@dataclass(frozen=True, kw_only=True)
class Result(Compared):
    """One program in one variant.

    ``letters`` are the transformations found; ``tool_seconds`` the time of s2s for all files of the
    program; ``compile_ratio`` the compiler's time for the new text over that for the original.
    """

    threads: int
    baseline: str
    published: float | None = None
    letters: str = ""
    tool_seconds: float | None = None
    compile_ratio: float | None = None

    @property
    def remark(self) -> str:
        if self.ratio is not None and self.told is None and self.range is not None:
            low, high = self.range
            noise = f"noise: the runs support {low:.2f} to {high:.2f}"
            return "; ".join(filter(None, (f"{self.outcome.value}: {noise}", self.note)))
        same = " (no byte changed, so the ratio is 1)" if self.outcome is Outcome.UNCHANGED else ""
        return f"{self.outcome.value}{same}: {self.note}" if self.note else self.outcome.value


def records(results: Iterable[Result], cases: Iterable[Case]) -> Iterator[Record]:
    """All numbers of the results, then those of other tools that the suites carry over."""
    described = {(case.suite, case.name): case for case in cases}
    baselines = set()
    for result in results:
        case = described.get((result.suite, result.case))
        yield _record(result, "speedup", result.told, "x", result.published)
        baseline = (result.suite, result.case, result.baseline)
        if baseline not in baselines:
            baselines.add(baseline)
            yield Record(
                suite=result.suite, case=result.case, variant=result.baseline, metric="time",
                value=result.original, unit="s", note=case.baseline if case else "",
            )  # fmt: skip
        for metric, value, unit in (
            ("time", result.transformed, "s"),
            ("tool time", result.tool_seconds, "s"),
            ("compile time ratio", result.compile_ratio, "x"),
        ):
            if value is not None:
                yield _record(result, metric, value, unit)
        if case and case.paper:
            yield _record(result, "transformations", result.letters, "", case.paper.found)
    for case in described.values():
        for tool, speedup in case.peers.items():
            yield Record(
                suite=case.suite, case=case.name, variant=tool, metric="speedup", value=speedup,
                unit="x", note=case.peers_from,
            )  # fmt: skip


def _record(
    result: Result, metric: str, value: float | str | None, unit: str,
    published: float | str | None = None,
) -> Record:  # fmt: skip
    return Record(
        suite=result.suite, case=result.case, variant=result.variant, metric=metric, value=value,
        unit=unit, published=published, note=result.remark,
    )  # fmt: skip


def by_case(results: Iterable[Result]) -> Mapping[str, list[Result]]:
    """The results of each program, in their order."""
    found: dict[str, list[Result]] = {}
    for result in results:
        found.setdefault(result.case, []).append(result)
    return found
