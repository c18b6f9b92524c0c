"""Which statements an edit changes, in the tree before it and in the one after it."""

from __future__ import annotations

from collections.abc import Sequence

from s2s.frontends.c.syntax import Node
from s2s.frontends.c.unit import Unit
from s2s.net.errors import NotExecuted
from s2s.source import Edit, Span
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Changed:
    """Statements in a row, the nodes around them outside in, and the text that was changed."""

    function: Node
    path: tuple[Node, ...]
    statements: tuple[Node, ...]
    span: Span


def changed_by(function: Node, span: Span) -> Changed:
    """The smallest sequence of statements that holds a part of a function's text."""
    path: list[Node] = [function.children[-1]]
    while (inner := _inside(path[-1], span)) is not None:
        path.append(inner)
    return _at(function, path, span)


def same_depth(function: Node, depth: int, span: Span) -> Changed | None:
    """The statements of new text, which stands as deep as the old text."""
    path: list[Node] = [function.children[-1]]
    while len(path) < depth:
        inner = _inside(path[-1], span)
        if inner is None:
            return None
        path.append(inner)
    return _at(function, path, span)


def _at(function: Node, path: list[Node], span: Span) -> Changed:
    last = path[-1]
    if last.kind != "COMPOUND_STMT":
        statements = [c for c in _below(last) if _touches(c, span)]
    else:
        statements = [c for c in last.children if _touches(c, span)]
        if not statements:
            statements = [c for c in last.children if c.span.start >= span.end][:1]
    start = min([span.start, *(s.span.start for s in statements)])
    end = max([span.end, *(s.span.end for s in statements)])
    return Changed(function, tuple(path), tuple(statements), Span(start, end))


def _touches(node: Node, span: Span) -> bool:
    return node.span.start < span.end and span.start < node.span.end


def _below(node: Node) -> Sequence[Node]:
    """The statements below one."""
    if node.kind == "COMPOUND_STMT":
        return node.children
    if node.kind == "IF_STMT":
        return node.children[1:]
    if node.kind == "DO_STMT":
        return node.children[:1]
    return node.children[-1:]


_HOLDS = frozenset({"COMPOUND_STMT", "FOR_STMT", "WHILE_STMT", "DO_STMT", "IF_STMT", "LABEL_STMT"})


def _inside(node: Node, span: Span) -> Node | None:
    """The one statement below a node that holds all of a part of the text and is no leaf."""
    for child in _below(node):
        around = child.span.start <= span.start and span.end <= child.span.end
        below = child.kind == "COMPOUND_STMT" or any(_touches(c, span) for c in _below(child))
        if child.kind in _HOLDS and around and below and _within_below(child, span):
            return child
    return None


def _within_below(node: Node, span: Span) -> bool:
    """Whether a part of the text is one of the statements below, or inside of one."""
    if node.kind == "COMPOUND_STMT":
        # Its braces belong to it: what begins at the brace is the block itself.
        return node.span.start < span.start and span.end < node.span.end
    return any(c.span.start <= span.start and span.end <= c.span.end for c in _below(node))


def moved(edits: Sequence[Edit], span: Span) -> Span:
    """Where a part of the old text is in the new one; edits inside of it belong to it."""
    before = sum(len(e.text) - (e.end - e.start) for e in edits if e.end <= span.start
                 and not (e.start == e.end == span.start))  # fmt: skip
    until = sum(len(e.text) - (e.end - e.start) for e in edits if e.start < span.end
                or e.start == e.end == span.start)  # fmt: skip
    return Span(span.start + before, span.end + until)


def found_again(old: Changed, again: Unit, edits: Sequence[Edit]) -> Changed:
    """What was changed in the file with the edits made. Raises NotExecuted."""
    span = moved(edits, old.span)
    cursor = again.function_around(span)
    new = None if cursor is None else same_depth(again.convert(cursor), len(old.path), span)
    if new is None or not new.statements:
        raise NotExecuted("the new text is not found")
    return new
