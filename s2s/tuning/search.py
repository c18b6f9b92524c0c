"""What to measure, and what wins.

First the original against every pass with its defaults; then, for the best of them, the values
that its options name as worth trying, one option after the other. In each round all candidates run
in turn with the original and the best one so far, so that ratios come from the same minutes. Ties
go to the original and to the defaults: noise must not choose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from s2s.driver import passes
from s2s.source.records import dataclass
from s2s.tuning.errors import OutOfTime

ORIGINAL = ""
# A candidate has to be this much faster than what it is to replace.
TIE = 0.02
# A pass that is slower than this, of the original's speed, is not tuned further.
_HOPELESS = 0.6

# From candidates (``ORIGINAL`` is one) to their seconds; those that do not apply are left out.
Measure = Callable[[Sequence[str]], dict[str, float]]


@dataclass(frozen=True)
class Found:
    """The winner, the original's seconds and its own, and how many were measured."""

    spec: str
    original_seconds: float
    seconds: float
    tried: int


def search(specs: Sequence[str], measure: Measure) -> Found:
    """The fastest of the original and the passes with their options.

    When the time is over, what was measured until then decides. Raises NotMeasurable.
    """
    times = measure([ORIGINAL, *specs])
    tried = set(times)
    original = times[ORIGINAL]
    best = _best(times, specs)
    if best is None or original < _HOPELESS * times[best]:
        return Found(ORIGINAL, original, original, len(tried))
    seconds = times[best]
    for settings in _settings(best):
        try:
            times = measure([ORIGINAL, best, *(best + setting for setting in settings)])
        except OutOfTime:
            break
        tried |= set(times)
        best = _best(times, list(times)[1:]) or best
        original, seconds = times[ORIGINAL], times.get(best, seconds)
    if seconds > original * (1 - TIE):
        best, seconds = ORIGINAL, original
    return Found(best, original, seconds, len(tried))


def _best(times: dict[str, float], order: Sequence[str]) -> str | None:
    """The fastest of ``order``; one that comes later has to be faster by more than a tie."""
    best: str | None = None
    for spec in order:
        faster = spec in times and (best is None or times[spec] < times[best] * (1 - TIE))
        best = spec if faster else best
    return best


def _settings(spec: str) -> Iterator[list[str]]:
    """For each option that is worth tuning and that the user has not set, its other settings."""
    name, *given = spec.split(":")
    taken = {one.partition("=")[0].strip().replace("-", "_") for one in given}
    for option in passes.options(name):
        if option.tune and option.name not in taken:
            yield [f":{option.name}={passes.spell_value(value)}" for value in option.tune]
