"""Whether two programs print the same: numbers with fractions may differ in their last digits."""

from __future__ import annotations

import math
import re

_TOKEN = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|nan|inf|\s+|\w+|.", re.DOTALL)
_RELATIVE, _ABSOLUTE = 1e-5, 1e-9


def same(first: str, second: str) -> bool:
    """Whether two outputs are equal but for the rounding of sums in another order."""
    if first == second:
        return True
    ours, theirs = _TOKEN.findall(first), _TOKEN.findall(second)
    return len(ours) == len(theirs) and all(map(_close, ours, theirs))


def difference(first: str, second: str) -> str:
    """The first lines that differ, in words."""
    for ours, theirs in zip(first.splitlines(), second.splitlines(), strict=False):
        if not same(ours, theirs):
            return f"'{theirs[:60]}' in place of '{ours[:60]}'"
    return f"{len(second.splitlines())} lines in place of {len(first.splitlines())}"


def _close(first: str, second: str) -> bool:
    if first == second:
        return True
    if not any("." in one or "e" in one for one in (first, second)):
        return False
    try:
        ours, theirs = float(first), float(second)
    except ValueError:
        return False
    return math.isclose(ours, theirs, rel_tol=_RELATIVE, abs_tol=_ABSOLUTE)
