"""A loop with renamed variables, whose temporaries have no storage yet."""

from __future__ import annotations

from collections.abc import Mapping

from s2s.analyses.renaming import Renaming
from s2s.analyses.same_values import Provenance
from s2s.scop.nodes import Scop
from s2s.source import Span
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Temporary:
    """A new variable of which each iteration has a value; ``renaming`` is why it is there."""

    name: str
    type: str
    size: int
    renaming: Renaming


@dataclass(frozen=True)
class Use:
    """A text of a statement that a temporary stands for, ``distance`` iterations back.

    An empty span is where text goes before (``suffix``) or after others.
    """

    span: Span
    temporary: str
    distance: int = 0
    prefix: str = ""
    suffix: str = ""


@dataclass(frozen=True)
class Renamed:
    """A loop with renamed variables in its source's order.

    ``uses`` are the texts by statement that are to be replaced when storage is known.
    """

    scop: Scop
    temporaries: Mapping[str, Temporary]
    uses: Mapping[str, tuple[Use, ...]]
    provenance: Provenance

    def distance(self, temporary: str) -> int:
        """How many iterations back a temporary is read at most."""
        found = [u.distance for us in self.uses.values() for u in us if u.temporary == temporary]
        return max(found, default=0)
