"""Words of layer files, one after the other, with their places."""

from __future__ import annotations

import re
from collections.abc import Iterable

from s2s.source.diagnostics import Location, UserError
from s2s.source.records import dataclass
from s2s.source.spatial.problems import meant, problem
from s2s.source.text import SourceBuffer, Span

_SPACE = re.compile(rb"(?:\s|//[^\n]*)*")
_WORD = re.compile(rb"\+=|max=|min=|[A-Za-z_]\w*'?|\d+|[^\s\w]", re.ASCII)
_TITLE = re.compile(rb"[^\s{};]+")
NAME = re.compile(r"[A-Za-z_]\w*'?", re.ASCII)
MOST = 2**62
"""What a number of a file stays below, so that whoever reads it elsewhere can hold it, too."""


@dataclass(frozen=True)
class Word:
    """A piece of text and its place; empty at the end of the file."""

    text: str
    at: Location


class Scanner:
    """Goes through a file; ``word`` is what comes next."""

    def __init__(self, path: str, data: bytes) -> None:
        self._buffer = SourceBuffer(path, data)
        self._position = 0
        self.word = self._read(_WORD)

    def _read(self, pattern: re.Pattern[bytes]) -> Word:
        match = _SPACE.match(self._buffer.data, self._position)
        start = match.end() if match else self._position
        found = pattern.match(self._buffer.data, start)
        end = found.end() if found else start
        self._position = end
        text = self._buffer.data[start:end].decode("utf-8", "replace")
        return Word(text, self._buffer.location(Span(start, end)))

    def take(self) -> Word:
        """The next word, which is passed."""
        word = self.word
        self.word = self._read(_WORD)
        return word

    def title(self) -> Word:
        """The next word where any sign but braces may be in it (names of layers); maybe empty."""
        place = self.word.at
        self._position = self._offset(place)
        word = self._read(_TITLE)
        self.word = self._read(_WORD)
        return word

    def _offset(self, place: Location) -> int:
        return self._buffer.line_offset(place.line) + place.column - 1

    def wrong(self, expected: str, known: Iterable[str] = ()) -> UserError:
        """An error at the next word: what should stand there, which of the ``known`` is near."""
        said = f"'{self.word.text}'" if self.word.text else "the end of the file"
        near = meant(self.word.text, known)
        return problem(f"expected {expected}, not {said}{near}", self.word.at)

    def passes(self, text: str) -> bool:
        """Whether the next word is this one; then it is passed."""
        if self.word.text == text:
            self.take()
            return True
        return False

    def sign(self, text: str) -> Word:
        """The next word, which must be this one. Raises UserError."""
        if self.word.text != text:
            raise self.wrong(f"'{text}'")
        return self.take()

    def name(self, what: str) -> Word:
        """The next word, which must be a name. Raises UserError."""
        if not NAME.fullmatch(self.word.text):
            raise self.wrong(what)
        return self.take()

    def number(self, what: str) -> tuple[int, Word]:
        """The next word, which must be a positive number. Raises UserError."""
        if not self.word.text.isdigit():
            raise self.wrong(what)
        word = self.take()
        value = int(word.text) if len(word.text) < 20 else MOST
        if not 0 < value < MOST:
            raise problem(f"{what} is from 1 to {MOST - 1}, not {word.text}", word.at)
        return value, word
