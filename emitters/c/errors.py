"""How the emitter declines; apart from it, for whoever catches it seldom prints anything."""

from __future__ import annotations


class Unprintable(Exception):
    """A schedule has no C form here."""
