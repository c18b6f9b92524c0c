"""Whether a piece of text is one statement once macros are expanded.

Text that begins or ends inside of what a macro stands for is more than it seems: of ``for (...)
BOTH(i);`` only a part may belong to the loop.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from s2s.frontends.c.macro_words import Macro, TooManyWordsError, expand, words_of

_HEADED = frozenset({"for", "while", "switch"})


class _Several(Exception):
    """Not one statement."""


def is_one_statement(text: str, macros: Mapping[str, Macro]) -> bool:
    """Whether the text of a loop begins with the loop and ends with it, for the compiler, too."""
    own = words_of(text)
    if not own or own[0] not in ("for", "while", "do"):
        return False
    try:
        words = expand(own, macros)
        end = _statement(words, 0)
    except (TooManyWordsError, _Several):
        return False
    return end == len(words)


def makes_one_statement(text: str, macros: Mapping[str, Macro]) -> bool:
    """Whether macros make one statement of a text, with nothing but semicolons behind it."""
    try:
        words = expand(words_of(text), macros)
        end = _statement(words, 0)
    except (TooManyWordsError, _Several):
        return False
    return all(word == ";" for word in words[end:])


def _statement(words: Sequence[str], at: int) -> int:
    """The place after the statement that begins at one."""
    word = words[at] if at < len(words) else ""
    if word in _HEADED:
        return _statement(words, _closed(words, at + 1))
    if word == "if":
        end = _statement(words, _closed(words, at + 1))
        return _statement(words, end + 1) if words[end : end + 1] == ["else"] else end
    if word == "do":
        end = _statement(words, at + 1)
        if words[end : end + 1] != ["while"]:
            raise _Several
        return _after_semicolon(words, _closed(words, end + 1))
    if word == "{":
        return _closed(words, at)
    return _after_semicolon(words, at)


def _closed(words: Sequence[str], at: int) -> int:
    """The place after the bracket that closes the one at a place."""
    if at >= len(words) or words[at] not in "([{":
        raise _Several
    depth = 0
    for place in range(at, len(words)):
        depth += (words[place] in "([{") - (words[place] in ")]}")
        if not depth:
            return place + 1
    raise _Several


def _after_semicolon(words: Sequence[str], at: int) -> int:
    while at < len(words) and words[at] != ";":
        if words[at] in ")]}":
            raise _Several
        at = _closed(words, at) if words[at] in "([{" else at + 1
    if at >= len(words):
        raise _Several
    return at + 1
