"""A look at the syntax of an innermost loop: could it gain from being written another way.

What compilers vectorize well without help is left alone here, before anything is lifted: a loop
whose elements are all used where they are set, in unit steps, without control flow.
"""

from __future__ import annotations

from collections.abc import Iterator

from s2s.frontends.c.mathematical import is_mathematical
from s2s.frontends.c.regions import Attempt
from s2s.frontends.c.syntax import ASSIGNMENTS, INCREMENTS, Decl, Node

_LOOPS = frozenset({"FOR_STMT", "WHILE_STMT", "DO_STMT", "CXX_FOR_RANGE_STMT"})
_JUMPS = frozenset({"BREAK_STMT", "GOTO_STMT", "CONTINUE_STMT", "SWITCH_STMT", "RETURN_STMT"})
_CHOICES = frozenset({"IF_STMT", "CONDITIONAL_OPERATOR"})


def is_vector_loop(attempt: Attempt) -> bool:
    """Whether a region is one innermost loop, without directives, that may gain."""
    statement = attempt.statements[0]
    if statement.kind != "FOR_STMT" or attempt.directives:
        return False
    return list(innermost_loops(statement)) == [statement] and may_gain(statement)


def has_vector_loops(attempt: Attempt) -> bool:
    """Whether there are innermost loops in a region that may gain."""
    return any(may_gain(n) for s in attempt.statements for n in innermost_loops(s))


def innermost_loops(node: Node) -> Iterator[Node]:
    """The ``for`` loops of a tree without any loop inside."""
    inner = [n for child in node.children for n in child.walk() if n.kind in _LOOPS]
    if node.kind == "FOR_STMT" and not inner:
        yield node
    elif node.kind in _LOOPS or inner:
        for child in node.children:
            yield from innermost_loops(child)


def may_gain(loop: Node) -> bool:
    """Whether an innermost loop may be one that a compiler leaves scalar, or slow vectors."""
    body = loop.children[-1]
    nodes = list(body.walk())
    if not any(n.kind == "ARRAY_SUBSCRIPT_EXPR" for n in nodes) or _calls(nodes):
        return False
    if any(n.kind in _JUMPS or n.kind in _CHOICES for n in nodes) or _is_strided(loop, nodes):
        return True
    if _only_accumulates(body, nodes):
        return False
    return _sets_scalars(nodes) or _moves_elements(body) or _updates_in_place(loop, nodes)


def runs_straight(nodes: list[Node]) -> bool:
    """Whether a body neither branches nor calls anything but mathematical functions."""
    jumps = any(n.kind in _JUMPS or n.kind in _CHOICES for n in nodes)
    return not jumps and not _calls(nodes)


def _calls(nodes: list[Node]) -> bool:
    """Whether the body calls anything but mathematical functions, of which there may be vectors."""
    return any(n.kind == "CALL_EXPR" and not is_mathematical(n.name) for n in nodes)


def _is_strided(loop: Node, nodes: list[Node]) -> bool:
    """Whether the loop counts by more than one, or a subscript multiplies or is in memory."""
    step = loop.children[2] if len(loop.children) == 4 else None
    if step is None or step.kind != "UNARY_OPERATOR" or step.op not in INCREMENTS:
        return True
    for node in nodes:
        if node.kind == "ARRAY_SUBSCRIPT_EXPR":
            inside = list(node.children[1].walk())
            if any(n.op in ("*", "/", "%") or n.kind == "ARRAY_SUBSCRIPT_EXPR" for n in inside):
                return True
    return False


def _only_accumulates(body: Node, nodes: list[Node]) -> bool:
    """Whether the body is ``s += e``, or ``s = e`` where ``e`` reads it again: one pure cycle."""
    statements = body.statements
    if len(statements) != 1 or statements[0].op not in ASSIGNMENTS:
        return False
    target, value = statements[0].children
    reads = sum(n.decl is target.decl for n in value.walk() if n.kind == "DECL_REF_EXPR")
    return (
        target.kind == "DECL_REF_EXPR"
        and len(list(_targets(nodes))) == 1
        and (statements[0].op != "=" or reads > 1)
    )


def _sets_scalars(nodes: list[Node]) -> bool:
    """Whether the body sets a variable that it does not declare."""
    declared = {n.decl for n in nodes if n.kind == "VAR_DECL"}
    return any(
        target.kind == "DECL_REF_EXPR" and target.decl not in declared for target in _targets(nodes)
    )


def _updates_in_place(loop: Node, nodes: list[Node]) -> bool:
    """Whether the body updates memory at a place that does not name what the loop counts by."""
    step = loop.children[2] if len(loop.children) == 4 else loop
    counters = {n.decl for n in step.walk() if n.kind == "DECL_REF_EXPR"}
    for node in nodes:
        if not node.assigns or len(node.children) != 2:
            continue
        target, value = node.children
        stays = target.kind != "DECL_REF_EXPR" and not any(
            n.decl in counters for n in target.walk()
        )
        if stays and (node.op != "=" or any(spelled(target) == spelled(n) for n in value.walk())):
            return True
    return False


def _moves_elements(body: Node) -> bool:
    """Whether an array that the body writes is named with different subscripts."""
    written: dict[Decl | None, set[str]] = {}
    named: dict[Decl | None, set[str]] = {}
    nodes = list(body.walk())
    for reference in references(body):
        named.setdefault(root_of(reference), set()).add(spelled(reference))
    for target in _targets(nodes):
        if target.kind == "ARRAY_SUBSCRIPT_EXPR":
            written.setdefault(root_of(target), set()).add(spelled(target))
    return any(len(named.get(root, ())) > 1 for root in written)


def _targets(nodes: list[Node]) -> Iterator[Node]:
    for node in nodes:
        if node.assigns:
            yield node.children[0]


def references(node: Node) -> Iterator[Node]:
    """Array references that are no part of another one's base."""
    if node.kind == "ARRAY_SUBSCRIPT_EXPR":
        yield node
        yield from references(node.children[1])
        return
    for child in node.children:
        yield from references(child)


def root_of(reference: Node) -> Decl | None:
    node = reference
    while node.children and node.kind != "DECL_REF_EXPR":
        node = node.children[0]
    return node.decl


def spelled(node: Node) -> str:
    """A text that is the same for the same expression."""
    own = f"{node.kind}:{node.op}:{node.name if node.kind == 'DECL_REF_EXPR' else ''}:{node.value}"
    return own + "(" + ",".join(spelled(child) for child in node.children) + ")"
