"""A guard over lines: a condition on each, with what it is for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from s2s.emitters.c.guard import Part

WIDTH = 100
"""Columns of a line that is not broken."""
_INDENT = "    "


def guard_lines(parts: Sequence[Part], width: int) -> Iterator[str]:
    """The lines of ``if (...) {``; ``width`` is what is left of a line."""
    for number, part in enumerate(parts):
        what = part.what.replace("*/", "")
        if number == 0:
            yield f"if (/* {what} */"
        elif part.what != parts[number - 1].what:
            yield f"{_INDENT}/* {what} */"
        start = f"{_INDENT}&& " if number else _INDENT
        first, *others = _broken(part.text, width - len(start))
        pad = " " * (len(start) + _is_enclosed(part.text))
        lines = [start + first, *(pad + line for line in others)]
        lines[-1] += ") {" if number == len(parts) - 1 else ""
        yield from lines


def _broken(text: str, width: int) -> Iterator[str]:
    """A condition in pieces that fit, where it has operands to break it at."""
    if len(text) <= width:
        yield text
        return
    inner = text[1:-1] if _is_enclosed(text) else text
    around = inner is not text
    symbol = "||" if len(_split(inner, "||")) > 1 else "&&"
    pieces = _split(inner, symbol)
    if len(pieces) < 2:
        yield text
        return
    line = ("(" if around else "") + pieces[0]
    for piece in pieces[1:]:
        if len(line) + len(piece) + 4 > width:
            yield line
            line = f"{symbol} {piece}"
        else:
            line += f" {symbol} {piece}"
    yield line + (")" if around else "")


def _is_enclosed(text: str) -> bool:
    """Whether a text is one pair of parentheses with what is in it."""
    if not text.startswith("("):
        return False
    depth = 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return place == len(text) - 1
    return False


def _split(text: str, symbol: str) -> list[str]:
    """The operands of an operator outside of all parentheses."""
    found, depth, start = [], 0, 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0 and text.startswith(f" {symbol} ", place):
            found.append(text[start:place])
            start = place + len(symbol) + 2
    return [*found, text[start:]]
