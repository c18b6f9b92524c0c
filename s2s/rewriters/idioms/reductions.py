"""Statements that accumulate into a scalar: sums, products, maxima and minima.

A maximum is ``if (e > s) s = e``, also as ``s < e``, or ``s = e > s ? e : s``: where an element is
not a number, or equal, the scalar keeps its value. So the result is the greatest of all values,
whatever their order, but for the sign of a zero: the first of equal values counts. Other forms of a
maximum, and sums and products, depend on the order of the operations.
"""

from __future__ import annotations

from s2s.frontends.c.syntax import Decl, Node
from s2s.rewriters.expressions import is_pure, same, variables
from s2s.source.records import dataclass

_SUMS = {"+": "+", "-": "+", "*": "*"}
_EXTREMA = {"fmax": ">", "fmaxf": ">", "fmin": "<", "fminf": "<"}
_MAGNITUDES = frozenset({"fabs", "fabsf", "__builtin_fabs", "__builtin_fabsf"})


@dataclass(frozen=True)
class Reduction:
    """``op`` is + or * or, for a maximum > and a minimum <; ``values`` are what it accumulates.

    ``exact``: any order of the operations gives the same, but for the sign of a zero, which is
    only in question where ``signed`` is set.
    """

    decl: Decl
    op: str
    values: tuple[Node, ...]
    exact: bool
    signed: bool = False


def reduction(node: Node) -> Reduction | None:
    """The reduction that a statement is, None for anything else."""
    if node.kind == "COMPOUND_STMT" and len(node.children) == 1:
        return reduction(node.children[0])
    if node.kind == "IF_STMT" and len(node.children) == 2:
        return _guarded(*node.children)
    if node.op not in ("=", "+=", "-=", "*=") or node.children[0].kind != "DECL_REF_EXPR":
        return None
    decl, value = node.children[0].decl, node.children[1]
    if decl is None:
        return None
    if node.op != "=":
        return _made(decl, _SUMS[node.op[0]], (value,), exact=False)
    bare = value.uncast
    if bare.kind == "CONDITIONAL_OPERATOR" and len(bare.children) == 3:
        return _selected(decl, *bare.children)
    if bare.kind == "CALL_EXPR" and bare.name in _EXTREMA and len(bare.children) == 3:
        others = [c for c in bare.children[1:] if c.uncast.decl is not decl]
        return _made(decl, _EXTREMA[bare.name], tuple(others), exact=False) if others else None
    return _chain(decl, bare)


def _made(decl: Decl, op: str, values: tuple[Node, ...], *, exact: bool) -> Reduction | None:
    """A reduction whose values have no effects and do not depend on the scalar."""
    if any(decl in variables(v) or not is_pure(v) for v in values):
        return None
    signed = not all(_is_magnitude(v) for v in values[:1])
    return Reduction(decl, op, values, exact, signed)


def _is_magnitude(node: Node) -> bool:
    return node.uncast.kind == "CALL_EXPR" and node.uncast.name in _MAGNITUDES


def _chain(decl: Decl, value: Node) -> Reduction | None:
    """``s + a - b + ...`` or ``s * a * b``, the scalar first or, of two operands, second."""
    values: list[Node] = []
    ops: set[str] = set()
    node = value
    while node.kind == "BINARY_OPERATOR" and node.op in _SUMS and node.uncast.decl is None:
        left, right = node.children
        ops.add(_SUMS[node.op])
        if node.op != "-" and right.uncast.decl is decl and not values:
            return _made(decl, _SUMS[node.op], (left,), exact=False)
        values.append(right)
        node = left.uncast
    if node.kind != "DECL_REF_EXPR" or node.decl is not decl or len(ops) != 1:
        return None
    return _made(decl, ops.pop(), tuple(values), exact=False)


def _guarded(condition: Node, then: Node) -> Reduction | None:
    """``if (e > s) s = e``, or a sum or product under a condition that has no effects."""
    inner = then.children[0] if then.kind == "COMPOUND_STMT" and len(then.children) == 1 else then
    if inner.op == "=" and inner.children and inner.children[0].kind == "DECL_REF_EXPR":
        decl, value = inner.children[0].decl, inner.children[1]
        found = None if decl is None else _compared(decl, condition, value)
        if found is not None:
            return found
    found = reduction(inner)
    if found is None or found.op not in "+*" or not is_pure(condition):
        return None
    if found.decl in variables(condition):
        return None
    return Reduction(found.decl, found.op, (*found.values, condition), False)


def _selected(decl: Decl, condition: Node, then: Node, otherwise: Node) -> Reduction | None:
    """``s = e > s ? e : s``, or ``s = s > e ? s : e``, which takes what is not a number."""
    if otherwise.uncast.decl is decl:
        return _compared(decl, condition, then)
    if then.uncast.decl is decl:
        found = _compared(decl, condition, otherwise)
        if found is not None:
            op = "<" if found.op == ">" else ">"
            return Reduction(decl, op, found.values, False)
    return None


def _compared(decl: Decl, condition: Node, value: Node) -> Reduction | None:
    """What is accumulated where ``condition`` holds and the scalar takes ``value`` then."""
    if condition.op not in ("<", ">", "<=", ">="):
        return None
    left, right = condition.children
    if right.uncast.decl is decl and same(left, value):
        op = condition.op
    elif left.uncast.decl is decl and same(right, value):
        op = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}[condition.op]
    else:
        return None
    if any(n.kind == "IMPLICIT_CAST" for n in (left, right, value)):
        return None
    return _made(decl, op[0], (value,), exact=len(op) == 1)
