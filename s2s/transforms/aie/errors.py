"""Why a contraction or a schedule cannot be mapped."""

from __future__ import annotations


class Unmappable(Exception):
    """No kernel for this contraction and mapping; ``step`` is where it failed, ``reason`` why."""

    def __init__(self, step: str, reason: str) -> None:
        super().__init__(f"{step}: {reason}")
        self.step = step
        self.reason = reason
