"""How long an iteration of a loop waits for the one before."""

from __future__ import annotations

from collections.abc import Sequence

from s2s.frontends.c.facts import initializer
from s2s.frontends.c.syntax import CASTS, Decl, Node

# Cycles of additions and multiplications of floats, conversions, divisions, and of the rest: the
# least of current processors (Fog's instruction tables).
_FLOAT, _CONVERSION, _DIVISION, _OTHER = 4, 6, 13, 1
# Loops that wait for less are kept busy by what else they do.
_LEAST = 16


def waits_for_itself(callee: Node) -> bool:
    """Whether a loop of a function is bound by a recurrence of long latency."""
    loops = [n for n in callee.walk() if n.kind == "FOR_STMT" and len(n.children) == 4]
    innermost = [n for n in loops if not any(c.is_loop for c in n.children[3].walk())]
    return any(_recurrence(loop.children[3].statements) >= _LEAST for loop in innermost)


def _recurrence(statements: Sequence[Node]) -> int:
    """Cycles from a value of the iteration before to the same variable's new one."""
    written = {d for s in statements for d in s.assigned}
    delays: dict[Decl, int | None] = {d: 0 for d in written}
    first: dict[Decl, bool] = {}
    for node in statements:
        for target, value, update in _assignments(node):
            for part in value.walk():
                if part.kind == "DECL_REF_EXPR" and part.decl in written:
                    first.setdefault(part.decl, True)
            if update:
                first.setdefault(target, True)
            first.setdefault(target, False)
    for decl in written:
        if not first.get(decl):
            delays[decl] = None
    for node in statements:
        for target, value, update in _assignments(node):
            found = _delay(value, delays)
            if update and delays.get(target) is not None:
                found = max(found or 0, delays[target] or 0) + _cost_of(target.type.kind, "+")
            delays[target] = found
    return max((delays[d] or 0 for d in written if first.get(d)), default=0)


def _assignments(node: Node) -> list[tuple[Decl, Node, bool]]:
    """What a statement sets: the variable, the value, whether it updates it."""
    if node.kind == "DECL_STMT":
        pairs = [(c.decl, initializer(c)) for c in node.children if c.kind == "VAR_DECL"]
        return [(d, v, False) for d, v in pairs if d is not None and v is not None]
    if node.assigns and len(node.children) == 2:
        target, value = node.children
        if target.kind == "DECL_REF_EXPR" and target.decl is not None:
            return [(target.decl, value, node.op != "=")]
    return []


def _delay(node: Node, delays: dict[Decl, int | None]) -> int | None:
    if node.kind == "DECL_REF_EXPR":
        return None if node.decl is None else delays.get(node.decl)
    found = [d for d in (_delay(child, delays) for child in node.children) if d is not None]
    if not found:
        return None
    if node.kind in CASTS:
        operand = node.children[-1].type.kind
        return max(found) + (_CONVERSION if operand != node.type.kind else 0)
    return max(found) + _cost_of(node.type.kind, node.op)


def _cost_of(kind: str, op: str) -> int:
    if op in ("/", "%"):
        return _DIVISION
    return _FLOAT if kind == "float" and op else _OTHER if op else 0
