"""The ways through a loop's body: what runs once the outcomes of its ifs are known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from s2s.frontends.c.syntax import Node
from s2s.rewriters.idioms.events import check_straight
from s2s.rewriters.idioms.loops import Unsuitable, unlabelled
from s2s.source.records import dataclass

_JUMPS = frozenset({"GOTO_STMT", "CONTINUE_STMT"})
_CONTINUE = "continue"


@dataclass(frozen=True)
class Trace:
    """Statements in the order in which they run, with the braces of blocks among them.

    ``asked`` is the ``if`` that the way is followed up to, None where it is the whole way.
    """

    parts: tuple[Node | str, ...]
    asked: Node | None

    @property
    def nodes(self) -> list[Node]:
        return [p for p in self.parts if isinstance(p, Node)]


def follow(body: Sequence[Node], outcomes: Mapping[int, bool], whole: Set[int]) -> Trace:
    """The way through a body as far as the outcomes of its ifs tell.

    ``outcomes`` are by the ids of the ifs; those in ``whole`` stand in the way as they are.
    Jumps forward to labels of the body itself, and ``continue``, are followed. Raises Unsuitable.
    """
    walk = _Walk(outcomes, whole)
    labels = {s.name: n for n, s in enumerate(body) if s.kind == "LABEL_STMT"}
    at: int | None = 0
    while at is not None and walk.asked is None:
        jump = walk.run(body[at:])
        if jump is None or jump.kind == "CONTINUE_STMT":
            break
        target = labels.get(jump.children[0].name if jump.children else "")
        if target is None or body[target].span.start < jump.span.start:
            raise Unsuitable(jump, "the body jumps backwards or into a block")
        at = target
    return Trace(tuple(walk.parts), walk.asked)


class _Walk:
    """A way that is being followed."""

    def __init__(self, outcomes: Mapping[int, bool], whole: Set[int]) -> None:
        self.outcomes = outcomes
        self.whole = whole
        self.parts: list[Node | str] = []
        self.asked: Node | None = None

    def run(self, statements: Sequence[Node]) -> Node | None:
        """Follow statements; the jump that leaves them, if one does."""
        for labelled in statements:
            statement = unlabelled(labelled)
            if statement.kind in _JUMPS:
                return statement
            jump = self._step(statement)
            if jump is not None or self.asked is not None:
                return jump
        return None

    def _step(self, statement: Node) -> Node | None:
        if statement.kind == "IF_STMT" and id(statement) not in self.whole:
            if id(statement) not in self.outcomes:
                self.asked = statement
                return None
            return self._branch(statement)
        if statement.kind == "COMPOUND_STMT" and any(_decides(n) for n in statement.walk()):
            self.parts.append("{")
            jump = self.run(statement.children)
            if self.parts[-1] == "{":
                self.parts.pop()
            else:
                self.parts.append("}")
            return jump
        if statement.kind != "NULL_STMT":
            self.parts.append(statement)
        return None

    def _branch(self, statement: Node) -> Node | None:
        branches = statement.children[1:]
        if self.outcomes[id(statement)]:
            return self.run(branches[:1])
        return self.run(branches[1:])


def _decides(node: Node) -> bool:
    return node.kind == "IF_STMT" or node.kind in _JUMPS


def jumps(node: Node) -> bool:
    """Whether a statement jumps, so that it cannot stand elsewhere as it is."""
    return any(n.kind in _JUMPS for n in node.walk())


def check_body(body: Sequence[Node]) -> None:
    """The body is made of ifs, jumps forward and straight code. Raises Unsuitable.

    No jump passes a declaration by.
    """
    nodes = [n for statement in body for n in statement.walk()]
    labels = [n for n in nodes if n.kind == "LABEL_STMT"]
    if len(labels) != sum(s.kind == "LABEL_STMT" for s in _top(body)):
        raise Unsuitable(labels[0], "a label inside of a block")
    if labels and any(s.kind == "DECL_STMT" for s in _top(body)):
        raise Unsuitable(labels[0], "jumps and declarations in one body")
    for statement in body:
        for leaf in _leaves(statement):
            if leaf.in_macro:
                raise Unsuitable(leaf, "a macro makes the statement")
            check_straight(leaf)


def _top(body: Sequence[Node]) -> Iterator[Node]:
    for statement in body:
        yield statement
        while statement.kind == "LABEL_STMT" and statement.children:
            statement = statement.children[-1]
            yield statement


def _leaves(statement: Node) -> Iterator[Node]:
    """The statements below ifs, labels and blocks; conditions of ifs among them."""
    statement = unlabelled(statement)
    if statement.kind == "IF_STMT":
        yield statement.children[0]
        for branch in statement.children[1:]:
            yield from _leaves(branch)
    elif statement.kind == "COMPOUND_STMT":
        for child in statement.children:
            yield from _leaves(child)
    elif statement.kind not in _JUMPS and statement.kind != "LABEL_STMT":
        yield statement
