"""The loops over a list whose values are computed before the rest of the work.

What the condition needed is kept as it was computed, so that it has one value, whatever compilers
contract to fused operations where.
"""

from __future__ import annotations

from collections.abc import Iterator

from s2s.frontends.c.syntax import CType, Decl
from s2s.rewriters.expressions import variables
from s2s.rewriters.hit_lists.nests import Nest
from s2s.rewriters.hit_lists.values import Stage, Values


class Stages:
    """Writes the parts of one nest; ``room`` is how long lists are at most, ``strip`` a strip."""

    def __init__(self, nest: Nest, values: Values, prefix: str, room: int, strip: int) -> None:
        self.nest = nest
        self.values = values
        self.prefix = prefix
        self.room = room
        self.strip = strip

    def arrays(self) -> Iterator[str]:
        """Declarations of what is kept: for the list, and for a strip."""
        for decl in self.values.kept:
            yield f"{_type(decl.type)} {self._of(decl)}[{self.room}];"
        for decl in self.values.given:
            yield f"{_type(decl.type)} {self._all(decl)}[{self.strip}];"

    def noted(self, lane: str) -> Iterator[str]:
        """Keeps what one iteration of a strip has computed."""
        for decl in self.values.given:
            yield f"{self._all(decl)}[{lane}] = {decl.name};"

    def picked(self, lane: str) -> Iterator[str]:
        """Keeps for an entry of the list what its lane of the strip has computed."""
        for decl in self.values.given:
            yield f"{self._of(decl)}[{self.prefix}h] = {self._all(decl)}[{lane}];"

    def loops(self, counters: dict[Decl, str]) -> Iterator[str]:
        """The loops; ``counters`` are the declarations of an iteration's counters."""
        p, stages = self.prefix, self.values.stages
        for number, stage in enumerate(stages):
            used = {d for s in stage.statements for d in variables(s)}
            yield f"for (int {p}h = 0; {p}h < {p}listed; {p}h++) {{"
            yield from (text for decl, text in counters.items() if decl in used)
            yield from self._taken(stage, is_rest=stage is stages[-1])
            yield f"@stage{number}@"
            for decl in stage.gives:
                yield f"{self._of(decl)}[{p}h] = {decl.name};"
            yield "}"

    def _taken(self, stage: Stage, *, is_rest: bool) -> Iterator[str]:
        """The variables of a stage as they were left; the rest's are those of the source."""
        for decl in stage.takes:
            sets = is_rest and decl not in self.values.inside
            type_ = "" if sets else f"{_type(decl.type)} "
            yield f"{type_}{decl.name} = {self._of(decl)}[{self.prefix}h];"
        for decl in stage.names:
            if not is_rest or decl in self.values.inside:
                yield f"{_type(decl.type)} {decl.name};"

    def _of(self, decl: Decl) -> str:
        return f"{self.prefix}{decl.name}_of"

    def _all(self, decl: Decl) -> str:
        return f"{self.prefix}{decl.name}_all"


def _type(type_: CType) -> str:
    return " ".join(w for w in type_.canonical.split() if w != "const")
