"""What computes a sum: statements that set scalars, one inner loop among them.

They stand at the beginning of an iteration, or are the body of a function that it calls. All of
them read only, so that those of several iterations may run at once, each with its own scalars.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

from s2s.frontends.c.facts import initializer
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Decl, Node
from s2s.rewriters.expressions import is_plain
from s2s.rewriters.idioms.loops import CountedLoop, Unsuitable, counted_loop, known_length
from s2s.rewriters.interleaving.flow import is_direct_scalar
from s2s.source.records import dataclass

# Inner loops below are unrolled by compilers.
SHORTEST = 8


@dataclass(frozen=True)
class Head:
    """Statements before the inner loop, the loop, those after it, and what they result in.

    ``function`` is the one whose text they are in. ``waits`` are scalars of the loop that go on
    from one of its iterations to the next.
    """

    function: Function
    before: tuple[Node, ...]
    loop: CountedLoop
    after: tuple[Node, ...]
    value: Node | None
    waits: frozenset[Decl]

    @property
    def parts(self) -> list[Node]:
        value = [] if self.value is None else [self.value]
        return [*self.before, self.loop.node, *self.after, *value]

    @property
    def set_(self) -> set[Decl]:
        """The scalars that these set."""
        return {d for part in self.parts for d in part.assigned}


def read_head(function: Function, statements: Sequence[Node], value: Node | None) -> Head:
    """Read statements of which one is a loop. Raises Unsuitable."""
    places = [n for n, s in enumerate(statements) if s.kind == "FOR_STMT"]
    if len(places) != 1:
        raise Unsuitable(statements[0], "there is not one inner loop")
    node = statements[places[0]]
    before, after = statements[: places[0]], statements[places[0] + 1 :]
    for statement in (*before, *after):
        _check_scalars(statement)
    if value is not None:
        _check_value(value)
    loop = counted_loop(function, node)
    if loop.counter.node is not None or len(loop.inductions) != 1 or loop.step != 1:
        raise Unsuitable(node, "the inner loop does not count by one")
    if loop.header.init_node is None or (known_length(loop) or SHORTEST) < SHORTEST:
        raise Unsuitable(node, "the inner loop is short")
    _check_scalars(loop.header.init_node)
    _check_value(loop.header.condition_node)
    for statement in loop.body.statements:
        _check_scalars(statement)
    if loop.counter.decl in loop.body.assigned:
        raise Unsuitable(node, "the inner loop sets its counter")
    return Head(function, tuple(before), loop, tuple(after), value, _waiting(loop))


def _waiting(loop: CountedLoop) -> frozenset[Decl]:
    """Floating-point scalars that each iteration adds to, multiplies, or computes anew."""
    found: set[Decl] = set()
    done: set[Decl] = set()
    for statement in loop.body.statements:
        for node in statement.walk():
            if node.assigns and node.children[0].decl is not None:
                decl = node.children[0].decl
                again = node.op != "=" or decl in node.children[1].decls
                if decl not in done and again and decl.type.kind == "float":
                    found.add(decl)
                done.add(decl)
            elif node.kind == "VAR_DECL" and node.decl is not None:
                done.add(node.decl)
    if not found:
        raise Unsuitable(loop.node, "the inner loop computes no sum")
    return frozenset(found)


def _check_scalars(statement: Node) -> None:
    """A declaration, or an assignment, of scalars that does nothing else. Raises Unsuitable."""
    if statement.kind == "DECL_STMT":
        for child in statement.children:
            if child.kind != "VAR_DECL" or child.decl is None or not is_direct_scalar(child.decl):
                raise Unsuitable(statement, "a declaration is not one of scalars")
            first = initializer(child)
            if first is not None:
                _check_value(first)
        return
    target = statement.children[0] if statement.assigns else None
    if target is None or target.kind != "DECL_REF_EXPR" or target.decl is None:
        raise Unsuitable(statement, "a statement sets more than scalars")
    if not is_direct_scalar(target.decl) or target.in_macro or statement.in_macro:
        raise Unsuitable(statement, "a statement sets more than scalars")
    for child in statement.children[1:]:
        _check_value(child)


def _check_value(node: Node) -> None:
    for part in node.walk():
        location = part.kind == "MEMBER_REF_EXPR" or (
            part.kind == "UNARY_OPERATOR" and part.op == "*"
        )
        shared = part.type.volatile or "_Atomic" in part.type.canonical
        reference = part.decl is not None and part.decl.type.reference
        if shared or reference or not (location or is_plain(part)):
            raise Unsuitable(part, "an operand is more than a value")


def varies(node: Node, varying: Set[Decl]) -> bool:
    """Whether an expression names one of some variables."""
    return any(n.decl in varying for n in node.walk() if n.kind == "DECL_REF_EXPR")
