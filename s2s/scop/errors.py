"""What is wrong with a program, with its place in the source as a range of bytes.

Who knows the file turns it into a ``UserError`` with lines and columns.
"""

from __future__ import annotations

from s2s.scop.nest import For, Store, walk
from s2s.source import Span


class Illegal(Exception):
    """A Halide program is refused: what is wrong, where, and notes (what would be legal)."""

    def __init__(
        self, text: str, at: Span | None = None, notes: tuple[tuple[str, Span | None], ...] = ()
    ) -> None:
        super().__init__(text)
        self.text = text
        self.at = at
        self.notes = notes


class Inexpressible(Exception):
    """The nest has a type, a function or a loop for which there is no plain C; ``loop`` if it is
    one, and ``at``: the place in the source of the definition whose loop that is.
    """

    def __init__(self, text: str, loop: For | None = None) -> None:
        super().__init__(text)
        self.at = None if loop is None else _defined(loop)


class UnsupportedType(Inexpressible):
    """A type that plain C does not have."""


def _defined(loop: For) -> Span | None:
    stores = (node for node in walk(loop.body) if isinstance(node, Store))
    own = (s.at for s in stores if (s.func, s.stage) == (loop.func, loop.stage))
    return next((at for at in own if at is not None), None)
