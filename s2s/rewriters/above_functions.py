"""Where text may stand above a function."""

from __future__ import annotations

import re

_COMMENT = re.compile(rb"(?://[^\n]*|/\*(?:(?!/\*).)*?\*/)\s*\Z", re.DOTALL)
_LAST_LINE = re.compile(rb"[^\n]*\Z")


def place_above(data: bytes, place: int) -> int | None:
    """Where a function may stand before what begins at a line: above the comments of that.

    None where what stands there may belong to the line.
    """
    while (comment := _COMMENT.search(data, 0, place)) is not None:
        place = comment.start()
        if _LAST_LINE.search(data, 0, place)[0].strip():  # type: ignore[index]
            return None
    before = data[:place].rstrip()
    start = len(before)
    line = _LAST_LINE.search(before)[0].lstrip()  # type: ignore[index]
    while (start := before.rfind(b"\n", 0, start)) > 0 and before[start - 1 : start] == b"\\":
        line = before[before.rfind(b"\n", 0, start) + 1 : start].lstrip()
    begins = data.rfind(b"\n", 0, place) + 1
    return begins if not before or before[-1:] in b";}" or line.startswith(b"#") else None
