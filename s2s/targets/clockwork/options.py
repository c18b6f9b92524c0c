"""Options of ``--target clockwork``."""

from __future__ import annotations

from dataclasses import dataclass, field

from s2s.targets.flags import flag


@dataclass(frozen=True)
class ClockworkOptions:
    """``clock`` in picoseconds, 0: the array's."""

    place: bool = field(
        default=False, metadata=flag("place and route the design; writes NAME.place.json, NAME.dot")
    )
    pipeline: bool = field(
        default=False,
        metadata=flag("the same with registers for the array's clock; takes more cycles"),
    )
    clock: int = field(
        default=0,
        metadata=flag("the clock period for --clockwork-pipeline", metavar="PICOSECONDS"),
    )
