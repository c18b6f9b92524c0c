"""Words of C++: what memory files and signatures of compute files are made of."""

from __future__ import annotations

import re

from s2s.source.clockwork.problems import problem
from s2s.source.diagnostics import Location
from s2s.source.records import dataclass

_TOKEN = re.compile(
    r"""(?P<skip>[ \t\r\f\v]+|//(?:\\\n|[^\n])*|/\*.*?\*/|\\\n)
    |(?P<line>\n)
    |(?P<directive>\#(?:\\\n|[^\n])*)
    |(?P<string>"(?:\\.|[^"\\\n])*")
    |(?P<character>'(?:\\.|[^'\\\n])+')
    |(?P<number>0[xX][0-9a-fA-F']+[uUlL]*|(?:\d[\d']*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[uUlLfF]*)
    |(?P<name>[A-Za-z_$][A-Za-z_$0-9]*)
    |(?P<sign>->|::|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||\+\+|--|[-+*/%&|^<>]=|[][(){}<>.,;:?!~=+\-*/%&|^@])
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Token:
    """``kind``: name, number, string (``text`` is its content), character, sign, end."""

    kind: str
    text: str
    line: int
    column: int
    length: int
    offset: int


def read_tokens(path: str, data: bytes) -> list[Token]:
    """The tokens of a file without comments and directives; the last one is its end.

    Raises UserError for what is none.
    """
    text = data.decode("latin-1")  # a byte is a column
    found: list[Token] = []
    at, line, begin = 0, 1, 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            place = Location(path, line, at - begin + 1, line, at - begin + 2)
            raise problem(f"'{text[at]}' begins nothing that is understood", place)
        kind, word = str(match.lastgroup), match[0]
        if kind not in ("skip", "line", "directive"):
            content = _unescaped(word[1:-1]) if kind == "string" else word
            found.append(Token(kind, content, line, at - begin + 1, len(word), at))
        if "\n" in word:
            line += word.count("\n")
            begin = at + word.rfind("\n") + 1
        at = match.end()
    found.append(Token("end", "", line, at - begin + 1, 0, at))
    return found


def _unescaped(text: str) -> str:
    names = {"n": "\n", "t": "\t"}
    return re.sub(r"\\(.)", lambda match: names.get(match[1], match[1]), text)


def place_of(path: str, first: Token, last: Token | None = None) -> Location:
    """Where tokens from the first to the last one stand."""
    end = last or first
    return Location(path, first.line, first.column, end.line, end.column + end.length)


def number_of(token: Token) -> int | None:
    """The value of an integer literal; None for one of another kind."""
    word = token.text.replace("'", "").rstrip("uUlL")
    try:
        octal = len(word) > 1 and word[0] == "0" and word.isdigit()
        return int(word, 8) if octal else int(word, 0)
    except ValueError:
        return None
