"""How many of a program's operations libraries have: node share of Table 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from s2s.scop.operation import Recognised
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.driver.libraries.judged import Judged


@dataclass(frozen=True)
class Nodes:
    """Operations that libraries do, of ``all``: a nest that is no operator counts as one."""

    taken: int
    all: int

    def __add__(self, other: Nodes) -> Nodes:
        return Nodes(self.taken + other.taken, self.all + other.all)


def count_nodes(judged: Sequence[Judged]) -> Nodes:
    """The operations of the nests of a file, from outside: inner ones where these are others'."""
    total, place = Nodes(0, 0), 0
    while place < len(judged):
        end = place + 1
        while end < len(judged) and judged[end].depth > judged[place].depth:
            end += 1
        total += _nodes(judged[place], judged[place + 1 : end])
        place = end
    return total


def _nodes(one: Judged, inside: Sequence[Judged]) -> Nodes:
    found = one.nest.found
    count = len(found.operations) if isinstance(found, Recognised) else 1
    if one.edit is not None:
        loops = sum(step.call is None for step in one.decision.steps)
        return Nodes(count - loops, count)
    below = count_nodes(inside)
    return below if below.taken else Nodes(0, count)
