"""Lines of code of a generator's source: its algorithm, its schedule, a schedule by levels."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_HEADER = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)
_LEVELS = "declare_levels"
_CALL = re.compile(rf"if \(\w+\) \{{\s*{_LEVELS}\(\);\s*return;\s*\}}")


@dataclass(frozen=True)
class Lines:
    """Lines with code. ``header``: of schedules that sources share; ``declared``: by levels."""

    algorithm: int
    schedule: int
    header: int
    declared: int


def count_lines(path: Path) -> Lines:
    """Those of a file: what is in no function that schedules is the algorithm's."""
    text = _COMMENT.sub("", path.read_text(encoding="utf-8"))
    declared = _count(_function(text, _LEVELS))
    schedule = _function(text, "schedule")
    rest = text.replace(schedule, "").replace(_function(text, _LEVELS), "")
    headers = (path.parent / name for name in _HEADER.findall(text))
    shared = [h.read_text(encoding="utf-8") for h in headers if h.is_file()]
    return Lines(
        _count(rest),
        _count(_CALL.sub("", schedule)),
        sum(_count(_COMMENT.sub("", each)) for each in shared),
        declared,
    )


def _count(text: str) -> int:
    return sum(bool(line.strip()) for line in text.splitlines())


def _function(text: str, name: str) -> str:
    """A function from its first line to its closing brace; empty where there is none."""
    match = re.search(rf"[ \t]*void {name}\(\) \{{", text)
    if match is None:
        return ""
    depth = 0
    for end in _braces(text, match.end() - 1):
        depth += 1 if text[end] == "{" else -1
        if depth == 0:
            return text[match.start() : end + 1]
    return ""


def _braces(text: str, start: int) -> Iterator[int]:
    """Places of braces that stand in no string."""
    for match in re.finditer(r'"(?:\\.|[^"\\\n])*"|[{}]', text[start:]):
        if match[0] in "{}":
            yield start + match.start()
