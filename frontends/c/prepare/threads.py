"""``omp_set_num_threads`` with one argument throughout a loop, moved before the loop.

The call is output to the analyses, which keeps everything around it in its order.
"""

from __future__ import annotations

from collections.abc import Iterator

from s2s.frontends.c.effects import PURE
from s2s.frontends.c.facts import initializer
from s2s.frontends.c.prepare.binding import differ, is_fixed
from s2s.frontends.c.prepare.callee import has_effects, is_spelled
from s2s.frontends.c.prepare.rewriting import cast, rename
from s2s.frontends.c.regions import Attempt
from s2s.frontends.c.syntax import Decl, Node
from s2s.frontends.c.text import statement_end
from s2s.source import Edit, Span
from s2s.source.records import dataclass

_SETTER = "omp_set_num_threads"


@dataclass(frozen=True)
class Hoisted:
    """The calls as edits that take them away, and the statement for the front of the region."""

    edits: tuple[Edit, ...]
    front: str


def hoisted_thread_count(attempt: Attempt) -> Hoisted | None:
    """One call before a loop in place of the calls inside it.

    All calls have the same argument, which the loop does not change; the first one stands at the
    beginning of the body, after nothing that could ask for the number of threads.
    """
    (loop, *rest) = attempt.statements
    if rest or loop.kind != "FOR_STMT" or len(loop.children) != 4 or _directives(attempt, loop):
        return None
    calls = [n for n in loop.walk() if _is_setter(n)]
    first = _first_statement(attempt, loop.children[3])
    if not calls or first is not calls[0]:
        return None
    argument = calls[0].children[1]
    texts = {_argument(attempt, call) for call in calls}
    spans = [_statement(attempt, call) for call in calls]
    condition = _first_iteration(attempt, loop)
    if len(texts) > 1 or None in spans or condition is None or _has_calls(attempt, loop, calls):
        return None
    if not _stays(argument, attempt, loop) or any(_enclosed(attempt, loop, c) for c in calls):
        return None
    edits = tuple(Edit(s.start, s.end, b";") for s in spans if s is not None)
    return Hoisted(edits, f"if ({condition}) {_SETTER}({texts.pop()});")


def _is_setter(node: Node) -> bool:
    return node.kind == "CALL_EXPR" and node.name == _SETTER and len(node.children) == 2


def _directives(attempt: Attempt, node: Node) -> bool:
    return bool(attempt.lifter.attached.before(node.span.start))


def _first_statement(attempt: Attempt, body: Node) -> Node | None:
    """The first thing that an iteration does, blocks and declarations without values opened."""
    stack = [body]
    while stack:
        node = stack.pop()
        if _directives(attempt, node):
            return None
        if node.kind == "COMPOUND_STMT":
            stack.extend(reversed(node.children))
        elif node.kind != "NULL_STMT" and not _quiet(node):
            return node
    return None


def _quiet(node: Node) -> bool:
    """Assignments and declarations that call nothing."""
    plain = node.kind in ("DECL_STMT", "BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR")
    return plain and not any(n.kind == "CALL_EXPR" for n in node.walk())


def _argument(attempt: Attempt, call: Node) -> str:
    return attempt.lifter.buffer.text(call.children[1].span)


def _statement(attempt: Attempt, call: Node) -> Span | None:
    end = statement_end(attempt.lifter.buffer.data, call.span.end)
    return None if end is None or call.in_macro else Span(call.span.start, end)


def _has_calls(attempt: Attempt, loop: Node, known: list[Node]) -> bool:
    """Whether there are calls that might set or ask for the number of threads."""
    return any(
        n.kind == "CALL_EXPR" and n not in known and not _is_quiet_call(attempt, n)
        for n in loop.walk()
    )


def _is_quiet_call(attempt: Attempt, call: Node) -> bool:
    """Whether a function of this file or of the libraries is known to leave the runtime alone."""
    if call.name in PURE:
        return call.name[:4] != "omp_"
    effects = attempt.function.calls.of(call)
    return not (effects.anything or effects.output)


def _stays(argument: Node, attempt: Attempt, loop: Node) -> bool:
    """Whether the argument has one value throughout the loop."""
    if has_effects(argument) or any(_is_memory(n) for n in argument.walk()):
        return False
    facts = attempt.function.facts
    for node in argument.walk():
        if node.kind != "DECL_REF_EXPR" or node.value is not None:
            continue
        decl = node.decl
        if decl is None or decl.type.volatile or decl.thread_local:
            return False
        fixed = is_fixed(decl, facts, attempt.lifter.assigned)
        if not fixed and (decl in attempt.lifter.assigned or _may_store(loop, decl)):
            return False
    return True


def _is_memory(node: Node) -> bool:
    follows = node.kind == "UNARY_OPERATOR" and node.op == "*"
    return follows or node.kind in ("ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR")


def _may_store(loop: Node, decl: Decl) -> bool:
    stores = (n.children[0] for n in loop.walk() if n.assigns)
    through = (t for t in stores if t.kind != "DECL_REF_EXPR")
    return any(not differ(target.type, decl.type) for target in through)


def _enclosed(attempt: Attempt, loop: Node, call: Node) -> bool:
    """Whether the call is inside of an OpenMP construct, where it has no effect on the loop."""
    return any(_directives(attempt, node) for node in _ancestors(loop, call))


def _ancestors(node: Node, target: Node) -> Iterator[Node]:
    while node is not target:
        yield node
        node = next(c for c in node.children if target in c.walk())
    yield target


def _first_iteration(attempt: Attempt, loop: Node) -> str | None:
    """The condition under which a loop's body runs at all."""
    start, condition = loop.children[0], loop.children[1]
    if has_effects(condition) or start.in_macro:
        return None
    value: Node | None
    if start.kind == "DECL_STMT" and len(start.children) == 1:
        decl, value = start.children[0].decl, initializer(start.children[0])
    elif start.kind == "BINARY_OPERATOR" and start.op == "=":
        decl, value = start.children[0].decl, start.children[1]
    else:
        return None
    if decl is None or value is None or has_effects(value) or decl.type.kind != "int":
        return None
    buffer = attempt.lifter.buffer
    text = buffer.text(condition.span)
    uses = [n for n in condition.walk() if n.kind == "DECL_REF_EXPR" and n.decl is decl]
    if not uses or not all(is_spelled(n, buffer.data) for n in uses):
        return None
    given = buffer.text(value.span).encode("utf-8", "surrogateescape")
    if value.type.canonical != decl.type.canonical:
        converted = cast(decl.type, given)
        if converted is None:
            return None
        given = converted
    elif value.kind not in ("INTEGER_LITERAL", "DECL_REF_EXPR"):
        given = b"(" + given + b")"
    return rename(text.encode("utf-8", "surrogateescape"), {decl.name: given}).decode(
        "utf-8", "surrogateescape"
    )
