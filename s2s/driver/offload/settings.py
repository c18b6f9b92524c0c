"""What ``--offload`` is told."""

from __future__ import annotations

from dataclasses import field

from s2s.source.records import dataclass
from s2s.targets.flags import flag

RULES = ("none", "macs", "time")
ALIASES = {"cgra": "clockwork"}


def _names(text: str) -> tuple[str, ...]:
    names = tuple(ALIASES.get(name.strip(), name.strip()) for name in text.split(","))
    if not all(names) or len(set(names)) < len(names):
        raise ValueError(f"'{text}' is no list of different devices")
    return names


def _number(text: str) -> int:
    if not text.isdecimal():
        raise ValueError(f"'{text}' is no number of operations")
    return int(text)


@dataclass(frozen=True)
class OffloadOptions:
    """Which devices may take parts of a program, the first one having priority."""

    devices: tuple[str, ...] = field(
        default=(),
        metadata=flag(
            "give what suits them to these devices, the first one first:"
            " aie, davinci, clockwork (or cgra), spatial, cuda, emu, those of other packages, blas"
            " and onednn, libraries of this machine, for what the others leave",
            name="--offload",
            metavar="LIST",
            parse=_names,
        ),
    )
    rule: str = field(
        default="none",
        metadata=flag(
            "what is worth it: none is all that a device takes, macs what multiplies and"
            " accumulates, time what is expected to be faster there (default: none)",
            name="--offload-rule",
            choices=RULES,
        ),
    )
    most: int = field(
        default=0,
        metadata=flag(
            "operations of a region at most (default: any number)",
            name="--offload-most",
            metavar="COUNT",
            parse=_number,
        ),
    )
    lossy: bool = field(
        default=False,
        metadata=flag(
            "devices may compute in narrower types than the program's", name="--offload-lossy"
        ),
    )
    rest: bool = field(
        default=False,
        metadata=flag(
            "transform what stays on the host, too, as without --offload (with blas and onednn)",
            name="--offload-rest",
        ),
    )
