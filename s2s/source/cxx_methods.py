"""Where a method of a C++ class begins and ends, by its braces."""

from __future__ import annotations

import re
from collections.abc import Iterator

from s2s.source.text import Span


def method_body(text: str, name: str) -> Span | None:
    """The body of ``void name()`` without its braces; None where there is none."""
    match = re.search(rf"\bvoid\s+{name}\s*\(\s*\)\s*(?:override\s*)?{{", text)
    if match is None:
        return None
    depth = 0
    for place in _braces(text, match.end() - 1):
        depth += 1 if text[place] == "{" else -1
        if depth == 0:
            return Span(match.end(), place)
    return None


def _braces(text: str, start: int) -> Iterator[int]:
    """Places of braces that stand in no string and in no comment."""
    skipped = r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/|[{}]'
    for match in re.finditer(skipped, text[start:], re.DOTALL):
        if match[0] in "{}":
            yield start + match.start()
