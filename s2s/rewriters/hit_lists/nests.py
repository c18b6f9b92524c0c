"""Loops in which a condition on computed values picks the iterations that do the work."""

from __future__ import annotations

from collections.abc import Iterator

from s2s.frontends.c.counted_loops import bound_of, initialization, step_of
from s2s.frontends.c.facts import initializer
from s2s.frontends.c.integer_constants import NotAffine, constant_value
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.text import read_parenthesized
from s2s.rewriters.idioms.loops import CountedLoop, Unsuitable, counted_loop
from s2s.rewriters.idioms.writing import breaks
from s2s.source import Span
from s2s.source.records import dataclass

# What a loop's body may have anywhere: whatever else there is may jump, hide or wait.
_STATEMENTS = frozenset(
    {"COMPOUND_STMT", "DECL_STMT", "VAR_DECL", "IF_STMT", "FOR_STMT", "WHILE_STMT", "DO_STMT",
     "SWITCH_STMT", "CASE_STMT", "DEFAULT_STMT", "BREAK_STMT", "CONTINUE_STMT", "NULL_STMT"}
)  # fmt: skip
_VALUES = frozenset(
    {"DECL_REF_EXPR", "INTEGER_LITERAL", "FLOATING_LITERAL", "CHARACTER_LITERAL",
     "CXX_UNARY_EXPR", "ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR", "BINARY_OPERATOR",
     "COMPOUND_ASSIGNMENT_OPERATOR", "UNARY_OPERATOR", "CONDITIONAL_OPERATOR", "CALL_EXPR",
     "IMPLICIT_CAST", "CSTYLE_CAST_EXPR"}
)  # fmt: skip


@dataclass(frozen=True)
class Nest:
    """Loops around ``setup; if (condition) work``, the outermost one first.

    ``skips``: the source has ``if (condition) continue;`` before the work instead. ``terms`` are
    the operands of the condition's ``&&`` (``||`` where it skips), in their order.
    """

    loops: tuple[CountedLoop, ...]
    setup: tuple[Node, ...]
    branch: Node
    work: tuple[Node, ...]
    skips: bool

    @property
    def whole(self) -> Node:
        return self.loops[0].node

    @property
    def inner(self) -> CountedLoop:
        return self.loops[-1]

    @property
    def condition(self) -> Node:
        return self.branch.children[0]

    @property
    def terms(self) -> tuple[Node, ...]:
        return tuple(_operands(self.condition, "||" if self.skips else "&&"))

    @property
    def counters(self) -> tuple[Decl, ...]:
        return tuple(loop.counter.decl for loop in self.loops)

    @property
    def setup_span(self) -> Span:
        """The text of the setup; empty where there is none."""
        start = self.inner.body.statements[0].span.start
        return Span(start, self.branch.span.start if self.setup else start)


def _operands(node: Node, op: str) -> Iterator[Node]:
    if node.kind == "BINARY_OPERATOR" and node.op == op:
        for child in node.children:
            yield from _operands(child, op)
    else:
        yield node


def find_nest(function: Function, node: Node, around: Node | None) -> Nest:
    """The nest of an innermost loop; ``around`` is the loop that holds it, and nothing else.

    Raises Unsuitable.
    """
    if node.kind != "FOR_STMT" or node.children[-1].kind != "COMPOUND_STMT":
        raise Unsuitable(node, "the loop has no block")
    setup, branch, work, skips = _parts(node)
    loops = [_counted(function, node)]
    if around is not None:
        loops.insert(0, _counted(function, around))
    nest = Nest(tuple(loops), tuple(setup), branch, tuple(work), skips)
    _check_statements(function, nest)
    return nest


def _counted(function: Function, node: Node) -> CountedLoop:
    loop = counted_loop(function, node)
    stepping = [i for i in loop.inductions if i.node is None]
    if loop.counter.node is not None or len(stepping) != 1 or loop.step != 1:
        raise Unsuitable(node, "the loop does not count by one")
    if loop.header.init_node is None:
        raise Unsuitable(node, "the loop has no beginning")
    first_value(loop)
    if any(n.kind == "VAR_DECL" and n.name == loop.counter.decl.name for n in loop.body.walk()):
        raise Unsuitable(node, "the counter is hidden")
    return loop


