"""What other packages bring by entry points: read where a name is asked for that is none of ours.

To look at every installed package takes longer than s2s takes to start.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, TypeVar

from s2s.source.diagnostics import Diagnostic, Severity, UserError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")


def find_installed(group: str, ours: Collection[str]) -> dict[str, EntryPoint]:
    """The entry points of a group by name; none of them takes the place of ours."""
    from importlib.metadata import entry_points

    found = sorted(entry_points(group=group), key=lambda entry: entry.name)
    return {entry.name: entry for entry in found if entry.name not in ours}


def load_installed(entry: EntryPoint, kind: type[T], word: str) -> T:
    """The object of an entry point, whose ``name`` is the entry's.

    Raises UserError where it cannot be loaded or is none of this kind, ``word`` for the user.
    """
    try:
        found = entry.load()
    except Exception as error:
        text = f"{word} '{entry.name}' cannot be loaded: {type(error).__name__}: {error}"
        raise UserError(Diagnostic(Severity.ERROR, text, word)) from error
    if not isinstance(found, kind) or getattr(found, "name", "") != entry.name:
        text = f"{word} '{entry.name}' cannot be loaded: '{entry.value}' is no such {word}"
        raise UserError(Diagnostic(Severity.ERROR, text, word))
    return found
