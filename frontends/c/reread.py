"""Parsing a file with one region rewritten, to look at the new code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s.frontends.c import clang
from s2s.frontends.c.parse import parse_edited
from s2s.frontends.c.syntax import Node
from s2s.frontends.c.unit import Unit
from s2s.source import Edit, SourceBuffer, Span, apply_edits
from s2s.source.diagnostics import InternalError
from s2s.source.flags import is_c90
from s2s.source.records import dataclass

_C99 = ("-std=gnu99",)


@dataclass(frozen=True)
class NewCode:
    """The block that replaced a region: what is after its ``guard``, and before that.

    ``data`` is the whole file's new text, ``text`` gives that of a node.
    """

    block: Node
    guard: Node | None
    before: tuple[Node, ...]
    data: bytes
    text: Callable[[Node], str]


def reread(unit: Unit, edit: Edit, function: str) -> NewCode:
    """The block that replaced a region, parsed; loops may declare variables in any dialect.

    Raises InternalError when the new text does not parse.
    """
    data = apply_edits(unit.buffer.data, [edit])
    buffer = SourceBuffer(unit.buffer.path, data)
    newer = _C99 if not unit.is_cxx and is_c90(unit.flags) else ()
    again = parse_edited(unit, [edit], buffer, calls=False, more=newer)
    if again.errors:
        place = again.errors[0].location
        line = buffer.line_text(place.line) if place else ""
        raise InternalError(f"emitted code does not parse: {again.errors[0].text}: {line.strip()}")
    where = Span(edit.start, edit.start + len(edit.text))
    cursor = again.function_around(where)
    indentation = len(edit.text) - len(edit.text.lstrip())
    found = None if cursor is None else _block_at(cursor, where.start + indentation)
    if found is None:
        raise InternalError(f"emitted code is not found in '{function}'")
    block, condition, before = _behind_guard(found)
    convert = again.converter.convert
    guard = convert(condition) if condition is not None else None
    declared = tuple(convert(child) for child in before)
    return NewCode(convert(block), guard, declared, data, lambda node: buffer.text(node.span))


def _block_at(cursor: Any, offset: int) -> Any | None:
    """The cursor of the block that begins at an offset: to convert all around it takes longer."""
    for child in clang.children(cursor):
        start, end, _ = clang.extent(child)
        if clang.kind(child) == "COMPOUND_STMT" and start == offset:
            return child
        if start <= offset < end and (found := _block_at(child, offset)) is not None:
            return found
    return None


def _behind_guard(block: Any) -> tuple[Any, Any | None, list[Any]]:
    """The new code, the guard's condition and what is declared for that.

    Behind a guard that is the first branch, with the old code as the other one.
    """
    *before, last = clang.children(block)
    branches = clang.children(last)
    if clang.kind(last) == "IF_STMT" and len(branches) == 3:
        declared = [child for child in before if clang.kind(child) == "DECL_STMT"]
        return branches[1], branches[0], declared
    return block, None, []
