"""The text of ``s2s explain`` in parts, so that one can ask about a single line."""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress

from s2s.source.diagnostics import UsageError
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Block:
    """A part of an explanation and the lines of the source that it is about."""

    text: str
    lines: range


_HEADING = re.compile(r"^\S.*?:(\d+)-(\d+):", re.MULTILINE)


def blocks(explanation: str) -> list[Block]:
    """The parts headed ``path:first-last:``; without such headings, one part about all lines.

    Text before the first heading is about no line.
    """
    headings = list(_HEADING.finditer(explanation))
    starts = [heading.start() for heading in headings]
    ends = [*starts[1:], len(explanation)]
    preamble = explanation[: starts[0] if starts else None]
    preamble_lines = range(0) if starts else range(sys.maxsize)
    found = [Block(_ended(preamble), preamble_lines)] if preamble or not starts else []
    for heading, start, end in zip(headings, starts, ends, strict=False):
        lines = range(int(heading[1]), int(heading[2]) + 1)
        found.append(Block(_ended(explanation[start:end]), lines))
    return found


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"


def file_and_line(argument: str) -> tuple[str, int | None]:
    """What ``FILE[:LINE]`` names. Raises UsageError for what is no line of the file."""
    name, colon, line = argument.rpartition(":")
    if not colon or os.path.exists(argument) or not (os.path.isfile(name) or line.isdecimal()):
        return argument, None
    if not (line.isascii() and line.isdecimal()):
        raise UsageError(f"'{line}' is no line of {name}: it has to be a number")
    number = int(line)
    with suppress(OSError), open(name, "rb") as stream:
        count = len(stream.read().splitlines())
        if not 1 <= number <= count:
            has = "1 line" if count == 1 else f"{count} lines"
            raise UsageError(f"{name} has {has}: there is no line {number}")
    return name, number
