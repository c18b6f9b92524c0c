"""The passes by name; each is a frozen dataclass whose fields are its options."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from s2s.transforms.popp import Popp

NAMES = ("popp",)


def make(name: str) -> Popp:
    """The pass of that name with default options. Raises KeyError for an unknown one."""
    if name == "popp":
        from s2s.transforms.popp import Popp

        return Popp()
    raise KeyError(name)
