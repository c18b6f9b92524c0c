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


def least_chains(kind: str) -> tuple[float, int]:
    """From how much of rows * (terms - free) on sums in order pay for a call, and what is free."""
    known = thresholds()["chains"]
    return known.get(kind, float("inf")), int(known["free"])


_FEW_TAPS = 16


def least_channels(*, held: bool, taps: int | None) -> int:
    """Output channels from which on windows as products gain; ``taps``: of a window, if known.

    ``held``: the source has its sums in a variable or tests borders, so that its loops are slow.
    """
    known = thresholds()["channels"]
    if held:
        name = "held"
    elif taps is None:
        name = "unknown_taps"
    else:
        name = "few_taps" if taps < _FEW_TAPS else "taps"
    return int(known[name])


_SHORT = 32


def saved_time(library: str, kind: str, *, terms: int | None, slow: bool = False) -> float:
    """Nanoseconds that each unit of work is expected to save.

    ``terms``: of a sum, if known; ``slow``: the host's loops go from one product to the next.
    """
    saved = thresholds()["saved"]
    if slow and kind == "convolution":
        return saved["slow_convolution"]
    is_short = library == "blas" and terms is not None and terms <= _SHORT
    return saved["short" if is_short else f"{library}_{kind}"]
