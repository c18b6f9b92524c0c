"""Parsing a file with one region rewritten, to look at the new code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s.diagnostics import InternalError
from s2s.frontends.c import clang
from s2s.frontends.c.parse import Unit, parse_again
from s2s.frontends.c.syntax import Node
from s2s.source import Edit, SourceBuffer, Span, apply_edits


def reread(unit: Unit, edit: Edit, function: str) -> tuple[Node, Callable[[Node], str]]:
    """The block that replaced a region (behind its guard) and the text of its nodes.

    Raises InternalError when the new text does not parse.
    """
    data = apply_edits(unit.buffer.data, [edit])
    buffer = SourceBuffer(unit.buffer.path, data)
    again = parse_again(unit, buffer)
    if again.errors:
        place = again.errors[0].location
        line = buffer.line_text(place.line) if place else ""
        raise InternalError(f"emitted code does not parse: {again.errors[0].text}: {line.strip()}")
    where = Span(edit.start, edit.start + len(edit.text))
    for cursor in again.functions():
        start, end, _ = clang.extent(cursor)
        if start <= where.start and where.end <= end:
            indentation = len(edit.text) - len(edit.text.lstrip())
            found = _block_at(cursor, where.start + indentation)
            if found is not None:
                new = again.converter.convert(_behind_guard(found))
                return new, lambda node: buffer.text(node.span)
    raise InternalError(f"emitted code is not found in '{function}'")


def _block_at(cursor: Any, offset: int) -> Any | None:
    """The cursor of the block that begins at an offset: to convert all around it takes longer."""
    for child in clang.children(cursor):
        start, end, _ = clang.extent(child)
        if clang.kind(child) == "COMPOUND_STMT" and start == offset:
            return child
        if start <= offset < end and (found := _block_at(child, offset)) is not None:
            return found
    return None


def _behind_guard(block: Any) -> Any:
    """The new code: the first branch of the guard, when there is one with the old code as else."""
    last = clang.children(block)[-1]
    branches = clang.children(last)
    return branches[1] if clang.kind(last) == "IF_STMT" and len(branches) == 3 else block
