"""What the new code is for: a compiler, and what its flags let it do."""

from __future__ import annotations

from s2s.source.records import dataclass


@dataclass(frozen=True)
class Target:
    """``compiler`` is gcc or clang.

    ``fast``: its flags let it reorder floating-point operations by itself, without regard to NaN
    and the sign of zero. ``reassociate``: s2s may reorder them.
    """

    compiler: str
    fast: bool
    reassociate: bool
