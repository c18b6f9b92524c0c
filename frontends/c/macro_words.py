"""The words that a function's text stands for once the program's macros are expanded.

This is for a look at the text only: lines of directives are not read, of several definitions of a
name the one that hides most is taken, and what ``##`` joins stays two words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

_TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|^[ \t]*#[^\n]*"
    r"|([A-Za-z_]\w*|\d\w*(?:\.\w*)?|\.\d\w*"
    r"|<<=|>>=|->|\+\+|--|&&|\|\||[-+*/%&|^=<>!]=|[^\s\w])",
    re.DOTALL | re.MULTILINE | re.ASCII,
)
_SPLICE = re.compile(r"\\\r?\n")
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


def read_macros(definitions: Sequence[str]) -> dict[str, Macro]:
    """The macros that ``definitions`` (name and text each) make, by their names."""
    found: dict[str, Macro] = {}
    for definition in definitions:
        match = _MACRO.match(definition)
        if match is None:
            continue
        name, list_, parameters, text = match.groups()
        names = None if list_ is None else tuple(p.strip() for p in parameters.split(","))
        macro = Macro(names, tuple(words_of(text)))
        if name not in found or macro.hides > found[name].hides:
            found[name] = macro
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
