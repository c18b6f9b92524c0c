"""What keeps a nest from being written as C."""

from __future__ import annotations


class Inexpressible(Exception):
    """The nest has a type, a function or a loop for which there is no plain C."""
