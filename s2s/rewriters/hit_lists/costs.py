"""How long statements and expressions take, in additions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from s2s.frontends.c.effects import PURE
from s2s.frontends.c.syntax import Decl, Node
from s2s.rewriters.expressions import INLINE

# Additions that other operations take the time of, on current processors.
_DIVISION, _LIBRARY, _CALL = 8, 16, 12
_SLOW = frozenset({"sqrt", "sqrtf", "__builtin_sqrt", "__builtin_sqrtf"})
# What takes so long is slow: a choice by it, wrongly predicted, costs as much again.
SLOW = 16
# Iterations of a loop whose number is not known.
_SOME = 4
COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!="})


def cost(nodes: Iterable[Node], trips: Mapping[Decl, tuple[int, int]]) -> int:
    """The operations of statements and expressions, weighted."""
    return sum(_cost(node, trips) for node in nodes)


def _cost(node: Node, trips: Mapping[Decl, tuple[int, int]]) -> int:
    if node.kind == "FOR_STMT" and len(node.children) == 4:
        known = [trips[d] for d in node.children[0].assigned if d in trips]
        times = known[0][1] - known[0][0] + 1 if known else _SOME
        return times * _cost(node.children[-1], trips)
    below = cost(node.children, trips)
    if node.kind == "CALL_EXPR":
        return _call(node.name) + below
    if node.assigns and node.children[0].kind != "DECL_REF_EXPR":
        below += 1
    if node.type.kind != "float" or not node.op or node.op in ("=", "!", ","):
        return below
    return below + (_DIVISION if node.op in ("/", "/=") else 1)


def _call(name: str) -> int:
    if name in INLINE:
        return 1
    return _DIVISION if name in _SLOW else _LIBRARY if name in PURE else _CALL
