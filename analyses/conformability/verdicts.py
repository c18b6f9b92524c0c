"""What is said of a rule."""

from __future__ import annotations

from s2s.source import Span
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Verdict:
    """``rule`` is R1 to R4; ``reason`` is a phrase, ``at`` the place that it is about."""

    rule: str
    holds: bool
    reason: str
    at: Span
