"""How often the parts of a kernel ran."""

from __future__ import annotations

from collections import Counter
from dataclasses import field

from s2s.source.records import dataclass


@dataclass
class Counts:
    """How often what ran: for each loop the entries by their number of iterations, for each
    branch (by its line) how often either side, and multiplications of operands.
    """

    loops: dict[int, Counter[int]] = field(default_factory=dict)
    branches: dict[int, Counter[bool]] = field(default_factory=dict)
    multiplications: int = 0

    def copy(self) -> Counts:
        return Counts(
            {number: Counter(one) for number, one in self.loops.items()},
            {line: Counter(one) for line, one in self.branches.items()},
            self.multiplications,
        )
