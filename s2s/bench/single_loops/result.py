"""What a run of a suite of loops found: a result for each loop and variant, and its numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from s2s.bench.records import Compared, Outcome, Record, geometric_mean
from s2s.driver.vectorized import Kind
from s2s.source.records import dataclass

GAIN, LOSS = 1.3, 0.98


@dataclass(frozen=True, kw_only=True)
class LoopResult(Compared):
    """One loop under one variant (a compiler with or without -ffast-math).

    ``before`` and ``after`` are the letters of ``s2s.driver.vectorized`` for the original's and the
    new function; ``applied`` is what s2s said that it did. ``inexact``: bits differed, the sums
    agreed within the tolerance for reassociation.
    """

    before: str = "-"
    after: str = "-"
    applied: str = ""
    inexact: bool = False

    @property
    def remark(self) -> str:
        """What was done and seen, in words."""
        seen = f"vectorized {self.before} -> {self.after}"
        rounding = "agrees within rounding" if self.inexact else ""
        noise = ""
        if self.ratio is not None and self.told is None and self.range is not None:
            noise = f"noise: the runs support {self.range[0]:.2f} to {self.range[1]:.2f}"
        parts = (self.outcome.value, noise, self.applied, seen, rounding, self.note)
        return "; ".join(filter(None, parts))


@dataclass(frozen=True)
class Summary:
    """The figures of one variant over its loops; a loop without a ratio counts as 1."""

    variant: str
    loops: int
    changed: int
    vectorized: tuple[int, int]
    left: int
    left_gained: int
    left_mean: float
    mean: float
    slower: tuple[str, ...]
    bad: tuple[str, ...]


def mean_ratio(results: Iterable[LoopResult]) -> float:
    """The geometric mean; a loop without a ratio counts as 1."""
    return geometric_mean([r.ratio or 1.0 for r in results]) or 1.0


def summaries(results: Sequence[LoopResult]) -> list[Summary]:
    """A summary for each variant, in the order in which they were measured."""
    variants = dict.fromkeys(result.variant for result in results)
    return [_summary(name, [r for r in results if r.variant == name]) for name in variants]


def _summary(variant: str, results: Sequence[LoopResult]) -> Summary:
    left = [r for r in results if r.before != Kind.LOOP.value]
    return Summary(
        variant=variant,
        loops=len(results),
        changed=sum(r.outcome is Outcome.CHANGED for r in results),
        vectorized=(_vectorized(r.before for r in results), _vectorized(r.after for r in results)),
        left=len(left),
        left_gained=sum((r.ratio or 1.0) >= GAIN for r in left),
        left_mean=mean_ratio(left),
        mean=mean_ratio(results),
        slower=tuple(f"{r.case} {r.ratio:.2f}" for r in results if r.ratio and r.ratio < LOSS),
        bad=tuple(r.case for r in results if r.outcome.is_bad),
    )


def _vectorized(letters: Iterable[str]) -> int:
    return sum(letter == Kind.LOOP.value for letter in letters)


def records(results: Sequence[LoopResult]) -> Iterator[Record]:
    """The numbers as JSON and CSV hold them: those of each loop, then those over all loops."""
    for result in results:
        yield _record(result, "speedup", result.told, "x", result.remark)
        yield _record(result, "original time", result.original, "s")
        if result.transformed is not None:
            yield _record(result, "time", result.transformed, "s")
        yield _record(result, "vectorized before", result.before, "")
        yield _record(result, "vectorized after", result.after, "")
    for summary in summaries(results):
        yield from _totals(results[0].suite, summary)


def _record(
    result: LoopResult, metric: str, value: float | str | None, unit: str, note: str = ""
) -> Record:
    return Record(
        suite=result.suite, case=result.case, variant=result.variant, metric=metric, value=value,
        unit=unit, note=note,
    )  # fmt: skip


_Case = Literal["all loops", "not vectorized before"]


def _totals(suite: str, of: Summary) -> Iterator[Record]:
    def total(case: _Case, metric: str, value: float, unit: str) -> Record:
        return Record(
            suite=suite, case=case, variant=of.variant, metric=metric, value=value, unit=unit,
            note=f"of {of.loops if case == 'all loops' else of.left}",
        )  # fmt: skip

    yield total("all loops", "geometric mean", of.mean, "x")
    yield total("all loops", f"slower than {LOSS}", len(of.slower), "loops")
    yield total("all loops", "vectorized before", of.vectorized[0], "loops")
    yield total("all loops", "vectorized after", of.vectorized[1], "loops")
    yield total("not vectorized before", "geometric mean", of.left_mean, "x")
    yield total("not vectorized before", f"at least {GAIN}", of.left_gained, "loops")
