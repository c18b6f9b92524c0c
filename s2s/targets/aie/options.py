"""Options of the AI Engine."""

from __future__ import annotations

import re
from dataclasses import field

from s2s.source.records import dataclass
from s2s.targets.flags import flag

_SHAPE = re.compile(r"(\d+)x(\d+)")
_MOST = (8, 50)
"""Rows and columns of the largest array (VC1902)."""


def _shape(text: str) -> tuple[int, int]:
    match = _SHAPE.fullmatch(text)
    if match is None:
        raise ValueError(f"'{text}' is no number of rows and columns, as 4x4")
    rows, columns = int(match[1]), int(match[2])
    if not (1 <= rows <= _MOST[0] and 1 <= columns <= _MOST[1]):
        raise ValueError(f"{text} cores: the array has {_MOST[0]} rows of {_MOST[1]}")
    return rows, columns


@dataclass(frozen=True)
class AieOptions:
    """``cores``: rows and columns of the array that a graph is made for; (0, 0): one kernel."""

    cores: tuple[int, int] = field(
        default=(0, 0),
        metadata=flag(
            "a graph on so many cores, rows and columns, in place of one kernel",
            name="--cores",
            metavar="ROWSxCOLUMNS",
            parse=_shape,
        ),
    )
