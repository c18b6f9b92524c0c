"""Loops of C as their text shows them: for what no analysis has said more about."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
    r"|\b(?:for|while|do|if|else|switch)\b|[{}();]",
    re.DOTALL,
)
_LOOP = re.compile(r"^\s*(?:\}\s*)?(?:for|while)\s*\(|^\s*do\b|^\s*#\s*pragma\s+omp\b")
_GUARD = re.compile(r"^[ \t]*if \((.*)\) \{[ \t]*$", re.MULTILINE)


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
    """Headers and directives of loops, with their indentation in columns."""
    found = []
    for line in text.splitlines():
        if _LOOP.match(line):
            expanded = line.expandtabs(8)
            found.append((len(expanded) - len(expanded.lstrip()), expanded.strip()[:200]))
    return found


def guard_text(text: str) -> str:
    """The condition under which new code runs; empty where there is none before its loops."""
    found = _GUARD.search(text)
    loop = re.search(r"^[ \t]*for\b", text, re.MULTILINE)
    if found is None or "} else {" not in text or (loop and loop.start() < found.start()):
        return ""
    return found[1][:2000]
