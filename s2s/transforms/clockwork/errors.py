"""Why a way of scheduling or mapping does not apply."""

from __future__ import annotations


class MappingError(ValueError):
    """A way does not apply; the text says which operation and why."""


class DoesNotFit(MappingError):
    """A design has more of something than the array."""


class NotRoutable(MappingError):
    """No wires are left for a net."""
