"""The words that a function's text stands for once the program's macros are expanded.

This is for a look at the text only: lines of directives are not read, of several definitions of a
name the one that hides most is taken, and what ``##`` joins stays two words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache

from s2s.frontends.c import sketch
from s2s.frontends.c.sketch import LoopWords
from s2s.frontends.c.text import defined_by, definition_in, hash_lines
from s2s.source.records import dataclass

_TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|^[ \t]*#[^\n]*"
    r"|([A-Za-z_]\w*|\d\w*(?:\.\w*)?|\.\d\w*"
    r"|<<=?|>>=?|->|\+\+|--|&&|\|\||[-+*/%&|^=<>!]=|[^\s\w])",
    re.DOTALL | re.MULTILINE | re.ASCII,
)
_SPLICE = re.compile(r"\\\r?\n")
_DEFINED = re.compile(rb"[ \t]*(?:#|%:)[ \t]*define[ \t]+([A-Za-z_]\w*)")
_MACRO = re.compile(r"([A-Za-z_]\w*)(\(([^()]*)\))?(.*)", re.DOTALL)
# Text of macros that grows beyond this is not worth a look that is meant to be cheap.
_MOST_WORDS = 200_000


class TooManyWordsError(Exception):
    """Macros make too much of a text."""


def words_of(text: str) -> list[str]:
    """The words of a text of C; strings and comments are none."""
    return [word for word in _TOKEN.findall(_SPLICE.sub("", text)) if word]


@dataclass(frozen=True)
class Macro:
    """A macro's text; ``parameters`` are None where no parentheses follow its name."""

    parameters: tuple[str, ...] | None
    body: tuple[str, ...]

    @property
    def hides(self) -> tuple[bool, int]:
        """How much of a loop may be in it, for a choice among several definitions."""
        return not {"for", "while", "do"}.isdisjoint(self.body), len(self.body)


def read_macros(definitions: Iterable[str]) -> dict[str, Macro]:
    """The macros that ``definitions`` (name and text each) make, by their names."""
    found: dict[str, Macro] = {}
    for name, macro in filter(None, map(_read_macro, definitions)):
        if name not in found or macro.hides > found[name].hides:
            found[name] = macro
    return found


@lru_cache(maxsize=16384)  # the files of a build include the same headers
def _read_macro(definition: str) -> tuple[str, Macro] | None:
    match = _MACRO.match(definition)
    if match is None:
        return None
    name, list_, parameters, text = match.groups()
    names = None if list_ is None else tuple(p.strip() for p in parameters.split(","))
    return name, Macro(names, tuple(words_of(text)))


@lru_cache(maxsize=512)
def _defined_in(data: bytes) -> dict[str, list[bytes]]:
    """The lines of a text that define macros, by the macros' names."""
    found: dict[str, list[bytes]] = {}
    for line in hash_lines(data):
        if match := _DEFINED.match(line):
            found.setdefault(match[1].decode(), []).append(line)
    return found


class FewMacros:
    """The macros that texts and flags make; those that others need are read."""

    def __init__(self, texts: Iterable[bytes], flags: Sequence[str]) -> None:
        self._lines: dict[str, list[bytes]] = {}
        self._read: dict[str, Macro] = read_macros(defined_by(flags))
        for data in texts:
            for name, lines in _defined_in(data).items():
                self._lines[name] = self._lines.get(name, []) + lines
        for name in self._read.keys() & self._lines.keys():
            self._read |= read_macros([*defined_by(flags), *self._texts(name)])

    @property
    def names(self) -> Set[str]:
        """All macros."""
        return self._read.keys() | self._lines.keys()

    def _texts(self, name: str) -> list[str]:
        return [definition_in(line) for line in self._lines[name]]

    def needed(self, words: Iterable[str]) -> dict[str, Macro]:
        """Those in the words of a text, and in what they stand for."""
        found: dict[str, Macro] = {}
        waiting, known = set(words), self.names
        while waiting := (waiting & known) - found.keys():
            for name in waiting:
                if name not in self._read:
                    self._read |= read_macros(self._texts(name))
            found |= {name: self._read[name] for name in waiting if name in self._read}
            waiting = {word for name in waiting & found.keys() for word in found[name].body}
        return found


