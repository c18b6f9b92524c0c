"""How many processing elements a function takes: its operations, constants folded into them."""

from __future__ import annotations

from s2s.scop.expressions import Binary, Call, Const, Expr, Load, Select, Unary

_WIRES = frozenset({"likely", "likely_if_innermost", "reinterpret"})


def count_elements(value: Expr) -> int:
    """PEs for a value; conversions, constants and subscripts of loads take none."""
    found: set[int] = set()
    stack = [value]
    count = 0
    while stack:
        node = stack.pop()
        if id(node) in found or isinstance(node, Load | Const):
            continue
        found.add(id(node))
        count += isinstance(node, Binary | Unary | Select) or (
            isinstance(node, Call) and node.name not in _WIRES
        )
        stack += node.operands
    return count
