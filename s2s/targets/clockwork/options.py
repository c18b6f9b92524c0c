"""Options of ``--target clockwork``."""

from __future__ import annotations

from dataclasses import field

from s2s.source.records import dataclass
from s2s.targets.flags import flag

MEMORIES = ("wide-fetch", "dual-port", "ready-valid", "ponds", "block-ram")


@dataclass(frozen=True)
class ClockworkOptions:
    """``clock`` in picoseconds, 0: the array's. ``memory``, ``sharing`` and ``pack`` are those of
    ``MappingOptions``.
    """

    memory: str = field(
        default="wide-fetch",
        metadata=flag(
            "what memory tiles are (default: wide-fetch)",
            choices=MEMORIES,
        ),
    )
    sharing: str = field(
        default="memories",
        metadata=flag(
            "what operations of one kernel share besides it, each with those before it:"
            " nothing but multiplexers, stencil registers, chains of memories, tiles"
            " (default: memories)",
            choices=("muxes", "registers", "chaining", "memories"),
        ),
    )
    pack: bool = field(
        default=False, metadata=flag("put several buffers into one memory tile where they fit")
    )
    unroll: int = field(
        default=16,
        metadata=flag(
            "reductions of C of at most so many operations run in one cycle (default: 16)",
            metavar="N",
        ),
    )
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
