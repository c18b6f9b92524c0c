"""A look at the syntax of a nest: do several rows of a result read the same narrow integers.

What is asked for is cheap to see: bytes or 16-bit integers at a row that is no plain variable, such
as ``in[y - 1][x]``, nothing in floating point, and no control flow but loops that compilers unroll.
"""

from __future__ import annotations

from s2s.frontends.c.counted_loops import counted_loop
from s2s.frontends.c.integer_constants import NotAffine, constant_value
from s2s.frontends.c.regions import Attempt
from s2s.frontends.c.syntax import Node

_NARROW = 2
# Iterations of loops inside: gcc unrolls loops of up to 16 and nests of up to 200 operations.
_MOST_UNROLLED = 25
_CONTROL = frozenset({"IF_STMT", "WHILE_STMT", "DO_STMT", "SWITCH_STMT", "GOTO_STMT", "BREAK_STMT",
                      "CONTINUE_STMT", "RETURN_STMT", "CALL_EXPR"})  # fmt: skip


def shares_narrow_rows(attempt: Attempt) -> bool:
    """Whether a nest may read narrow integers for several rows."""
    node = attempt.statements[0]
    if node.kind != "FOR_STMT" or attempt.lifter.attached.within(attempt.span):
        return False
    if any(n.kind in _CONTROL or n.type.kind == "float" for n in node.walk()):
        return False
    return _has_narrow_rows(node) and _unrolled(node) <= _MOST_UNROLLED


def _has_narrow_rows(node: Node) -> bool:
    return any(
        n.kind == "ARRAY_SUBSCRIPT_EXPR" and n.type.kind == "int" and 0 < n.type.size <= _NARROW
        and any(m.kind == "BINARY_OPERATOR" for m in n.walk())
        for n in node.walk()
    )  # fmt: skip


def _unrolled(node: Node) -> int:
    """How many iterations short loops inside of each other have together, at most."""
    inside = max((_unrolled(child) for child in node.children), default=1)
    return inside * _count(node) if node.kind == "FOR_STMT" else inside


def _count(loop: Node) -> int:
    """Iterations of a loop that compilers unroll; 1 for one that is too long, or of unknown ends.

    Constants that bound it tell, whatever its step.
    """
    try:
        header = counted_loop(loop)
    except NotAffine:
        return 1
    bound, first = header.bound, constant_value(header.first)
    last = None if bound is None else constant_value(bound.limit)
    if first is None or last is None:
        return 1
    count = abs(last - first) + 1
    return count if count <= _MOST_UNROLLED else 1
