"""Errors in layer files and mappings."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from s2s.source.diagnostics import Diagnostic, Location, Severity, UserError

ID = "spatial"


def problem(text: str, place: Location | None = None, *notes: Diagnostic) -> UserError:
    """An error to raise, at a place where there is one."""
    return UserError(Diagnostic(Severity.ERROR, text, ID, place, notes))


def meant(name: str, known: Iterable[str]) -> str:
    """``; did you mean 'b'?`` where one of the known names is like the given one, else nothing."""
    near = get_close_matches(name, sorted(set(known) - {name}), 1, 0.5)
    return f"; did you mean '{near[0]}'?" if near else ""
