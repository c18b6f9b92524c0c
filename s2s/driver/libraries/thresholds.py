"""From how much work on libraries are worth a call, as measured."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path


@cache
def thresholds() -> dict[str, dict[str, float]]:
    """Least work by library and kind of operation; infinite where the host is as fast."""
    path = Path(__file__).with_name("thresholds.toml")
    with path.open("rb") as stream:
        data = tomllib.load(stream)
    return {
        library: {kind: float(least) for kind, least in kinds.items()}
        for library, kinds in data.items()
        if isinstance(kinds, dict)
    }


def least_work(library: str, kind: str) -> float:
    """Multiplications or elements from which on a call is expected to gain."""
    return thresholds().get(library, {}).get(kind, float("inf"))
