"""Pointers and indices that walk: ``acc += *p++ * w[k++]``.

A variable that is only ever set, or moved by constants, has at each place of a nest a value that
is affine in the loops around: what it had before a loop, and what an iteration moves it by
times their number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from s2s.frontends.c.syntax import ASSIGNMENTS, INCREMENTS, Decl, Node
from s2s.frontends.c.typed.arithmetic import INT, binary
from s2s.frontends.c.typed.errors import NotATensorNest
from s2s.frontends.c.typed.memory import Address
from s2s.frontends.c.typed.scope import Scope
from s2s.scop.expressions import Const, Expr
from s2s.scop.literals import cast

_READING = frozenset({"ARRAY_SUBSCRIPT_EXPR", "CALL_EXPR", "CONDITIONAL_OPERATOR"})
_LOOPS = frozenset({"FOR_STMT", "WHILE_STMT", "DO_STMT"})


def walkers(body: Node) -> set[Decl]:
    """The variables of a function that walk: pointers, and integers that are in subscripts."""
    headers = {id(n) for loop in body.walk() if loop.kind == "FOR_STMT" for n in _header(loop)}
    moved: set[Decl] = set()
    other: set[Decl] = set()
    for node in body.walk():
        decl = _target(node)
        if decl is not None:
            fits = id(node) not in headers and _walks(node, decl)
            (moved if fits else other).add(decl)
    inside = _in_subscripts(body)
    return {d for d in moved - other if d.type.kind == "pointer" or d in inside}


def _header(loop: Node) -> Iterable[Node]:
    if len(loop.children) == 4:
        yield from (n for part in (loop.children[0], loop.children[2]) for n in part.walk())


def _target(node: Node) -> Decl | None:
    """The variable that an assignment or a step changes."""
    changes = node.kind == "COMPOUND_ASSIGNMENT_OPERATOR" or node.op in ASSIGNMENTS
    changes |= node.kind == "UNARY_OPERATOR" and (node.op in INCREMENTS or node.op == "&")
    target = node.children[0] if changes and node.children else None
    return target.decl if target is not None and target.kind == "DECL_REF_EXPR" else None


def _walks(node: Node, decl: Decl) -> bool:
    if decl.is_global or decl.is_static or decl.type.kind not in ("pointer", "int"):
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


@dataclass
class Walk:
    """Moves the variables of ``known`` as a nest is built; ``count`` gives a loop's iterations."""

    scope: Scope
    known: set[Decl]
    constant: Callable[[Node], int | None]
    count: Callable[[Node], int]
    _steps: dict[int, tuple[Node, dict[Decl, int | None]]] = field(default_factory=dict)

    def move(self, node: Node, decl: Decl, by: int) -> None:
        """One step of a variable. Raises NotATensorNest where its value is not known."""
        if decl in self.scope.addresses:
            address = self.scope.addresses[decl]
            self.scope.addresses[decl] = address.moved(Const(INT, by))
        elif decl in self.scope.values:
            value = self.scope.values[decl]
            self.scope.values[decl] = binary("add", value, Const(value.type, by))
        else:
            raise NotATensorNest(node.span, f"'{decl.name}' moves, but from nowhere")

    def forget(self) -> None:
        """What loops move is looked for anew: names have come to stand for something else."""
        self._steps.clear()

    def enter(self, body: Node, number: Expr) -> dict[Decl, int | None]:
        """Sets variables to what they are in iteration ``number``; how far one moves them."""
        steps = self._of(body) if self.known else {}
        for decl, step in steps.items():
            if step is None:
                self.scope.addresses.pop(decl, None)
                self.scope.values.pop(decl, None)
            else:
                self._shift(decl, binary("mul", number, Const(INT, step)))
        return steps

    def leave(
        self,
        values: dict[Decl, Expr],
        addresses: dict[Decl, Address],
        steps: dict[Decl, int | None],
        count: int,
    ) -> None:
        """Sets variables to what they are after a loop, from what they were before it."""
        for decl, step in steps.items():
            self.scope.addresses.pop(decl, None)
            self.scope.values.pop(decl, None)
            if step is None:
                continue
            if decl in addresses:
                self.scope.addresses[decl] = addresses[decl]
            if decl in values:
                self.scope.values[decl] = values[decl]
            self._shift(decl, Const(INT, step * count))

    def _shift(self, decl: Decl, by: Expr) -> None:
        if decl in self.scope.addresses:
            self.scope.addresses[decl] = self.scope.addresses[decl].moved(by)
        elif decl in self.scope.values:
            value = self.scope.values[decl]
            self.scope.values[decl] = binary("add", value, cast(value.type, by))

    def _of(self, node: Node) -> dict[Decl, int | None]:
        """How far a statement moves each variable; None for those that it sets."""
        if id(node) not in self._steps:
            self._steps[id(node)] = node, self._moved([node])
        return self._steps[id(node)][1]

    def _moved(self, nodes: Sequence[Node]) -> dict[Decl, int | None]:
        found: dict[Decl, int | None] = {}
        for node in nodes:
            for decl, step in self._by(node).items():
                known = found.get(decl, 0)
                found[decl] = None if step is None or known is None else known + step
        return found

    def _by(self, node: Node) -> dict[Decl, int | None]:
        if node.kind == "FOR_STMT" and len(node.children) == 4:
            inner = self._of(node.children[3])
            if not inner:
                return {}
            count = self.count(node)
            return {d: None if step is None else step * count for d, step in inner.items()}
        if node.kind in _LOOPS:
            raise NotATensorNest(node.span, "a loop without a number of iterations")
        if node.kind in ("IF_STMT", "CONDITIONAL_OPERATOR"):
            for below in node.walk():
                decl = _target(below)
                if decl is not None and decl in self.known:
                    raise NotATensorNest(below.span, f"'{decl.name}' moves in a branch")
            return {}
        found = self._moved(node.children)
        decl = _target(node)
        if decl is not None and decl in self.known:
            step = self.step(node)
            known = found.get(decl, 0)
            found[decl] = None if step is None or known is None else known + step
        return found

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


def is_walker(node: Node, known: set[Decl]) -> Decl | None:
    """The walking variable that a statement or expression changes."""
    decl = _target(node)
    return decl if decl is not None and decl in known else None
