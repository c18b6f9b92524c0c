"""Who proposes ways to vectorize a loop, in the order in which they are asked."""

from __future__ import annotations

import importlib
from collections.abc import Iterator

from s2s.transforms.vector.candidate import Proposer

# Where each proposer is; its module is imported when it is asked. Of candidates that cost the same
# the first one is taken.
TABLE = {
    "renaming": "s2s.transforms.vector.renaming:propose",
    "ranges": "s2s.transforms.vector.ranges:propose",
    "accumulators": "s2s.transforms.vector.accumulators:propose",
    "calls": "s2s.transforms.vector.calls:propose",
    "lanes": "s2s.transforms.vector.lanes:propose",
}
# What belongs to chapter 4 of the dissertation.
OF_THE_PAPER = frozenset({"renaming"})


def proposers(*, paper: bool) -> Iterator[tuple[str, Proposer]]:
    """The proposers by name; with ``paper`` those of the PolySIMD chapter alone."""
    for name, place in TABLE.items():
        if not paper or name in OF_THE_PAPER:
            module, _, function = place.partition(":")
            yield name, getattr(importlib.import_module(module), function)
