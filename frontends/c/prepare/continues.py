"""``continue`` at the end of a branch in a loop's body, with the rest of the body as the other one.

::

    for (...) {                        for (...) {
        if (c) { s; continue; }            if (c) { s;  } else {
        rest;                    ->            rest;
    }                                  }}

The condition and the rest keep their texts. Other jumps stay, and with them the loop.
"""

from __future__ import annotations

from collections.abc import Iterator

from s2s.frontends.c.regions import Attempt
from s2s.frontends.c.syntax import Node
from s2s.frontends.c.text import statement_end
from s2s.source import Edit

_LABELS = frozenset({"LABEL_STMT", "CASE_STMT", "DEFAULT_STMT"})


def has_continues(attempt: Attempt) -> bool:
    """Whether there is one to look at."""
    return any("CONTINUE_STMT" in statement.kinds for statement in attempt.statements)


def structured_continues(attempt: Attempt) -> tuple[Edit, ...]:
    """The edits that put branches in the place of ``continue``; none where that is not possible."""
    edits: list[Edit] = []
    for statement in attempt.statements:
        if "CONTINUE_STMT" in statement.kinds:
            for loop in statement.walk():
                if loop.is_loop:
                    edits += _of_body(attempt, loop)
    return tuple(sorted(edits))


def _of_body(attempt: Attempt, loop: Node) -> list[Edit]:
    """The edits for one loop; its body ends with as many braces more as there are branches."""
    body = next((child for child in loop.children if child.kind == "COMPOUND_STMT"), None)
    if body is None or body.in_macro or not _LABELS.isdisjoint(body.kinds):
        return []
    data = attempt.function.unit.buffer.data
    if data[body.span.end - 1 : body.span.end] != b"}":
        return []
    edits: list[Edit] = []
    for node in body.children[:-1]:
        if _ends_iteration(node, data) and not attempt.function.attached.within(node.span):
            edits += _branch(data, node)
    # Each branch that was opened is one more to close.
    closing = b"}" * sum(edit.text.endswith(b"{") for edit in edits)
    return [*edits, Edit(body.span.end, body.span.end, closing)] if closing else []


def _ends_iteration(node: Node, data: bytes) -> bool:
    """Whether a statement is an ``if`` without ``else`` that ends with its one ``continue``."""
    if node.kind != "IF_STMT" or len(node.children) != 2 or node.in_macro:
        return False
    condition, then = node.children
    if condition.kind == "DECL_STMT" or any(n.in_macro for n in condition.walk()):
        return False
    last = then.statements[-1] if then.statements else None
    if last is None or last.kind != "CONTINUE_STMT" or _jumps(then) != 1:
        return False
    return data[last.span.start : last.span.end] == b"continue"


def _jumps(node: Node) -> int:
    return sum(n.kind in ("CONTINUE_STMT", "BREAK_STMT") for n in node.walk())


def _branch(data: bytes, node: Node) -> Iterator[Edit]:
    """The edits of one branch; the last opens what holds the rest of the body."""
    condition, then = node.children
    jump = then.statements[-1]
    end = statement_end(data, jump.span.end)
    if end is None:
        return
    if len(then.statements) == 1:
        text = data[condition.span.start : condition.span.end]
        last = then.span.end if then.kind == "COMPOUND_STMT" else end
        yield Edit(node.span.start, last, b"if (!(" + text + b")) {")
        return
    yield Edit(jump.span.start, end, b"")
    yield Edit(then.span.end, then.span.end, b" else {")


__all__ = ["has_continues", "structured_continues"]
