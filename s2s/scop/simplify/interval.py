"""An interval of values, whose ends are expressions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from s2s.scop.expressions import Const, Expr, Type


class Interval(NamedTuple):
    """From ``low`` to ``high``, both included; None where there is no bound."""

    low: Expr | None
    high: Expr | None

    @property
    def point(self) -> Expr | None:
        """The one value of the interval."""
        return self.low if self.low is self.high else None

    @property
    def bounded(self) -> bool:
        """Whether both ends are there."""
        return self.low is not None and self.high is not None


EVERYTHING = Interval(None, None)
ValueBounds = Mapping[tuple[str, int], Interval]
"""Bounds of the values of a Func, by its name and the component."""


def of_type(kind: Type) -> Interval:
    """What the type says: types up to 16 bits are bounded, wider ones count as unbounded."""
    if kind.is_integer and kind.bits <= 16:
        return Interval(Const(kind, kind.smallest), Const(kind, kind.largest))
    return EVERYTHING
