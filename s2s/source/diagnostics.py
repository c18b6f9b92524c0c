"""What s2s says: remarks, missed opportunities, warnings and errors, each with its place.

Two kinds of failure are kept apart. A ``UserError`` is about the input or the command and ends
with exit status 1; an ``InternalError`` is a defect of s2s: the region at hand stays as it was
(exit status 70 under ``--strict``).
"""

from __future__ import annotations

from enum import Enum

from s2s.source.records import dataclass


class Severity(Enum):
    """How a diagnostic is to be taken; the value is the word that is printed."""

    REMARK = "remark"
    MISSED = "missed"
    WARNING = "warning"
    ERROR = "error"
    NOTE = "note"


@dataclass(frozen=True, kw_only=False)
class Location:
    """A place in a file: lines and columns count from 1, the end is exclusive."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True)
class Diagnostic:
    """``file:line:col: severity: text [id]`` with an optional list of notes.

    ``location`` is None for what concerns a whole file or command. ``letters`` are those of the
    transformations in a remark on new code (``s2s.analyses.schedule_steps``). ``region`` is the
    outermost statement that was tried as a region; ``needless``: it says that a pass is about
    something else, or would gain nothing.
    """

    severity: Severity
    text: str
    id: str
    location: Location | None = None
    notes: tuple[Diagnostic, ...] = ()
    letters: str = ""
    region: Location | None = None
    needless: bool = False


class UserError(Exception):
    """The input or the command is at fault; carries what to print."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__("; ".join(d.text for d in diagnostics))
        self.diagnostics = diagnostics

    def __reduce__(self) -> tuple[type[UserError], tuple[Diagnostic, ...]]:
        """Goes through pipes with what it carries."""
        return type(self), self.diagnostics

    @property
    def location(self) -> Location | None:
        """Where it is, in a file or in a line of JSON; None where it is about the command."""
        return next((d.location for d in self.diagnostics if d.location is not None), None)


class UsageError(Exception):
    """The arguments of the command line do not go together; ``at`` where a file gives them."""

    def __init__(self, text: str, at: Location | None = None) -> None:
        super().__init__(text)
        self.at = at


class InternalError(Exception):
    """A defect of s2s itself."""
