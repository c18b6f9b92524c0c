"""Loops that are left early, and switches: the same text with branches alone.

``while (c) { a; if (b) break; d; }`` becomes
``stop = 0; while (!stop && c) { a; if (b) stop = 1; else { d; } }``, and a switch a chain of
``if`` with each case's statements up to its ``break``. What follows ``if (c) continue;`` is then
guarded, too, so that a ``for`` loop's step stays after it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

from s2s.simulators.aie.reading.jumps import kind_of, nodes, statements, statements_below

Node = Any
Fail = Callable[[Node, str], Exception]
_LOOPS = ("For", "While", "DoWhile")
RESULT = "__s2s_result"
"""The name of what a function returns, in its own scope."""
_Ends = dict[str, Callable[[Node], list[Node]]]


def rewritten(function: Node, fail: Fail) -> None:
    """Rewrites a function's body in place. Raises what ``fail`` makes for what it cannot."""
    inside = list(statements_below(function.body))
    kinds = {kind_of(node) for node in inside}
    loops = (node for node in inside if kind_of(node) in _LOOPS)
    leaves = "Return" in kinds and any(
        kind_of(below) == "Return" for loop in loops for below in statements_below(loop)
    )
    if leaves or kinds & {"Break", "Switch"}:
        rewriter = _Rewriter(fail)
        function.body.block_items = rewriter.items(statements(function.body))


