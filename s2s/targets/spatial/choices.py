"""Maxima and minima that are written as conditions, as values of one assignment.

::

    if (in[i + j] > out[i]) out[i] = in[i + j];

    out[i] = in[i + j] > out[i] ? in[i + j] : out[i];
"""

from __future__ import annotations

from collections.abc import Iterator

from s2s.frontends.c.regions import Attempt
from s2s.frontends.c.syntax import Node
from s2s.source import Edit, SourceBuffer, Span


def write_extremes(attempt: Attempt, buffer: SourceBuffer) -> Iterator[Edit]:
    """The edits of all conditions in a nest that only choose between two values they compare."""
    for statement in attempt.statements:
        for node in statement.walk():
            if node.kind == "IF_STMT" and len(node.children) == 2:
                text = _assignment(node, buffer)
                if text:
                    yield Edit(node.span.start, node.span.end, text.encode())


def _assignment(node: Node, buffer: SourceBuffer) -> str:
    """The assignment that an ``if`` is; empty where it is another one."""
    condition, body = node.children
    compound = body.kind == "COMPOUND_STMT"
    if compound and len(body.children) != 1:
        return ""
    stored = body.children[0] if compound else body
    compared = condition.bare
    if stored.kind != "BINARY_OPERATOR" or stored.op != "=":
        return ""
    if compared.kind != "BINARY_OPERATOR" or compared.op not in ("<", ">", "<=", ">="):
        return ""
    target, value = (buffer.text(side.span) for side in stored.children)
    sides = [_words(buffer, side.bare.span) for side in compared.children]
    if sorted(sides) != sorted(_words(buffer, side.bare.span) for side in stored.children):
        return ""
    text = f"{target} = {buffer.text(compared.span)} ? {value} : {target}"
    return f"{text};" if compound else text


def _words(buffer: SourceBuffer, span: Span) -> str:
    return "".join(buffer.text(span).split())
