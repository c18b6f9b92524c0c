"""Where in a region calls stand that the body of the function can replace."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from s2s.frontends.c.facts import initializer
from s2s.frontends.c.prepare.callee import Callee
from s2s.frontends.c.prepare.callees import Callees
from s2s.frontends.c.regions import Attempt
from s2s.frontends.c.syntax import ASSIGNMENTS, Node
from s2s.frontends.c.text import statement_end
from s2s.frontends.openmp.directives import split_items
from s2s.source import Span
from s2s.source.records import dataclass


class Form(Enum):
    """What becomes of the value of a call."""

    STATEMENT = "f(a);"
    ASSIGNMENT = "x = f(a);"
    DECLARATION = "T x = f(a);"
    EXPRESSION = "... f(a) ..."


@dataclass(frozen=True, eq=False)
class CallSite:
    """A call, the text that goes with it, and what that text is.

    ``enclosed``: an OpenMP construct of the region is around it, so variables that are declared
    before the region would be shared by threads.
    """

    call: Node
    callee: Callee
    form: Form
    statement: Node
    span: Span
    arguments: tuple[bytes, ...]
    enclosed: bool


def call_sites(attempt: Attempt, callees: Callees) -> Iterator[CallSite]:
    """The calls of visible functions in a region, outermost first."""
    for statement in attempt.statements:
        yield from _Finder(attempt, callees).statement(statement, False, False)


@dataclass
class _Finder:
    attempt: Attempt
    callees: Callees

    def statement(self, node: Node, enclosed: bool, in_block: bool) -> Iterator[CallSite]:
        enclosed = enclosed or bool(self.attempt.lifter.attached.before(node.span.start))
        whole = self._whole(node, enclosed, in_block)
        if whole is not None:
            yield whole
            return
        inside = {id(child) for child in _statements(node)}
        for child in node.children:
            if id(child) in inside:
                yield from self.statement(child, enclosed, node.kind == "COMPOUND_STMT")
            else:
                yield from self._expression(child, node, enclosed)

    def _expression(self, node: Node, statement: Node, enclosed: bool) -> Iterator[CallSite]:
        if node.kind == "CALL_EXPR":
            found = self._site(node, Form.EXPRESSION, statement, enclosed)
            if found is not None and found.callee.is_expression:
                yield found
                return
        for child in node.children:
            yield from self._expression(child, statement, enclosed)

    def _whole(self, node: Node, enclosed: bool, in_block: bool) -> CallSite | None:
        """A call that is all of a statement but for what its value goes to."""
        form, value = Form.STATEMENT, node
        if node.kind in ("BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR"):
            if node.op not in ASSIGNMENTS:
                return None
            form, value = Form.ASSIGNMENT, node.children[1]
        elif node.kind == "DECL_STMT" and in_block:
            given = initializer(node.children[0]) if len(node.children) == 1 else None
            if given is None or node.children[0].kind != "VAR_DECL":
                return None
            form, value = Form.DECLARATION, given
        value = value.bare
        if value.kind != "CALL_EXPR":
            return None
        found = self._site(value, form, node, enclosed)
        value_is_used = form is not Form.STATEMENT
        if found is None or (value_is_used and found.callee.is_expression):
            return None
        return found

    def _site(self, call: Node, form: Form, statement: Node, enclosed: bool) -> CallSite | None:
        callee = self.callees.of(call)
        if callee is None:
            return None
        arguments = self._arguments(call, callee)
        span = self._span(call, form, statement)
        if arguments is None or span is None:
            return None
        return CallSite(call, callee, form, statement, span, arguments, enclosed)

    def _arguments(self, call: Node, callee: Callee) -> tuple[bytes, ...] | None:
        """The texts of the arguments; None where a macro has a part in the call."""
        text = self.attempt.lifter.buffer.text(call.span)
        while text.startswith("(") and text.endswith(")"):
            text = text[1:-1].strip()
        head, _, rest = text.partition("(")
        if call.in_macro or head.strip() != call.name or not rest.endswith(")"):
            return None
        items = split_items(rest[:-1]) if rest[:-1].strip() else []
        if not len(items) == len(call.children) - 1 == len(callee.parameters):
            return None
        return tuple(item.strip().encode("utf-8", "surrogateescape") for item in items)

    def _span(self, call: Node, form: Form, statement: Node) -> Span | None:
        if form is Form.EXPRESSION:
            return call.span
        data = self.attempt.lifter.buffer.data
        if form is Form.DECLARATION:
            return statement.span
        end = statement_end(data, statement.span.end)
        return None if end is None or statement.in_macro else Span(statement.span.start, end)


def _statements(node: Node) -> list[Node]:
    """The children of a statement that are statements themselves."""
    if node.kind in ("COMPOUND_STMT",):
        return node.children
    if node.kind == "FOR_STMT":
        return node.children[3:]
    if node.kind == "IF_STMT":
        return node.children[1:] if len(node.children) <= 3 else []
    if node.kind in ("WHILE_STMT", "SWITCH_STMT"):
        return node.children[-1:]
    if node.kind == "DO_STMT":
        return node.children[:1]
    if node.kind in ("CASE_STMT", "DEFAULT_STMT"):
        return node.children[-1:]
    return []
