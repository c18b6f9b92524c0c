"""The layout of ``--help``: no line is wider than the terminal, usages and lists included."""

from __future__ import annotations

import argparse
import re
import textwrap
from collections.abc import Iterator

_TABLE = re.compile(r"\s+\S+\s{2,}|\s+")
"""What a row of a table begins with; what follows is under its text where it is folded."""


class HelpLayout(argparse.HelpFormatter):
    """Folds what argparse leaves as long as it is: usages that are given, epilogs and choices."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(line for part in _parts(text) for line in _folded(part, width))

    def _format_usage(self, usage: str | None, *rest: object, **named: object) -> str:
        text = super()._format_usage(usage, *rest, **named)  # type: ignore[arg-type]
        if usage is None:
            return text
        return _hung(" ".join(text.split()), self._width, " " * len("usage: ")) + "\n\n"

    def _format_action(self, action: argparse.Action) -> str:
        found = super()._format_action(action)
        return "".join(self._with_choices_folded(line) for line in found.splitlines(keepends=True))

    def _with_choices_folded(self, line: str) -> str:
        if len(line.rstrip("\n")) <= self._width or "{" not in line:
            return line
        return _hung(line.rstrip("\n").replace(",", ", "), self._width, 6 * " ") + "\n"


def _parts(text: str) -> Iterator[str]:
    """Rows of tables, and paragraphs as one line each."""
    lines: list[str] = []
    for line in text.splitlines():
        if line[:1].isspace() or not line or not lines or lines[-1][:1].isspace() or not lines[-1]:
            lines.append(line)
        else:
            lines[-1] += f" {line}"
    yield from lines


def _folded(part: str, width: int) -> list[str]:
    row = _TABLE.match(part)
    return _hung(part, width, " " * (row.end() if row else 0)).splitlines() or [""]


def _hung(text: str, width: int, indent: str) -> str:
    return textwrap.fill(
        text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
