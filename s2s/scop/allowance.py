"""How much polyhedral work a file's regions may cost, in isl's elementary operations."""

from __future__ import annotations

from dataclasses import dataclass

# A region that needs more than this stays as it is.
REGION = 8_000_000
# All regions of a file together; each may use a quarter of what those before it have left, so a few
# large ones do not starve the others.
_FILE = 32_000_000
_PART = 4


@dataclass
class Allowance:
    """The operations that are ``left`` to the regions of a file."""

    left: int = _FILE

    @property
    def limit(self) -> int:
        """What the next region may use."""
        return min(REGION, self.left // _PART)

    @property
    def is_short(self) -> bool:
        """Whether the regions before have left less than a region may use otherwise."""
        return self.limit < REGION
