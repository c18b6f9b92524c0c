"""Sources without a schedule."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from s2s.tuning.clockwork.space import Places, Program, Space, near

_PROGRAMS = Path(__file__).parent / "sources"

_HEAD = (_PROGRAMS / "head.c").read_text()
_TAIL = """    }
};
HALIDE_REGISTER_GENERATOR(Made, made)
"""

BLUR = (_PROGRAMS / "blur.c").read_text()
"""Reads its image by windows."""

TWICE = (_PROGRAMS / "twice.c").read_text()
"""Has a Func at its boundary, and two stages that are alike."""


def program(body: str, width: int = 24, height: int = 8) -> Program:
    """A generator with this body."""
    text = f"{_HEAD}{body}{_TAIL}"
    return Program("made.cpp", text.encode(), sizes=(("output", (width, height)),))


def neighbours(space: Space, places: Places) -> Iterator[Places]:
    """Candidates that differ on one axis, by a near value."""
    for axis in range(len(space.axes)):
        yield from dict.fromkeys(p for group in near(space, places, axis) for p in group)
