"""Preparations: rewritings of a region's text before it is lifted, which keep what it does.

A prepared region is tried before the region itself, and only what a pass then makes of it is ever
seen: the fallback of the new code is the text of the source.
"""

from __future__ import annotations

from s2s.frontends.c.prepare.callees import Callees
from s2s.frontends.c.prepare.conditionals import (
    Configuration,
    Text,
    Undecided,
    configuration,
    in_front,
    only_under,
)
from s2s.frontends.c.prepare.flat_rows import FlatRows, divides_counter, flat_rows, lay_out
from s2s.frontends.c.prepare.prepared import (
    Prepared,
    calls_with_choices,
    calls_with_loops,
    has_preparations,
    prepare,
    prepared_text,
)
from s2s.frontends.c.prepare.walkers import walks_in_nest
from s2s.frontends.c.prepare.wrapped_ends import WrappedEnds, takes_remainders, wrapped_ends

__all__ = [
    "Callees",
    "Configuration",
    "FlatRows",
    "Prepared",
    "Text",
    "Undecided",
    "WrappedEnds",
    "calls_with_choices",
    "calls_with_loops",
    "configuration",
    "divides_counter",
    "flat_rows",
    "has_preparations",
    "in_front",
    "lay_out",
    "only_under",
    "prepare",
    "prepared_text",
    "takes_remainders",
    "walks_in_nest",
    "wrapped_ends",
]
