"""What the target ``spatial`` is told."""

from __future__ import annotations

from dataclasses import field

from s2s.source.records import dataclass
from s2s.targets.flags import flag


def _layer_file(text: str) -> str:
    if text and not text.endswith(".m"):
        raise ValueError(f"'{text}' is no layer file (.m)")
    return text


@dataclass(frozen=True)
class SpatialOptions:
    """Which mapping a file's nests get."""

    mapping: str = field(
        default="",
        metadata=flag(
            "a layer file (.m) with the mapping of each nest: of the layer that has the name of "
            "the nest's function, or of the only layer",
            name="--mapping",
            metavar="FILE.m",
            parse=_layer_file,
        ),
    )
    elements: int = field(
        default=0,
        metadata=flag("processing elements; more clusters than that are refused (default: any)"),
    )
    reassociate: bool = field(
        default=False,
        metadata=flag("sums of floating-point numbers may be added up in another order"),
    )
