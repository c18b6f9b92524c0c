"""Statements in the order of the text."""

from __future__ import annotations

from collections.abc import Sequence

from s2s.frontends.c.executed.conditions import Test
from s2s.frontends.c.executed.loops import Loops, leaves_loops
from s2s.frontends.c.executed.recorder import TooMuch
from s2s.frontends.c.facts import initializer
from s2s.frontends.c.syntax import Node
from s2s.source.records import dataclass

_LEAVING = frozenset({"RETURN_STMT", "BREAK_STMT", "CONTINUE_STMT", "GOTO_STMT"})


@dataclass
class Statements(Loops):
    """Follows control flow; what may be jumped over is in doubt."""

    def directives_between(self, start: int, end: int) -> None:
        raise NotImplementedError

    def plain(self, node: Node) -> None:
        """A statement without the directives before it."""
        kind = node.kind
        if kind == "COMPOUND_STMT":
            self._block(node)
        elif kind == "DECL_STMT":
            for child in node.children:
                self._declare(child)
        elif kind == "IF_STMT":
            self._if(node)
        elif node.is_loop:
            self.loop(node)
        elif kind == "RETURN_STMT":
            for child in node.children:
                self.give(self.evaluate(child))
        elif kind in ("GOTO_STMT", "LABEL_STMT", "INDIRECT_GOTO_STMT", "ASM_STMT", "GCC_ASM_STMT"):
            raise TooMuch
        elif kind == "SWITCH_STMT":
            self._switch(node)
        elif kind not in ("NULL_STMT", "BREAK_STMT", "CONTINUE_STMT"):
            self.evaluate(node)

    def _declare(self, node: Node) -> None:
        decl = node.decl
        if node.kind != "VAR_DECL" or decl is None or decl.is_static or decl.is_global:
            return
        self.owners.pop(decl, None)
        if self.region is not None:
            self.owners[decl] = self.stack[-1]
        self.measure(node)
        value = initializer(node)
        if value is not None and value.kind == "INIT_LIST_EXPR":
            for child in value.walk():
                if child.kind == "CALL_EXPR":
                    self.evaluate(child)
        elif value is not None:
            self.assign(decl, self.evaluate(value))
            return
        self.forget([decl])

    def _block(self, node: Node) -> None:
        """Statements in a row; a jump before a statement leaves it under a condition."""
        known, doubt = len(self.conditions), self.doubt
        at = node.span.start
        self._in_row(node.children, at, node.span.end)
        del self.conditions[known:]
        self.doubt = doubt

    def _in_row(self, nodes: Sequence[Node], start: int, end: int) -> None:
        for child in nodes:
            self.directives_between(start, child.span.start)
            tested = self._stated(child)
            start = child.span.end
            if not _may_leave(child):
                continue
            if self.looping and leaves_loops(child):
                self.doubt = max(self.doubt, 1)
            if tested is None:
                self.doubt = 2
            elif tested.fails is not None and not tested.doubt:
                self.conditions.append(tested.fails)
            else:
                self.doubt = max(self.doubt, tested.doubt)
        self.directives_between(start, end)

    def _stated(self, node: Node) -> Test | None:
        """A statement; the condition of one that always leaves if it holds."""
        alone = node.kind == "IF_STMT" and len(node.children) == 2 and self.is_free(node)
        if alone and _leaves(node.children[1]):
            return self._if(node)
        self.statement(node)
        return None

    def is_free(self, node: Node) -> bool:
        """Whether no directive governs a statement."""
        raise NotImplementedError

    def _if(self, node: Node) -> Test:
        condition, *branches = node.children
        found = self.test(condition)
        spun, later = self.spun, False
        for branch, test in zip(branches, (found, found.negated()), strict=False):
            self.spun = spun
            with self.branch(test, [branch]):
                self.statement(branch)
            later = later or self.spun
        self.spun = spun or later
        return found

    def _switch(self, node: Node) -> None:
        condition, *bodies = node.children
        self.evaluate(condition)
        with self.branch(Test(None, None, 2), bodies):
            for body in bodies:
                for child in body.children:
                    inner = child
                    while inner.kind in ("CASE_STMT", "DEFAULT_STMT") and inner.children:
                        inner = inner.children[-1]
                    self.statement(inner)


def _leaves(node: Node) -> bool:
    """Whether a statement always jumps away."""
    if node.kind == "COMPOUND_STMT" and node.children:
        return _leaves(node.children[-1])
    return node.kind in _LEAVING


def _may_leave(node: Node, *, looping: bool = False) -> bool:
    """Whether a statement may jump over what follows it."""
    if node.kind in ("BREAK_STMT", "CONTINUE_STMT"):
        return not looping
    if node.kind in _LEAVING:
        return True
    inner = looping or node.is_loop or node.kind == "SWITCH_STMT"
    return any(_may_leave(child, looping=inner) for child in node.children)
