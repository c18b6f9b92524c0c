"""What a design is likely to take, from its schedule alone."""

from __future__ import annotations

from math import inf

from s2s.driver.designs import Steps
from s2s.source.records import dataclass
from s2s.transforms.clockwork.estimate import likely_size
from s2s.transforms.clockwork.fit_design import DEFAULTS
from s2s.tuning.clockwork.measured import FAILURES, reason


@dataclass(frozen=True)
class Estimate:
    """The cycles of a run by the schedule, 0 where there is none; PEs and memory tiles."""

    cycles: int = 0
    pes: int = 0
    memories: int = 0
    failure: str = ""


@dataclass(frozen=True)
class Likely:
    """What a design takes or is likely to take; ``total``: cycles of all runs.

    Streams and their words are the bound's. ``is_scheduled``: cycles are those of a schedule;
    ``is_known``: it is mapped, or one near it is.
    """

    failure: str
    total: int
    pes: int
    memories: int
    streams: int = 0
    words: int = 0
    is_scheduled: bool = False
    is_known: bool = False


def corrected(estimated: int, other: int, taken: int, weight: float = 1.0) -> int:
    """An estimate, as far from what it is of as another one is, of which ``taken`` is known, as
    many more or as many times, whichever is less: a design that may fit is mapped sooner than
    passed by. A ``weight`` below 1 says how much of that.
    """
    difference = estimated + (taken - other) * weight
    ratio = estimated * (taken / other) ** weight if other else inf
    return round(min(difference, ratio, key=lambda each: abs(each - estimated)))


def estimate(steps: Steps) -> Estimate:
    """What the schedule of a design says of it."""
    try:
        found = steps.scheduled
    except FAILURES as error:
        return Estimate(failure=reason(error))
    pes, memories = likely_size(found, steps.memory or DEFAULTS.memory)
    return Estimate(found.schedule.cycles, pes, memories)
