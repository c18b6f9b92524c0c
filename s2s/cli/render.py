"""Diagnostics as text and as plain JSON values.

The text form is that of C compilers, because editors and build servers already read it:
``path:line:column: severity: text [id]``, the source line, and a line that underlines the place.
Everything that is printed comes from files that s2s does not trust, so nothing unprintable
reaches the terminal and a line of megabytes is shown as a window around its column.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterator
from typing import Any, TypeAlias

from s2s.source.diagnostics import Diagnostic, Location, Severity

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | bool | None"

_WINDOW = 120
_BEFORE = 50
_ELLIPSIS = "..."
_MAX_SOURCE_BYTES = 64 * 1024 * 1024


class Sources:
    """The lines of the files that diagnostics point into.

    What was added is shown as it was then, whatever the file holds now (``-o`` may name the
    input); other files, such as headers, are read when first asked for.
    """

    def __init__(self) -> None:
        self._data: dict[str, bytes] = {}
        self._lines: dict[str, list[bytes]] = {}

    def add(self, path: str, data: bytes) -> None:
        self._data[path] = data

    def data(self, path: str) -> bytes:
        """The content of a file; empty when there is none to show."""
        if path not in self._data:
            self._data[path] = _read(path)
        return self._data[path]

    def line(self, path: str, line: int) -> bytes | None:
        """A line (from 1) without its ending; None when there is no such line to show."""
        if path not in self._lines:
            self._lines[path] = self.data(path).split(b"\n")
        lines = self._lines[path]
        return lines[line - 1].rstrip(b"\r") if 1 <= line <= len(lines) else None

    def code_point_column(self, path: str, line: int, column: int) -> int:
        """A column in bytes as a column in code points, both from 1."""
        raw = self.line(path, line)
        if raw is None:
            return column
        past_the_end = max(0, column - 1 - len(raw))
        return len(raw[: column - 1].decode("utf-8", "replace")) + past_the_end + 1


def _read(path: str) -> bytes:
    try:
        if not os.path.isfile(path):
            return b""
        with open(path, "rb") as stream:
            return stream.read(_MAX_SOURCE_BYTES)
    except (OSError, ValueError):
        return b""


def printable(text: str) -> str:
    """``text`` on one line, with what a terminal would act on written as an escape."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def as_text(diagnostic: Diagnostic, sources: Sources) -> str:
    """The diagnostic and its notes as a compiler prints them; ends with a newline."""
    return "".join(f"{line}\n" for line in _text_lines(diagnostic, sources))


def as_line(diagnostic: Diagnostic, sources: Sources) -> str:
    """The diagnostic alone, without the source's line and without notes."""
    return f"{_headline(diagnostic)}\n"


def _text_lines(diagnostic: Diagnostic, sources: Sources) -> Iterator[str]:
    yield _headline(diagnostic)
    if diagnostic.location:
        yield from _caret_lines(diagnostic.location, sources)
    for note in diagnostic.notes:
        yield from _text_lines(note, sources)


def _headline(diagnostic: Diagnostic) -> str:
    at = diagnostic.location
    where = f"{printable(at.path)}:{at.line}:{at.column}" if at else "s2s"
    label = f" [{diagnostic.id}]" if diagnostic.id and diagnostic.severity != Severity.NOTE else ""
    return f"{where}: {diagnostic.severity.value}: {printable(diagnostic.text)}{label}"


def _caret_lines(at: Location, sources: Sources) -> Iterator[str]:
    raw = sources.line(at.path, at.line)
    if raw is None or not raw.strip():
        return
    start = min(at.column - 1, len(raw))
    end = min(at.end_column - 1, len(raw)) if at.end_line == at.line else len(raw.rstrip())
    low = 0 if len(raw) <= _WINDOW else max(0, min(start - _BEFORE, len(raw) - _WINDOW))
    high = min(len(raw), low + _WINDOW)
    before = _shown(raw[low:start], _ELLIPSIS if low else "")
    under = _shown(raw[start : min(end, high)], before)[len(before) :]
    line = _shown(raw[low:high], _ELLIPSIS if low else "")
    yield line.rstrip() + (_ELLIPSIS if high < len(raw) else "")
    yield " " * _width(before) + "^" + "~" * (_width(under) - 1)


def _shown(raw: bytes, prefix: str) -> str:
    """``prefix`` and the bytes, tabs filled up with spaces to columns of eight."""
    shown = prefix
    for character in raw.decode("utf-8", "replace"):
        if character == "\t":
            shown += " " * (8 - _width(shown) % 8)
        else:
            shown += character if character.isprintable() else "?"
    return shown


def _width(text: str) -> int:
    """Terminal columns that ``text`` takes."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def as_json(diagnostic: Diagnostic) -> dict[str, Json]:
    """The diagnostic as plain JSON values, its notes inside."""
    letters: dict[str, Json] = {"letters": diagnostic.letters} if diagnostic.letters else {}
    region: dict[str, Json] = {}
    if diagnostic.region is not None:
        region["region"] = _location_as_json(diagnostic.region)
    if diagnostic.needless:
        region["needless"] = True
    return {
        "severity": diagnostic.severity.value,
        "id": diagnostic.id,
        "text": diagnostic.text,
        **letters,
        "location": _location_as_json(diagnostic.location),
        **region,
        "notes": [as_json(note) for note in diagnostic.notes],
    }


def from_json(values: Any) -> Diagnostic:
    """What ``as_json`` gave the values of. Raises KeyError, TypeError, ValueError."""
    return Diagnostic(
        Severity(values["severity"]), str(values["text"]), str(values["id"]),
        _location_from_json(values["location"]),
        tuple(from_json(note) for note in values["notes"]),
        str(values.get("letters", "")),
        _location_from_json(values.get("region")),
        bool(values.get("needless", False)),
    )  # fmt: skip


def _location_from_json(values: Any) -> Location | None:
    if values is None:
        return None
    places = (int(values[key]) for key in ("line", "column", "end_line", "end_column"))
    return Location(str(values["path"]), *places)


def _location_as_json(at: Location | None) -> Json:
    if at is None:
        return None
    return {
        "path": at.path,
        "line": at.line,
        "column": at.column,
        "end_line": at.end_line,
        "end_column": at.end_column,
    }
