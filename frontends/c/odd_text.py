"""Text that compilers do not read alike, or that what reads text here would take for other text.

Rare as it is, it makes the parser's program another one than the compiler's; such files stay.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_LONE_RETURN = re.compile(rb"\r(?!\n)")
_WIDE_SPLICE = re.compile(rb"\\[ \t\f\v]+\r?\n")
_TRIGRAPH = re.compile(rb"\?\?[=/'()!<>-]")


def oddity(data: bytes, flags: Sequence[str]) -> tuple[int, str] | None:
    """Where a text is odd, and what is odd about it."""
    found = _LONE_RETURN.search(data) if b"\r" in data else None
    if found:
        return found.start(), "a carriage return without a line feed"
    found = _WIDE_SPLICE.search(data)
    if found:
        return found.start(), "blanks between a backslash and the end of the line"
    found = _TRIGRAPH.search(data) if b"??" in data and _has_trigraphs(flags) else None
    return (found.start(), "a trigraph") if found else None


def _has_trigraphs(flags: Sequence[str]) -> bool:
    """Compilers take them for what they stand for in strict modes."""
    return any(flag in ("-trigraphs", "-ansi") or flag.startswith("-std=c") for flag in flags)
