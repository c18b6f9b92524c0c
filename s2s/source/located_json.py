"""JSON whose values know where they stand, so that what is wrong with one is said at its place."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping
from dataclasses import field
from itertools import accumulate
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

from s2s.source.diagnostics import Diagnostic, Location, Severity, UserError
from s2s.source.records import dataclass
from s2s.source.spelling import did_you_mean

_BLANK = re.compile(r"[ \t\n\r]*")
_SCALAR = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null")


@dataclass(frozen=True)
class Value:
    """A value and its place: members of an object and a list are such values, too.

    ``at`` is None for values that come from no file. ``keys`` are the places of an object's keys.
    """

    value: Any
    at: Location | None = None
    keys: Mapping[str, Location] = field(default_factory=dict)

    def wrong(self, text: str, key: str = "") -> UserError:
        """The error about this value, or about one of its keys."""
        at = self.keys.get(key, self.at)
        return UserError(Diagnostic(Severity.ERROR, text, "schedule", at))

    def members(self, known: Collection[str]) -> dict[str, Value]:
        """The members of an object with no other keys than these. Raises UserError."""
        if not isinstance(self.value, dict):
            raise self.wrong(f"an object is expected, with {', '.join(known)}")
        for key in self.value:
            if key not in known:
                raise self.wrong(f"there is no '{key}' here{did_you_mean(key, known)}", key)
        return self.value

    def items(self) -> list[Value]:
        """The items of a list. Raises UserError."""
        if not isinstance(self.value, list):
            raise self.wrong("a list is expected")
        return self.value

    def text(self) -> str:
        """A string. Raises UserError."""
        if not isinstance(self.value, str):
            raise self.wrong("a string is expected")
        return self.value

    def texts(self) -> list[str]:
        """The strings of a list, or of one string. Raises UserError."""
        return [self.text()] if isinstance(self.value, str) else [v.text() for v in self.items()]

    def number(self) -> int:
        """A whole number. Raises UserError."""
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self.wrong("a whole number is expected")
        return self.value

    def plain(self) -> Any:
        """The value without places."""
        if isinstance(self.value, dict):
            return {key: value.plain() for key, value in self.value.items()}
        if isinstance(self.value, list):
            return [value.plain() for value in self.value]
        return self.value


def from_data(data: Any) -> Value:
    """Values of Python, without places."""
    if isinstance(data, Mapping):
        return Value({str(key): from_data(value) for key, value in data.items()})
    if isinstance(data, list | tuple):
        return Value([from_data(item) for item in data])
    return Value(data)


def read_located(path: str, text: str) -> Value:
    """The value of a JSON text. Raises UserError at the place of an error."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        at = Location(path, error.lineno, error.colno, error.lineno, error.colno + 1)
        raise UserError(Diagnostic(Severity.ERROR, error.msg, "schedule", at)) from None
    return _Reader(path, text).value()


class _Reader:
    """Reads a text that is known to be JSON."""

    def __init__(self, path: str, text: str) -> None:
        self._path, self._text, self._position = path, text, 0
        self._lines = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]

    def value(self) -> Value:
        self._blank()
        start, first = self._position, self._text[self._position]
        if first == '"':
            found: Any = self._string()
        elif first in "{[":
            return self._object(start) if first == "{" else self._list(start)
        else:
            word = _SCALAR.match(self._text, start)
            assert word is not None
            self._position = word.end()
            found = json.loads(word.group())
        return Value(found, self._place(start, self._position))

    def _object(self, start: int) -> Value:
        found: dict[str, Value] = {}
        keys: dict[str, Location] = {}
        for _ in self._parts("}"):
            at = self._position
            key = self._string()
            if key in found:
                text = f"'{key}' is there twice"
                place = self._place(at, self._position)
                raise UserError(Diagnostic(Severity.ERROR, text, "schedule", place))
            keys[key] = self._place(at, self._position)
            self._blank()
            self._position += 1  # the colon
            found[key] = self.value()
        return Value(found, self._place(start, start + 1), keys)

    def _list(self, start: int) -> Value:
        found = [self.value() for _ in self._parts("]")]
        return Value(found, self._place(start, start + 1))

    def _parts(self, end: str) -> Iterator[None]:
        """Stops before each part up to the closing bracket."""
        self._position += 1
        self._blank()
        while self._text[self._position] != end:
            yield
            self._blank()
            self._position += self._text[self._position] == ","
            self._blank()
        self._position += 1

    def _string(self) -> str:
        text, self._position = scanstring(self._text, self._position + 1)
        return str(text)

    def _blank(self) -> None:
        found = _BLANK.match(self._text, self._position)
        assert found is not None
        self._position = found.end()

    def _place(self, start: int, end: int) -> Location:
        line = bisect_right(self._lines, start)
        column = start - self._lines[line - 1] + 1
        return Location(self._path, line, column, line, column + end - start)
