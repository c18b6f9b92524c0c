"""Remainders that wrap around at the ends of a loop, left out of its middle.

``frontends/c/prepare/wrapped_ends.py`` has the new text and says why it is right. It is for loops
that no pass on regions has split: sums around a ring, loops without others around them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from s2s.frontends.c.prepare import wrapped_ends
from s2s.frontends.c.regions import Function
from s2s.rewriters.flat_rows import asked_loops, replaced
from s2s.rewriters.text_pass import Rewrite, TextPass
from s2s.source import Edit
from s2s.source.records import dataclass
from s2s.transforms.scop_pass import Look


@dataclass(frozen=True)
class WrappedEndLoops(TextPass):
    """The pass: for innermost loops whose body only computes."""

    name: ClassVar[str] = "wrapped-ends"
    looks_for: ClassVar[frozenset[Look]] = frozenset({Look.REMAINDER})

    def edits(self, function: Function, done: Sequence[Edit]) -> Iterator[Rewrite]:
        """The loops of one function that no edit covers."""
        for loop in asked_loops(function):
            parts = wrapped_ends(function, loop)
            if parts is None:
                continue
            reason = f"remainders by '{parts.divisor}' at the ends alone"
            edit = replaced(function, loop, done, reason, parts.lines)
            if edit is not None:
                yield Rewrite(loop.span, reason, (edit,))


__all__ = ["WrappedEndLoops"]
