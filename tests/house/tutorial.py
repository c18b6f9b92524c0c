"""A page that is a session: files to make, commands to run, and the shape of what they print.

A fence after ``<!-- file: NAME -->`` is a file. The lines of ``sh`` fences are commands, and a
``text`` fence right after one is what they print: numbers may be others, ``...`` stands for
anything. Commands that install something are not run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_PART = re.compile(
    r"^<!-- file: (?P<file>\S+) -->\n```\w+\n(?P<content>.*?)^```$"
    r"|^```sh\n(?P<commands>.*?)^```$(?:\n\n```text\n(?P<printed>.*?)^```$)?",
    re.DOTALL | re.MULTILINE,
)
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[+-]\d+)?")


@dataclass(frozen=True)
class File:
    """A file of the session."""

    name: str
    content: str


@dataclass(frozen=True)
class Commands:
    """Lines for a shell, and what they print all together, None where the page does not say."""

    lines: tuple[str, ...]
    printed: str | None


def parts(page: str) -> Iterator[File | Commands]:
    """What a page does, in its order."""
    for found in _PART.finditer(page):
        if found["file"]:
            yield File(found["file"], found["content"])
        elif not found["commands"].startswith("pip install"):
            yield Commands(tuple(found["commands"].splitlines()), found["printed"])


def has_shape(printed: str, shape: str, *, exact: bool = False) -> bool:
    """Whether a text is as one that was printed another time; ``exact``: with the same numbers."""
    lines = (_line(line, exact) for line in shape.rstrip("\n").split("\n"))
    pattern = "\n".join(lines)
    return re.fullmatch(pattern, printed.rstrip("\n"), re.DOTALL) is not None


def _line(text: str, exact: bool) -> str:
    pieces = ([piece] if exact else _NUMBER.split(piece) for piece in text.split("..."))
    return ".*".join(_NUMBER.pattern.join(map(re.escape, piece)) for piece in pieces)
