"""What became of changed places that were executed, and when it would be the same anywhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

from s2s.net import Mismatch
from s2s.net.where import Changed
from s2s.source import Edit, Span
from s2s.source.records import dataclass

# Iterations of loops: of one input, of all, where one of constant sizes has to do, of a file.
EACH, ALL, ONCE, FILE = 6_000, 14_000, 70_000, 150_000


@dataclass(frozen=True)
class Failure:
    """What is wrong with the edits of one place."""

    edits: tuple[Edit, ...]
    where: Span
    problem: Mismatch


@dataclass
class Verdict:
    """What became of one place: how many inputs were compared, and why others were not."""

    compared: int = 0
    why: str = ""
    taken: int | None = None


@dataclass(frozen=True)
class Checked:
    """What became of one place, after so many ``steps``; ``once``: one input had to do."""

    verdict: Verdict
    problem: Mismatch | None
    steps: int
    once: bool

    def is_same(self, left: int) -> bool:
        """Whether so many steps that are left would have let it become the same."""
        return left >= (ONCE if self.once else ALL)


# Works on items in other processes meanwhile: what comes of each by its number, None for nothing.
Several = Callable[
    [Callable[[Changed], Checked], Sequence[Changed]],
    AbstractContextManager[Callable[[int], Checked | None]],
]
