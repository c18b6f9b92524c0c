"""Parts of C statements: of loops' headers, of declarations, of switches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from s2s.frontends.c.syntax import ASSIGNMENTS, Node
from s2s.net.errors import NotExecuted


def for_parts(node: Node, text: str) -> tuple[Node | None, Node | None, Node | None, Node]:
    """The parts of a ``for`` statement, of which clang leaves out those that are not there."""
    *parts, body = node.children
    if len(parts) == 3:
        return parts[0], parts[1], parts[2], body
    if node.in_macro or any(p.in_macro for p in parts):
        raise NotExecuted("a loop in a macro")
    found: list[Node | None] = [None, None, None]
    for part in parts:
        before = text[: max(part.span.start - node.span.start, 0)]
        slot = before.count(";")
        if slot > 2 or found[slot] is not None:
            raise NotExecuted("a loop without all its parts")
        found[slot] = part
    return found[0], found[1], found[2], body


def single(node: Node) -> Node:
    while node.kind == "INIT_LIST_EXPR" and len(node.children) == 1:
        node = node.children[0]
    return node


def is_target(nodes: Sequence[Node], label: str) -> bool:
    return any(
        n.kind == "GOTO_STMT" and n.children and n.children[0].name == label
        for node in nodes
        for n in node.walk()
    )


def cases(block: Node) -> Iterator[tuple[list[int | None], list[Node]]]:
    """The parts of a switch with their labels, None for ``default``; each ends by leaving."""
    found: list[tuple[list[int | None], list[Node]]] = []
    for child in block.children:
        labels: list[int | None] = []
        while child.kind in ("CASE_STMT", "DEFAULT_STMT"):
            if child.kind == "CASE_STMT":
                if child.children[0].value is None:
                    raise NotExecuted("a case that is no number")
                labels.append(child.children[0].value)
            else:
                labels.append(None)
            child = child.children[-1]
        if labels:
            found.append((labels, []))
        if not found:
            raise NotExecuted("code in front of the first case")
        found[-1][1].append(child)
    for number, (_, statements) in enumerate(found):
        last = statements[-1]
        if last.kind == "COMPOUND_STMT" and last.children:
            last = last.children[-1]
        if last.kind == "BREAK_STMT":
            if statements[-1] is last:
                statements.pop()
            else:
                inside = statements[-1]
                statements[-1:] = inside.children[:-1]
        elif last.kind not in ("RETURN_STMT", "CONTINUE_STMT") and number < len(found) - 1:
            raise NotExecuted("a case that goes on into the next one")
    return iter(sorted(found, key=lambda case: None in case[0]))


def assigns_inside(node: Node) -> bool:
    """Whether something inside could use the temporary that holds an address."""
    inner = node.children[1].walk()
    return any(
        n.kind in ("BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR") and n.op in ASSIGNMENTS
        for n in inner
    )
