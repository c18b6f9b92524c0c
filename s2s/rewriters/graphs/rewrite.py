"""What the graph transformations give back: an edit with its reason, or why code stays as it is."""

from __future__ import annotations

from dataclasses import dataclass

from s2s.source import Edit, Span


@dataclass(frozen=True)
class Rewrite:
    """Edits of one place and what they do; without edits, why the place stays as it is."""

    where: Span
    reason: str
    edits: tuple[Edit, ...] = ()


class Refused(Exception):
    """A transformation does not apply: ``where`` in the source, and why.

    ``silent`` ones are not worth a remark: nothing there is what the transformation is for.
    """

    def __init__(self, where: Span, reason: str, *, silent: bool = False) -> None:
        super().__init__(reason)
        self.where = where
        self.reason = reason
        self.silent = silent