class _Rewriter:
    def __init__(self, fail: Fail) -> None:
        self._fail = fail
        self._numbers = count()

    def items(self, items: Sequence[Node]) -> list[Node]:
        """Statements of a list, rewritten from inside to outside."""
        return [new for item in items for new in self._statement(item)]

    def _statement(self, node: Node) -> list[Node]:
        name = kind_of(node)
        if name == "Compound":
            node.block_items = self.items(statements(node))
        elif name == "If":
            node.iftrue, node.iffalse = (
                None if side is None else _compound(self.items(statements(side)), node)
                for side in (node.iftrue, node.iffalse)
            )
        elif name in _LOOPS:
            node.stmt = _compound(self.items(statements(node.stmt)), node)
            if _has(node.stmt, "Break") or _has(node.stmt, "Return"):
                return self._loop(node)
        elif name == "Switch":
            return self._switch(node)
        return [node]

    # ---- loops

    def _loop(self, node: Node) -> list[Node]:
        """A loop with a flag that says that it was left."""
        from pycparser import c_ast

        flag = f"__s2s_stop{next(self._numbers)}"
        leaves = _has(node.stmt, "Return")
        done = f"__s2s_returned{next(self._numbers)}"
        body, pragmas = statements(node.stmt), []
        while body and kind_of(body[0]) == "Pragma":
            pragmas.append(body.pop(0))
        where = node.coord
        goes_on = c_ast.UnaryOp("!", c_ast.ID(flag, where), where)
        stop = _set(flag, where)
        inner = self._guarded(
            body,
            {
                "Break": lambda _: [stop],
                "Continue": lambda _: [],
                "Return": lambda item: [*_result(item), _set(done, where), stop],
            },
        )
        inner = [*pragmas, *inner]
        cond = node.cond
        if kind_of(node) == "For" and node.next is not None:
            inner.append(c_ast.If(goes_on, node.next, None, where))
            node.next = None
        test = goes_on if cond is None else c_ast.BinaryOp("&&", goes_on, cond, where)
        node.cond, node.stmt = test, c_ast.Compound(inner, where)
        zero = c_ast.Constant("int", "0", where)
        found = [_declared(flag, zero, where), node]
        if not leaves:
            return [c_ast.Compound(found, where)]
        returned = c_ast.If(c_ast.ID(done, where), c_ast.Return(None, where), None, where)
        return [_declared(done, zero, where), c_ast.Compound(found, where), returned]

    def _guarded(self, items: Sequence[Node], ends: _Ends) -> list[Node]:
        """A list in which what jumps skip is the other branch; ``ends`` is what they become."""
        from pycparser import c_ast

        for position, item in enumerate(items):
            name = kind_of(item)
            if name in ends:
                return [*items[:position], *ends[name](item)]
            if not any(_has(item, end) for end in ends):
                continue
            rest = items[position + 1 :]
            if name == "Compound":
                self._check_names(item, rest)
                whole = self._guarded([*statements(item), *rest], ends)
                return [*items[:position], *whole]
            if name != "If":
                raise self._fail(item, "a jump out of this is not understood")
            sides = [
                self._guarded([*statements(side), *rest], ends)
                for side in (item.iftrue, item.iffalse)
            ]
            then, otherwise = (c_ast.Compound(side, item.coord) for side in sides)
            branch = c_ast.If(item.cond, then, otherwise, item.coord)
            return [*items[:position], branch]
        return list(items)

    def _check_names(self, block: Node, rest: Sequence[Node]) -> None:
        """A block whose rest moves into it must not declare what that uses."""
        own = {item.name for item in statements(block) if kind_of(item) == "Decl"}
        used = {n.name for item in rest for n in nodes(item) if kind_of(n) == "ID"}
        if own & used:
            raise self._fail(block, "a jump out of a block is not understood")

    # ---- switches

    def _switch(self, node: Node) -> list[Node]:
        """A chain of branches, the default's last."""
        from pycparser import c_ast

        where = node.coord
        name = f"__s2s_case{next(self._numbers)}"
        sections = self._sections(node)
        chain: Node = None
        for values, items in reversed(sorted(sections, key=lambda s: not s[0])):
            body = c_ast.Compound(items, where)
            if not values:
                chain = body
                continue
            tests = [c_ast.BinaryOp("==", c_ast.ID(name, where), v, where) for v in values]
            test = tests[0]
            for other in tests[1:]:
                test = c_ast.BinaryOp("||", test, other, where)
            chain = c_ast.If(test, body, chain, where)
        first = _declared(name, node.cond, where)
        return [first] if chain is None else [first, chain]

    def _sections(self, node: Node) -> list[tuple[list[Node], list[Node]]]:
        """The values (none: the default) and the statements that run, for each section."""
        labelled: list[tuple[list[Node], bool, list[Node]]] = []
        for item in statements(node.stmt):
            if kind_of(item) not in ("Case", "Default"):
                raise self._fail(item, "a statement in front of the cases of a switch")
            values = [item.expr] if kind_of(item) == "Case" else []
            labelled.append((values, not values, list(item.stmts or ())))
        found: list[tuple[list[Node], list[Node]]] = []
        waiting: list[Node] = []
        is_default = False
        for position, (values, default, items) in enumerate(labelled):
            waiting, is_default = [*waiting, *values], is_default or default
            if not items and position < len(labelled) - 1:
                continue
            whole = [one for _, _, more in labelled[position:] for one in more]
            body = self._guarded(self.items(whole), {"Break": lambda _: []})
            found.append(([] if is_default else waiting, body))
            waiting, is_default = [], False
        return found


def _has(node: Node, kind: str) -> bool:
    """Whether a jump of a kind leaves a statement: those of inner loops do not."""
    if kind_of(node) == kind:
        return True
    if kind_of(node) in _LOOPS or (kind_of(node) == "Switch" and kind == "Break"):
        return False
    return any(_has(child, kind) for child in node)


def _compound(items: list[Node], node: Node) -> Node:
    from pycparser import c_ast

    return c_ast.Compound(items, node.coord)


def _set(flag: str, where: Any) -> Node:
    from pycparser import c_ast

    return c_ast.Assignment("=", c_ast.ID(flag, where), c_ast.Constant("int", "1", where), where)


def _result(node: Node) -> list[Node]:
    """A return's value in the function's result."""
    from pycparser import c_ast

    if node.expr is None:
        return []
    return [c_ast.Assignment("=", c_ast.ID(RESULT, node.coord), node.expr, node.coord)]


def _declared(name: str, value: Node, where: Any) -> Node:
    from pycparser import c_ast

    plain = c_ast.TypeDecl(name, [], None, c_ast.IdentifierType(["int"], where), where)
    return c_ast.Decl(name, [], [], [], [], plain, value, None, where)
