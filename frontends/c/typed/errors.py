"""What a C function has that a nest over tensors cannot have."""

from __future__ import annotations

from s2s.source import Span


class NotATensorNest(Exception):
    """``reason`` says what stands at ``span`` of the file."""

    def __init__(self, span: Span, reason: str) -> None:
        super().__init__(reason)
        self.span, self.reason = span, reason
