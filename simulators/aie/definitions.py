"""The definitions at the top level of a kernel's text, and those that a function needs.

Public kernel files hold more than the kernel that is asked for: test benches, other kernels,
templates. What the kernel does not reach is left out before the parser sees it, on the same lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from s2s.source.records import dataclass

_TOKEN = re.compile(
    r'[A-Za-z_]\w*|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|^[ \t]*#[^\n]*|\S', re.M
)
_WORD = re.compile(r"[A-Za-z_]\w*")
_CLOSING = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True)
class Definition:
    """One item at the top level: its place in the text, its name, and the names that it mentions.

    ``name`` is empty where the item declares types or several things.
    """

    start: int
    end: int
    name: str
    is_function: bool
    mentions: frozenset[str]


def definitions(text: str) -> Iterator[Definition]:
    """The items of a text of balanced brackets, directives and line markers left out."""
    tokens = [t for t in _TOKEN.finditer(text) if not t[0].lstrip().startswith("#")]
    first = position = 0
    while position < len(tokens):
        word = tokens[position][0]
        if word in _CLOSING:
            is_body = word == "{" and _is_body(tokens[first:position])
            position = _closing(tokens, position)
            if not is_body:
                position += 1
                continue
        elif word != ";":
            position += 1
            continue
        yield _definition(tokens[first : position + 1], word == "{")
        position += 1
        first = position


def only(text: str, function: str) -> str:
    """The text without the functions that ``function`` does not reach by the names it mentions.

    Variables of types that C has no spelling for go, too, unless it mentions them. Everything
    stays where no function has the name.
    """
    found = list(definitions(text))
    if not any(one.is_function and one.name == function for one in found):
        return text
    reached, todo = {function}, {function}
    while todo:
        todo = {name for one in found if one.name in todo for name in one.mentions} - reached
        reached |= todo
    return drop_items(
        text, [one for one in found if one.name not in reached and _may_go(one, text)]
    )


def _may_go(one: Definition, text: str) -> bool:
    return one.is_function or (bool(one.name) and "::" in text[one.start : one.end])


def drop_items(text: str, left_out: list[Definition]) -> str:
    """The text without some of its items; the ends of lines and line markers stay."""
    pieces, at = [], 0
    for one in left_out:
        pieces.append(text[at : one.start])
        lines = text[one.start : one.end].split("\n")
        pieces.append("\n".join(line if line.lstrip().startswith("#") else "" for line in lines))
        at = one.end
    return "".join([*pieces, text[at:]])


def _closing(tokens: list[re.Match[str]], position: int) -> int:
    """The token that closes a bracket; the last one where none does."""
    closing = [_CLOSING[tokens[position][0]]]
    while closing and position + 1 < len(tokens):
        position += 1
        word = tokens[position][0]
        if word in _CLOSING:
            closing.append(_CLOSING[word])
        elif word == closing[-1]:
            closing.pop()
    return position


def _is_body(head: list[re.Match[str]]) -> bool:
    """Whether a brace after these tokens begins a function's body."""
    words = [token[0] for token in head]
    has_value = "=" in _outside_of_parentheses(words)
    return "(" in words and not has_value and words[-1] not in ("=", "]", "(")


def _outside_of_parentheses(words: list[str]) -> Iterator[str]:
    depth = 0
    for word in words:
        depth -= word == ")"
        if depth == 0:
            yield word
        depth += word == "("


def _definition(tokens: list[re.Match[str]], is_function: bool) -> Definition:
    words = [token[0] for token in tokens]
    mentions = frozenset(word for word in words if _WORD.fullmatch(word))
    name = _name(words, is_function)
    return Definition(tokens[0].start(), tokens[-1].end(), name, is_function, mentions)


def _name(words: list[str], is_function: bool) -> str:
    """The last name before the parameters, or before a variable's extents or value."""
    if not is_function and (words[0] in ("typedef", "using") or "{" in words[: _value(words)]):
        return ""
    stop = "(" if is_function else "=[;("
    depth, name = 0, ""
    for word in words:
        depth += (word == "<") - (word == ">")
        if depth == 0 and word in stop:
            break
        if depth == 0 and _WORD.fullmatch(word):
            name = word
    return name


def _value(words: list[str]) -> int:
    return words.index("=") if "=" in words else len(words)
