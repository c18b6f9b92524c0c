"""What came out of measuring a region, as the cache keeps it."""

from __future__ import annotations

from s2s.source.records import dataclass
from s2s.tuning.cache import Cache, Table


@dataclass(frozen=True)
class Record:
    """What came out of measuring a region.

    ``spec`` is the pass with its options, empty for the original text; the seconds are the
    original's and the winner's; ``failure`` says why nothing could be measured. ``place`` and
    ``when`` (ISO 8601, UTC) are for the reader.
    """

    spec: str
    original_seconds: float = 0.0
    seconds: float = 0.0
    sizes: str = ""
    tried: int = 0
    place: str = ""
    when: str = ""
    failure: str = ""

    @property
    def ratio(self) -> float:
        """How many times as fast as the original the winner was."""
        return self.original_seconds / self.seconds if self.seconds > 0 else 1.0


CHOICES = Table("choices", Record, "key")


def newest_first(cache: Cache) -> list[Record]:
    """All choices that are remembered."""
    records = sorted(cache.find(CHOICES).values(), key=lambda record: record.place)
    return sorted(records, key=lambda record: record.when, reverse=True)
