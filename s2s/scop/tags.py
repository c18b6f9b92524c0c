"""Tags of ``depend`` clauses: what orders tasks, and is never an access."""

from __future__ import annotations

from typing import TYPE_CHECKING

from s2s.source.records import dataclass

if TYPE_CHECKING:
    import islpy as isl


@dataclass(frozen=True)
class DependItem:
    """An item of a ``depend`` clause: a tag (base and subscripts), never an access."""

    base: str
    """A variable; empty where the tag may be any address."""
    subscripts: tuple[str, ...] | None
    """isl text over the iterators outside the task; None where not affine."""
    writes: bool
    pointer: bool = False
    """Whether the base is a pointer that subscripts follow."""
    flat: bool = False
    """Whether one subscript of the source stands for several: ``a[i * n + j]`` for (i, j)."""


@dataclass(frozen=True)
class TagBase:
    """Where tags of one base lie: its ``first`` subscripts, ``single`` if it has no others."""

    first: isl.Set
    single: bool
