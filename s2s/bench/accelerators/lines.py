"""Lines of code of a generator's source: its algorithm, its schedule, a schedule by levels."""

from __future__ import annotations

import re
from pathlib import Path

from s2s.source.cxx_methods import method_body
from s2s.source.records import dataclass

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
    """A function's lines; empty where there is none."""
    body = method_body(text, name)
    if body is None:
        return ""
    return text[text.rfind("\n", 0, body.start) + 1 : body.end + 1]