def first_value(loop: CountedLoop) -> Node:
    """What a loop's counter begins with. Raises Unsuitable."""
    init = loop.header.init_node
    counter = loop.counter.decl
    if init is not None and init.op == "=" and init.children[0].decl is counter:
        return init.children[1]
    declared = init.children if init is not None and init.kind == "DECL_STMT" else []
    if len(declared) == 1 and declared[0].decl is counter:
        value = initializer(declared[0])
        if value is not None:
            return value
    raise Unsuitable(loop.node, "the loop's beginning is not understood")


def _parts(loop: Node) -> tuple[list[Node], Node, list[Node], bool]:
    """What comes before the condition, the branch, what it picks, and whether it skips."""
    body = [s for s in loop.children[-1].statements if s.kind != "NULL_STMT"]
    for place, statement in enumerate(body):
        if statement.kind != "IF_STMT" or len(statement.children) != 2:
            continue
        then = statement.children[1].statements
        if len(then) == 1 and then[0].kind == "CONTINUE_STMT" and place + 1 < len(body):
            return body[:place], statement, body[place + 1 :], True
        if place + 1 == len(body):
            return body[:place], statement, then, False
    raise Unsuitable(loop, "no condition picks what the loop does")


def _check_statements(function: Function, nest: Nest) -> None:
    """What the nest is made of can be repeated as text. Raises Unsuitable."""
    body = nest.inner.body
    if breaks(body):
        raise Unsuitable(body, "the loop may be left")
    for node in body.walk():
        if node.kind not in _STATEMENTS and node.kind not in _VALUES:
            raise Unsuitable(node, "a statement is not understood")
        if node.type.volatile or "_Atomic" in node.type.canonical:
            raise Unsuitable(node, "volatile and atomic values keep their order")
        if node.decl is not None and (node.decl.type.volatile or node.decl.thread_local):
            raise Unsuitable(node, "volatile and atomic values keep their order")
        if node.kind == "VAR_DECL" and (node.decl is None or node.decl.is_static):
            raise Unsuitable(node, "a variable lives longer than its block")
    if any(s.kind == "CONTINUE_STMT" for root in nest.setup for s in root.walk()):
        raise Unsuitable(nest.branch, "an iteration may end before the condition")
    if any(s.in_macro for s in (*nest.setup, nest.branch)):
        raise Unsuitable(nest.branch, "a macro makes part of the loop")
    data = function.unit.buffer.data
    if read_parenthesized(data, nest.branch.span.start) is None:
        raise Unsuitable(nest.branch, "the condition's text is not understood")


def constant_loops(root: Node) -> dict[Decl, tuple[int, int]]:
    """Variables that count loops inside, all of known lengths, and do nothing else: their range."""
    found: dict[Decl, tuple[int, int]] = {}
    others: set[Decl] = set()
    spans: dict[Decl, list[Span]] = {}
    for node in (n for n in root.walk() if n.kind == "FOR_STMT" and len(n.children) == 4):
        header = {**node.children[0].assigned, **node.children[2].assigned}
        for decl in header:
            known = _constant_range(node, decl) if len(header) == 1 else None
            if known is None:
                others.add(decl)
                continue
            low, high = found.get(decl, known)
            found[decl] = min(low, known[0]), max(high, known[1])
            spans.setdefault(decl, []).append(node.span)
    for one in (n for n in root.walk() if n.kind == "DECL_REF_EXPR"):
        named = one.decl
        if named in found and not any(one.span in span for span in spans[named]):
            others.add(named)
    return {d: known for d, known in found.items() if d not in others}


def _constant_range(node: Node, counter: Decl) -> tuple[int, int] | None:
    """The least and greatest value of a loop's counter, if it runs at all."""
    first, condition, increment, body = node.children
    step = step_of(increment, counter)
    bound = bound_of(condition, counter)
    try:
        variable, _, start = initialization(first)
    except NotAffine:
        return None
    begin = constant_value(start)
    if step is None or step.constant != 1 or bound is None or counter in body.assigned:
        return None
    end = constant_value(bound.limit)
    if variable is not counter or begin is None or end is None:
        return None
    if bound.relation not in ("<", "<=") or not bound.is_reached_by(1, counter):
        return None
    last = end - (bound.relation == "<")
    return (begin, last) if begin <= last else None
