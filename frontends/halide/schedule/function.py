"""A Func under the directives."""

from __future__ import annotations

from s2s.frontends.halide.schedule.placement import (
    BoundDirectives,
    PlacementDirectives,
    StorageDirectives,
)
from s2s.frontends.halide.schedule.wrappers import WrapperDirectives


class FuncDirectives(PlacementDirectives, BoundDirectives, StorageDirectives, WrapperDirectives):
    """What C++ calls ``Func``; loops are directed through ``stage()``."""