def loops_with(words: Sequence[str], macros: Mapping[str, Macro]) -> Iterator[LoopWords]:
    """The loops of a text with macros expanded that may count, or are in such; the rest stays.

    Raises TooManyWordsError.
    """
    hiding = _hiding_loops(macros)
    end = 0
    for at, word in enumerate(words):
        if at < end or (word not in sketch.LOOPS and word not in hiding):
            continue
        loop = sketch.loop_at(words, at)
        if word in hiding or _may_count(loop, macros):
            end = at + 1 + len(loop.body) + (len(loop.header) + 2 if word != "do" else 0)
            yield from sketch.loops(sketch.without_single_trips(expand(words[at:end], macros)))


def _may_count(loop: LoopWords, macros: Mapping[str, Macro]) -> bool:
    """Whether the header of a loop does not show that it is none that counts."""
    if loop.keyword == "do":
        return sketch.may_walk(loop)
    header = expand(loop.header, macros)
    if loop.keyword == "while":
        return not sketch.COMPARISONS.isdisjoint(header)
    return sketch.is_bounded(LoopWords(loop.keyword, header, ()))


def _hiding_loops(macros: Mapping[str, Macro]) -> set[str]:
    """Macros whose text begins a loop."""
    found: set[str] = set()
    while more := {
        name for name, macro in macros.items()
        if not (sketch.LOOPS.isdisjoint(macro.body) and found.isdisjoint(macro.body))
    } - found:  # fmt: skip
        found |= more
    return found


def expand(words: Sequence[str], macros: Mapping[str, Macro]) -> list[str]:
    """The words with all macros expanded. Raises TooManyWordsError."""
    if macros.keys().isdisjoint(words):
        return list(words)
    found: list[str] = []
    for word in _expanded(words, macros, frozenset()):
        found.append(word)
        if len(found) > _MOST_WORDS:
            raise TooManyWordsError
    return found


def _expanded(
    words: Sequence[str], macros: Mapping[str, Macro], inside: frozenset[str]
) -> Iterator[str]:
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        macro = None if word in inside else macros.get(word)
        called = at < len(words) and words[at] == "("
        if macro is None or (macro.parameters is not None and not called):
            yield word
            continue
        body: Sequence[str] = macro.body
        if macro.parameters is not None:
            arguments, at = _arguments(words, at)
            body = _substituted(macro, arguments)
        yield from _expanded(body, macros, inside | {word})


def _arguments(words: Sequence[str], at: int) -> tuple[list[Sequence[str]], int]:
    """The arguments between the parentheses that open at a place, and the place after them."""
    found: list[Sequence[str]] = []
    depth, start = 0, at + 1
    for place in range(at, len(words)):
        word = words[place]
        if word in "([{":
            depth += 1
        elif word in ")]}":
            depth -= 1
        if not depth or (depth == 1 and word == ","):
            found.append(words[start:place])
            start = place + 1
        if not depth:
            return found, start
    return [*found, words[start:]], len(words)


def _substituted(macro: Macro, arguments: Sequence[Sequence[str]]) -> list[str]:
    """A macro's text with arguments for its parameters; those left over are the dots'."""
    names = macro.parameters or ()
    given: dict[str, list[str]] = {n: list(a) for n, a in zip(names, arguments, strict=False)}
    if names and names[-1].endswith("..."):
        rest = arguments[len(names) - 1 :]
        name = names[-1][:-3].strip() or "__VA_ARGS__"
        given[name] = [w for number, a in enumerate(rest) for w in ([","] * (number > 0) + list(a))]
    return [w for word in macro.body for w in given.get(word, [word])]
