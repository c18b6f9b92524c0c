"""Why a graph transformation leaves code as it is."""

from __future__ import annotations

from s2s.source import Span


class Refused(Exception):
    """A transformation does not apply: ``where`` in the source, and why.

    ``silent`` ones are not worth a remark: nothing there is what the transformation is for.
    """

    def __init__(self, where: Span, reason: str, *, silent: bool = False) -> None:
        super().__init__(reason)
        self.where = where
        self.reason = reason
        self.silent = silent
