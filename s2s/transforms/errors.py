"""How a transformation declines."""

from __future__ import annotations

from s2s.source import Span


class NotApplicable(Exception):
    """A transformation does not apply: ``where`` in the source, and why."""

    def __init__(self, where: Span, reason: str) -> None:
        super().__init__(reason)
        self.where = where
        self.reason = reason


class NothingToGain(NotApplicable):
    """A region is none that the transformation is about, or good as it is."""


class OtherKind(NothingToGain):
    """A region is none that the transformation is about, by its loops and constructs alone.

    To know more of the arrays would change nothing.
    """
