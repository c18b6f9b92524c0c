"""What is raised where a statement cannot be part of a region."""

from __future__ import annotations

from typing import TYPE_CHECKING

from s2s.source import Span

if TYPE_CHECKING:
    from s2s.frontends.c.syntax import Decl


class NotLiftable(Exception):
    """A statement cannot be part of a region at all."""

    def __init__(self, span: Span, reason: str) -> None:
        super().__init__(reason)
        self.span = span
        self.reason = reason


class Changing(NotLiftable):
    """Elements that were taken for parameters may change while the region runs."""

    def __init__(self, span: Span, reason: str, places: frozenset[tuple[Decl, str]]) -> None:
        super().__init__(span, reason)
        self.places = places
