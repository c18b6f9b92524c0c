"""Comparisons with values that are chosen: ``i < (a < b ? a : b)``, as macros for minima expand."""

from __future__ import annotations

from s2s.frontends.c.affine import Affine
from s2s.frontends.c.evaluated import Context
from s2s.frontends.c.syntax import CASTS, Node


def compared(name: str, op: str, node: Node, affine: Affine, context: Context) -> str | None:
    """``name op value`` in isl's notation, None where the value is not affine.

    A value ``c ? a : b`` with an affine condition has an alternative for each of its sides.
    """
    chosen = _choice(node)
    if chosen is None:
        value = affine.bound(node, context)
        return None if value is None or not value.is_affine else f"{name} {op} {value.isl()}"
    condition, then, otherwise = chosen.children
    formula = affine.formula(condition, context)
    if formula is None:
        return None
    word = _both_or_one(chosen, op, affine, context)
    if word:
        first, second = (compared(name, op, n, affine, context) for n in (then, otherwise))
        return None if first is None or second is None else f"({first} {word} {second})"
    first = compared(name, op, then, affine, context.under(formula))
    second = compared(name, op, otherwise, affine, context.under(f"not ({formula})"))
    if first is None or second is None:
        return None
    return f"((({formula}) and {first}) or (not ({formula}) and {second}))"


def _both_or_one(chosen: Node, op: str, affine: Affine, context: Context) -> str:
    """Whether a comparison with a minimum or maximum holds for both of its sides, or for one.

    Empty where the value is another one.
    """
    condition, *sides = chosen.children
    if condition.op not in ("<", "<=", ">", ">=") or len(condition.children) != 2:
        return ""
    left, right = (affine.polynomial(c, context) for c in condition.children)
    first, second = (affine.polynomial(s, context) for s in sides)
    if left is None or right is None or {first, second} != {left, right}:
        return ""
    minimum = (condition.op in ("<", "<=")) == (first == left)
    return "and" if minimum == (op in ("<", "<=")) else "or"


def is_choice(node: Node) -> bool:
    """Whether a value is one of two."""
    return _choice(node) is not None


def _choice(node: Node) -> Node | None:
    """The conditional expression that a value is, after conversions that keep each value."""
    while node.kind in CASTS and node.children:
        source, target = node.children[-1].type, node.type
        widens = target.size > source.size or source.canonical == target.canonical
        if source.kind != "int" or target.kind != "int" or not (target.signed and widens):
            return None
        node = node.children[-1]
    chosen = node.kind == "CONDITIONAL_OPERATOR" and len(node.children) == 3
    return node if chosen and node.type.kind == "int" else None
