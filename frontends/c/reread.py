"""Parsing a file with one region rewritten, to look at the new code."""

from __future__ import annotations

from collections.abc import Callable

from s2s.diagnostics import InternalError
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
        extent = cursor.extent
        if extent.start.offset <= where.start and where.end <= extent.end.offset:
            indentation = len(edit.text) - len(edit.text.lstrip(b" \t"))
            found = _block_at(again.convert(cursor), where.start + indentation)
            if found is not None:
                return _behind_guard(found), lambda node: buffer.text(node.span)
    raise InternalError(f"emitted code is not found in '{function}'")


def _block_at(node: Node, offset: int) -> Node | None:
    if node.kind == "COMPOUND_STMT" and node.span.start == offset:
        return node
    for child in node.children:
        if child.span.start <= offset < child.span.end:
            found = _block_at(child, offset)
            if found is not None:
                return found
    return None


def _behind_guard(block: Node) -> Node:
    """The new code: the first branch of the guard, when there is one with the old code as else."""
    last = block.children[-1]
    if last.kind == "IF_STMT" and len(last.children) == 3:
        return last.children[1]
    return block
