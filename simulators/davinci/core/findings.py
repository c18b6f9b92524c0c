"""What is wrong with a program, with the line of the instruction."""

from __future__ import annotations

from dataclasses import field

from s2s.source.records import dataclass

LIMIT = 100
"""Findings that are kept, one for each line and kind."""


@dataclass(frozen=True)
class Finding:
    """``kind`` is an identifier; a warning is about what may be meant so."""

    kind: str
    line: int
    text: str
    is_error: bool = True


@dataclass
class Findings:
    """Each kind once a line, in the order in which they occur."""

    found: dict[tuple[str, int], Finding] = field(default_factory=dict)

    def say(self, kind: str, line: int, text: str, *, is_error: bool = True) -> None:
        if len(self.found) < LIMIT:
            self.found.setdefault((kind, line), Finding(kind, line, text, is_error))

    @property
    def errors(self) -> list[Finding]:
        return [one for one in self.found.values() if one.is_error]
