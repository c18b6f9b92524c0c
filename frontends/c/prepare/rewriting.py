"""Changing identifiers in C text, and declarations from types."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from s2s.frontends.c.syntax import CType
from s2s.source import Edit, Span

_TOKEN = re.compile(
    rb"//(?:\\\r?\n|[^\n])*|/\*.*?\*/"  # comments
    rb"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
    rb"|(?P<member>(?:->|(?<!\.)\.)\s*[A-Za-z_]\w*)"
    rb"|\.?\d(?:[eEpP][+-]|[\w.])*"
    rb"|(?P<word>[A-Za-z_]\w*)",
    re.DOTALL,
)
_NO_SPELLING = re.compile(r"\((?:unnamed|anonymous|lambda)")
_RESTRICT = re.compile(r"\s*\b(?:__restrict__|__restrict|restrict)\b")


def rename(text: bytes, names: Mapping[str, bytes]) -> bytes:
    """Replace identifiers, but not members, and not in comments and literals."""
    if not names:
        return text

    def replaced(match: re.Match[bytes]) -> bytes:
        word = match.group("word")
        return match.group() if word is None else names.get(word.decode(), match.group())

    return _TOKEN.sub(replaced, text)


def rewritten(data: bytes, span: Span, edits: Iterable[Edit], names: Mapping[str, bytes]) -> bytes:
    """The text of a span with edits applied and the identifiers in the rest replaced.

    An edit inside an earlier one is left out. Edits begin and end between tokens.
    """
    pieces: list[bytes] = []
    position = span.start
    for edit in sorted(edits, key=lambda e: (e.start, -e.end)):
        if edit.start < position or edit.end > span.end:
            continue
        pieces += [rename(data[position : edit.start], names), edit.text]
        position = edit.end
    return b"".join([*pieces, rename(data[position : span.end], names)])


def declaration(type_: CType, name: str, *, assignable: bool = False) -> str | None:
    """The C text that declares a variable of a type; None where that text is not simple.

    Parameters of array type become pointers. ``restrict`` is left out: what it promises for a
    call does not hold for a loop around it. ``assignable`` drops a ``const`` of the variable.
    """
    spelling = _RESTRICT.sub("", type_.spelling).strip()
    if _NO_SPELLING.search(spelling):
        return None
    if assignable and type_.const:
        spelling = _without_const(spelling, type_.kind)
    if type_.kind == "pointer" and "[" in spelling and "(" not in spelling:
        element, _, rest = spelling.partition("[")
        inner = rest.partition("]")[2]
        return f"{element.strip()} (*{name}){inner}" if inner else f"{element.strip()} *{name}"
    if "(*)" in spelling and spelling.count("(") == 1:
        return spelling.replace("(*)", f"(*{name})")
    if "(" in spelling:
        return None
    if "[" in spelling:
        element, bracket, rest = spelling.partition("[")
        return f"{element.strip()} {name}{bracket}{rest}"
    return f"{spelling}{'' if spelling.endswith('*') else ' '}{name}"


def _without_const(spelling: str, kind: str) -> str:
    if kind == "pointer":
        return re.sub(r"\*\s*const$", "*", spelling)
    return re.sub(r"\bconst\b\s*", "", spelling).strip()


def cast(type_: CType, text: bytes) -> bytes | None:
    """The C text of a value converted to a scalar type; None where its name is not simple."""
    spelling = _without_const(_RESTRICT.sub("", type_.spelling).strip(), type_.kind)
    if not type_.scalar or _NO_SPELLING.search(spelling):
        return None
    return b"(" + spelling.encode() + b")(" + text + b")"
