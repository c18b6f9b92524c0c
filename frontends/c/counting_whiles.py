"""``while`` loops that count, seen as the ``for`` loops that they are.

``i = 0; while (i < n) { a[i] = 0; i++; }`` is ``for (i = 0; i < n; i++) { a[i] = 0; }``: the syntax
tree gets a FOR_STMT in place of both statements, whose text is that of both. Its body has the text
up to the increment, so whoever prints the body as a whole prints what does not parse.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from s2s.frontends.c.counted_loops import bound_of, initialization, step_of
from s2s.frontends.c.integer_constants import NotAffine
from s2s.frontends.c.syntax import Decl, Node
from s2s.source import Span

# The ``while`` statement that such a loop stands for is under this name in its ``parts``.
WHILE = "while"
_LEAVES = frozenset({"CONTINUE_STMT", "GOTO_STMT", "LABEL_STMT", "INDIRECT_GOTO_STMT"})


def with_counted_whiles(function: Node, is_plain: Callable[[Span], bool]) -> Node:
    """A function with its counting ``while`` loops as ``for`` loops; itself where it has none.

    ``is_plain`` says of a part of the text that no directive stands in it.
    """
    if "WHILE_STMT" not in function.kinds:
        return function
    return _rewritten(function, function, is_plain)


def _rewritten(node: Node, function: Node, is_plain: Callable[[Span], bool]) -> Node:
    if "WHILE_STMT" not in node.kinds:
        return node
    below = [_rewritten(child, function, is_plain) for child in node.children]
    if node.kind == "COMPOUND_STMT":
        below = _in_row(below, function, is_plain)
    return node.with_children(below)


def _in_row(
    statements: Sequence[Node], function: Node, is_plain: Callable[[Span], bool]
) -> list[Node]:
    found: list[Node] = []
    for statement in statements:
        before = found[-1] if found else None
        loop = None if before is None else _counted(before, statement, function)
        if loop is not None and is_plain(Span(loop.span.start, statement.children[-1].span.start)):
            found[-1] = loop
        else:
            found.append(statement)
    return found


def _counted(first: Node, loop: Node, function: Node) -> Node | None:
    """The ``for`` loop that two statements in a row are; None where they are none."""
    if loop.kind != "WHILE_STMT" or len(loop.children) != 2 or first.in_macro or loop.in_macro:
        return None
    condition, body = loop.children
    try:
        variable, declared, _ = initialization(first)
    except NotAffine:
        return None
    if body.kind != "COMPOUND_STMT" or len(body.children) < 2 or body.in_macro:
        return None
    *others, last = body.children
    if last.in_macro or step_of(last, variable) is None or not _is_bounded(condition, variable):
        return None
    if any(variable in other.assigned or not _LEAVES.isdisjoint(other.kinds) for other in others):
        return None
    span = Span(first.span.start, loop.span.end)
    if declared and _is_named_outside(variable, span, function):
        return None
    inside = replace(
        body, children=others, span=Span(body.span.start, last.span.start),
        _kinds=None, _decls=None, _assigned=None,
    )  # fmt: skip
    return Node("FOR_STMT", span, loop.type, [first, condition, last, inside], parts={WHILE: loop})


def _is_bounded(condition: Node, variable: Decl) -> bool:
    if condition.op == "&&":
        return any(_is_bounded(child, variable) for child in condition.children)
    return bound_of(condition, variable, rising=True) is not None


def _is_named_outside(variable: Decl, span: Span, function: Node) -> bool:
    return any(
        node.decl is variable and not span.start <= node.span.start < span.end
        for node in function.walk()
    )
