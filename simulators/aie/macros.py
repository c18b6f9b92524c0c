"""Preprocessing of plain files without a process of its own.

Emitted kernels have comments, includes and macros without parameters, nothing else; there are
thousands of them in a search for a schedule, and starting the C preprocessor takes longer than
everything that it does for them. What is not as plain is left to it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
_DEFINE = re.compile(r"#\s*define\s+([A-Za-z_]\w*)(?:[ \t]+(.*))?$")
_INCLUDE = re.compile(r"#\s*include\b")
_WORD = re.compile(r"[A-Za-z_]\w*")
_SPECIAL = re.compile(r"[\"'\\]|\b__[A-Z_]+__\b|\bdefined\b")
_DEEPEST = 16


class NotPlain(Exception):
    """The text needs a real preprocessor."""


def expanded(text: str, defines: Sequence[str]) -> str:
    """The text without comments and directives, macros replaced, on the same lines.

    Raises NotPlain where there is more to it.
    """
    macros = dict(_definition(define) for define in defines)
    plain = _COMMENT.sub(lambda match: " " + "\n" * match[0].count("\n"), text)
    return "\n".join([_line(line, macros) for line in plain.split("\n")])


def _definition(define: str) -> tuple[str, str]:
    name, equals, value = define.partition("=")
    if not _WORD.fullmatch(name):
        raise NotPlain
    return name, value if equals else "1"


def _line(line: str, macros: dict[str, str]) -> str:
    stripped = line.strip()
    if not stripped.startswith("#"):
        if _SPECIAL.search(line):
            raise NotPlain
        return _replaced(line, macros)
    if _INCLUDE.match(stripped):
        return ""
    match = _DEFINE.match(stripped)
    if match is None or _SPECIAL.search(match[2] or ""):
        raise NotPlain
    macros[match[1]] = match[2] or ""
    return ""


def _replaced(line: str, macros: dict[str, str]) -> str:
    if not any(name in line for name in macros):
        return line
    for _ in range(_DEEPEST):
        new = _WORD.sub(lambda match: macros.get(match[0], match[0]), line)
        if new == line:
            return line
        line = new
    raise NotPlain
