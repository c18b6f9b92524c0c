"""Where lines of new code are broken that are longer than those of the file.

A ``for`` head has its parts on lines of their own, a condition what its ``&&`` and ``||`` join; all
other lines are broken before the operators that bind least, and go on where the text began that
is broken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from s2s.emitters.c.guard import Part

_INDENT = "    "
_WHOLE, _SHORT = 40, 24
"""Characters of arithmetic that is not broken: over lines it reads worse than beyond the margin."""
_OPERATORS = (("?", ":"), ("||",), ("&&",), ("<=", ">=", "==", "<", ">"), ("+", "-"), ("*", "/"))
_SHORT_IF = re.compile(r"(if \(.*\)) ([A-Za-z_]\w* = [^;]*;)")
_ASSIGNED = re.compile(r"[^=<>!()]*?(?:\([^=]*\)[^=()]*?)? = ")


def guard_lines(parts: Sequence[Part], width: int) -> Iterator[str]:
    """The lines of ``if (...)`` over parts; ``width`` is what is left of a line."""
    for number, part in enumerate(parts):
        what = part.what.replace("*/", "")
        if number == 0:
            yield f"if (/* {what} */"
        elif part.what != parts[number - 1].what:
            yield f"{_INDENT}/* {what} */"
        start = f"{_INDENT}&& " if number else _INDENT
        last = ")" if number == len(parts) - 1 else ""
        first, *others = break_expression(part.text, width - len(start) - 3)
        pad = " " * len(start)
        lines = [start + first, *(pad + line for line in others)]
        lines[-1] += last
        yield from lines


def break_directive(text: str, width: int) -> Iterator[str]:
    """A directive over lines, each but the last with a backslash."""
    words = _split(text, " ")
    line = words[0]
    for word in words[1:]:
        if len(line) + len(word) + 3 > width and line.strip():
            yield f"{line} \\"
            line = " " * 7 + word
        else:
            line += f" {word}"
    yield line


def break_line(text: str, room: int, unit: str) -> Iterator[str]:
    """The lines of a statement, comment or head; ``unit`` indents what a condition is for."""
    if len(text) <= room:
        yield text
    elif text.startswith("/*"):
        yield from _comment(text, room)
    elif found := _SHORT_IF.fullmatch(text):
        yield from break_line(found[1], room, unit)
        yield from (unit + line for line in break_line(found[2], room - 4, unit))
    elif found := re.fullmatch(r"((?:\} )?(?:else )?(?:if|for|while) ?\()(.*)\)", text):
        yield from _head(found[1], found[2], room)
    elif (
        (found := _ASSIGNED.match(text))
        and text.endswith(";")
        and (len(text) - found.end() > _SHORT or found.end() <= room // 2)
    ):
        yield from _assignment(found.group(), text[found.end() : -1], room)
    else:
        yield text


def _head(start: str, inside: str, room: int) -> Iterator[str]:
    parts = _split(inside, "; ")
    pad, found_lines, is_short = " " * len(start), list[str](), True
    for number, part in enumerate(parts):
        found = _ASSIGNED.match(part) or re.match(r"\w+ [<>]=? ", part)
        before = found.group() if found and len(parts) > 1 else ""
        lines = list(break_expression(part[len(before) :], room - len(pad) - len(before) - 1))
        lines = [before + lines[0], *(" " * len(before) + line for line in lines[1:])]
        lines[-1] += ";" if number < len(parts) - 1 else ")"
        if number and is_short and len(found_lines[-1]) + len(lines[0]) + len(pad) < room:
            found_lines[-1] += f" {lines.pop(0)}"
        is_short = len(lines) == 1 or not found_lines
        found_lines += lines
    yield from ((pad if n else start) + line for n, line in enumerate(found_lines))


def _assignment(target: str, value: str, room: int) -> Iterator[str]:
    if len(target) > room // 2:
        yield target.rstrip()
        lines = list(break_expression(value, room - 9))
        yield from (2 * _INDENT + line for line in lines[:-1])
        yield f"{2 * _INDENT}{lines[-1]};"
        return
    first, *others = break_expression(value, room - len(target) - 1)
    lines = [target + first, *(" " * len(target) + line for line in others)]
    lines[-1] += ";"
    yield from lines


def _comment(text: str, room: int) -> Iterator[str]:
    line = ""
    for word in text.replace(" */", "\0*/").split(" "):
        if line and len(line) + len(word) + 1 > room:
            yield line
            line = f"   {word}"
        else:
            line += f" {word}" if line else word
    yield line.replace("\0", " ")


def break_expression(text: str, width: int) -> Iterator[str]:
    """An expression over lines that fit where it has operands to break it at.

    What follows an operator in parentheses goes on after the opening one.
    """
    if len(text) <= width:
        yield text
        return
    start = _opening(text)
    if start:
        lines = list(break_expression(text[len(start) : -1], width - len(start) - 1))
        lines = [start + lines[0], *(" " * len(start) + line for line in lines[1:])]
        lines[-1] += ")"
        yield from lines
        return
    rows = _OPERATORS if len(text) > _WHOLE else _OPERATORS[:4]
    operands = next((o for symbols in rows if len(o := _operands(text, symbols)) > 1), [])
    line = ""
    for operand in operands or [text]:
        if line and len(line) + len(operand) + 1 <= width:
            line += f" {operand}"
            continue
        if line:
            yield line
        symbol = re.match(r"(?:[?:+*/-]|\|\||&&|[<>=]=?) (?=.)", operand) if operands else None
        lead = symbol.group() if symbol else ""
        inner = operand[len(lead) :]
        if len(operand) <= width or inner == text:
            line = operand
            continue
        *whole, line = break_expression(inner, width - len(lead))
        whole = [(lead if n == 0 else " " * len(lead)) + part for n, part in enumerate(whole)]
        yield from whole
        line = (" " * len(lead) if whole else lead) + line
    yield line


def _opening(text: str) -> str:
    """The cast and parenthesis with which a text begins that goes on to its end."""
    found = re.match(r"(?:\((?:const )?[A-Za-z_][\w ]*\**\))?\(", text)
    if found is None:
        return ""
    depth = 0
    for place in range(found.end() - 1, len(text)):
        depth += (text[place] == "(") - (text[place] == ")")
        if depth == 0:
            return found.group() if place == len(text) - 1 else ""
    return ""


def _operands(text: str, symbols: Sequence[str]) -> list[str]:
    """The operands of operators outside of all parentheses, each after its operator."""
    found, depth, start = [], 0, 0
    for place, character in enumerate(text):
        depth += (character in "([") - (character in ")]")
        if depth == 0 and any(text.startswith(f" {s} ", place) for s in symbols):
            found.append(text[start:place])
            start = place + 1
    return [*found, text[start:]]


def _split(text: str, separator: str) -> list[str]:
    """The parts of a text between separators outside of all parentheses."""
    found, depth, start = [], 0, 0
    for place, character in enumerate(text):
        depth += (character in "([") - (character in ")]")
        if depth == 0 and place >= start and text.startswith(separator, place):
            found.append(text[start:place])
            start = place + len(separator)
    return [*found, text[start:]]
