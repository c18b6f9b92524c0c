"""How much the runs of a program differ, and which ratios of times that supports.

The fastest of several runs counts, since whatever else a machine does only adds to a time. How far
it can be trusted is told by how far the next ones are from it: the range of a ratio has the fastest
run of one program over the run of the other below which half of them lie, and the reverse.
"""

from __future__ import annotations

import os
import statistics
from collections.abc import Iterable, Sequence

Range = tuple[float, float]

FEWEST = 3
"""Runs that tell something of a spread."""
_SAME, _FAR = 1.05, 1.5
_BUSY = 0.5


def ratio_range(original: Sequence[float], transformed: Sequence[float]) -> Range | None:
    """The least and the greatest ratio that the runs support; None for too few of them."""
    if min(len(original), len(transformed)) < FEWEST or min(*original, *transformed) <= 0:
        return None
    usual = [statistics.median_low(times) for times in (original, transformed)]
    return min(original) / usual[1], usual[0] / min(transformed)


def is_supported(found: Range | None) -> bool:
    """Whether a ratio says more than that the machine was busy: 1 is not among a wide range."""
    return found is None or not found[0] <= 1 <= found[1] or found[1] / found[0] <= _SAME


def ratio_words(ratio: float | None, found: Range | None) -> str:
    """A ratio as it may be printed: a bound where it is no more than that, else ``noise``."""
    if ratio is None:
        return "-"
    if not is_supported(found):
        return "noise"
    if found is not None and found[1] / found[0] > _FAR and not found[0] <= 1 <= found[1]:
        return f">{found[0]:.2f}" if found[0] > 1 else f"<{found[1]:.2f}"
    return f"{ratio:.2f}"


def spread_lines(ranges: Iterable[Range | None]) -> list[str]:
    """What there is to say of the spread of all ratios."""
    known = [found for found in ranges if found is not None]
    if not known:
        return []
    widths = sorted(high / low - 1 for low, high in known)
    refused = sum(not is_supported(found) for found in known)
    text = f"spread: ratios are known to {_percent(statistics.median(widths))} (median), at worst"
    lines = [f"{text} to {_percent(widths[-1])}"]
    if refused:
        lines.append(
            f"noise: {refused} of {len(known)} ratios are not told, since the runs of one program"
            " differ by more than both programs do"
        )
    return lines


def _percent(value: float) -> str:
    return f"{100 * value:.{1 if value < 0.1 else 0}f} %"


def load() -> float:
    """How many processes wanted to run during the last minute; 0 where the system does not tell."""
    try:
        return os.getloadavg()[0]
    except OSError:
        return 0.0


def load_warning(before: float) -> str:
    """A warning about other work on this machine; empty where it is idle enough."""
    cores = len(os.sched_getaffinity(0))
    if before <= _BUSY * cores:
        return ""
    return f"a load of {before:.1f} on {cores} cores before anything was run: times mean little"
