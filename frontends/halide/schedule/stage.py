"""A stage of a Func under the directives."""

from __future__ import annotations

from s2s.frontends.halide.schedule.kinds import KindDirectives
from s2s.frontends.halide.schedule.rfactor import FactorDirective
from s2s.frontends.halide.schedule.sharing import SharingDirectives


class Stage(KindDirectives, SharingDirectives, FactorDirective):
    """What C++ calls ``Stage``, and ``Func`` where it means the pure definition."""
