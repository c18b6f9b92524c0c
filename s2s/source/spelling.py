"""Names that are almost right."""

from __future__ import annotations

from collections.abc import Iterable


def closest(name: str, known: Iterable[str]) -> str | None:
    """The known name that was probably meant; None where none is near."""
    import difflib

    every = list(known)
    lower = {one.lower(): one for one in reversed(every)}
    cutoff = 0.6 if len(name) > 3 else 0.5
    found = difflib.get_close_matches(name.lower(), lower, n=1, cutoff=cutoff)
    return lower[found[0]] if found else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a message about a wrong name: what was meant, or all that there is."""
    every = list(known)
    meant = closest(name, every)
    if meant is not None:
        return f"; did you mean '{meant}'?"
    return f" (there are: {', '.join(every)})" if every else ""
