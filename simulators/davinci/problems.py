"""Errors of this machine: programs, files and numbers that it cannot take."""

from __future__ import annotations

from s2s.source.diagnostics import Diagnostic, Location, Severity, UserError

ID = "davinci"


def line_of(path: str, line: int) -> Location:
    """A whole line of a file."""
    return Location(path, line, 1, line, 1)


def problem(text: str, place: Location | None = None) -> UserError:
    """An error to raise, at a place where there is one."""
    return UserError(Diagnostic(Severity.ERROR, text, ID, place))
