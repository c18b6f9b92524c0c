"""Words of a graph's C++, each with its line."""

from __future__ import annotations

import re

from s2s.source.diagnostics import Diagnostic, Location, Severity, UserError
from s2s.source.records import dataclass

_SKIPPED = re.compile(r"//[^\n]*|/\*.*?\*/|^[ \t]*#[^\n]*", re.S | re.M)
_TOKEN = re.compile(
    r'\s*(?:(?P<string>"[^"\n]*")|(?P<number>0[xX][0-9a-fA-F]+|\d+\.\d*|\d+)[uUlLfF]*'
    r"|(?P<name>[A-Za-z_]\w*(?:::~?[A-Za-z_]\w*)*)"
    r"|(?P<sign>\+\+|--|\+=|-=|<<|>>|<=|>=|==|!=|&&|\|\||->|[-+*/%<>=!?:;,.&(){}\[\]]))"
)


@dataclass(frozen=True)
class Token:
    """``kind``: string, number, name, sign, or end."""

    kind: str
    text: str
    line: int


def tokens_of(text: str, path: str) -> list[Token]:
    """All words of a text, an end last. Raises UserError for what is no word of C++."""
    plain = _SKIPPED.sub(lambda m: "\n" * m[0].count("\n"), text)
    found, at = [], 0
    end = len(plain.rstrip())
    while at < end:
        match = _TOKEN.match(plain, at)
        line = plain.count("\n", 0, at) + 1
        if match is None or match.lastgroup is None:
            raise refusal(f"'{plain[at:].split()[0]}' is not understood in a graph", path, line)
        start = match.start(match.lastgroup)
        line = plain.count("\n", 0, start) + 1
        word = match[match.lastgroup]
        if match.lastgroup == "name":
            word = word.removeprefix("adf::").removeprefix("std::")
        found.append(Token(match.lastgroup, word, line))
        at = match.end()
    return [*found, Token("end", "", plain.count("\n") + 1)]


def refusal(text: str, path: str, line: int) -> UserError:
    """An error at a line of the graph's text."""
    place = Location(path, line, 1, line, 1)
    return UserError(Diagnostic(Severity.ERROR, text, "graph", place))
