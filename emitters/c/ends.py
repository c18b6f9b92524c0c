"""Where a loop starts and ends, in the types of the source."""

from __future__ import annotations

import re
from dataclasses import dataclass

from s2s.emitters.c.expressions import Text, of_type
from s2s.scop.nodes import LoopVariable

_NARROW = re.compile(r"(?:unsigned )?(?:short|char|int)(?: int)?|unsigned|u?int(?:8|16|32)_t")


@dataclass(frozen=True)
class Ends:
    """The first value of a counter, and what it is compared with; ``whole`` is a condition that is
    no such comparison.
    """

    spelling: str
    start: Text
    relation: str
    end: Text
    whole: str = ""

    def condition(self, variable: LoopVariable | None) -> str:
        """A comparison of what has one sign: an unsigned counter as wide as a ``long`` decides."""
        if self.whole:
            return self.whole
        end = self.end.text
        if variable and variable.unsigned and not _NARROW.fullmatch(variable.type):
            end = of_type(variable.type, self.end)
        return f"{self.spelling} {self.relation} {end}"
