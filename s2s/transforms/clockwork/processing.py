"""How many processing elements a function takes: its operations, constants folded into them.

An element has an ALU for one operation of 16 bits, of whose operands one may be a constant of its
own, and a table of 3 bits for logic. A table can be used beside an ALU operation with a result of
16 bits (section 6.1 of Setter's dissertation, packing); a comparison gives its bit in the table's
place.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from s2s.scop.expressions import BOOL, Binary, Call, Cast, Const, Expr, Load, Select, Unary

_WIRES = frozenset({"likely", "likely_if_innermost", "reinterpret"})
_TABLE_INPUTS = 3
_BITS = 16


def count_elements(value: Expr) -> int:
    """PEs for a value; conversions, constants and subscripts of loads take none.

    What stands in several places of a value is computed once.
    """
    uses = _count_uses(value)
    arithmetic = [node for node in uses if _is_arithmetic(node)]
    beside = sum(node.type != BOOL for node in arithmetic)
    return len(arithmetic) + max(0, _count_tables(uses) - beside)


def _count_tables(uses: Mapping[Expr, int]) -> int:
    """Tables for trees of logic: each takes up to three bits, or two and another one's result."""
    trees = [node for node in uses if _is_logic(node)]
    inner = {o for node in trees for o in node.operands if _is_logic(o) and uses[o] == 1}
    found = 0
    for root in trees:
        if root not in inner:
            bits = sum(1 for _ in _leaves(root, inner))
            found += max(1, -(-(bits - 1) // (_TABLE_INPUTS - 1)))
    return found


def _count_uses(value: Expr) -> dict[Expr, int]:
    """The nodes that are computed, and by how many others each is used."""
    found: dict[Expr, int] = {}
    stack = [value]
    while stack:
        node = stack.pop()
        if isinstance(node, Load | Const):
            continue
        found[node] = found.get(node, 0) + 1
        if found[node] == 1:
            wide = wide_product(node)
            stack += node.operands if wide is None else wide.operands
    return found


def wide_product(node: Expr) -> Expr | None:
    """The product of 32 bits of which a node is the upper or middle half: one instruction."""
    match node:
        case Cast(kind, Binary(_, "shr", Binary(_, "mul") as product, Const(value=8 | 16))):
            return product if kind.bits <= _BITS < product.type.bits else None
    return None


def _is_logic(node: Expr) -> bool:
    return isinstance(node, Binary | Unary) and all(
        kind == BOOL for kind in (node.type, *(o.type for o in node.operands))
    )


def _is_arithmetic(node: Expr) -> bool:
    if isinstance(node, Call):
        return node.name not in _WIRES
    if isinstance(node, Cast):
        return wide_product(node) is not None
    return isinstance(node, Binary | Unary | Select) and not _is_logic(node)


def _leaves(node: Expr, inner: Collection[Expr]) -> Iterator[Expr]:
    """The bits that come into a tree."""
    for operand in node.operands:
        if operand in inner:
            yield from _leaves(operand, inner)
        elif not isinstance(operand, Const):
            yield operand
