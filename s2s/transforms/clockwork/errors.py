"""Why a way of scheduling or mapping does not apply."""

from __future__ import annotations


class MappingError(ValueError):
    """A way does not apply; the text says which operation and why."""
