"""Loops of C as their text shows them: for what no analysis has said more about."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
    r"|\b(?:for|while|do|if|else|switch)\b|[{}();]",
    re.DOTALL,
)
_LOOP = re.compile(r"^\s*(?:\}\s*)?(?:for|while)\s*\(|^\s*do\b|^\s*#\s*pragma\s+omp\b")
_LONGEST = 200


def nest_depth(text: str) -> int:
    """How many loops stand around the deepest place; bodies without braces count, too."""
    deepest = 0
    open_: list[int] = [0]  # loops around what stands in each pair of braces
    pending = parentheses = 0  # loops whose body has not begun
    for found in _TOKEN.finditer(text):
        token = found.group()
        if token == "(":
            parentheses += 1
        elif token == ")":
            parentheses -= 1
        elif parentheses > 0:
            continue
        elif token in ("for", "while", "do"):
            pending += 1
            deepest = max(deepest, open_[-1] + pending)
        elif token == "{":
            open_.append(open_[-1] + pending)
            pending = 0
        elif token == "}":
            pending = 0
            if len(open_) > 1:
                open_.pop()
        elif token == ";":
            pending = 0
    return deepest


def loop_lines(text: str) -> list[tuple[int, str]]:
    """Headers and directives of loops, with how many of the others are around.

    A directive, which may stand at a line's beginning, is as deep as the loop that follows.
    """
    found: list[tuple[int, str]] = []
    directives: list[str] = []
    around: list[int] = []
    for line in text.expandtabs(8).splitlines():
        if not _LOOP.match(line):
            continue
        words = line.strip()[:_LONGEST]
        if words.startswith("#"):
            directives.append(words)
            continue
        indent = len(line) - len(line.lstrip())
        while around and around[-1] >= indent:
            around.pop()
        found += [(len(around), text) for text in (*directives, words.removesuffix(" {"))]
        around.append(indent)
        directives = []
    return found
