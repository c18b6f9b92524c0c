"""Numbers of a benchmark, in the form that all suites have in common."""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from enum import Enum

from s2s.bench.spread import Range, is_supported
from s2s.source.records import dataclass


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
class Compared:
    """A program or a loop in one variant, its least times in seconds before and after."""

    suite: str
    case: str
    variant: str
    outcome: Outcome
    original: float | None = None
    transformed: float | None = None
    note: str = ""
    range: Range | None = None
    """The ratios that the runs support; None where there are too few of them."""

    @property
    def told(self) -> float | None:
        """The ratio, if the runs support it."""
        return self.ratio if is_supported(self.range) else None

    @property
    def ratio(self) -> float | None:
        """Original over transformed time where both compute the same; 1 for the same text."""
        if self.outcome is Outcome.UNCHANGED:
            return 1.0
        if self.outcome is not Outcome.CHANGED or not self.original or not self.transformed:
            return None
        return self.original / self.transformed


@dataclass(frozen=True, kw_only=True)
class Record:
    """A number or a word as JSON and CSV hold it."""

    suite: str
    case: str
    variant: str
    metric: str
    value: float | str | None
    unit: str = ""
    published: float | str | None = None
    note: str = ""


def geometric_mean(values: Iterable[float]) -> float | None:
    """The mean, or None where there is none: nothing, or a value that is not positive."""
    try:
        return statistics.geometric_mean(values)
    except statistics.StatisticsError:
        return None


def group_lanes(lines: Iterable[tuple[str, str]]) -> list[str]:
    """One line for each thing said, with the variants of which it was said."""
    said: dict[str, list[str]] = {}
    for line, variant in lines:
        said.setdefault(line, []).append(variant)
    return [f"{line} [{', '.join(variants)}]" for line, variants in said.items()]
