"""A Func under the directives."""

from __future__ import annotations

from s2s.frontends.halide.schedule.levels import LevelDirectives


class FuncDirectives(LevelDirectives):
    """What C++ calls ``Func``; loops are directed through ``stage()``."""
