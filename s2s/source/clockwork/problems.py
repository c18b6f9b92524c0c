"""Errors in Clockwork's files."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from s2s.source.diagnostics import Diagnostic, Location, Severity, UserError

ID = "clockwork"


def problem(text: str, place: Location | None = None, *notes: Diagnostic) -> UserError:
    """An error to raise, at a place where there is one."""
    return UserError(Diagnostic(Severity.ERROR, text, ID, place, notes))


def note(text: str, place: Location) -> Diagnostic:
    """What explains an error, at another place."""
    return Diagnostic(Severity.NOTE, text, ID, place)


def meant(name: str, known: Iterable[str]) -> str:
    """``; did you mean 'b'?`` where one of the known names is like the given one, else nothing."""
    near = get_close_matches(name, sorted(set(known) - {name}), 1, 0.75)
    return f"; did you mean '{near[0]}'?" if near else ""
