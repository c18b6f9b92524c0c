"""Directives inside of one parallel region: shared loops, what one thread runs, and barriers."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import field

from s2s.scop.schedule import Team
from s2s.source.records import dataclass

BARRIER = "#pragma omp barrier"
SINGLE = "#pragma omp single nowait"


@dataclass
class TeamWriter:
    """Where the printing of a team's loop is.

    ``inside``: the next statement would run in every thread of the team. ``_open`` are the
    statements that another thread may still be running; None where it may be any.
    """

    team: Team
    inside: bool = False
    _open: frozenset[str] | None = field(default=None)

    def enter(self) -> None:
        """Where an iteration begins or a loop has ended: others may be in an earlier iteration."""
        self._open = None

    @property
    def state(self) -> frozenset[str] | None:
        """What may still be running, to come back to where a condition does not hold."""
        return self._open

    def back_to(self, state: frozenset[str] | None) -> None:
        self._open = state

    def join(self, other: frozenset[str] | None) -> None:
        """After a condition: what may still be running after either branch."""
        self._open = None if self._open is None or other is None else self._open | other

    def waits(self, names: Set[str]) -> list[str]:
        """The lines before a part that runs these statements, which never wait themselves."""
        must = self._open is None or any(
            frozenset((done, name)) not in self.team.independent
            for done in self._open for name in names
        )  # fmt: skip
        before = frozenset() if must or self._open is None else self._open
        self._open = before | names
        return [BARRIER] if must else []
