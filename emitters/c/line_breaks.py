"""Where lines of new code are broken that are longer than those of the file.

A ``for`` head has its parts on lines of their own, a condition what its ``&&`` and ``||`` join; all
other lines are broken before the operators that bind least, and go on where the text began that
is broken.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from s2s.emitters.c.guard import Part

_INDENT = "    "
_WHOLE, _SHORT = 40, 24
"""Characters of arithmetic that is not broken: over lines it reads worse than beyond the margin."""
_NARROW = 40
"""Columns after an opening parenthesis with which text goes on there, else on the next line."""
_LOGICAL = (("?", ":"), ("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="),
            ("<=", ">=", "<", ">"))  # fmt: skip
_OPERATORS = (*_LOGICAL, ("<<", ">>"), ("+", "-"), ("*", "/", "%"))
_BRACKETS = "()[]"
_BRACKET = re.compile(r"[][()]")
_OPERATOR = re.compile(
    rf"{_BRACKET.pattern}| (?:{'|'.join(re.escape(s) for row in _OPERATORS for s in row)})(?= )"
)
_SEPARATORS = {s: re.compile(rf"{_BRACKET.pattern}|{s}") for s in (" ", ", ", "; ")}
_SYMBOL = re.compile(r"(?:[?:+*/%|^&-]|\|\||&&|<<|>>|[<>=!]=?) (?=.)")
_HEAD = re.compile(r"(?:\} )?(?:else )?(?:if|for|while) ?(?=\()")
_ASSIGNED = re.compile(r"[^=<>!()]*?(?:\([^=]*\)[^=()]*?)? (?:[-+*/%&|^]|<<|>>)?= ")
_CHAIN = re.compile(r"(?:[A-Za-z_][\w\[\] +*.-]* = )*")
_CAST = r"(?:\((?:const )?[A-Za-z_][\w ]*\**\))"
_CALL = re.compile(rf"(?:\*{_CAST}+&)?{_CAST}*(?:[A-Za-z_][\w*]* )*[A-Za-z_]\w*[(\[]")
_DECLARED = re.compile(r"((?:const )?(?:\w+ )+)(?=\w+ = )")

_NAMES = re.compile(r"((?:\w+ )+)(\**\w+(?:\[\w+\])*(?:, \**\w+(?:\[\w+\])*)+);$")
"""A declaration of names without values."""


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
    elif (
        (found := _HEAD.match(text))
        and (end := _closing(text, found.end())) < len(text)
        and text[end + 1 : end + 3] != " {"
    ):
        yield from _head(text[: found.end() + 1], text[found.end() + 1 : end], room)
        inside = text[end + 1 :].strip()
        yield from (unit + line for line in break_line(inside, room - len(unit), unit) if inside)
    elif found := _NAMES.match(text):
        yield from _in_rows(found[1], _split(found[2], ", "), ";", room)
    elif (
        (found := _ASSIGNED.match(text))
        and text.endswith(";")
        and (len(text) - found.end() > _SHORT or not room // 2 < found.end() <= room)
    ):
        end = _CHAIN.match(text, found.end()).end()  # type: ignore[union-attr]
        yield from _assignment(text[:end], text[end:-1], room)
    elif start := _call(text.removesuffix(";")):
        tail = text[len(text.removesuffix(";")) - 1 :]
        yield from _arguments(start, text[len(start) : -len(tail)], tail, room)
    else:
        yield text


def break_code(lines: Iterable[str], width: int, unit: str) -> Iterator[str]:
    """Indented lines of code, each over as many as it needs; directives and comments stay."""
    for line in lines:
        text = line.lstrip()
        pad = line[: len(line) - len(text)]
        if len(line) <= width or text.startswith(("#", "*", "/*")):
            yield line
            continue
        head = text.removesuffix(" {")
        *first, last = break_line(head, max(width - len(pad) - 2, _SHORT), unit)
        yield from (pad + part for part in first)
        yield f"{pad}{last}{text[len(head) :]}"


def statements_of(text: str) -> list[str]:
    """The statements that stand on a line, if they are not in braces."""
    *first, last = _split(text, "; ") if not set("{}") & set(text) else [text]
    return [*(f"{statement};" for statement in first), last]


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
    if (declared := _DECLARED.match(target)) and len(each := _split(value, ", ")) > 1:
        pad = " " * declared.end()
        rows = [target + each[0], *(pad + one for one in each[1:])]
        yield from (f"{row}{',;'[n == len(rows) - 1]}" for n, row in enumerate(rows))
        return
    beside = list(break_expression(value, room - len(target) - 1))
    below = list(break_expression(value, room - 9))
    if len(target) > 2 * len(_INDENT) and (
        len(target) > room // 2
        or beside[0].endswith(("(", "["))
        or _overlong(below, room - 9) < _overlong(beside, room - len(target) - 1)
    ):
        element, operator = target.rstrip().rsplit(" ", 1)
        *first, last = break_expression(element, room - len(operator) - 1)
        yield from (*first, f"{last} {operator}")
        lines = [2 * _INDENT + line for line in below]
    else:
        lines = [target + beside[0], *(" " * len(target) + line for line in beside[1:])]
    lines[-1] += ";"
    yield from lines


def _overlong(lines: Sequence[str], room: int) -> int:
    """By how many characters lines stand over the margin."""
    return sum(max(len(line) - room, 0) for line in lines)


def _comment(text: str, room: int) -> Iterator[str]:
    line = ""
    for word in text.replace(" */", "\0*/").split(" "):
        if line and len(line) + len(word) + 1 > room:
            yield line
            line = f"   {word}"
        else:
            line += f" {word}" if line else word
    yield line.replace("\0", " ")


@lru_cache(maxsize=1 << 12)
def break_expression(text: str, width: int) -> tuple[str, ...]:
    """An expression over lines that fit where it has operands to break it at.

    What follows an operator in parentheses goes on after the opening one.
    """
    return tuple(_broken(text, width))


def _broken(text: str, width: int) -> Iterator[str]:
    if len(text) <= width:
        yield text
        return
    start = _opening(text)
    if start:
        yield from _enclosed(start, text[len(start) : -1], width)
        return
    start = _call(text)
    if start:
        yield from _arguments(start, text[len(start) : -1], text[-1], width)
        return
    rows = _OPERATORS if len(text) > _WHOLE else _LOGICAL
    operands = next((o for symbols in rows if len(o := _operands(text, symbols)) > 1), [])
    line = ""
    for operand in operands or [text]:
        if line and len(line) + len(operand) + 1 <= width:
            line += f" {operand}"
            continue
        if line:
            yield line
        symbol = _SYMBOL.match(operand) if operands else None
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


def _enclosed(start: str, inside: str, width: int) -> Iterator[str]:
    """What stands in parentheses, after the opening one or below it."""
    below = width - len(start) < _NARROW and len(start) > len(_INDENT)
    pad = _INDENT if below else " " * len(start)
    lines = [pad + line for line in break_expression(inside, width - len(pad) - 1)]
    if below:
        yield start
    else:
        lines[0] = start + lines[0][len(pad) :]
    lines[-1] += ")"
    yield from lines


def _arguments(start: str, inside: str, end: str, width: int) -> Iterator[str]:
    """A call, or an element: as many arguments on a line as fit, the others below the first."""
    each = _split(inside, ", ")
    if len(start) <= len(_INDENT):
        yield from _in_rows(start, each, end, width)
        return
    below = [start, *_in_rows(_INDENT, each, end, width)]
    beside = list(_in_rows(start, each, end, width))
    is_narrow = width - len(start) < _NARROW or _overlong(below, width) < _overlong(beside, width)
    yield from below if is_narrow else beside


def _in_rows(start: str, each: Sequence[str], end: str, width: int) -> Iterator[str]:
    pad, line = " " * len(start), ""
    for number, argument in enumerate(each):
        tail = "," if number < len(each) - 1 else end
        if line and len(line) + len(argument) + len(tail) < width:
            line += f" {argument}{tail}"
            continue
        if line:
            yield line
        first, *others = break_expression(argument, width - len(pad) - len(tail))
        line = (pad if number else start) + first
        for other in others:
            yield line
            line = pad + other
        line += tail
    yield line


def _call(text: str) -> str:
    """What stands before the arguments, or the subscript, of a text that ends with them."""
    found = _CALL.match(text)
    if found is None or text[found.end() :] in (")", "]"):
        return ""
    return found.group() if _closing(text, found.end() - 1) == len(text) - 1 else ""


def _opening(text: str) -> str:
    """The casts and the parenthesis with which a text begins that goes on to its end."""
    found = re.match(rf"{_CAST}*\(", text)
    if found is None:
        return ""
    return found.group() if _closing(text, found.end() - 1) == len(text) - 1 else ""


def _closing(text: str, start: int) -> int:
    """Where the parenthesis closes that opens at ``start``; the text's end if it does not."""
    depth = 0
    for found in _BRACKET.finditer(text, start):
        depth += 1 if found.group() in "([" else -1
        if depth == 0:
            return found.start()
    return len(text)


def _operands(text: str, symbols: Sequence[str]) -> list[str]:
    """The operands of operators outside of all parentheses, each after its operator."""
    places = [place for place, symbol in _operators(text) if symbol in symbols]
    starts = [0, *(place + 1 for place in places)]
    return [text[start:end] for start, end in zip(starts, [*places, len(text)], strict=True)]


@lru_cache(maxsize=1 << 12)
def _operators(text: str) -> tuple[tuple[int, str], ...]:
    """Where operators stand outside of all parentheses, each after the space before it."""
    return tuple((place, symbol[1:]) for place, symbol in _outside(_OPERATOR, text))


def _split(text: str, separator: str) -> list[str]:
    """The parts of a text between separators outside of all parentheses."""
    places = [place for place, _ in _outside(_SEPARATORS[separator], text)]
    starts = [0, *(place + len(separator) for place in places)]
    return [text[start:end] for start, end in zip(starts, [*places, len(text)], strict=True)]


def _outside(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, str]]:
    """What a pattern, which finds parentheses too, finds outside of all parentheses."""
    depth = 0
    for found in pattern.finditer(text):
        what = found.group()
        if what in _BRACKETS:
            depth += 1 if what in "([" else -1
        elif depth == 0:
            yield found.start(), what
