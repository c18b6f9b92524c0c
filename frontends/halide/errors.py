"""What a Halide program may not say: an error with its place in the C++ source.

The parts of the frontend raise ``Illegal`` with byte ranges; who knows the file turns it into a
``UserError`` with lines and columns.
"""

from __future__ import annotations

from s2s.source import Span


class Illegal(Exception):
    """The program is refused: what is wrong, where, and notes (what would be legal instead)."""

    def __init__(
        self, text: str, at: Span | None = None, notes: tuple[tuple[str, Span | None], ...] = ()
    ) -> None:
        super().__init__(text)
        self.text = text
        self.at = at
        self.notes = notes
