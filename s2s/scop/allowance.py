"""How much work a file's regions may cost: isl's elementary operations, and time if asked for."""

from __future__ import annotations

import time

from s2s.source.records import dataclass

# A region that needs more than this stays as it is.
REGION = 8_000_000
# All regions of a file together; each may use a quarter of what those before it have left, so a few
# large ones do not starve the others.
_FILE = 96_000_000
_PART = 4


@dataclass
class Allowance:
    """The operations that are ``left`` to the regions of a file.

    With ``until``, a processor time of this process, that is the limit for the file; each of its
    regions has all its operations.
    """

    left: int = _FILE
    until: float | None = None

    @classmethod
    def of_seconds(cls, seconds: float) -> Allowance:
        """So many seconds of processor time from now on; 0 for the operations alone."""
        return cls(until=time.process_time() + seconds) if seconds else cls()

    @property
    def is_spent(self) -> bool:
        """Whether the time is over, so that no other region is looked at."""
        return self.until is not None and time.process_time() >= self.until

    @property
    def limit(self) -> int:
        """What the next region may use."""
        return REGION if self.until is not None else min(REGION, self.left // _PART)

    @property
    def is_short(self) -> bool:
        """Whether the regions before have left less than a region may use otherwise."""
        return self.limit < REGION
