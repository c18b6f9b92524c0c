"""Pointers and indices that walk: ``acc += *p++ * w[k++]``.

A variable that is only ever set, or moved by constants, has at each place of a nest a value that
is affine in the loops around: what it had before a loop, and what an iteration moves it by
times their number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field

from s2s.frontends.c.syntax import INCREMENTS, Decl, Node
from s2s.frontends.c.typed.errors import NotATensorNest
from s2s.frontends.c.typed.scope import header
from s2s.source.records import dataclass

_READING = frozenset({"ARRAY_SUBSCRIPT_EXPR", "CALL_EXPR", "CONDITIONAL_OPERATOR"})
_LOOPS = frozenset({"FOR_STMT", "WHILE_STMT", "DO_STMT"})
_WIDE = 4
"""Bytes of integers that are followed: narrower ones wrap."""


def walkers(body: Node) -> set[Decl]:
    """The variables of a function that walk: pointers, and integers that are in subscripts."""
    headers = {id(n) for loop in body.walk() if loop.kind == "FOR_STMT" for n in header(loop)}
    moved: set[Decl] = set()
    other: set[Decl] = set()
    for node in body.walk():
        decl = node.changed
        if decl is not None:
            fits = id(node) not in headers and _walks(node, decl)
            (moved if fits else other).add(decl)
    inside = _in_subscripts(body)
    return {d for d in moved - other if d.type.kind == "pointer" or d in inside}


def _walks(node: Node, decl: Decl) -> bool:
    if decl.is_global or decl.is_static or decl.type.kind not in ("pointer", "int"):
        return False
    if decl.type.kind == "int" and decl.type.size < _WIDE:
        return False
    if node.op in INCREMENTS:
        return True
    if node.op not in ("=", "+=", "-="):
        return False
    value = node.children[1]
    reads = any(n.kind in _READING or (n.op == "*" and len(n.children) == 1) for n in value.walk())
    return (decl.type.kind == "pointer" and node.op == "=") or not reads


def _in_subscripts(body: Node) -> set[Decl]:
    found: set[Decl] = set()
    for node in body.walk():
        if node.kind == "ARRAY_SUBSCRIPT_EXPR":
            found |= {n.decl for n in node.children[-1].walk() if n.decl is not None}
        elif node.kind == "BINARY_OPERATOR" and node.type.kind == "pointer":
            found |= {n.decl for n in node.walk() if n.decl is not None}
    return found


Steps = dict[Decl, "int | None"]
"""How far each variable moves; None for those that are set."""


@dataclass
class Moves:
    """How far statements move the variables ``known``; ``count`` gives a loop's iterations.

    All methods raise NotATensorNest.
    """

    known: set[Decl]
    constant: Callable[[Node], int | None]
    count: Callable[[Node], int]
    _steps: dict[int, tuple[Node, Steps]] = field(default_factory=dict)

    def of(self, node: Node) -> Steps:
        """What a statement does to each variable."""
        if id(node) not in self._steps:
            self._steps[id(node)] = node, self._moved([node])
        return self._steps[id(node)][1]

    def step(self, node: Node) -> int | None:
        """By how much a node moves its target; None if it sets it."""
        if node.op in INCREMENTS:
            return 1 if node.op.endswith("++") else -1
        if node.op == "=":
            return None
        by = self.constant(node.children[1])
        if by is None:
            raise NotATensorNest(node.span, "a step that is no constant")
        return by if node.op == "+=" else -by

    def check_still(self, node: Node) -> None:
        """Raises where a branch moves a variable."""
        for below in node.walk():
            decl = is_walker(below, self.known)
            if decl is not None:
                raise NotATensorNest(below.span, f"'{decl.name}' moves in a branch")

    def _moved(self, nodes: Sequence[Node]) -> Steps:
        found: Steps = {}
        for node in nodes:
            for decl, step in self._by(node).items():
                _add(found, decl, step)
        return found

    def _by(self, node: Node) -> Steps:
        if node.kind == "FOR_STMT" and len(node.children) == 4:
            inner = self.of(node.children[3])
            if not inner:
                return {}
            count = self.count(node)
            return {d: None if step is None else step * count for d, step in inner.items()}
        if node.kind in _LOOPS and any(is_walker(below, self.known) for below in node.walk()):
            raise NotATensorNest(node.span, "a loop without a number of iterations")
        if node.kind in ("IF_STMT", "CONDITIONAL_OPERATOR"):
            self.check_still(node)
            return {}
        found = self._moved(node.children)
        decl = is_walker(node, self.known)
        if decl is not None:
            _add(found, decl, self.step(node))
        return found


def _add(found: Steps, decl: Decl, step: int | None) -> None:
    known = found.get(decl, 0)
    found[decl] = None if step is None or known is None else known + step


def is_walker(node: Node, known: set[Decl]) -> Decl | None:
    """The walking variable that a statement or expression changes."""
    decl = node.changed
    return decl if decl is not None and decl in known else None
