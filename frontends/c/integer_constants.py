"""Integers that expressions of C are, as the source spells them."""

from __future__ import annotations

from s2s.frontends.c.syntax import CASTS, CType, Node


class NotAffine(Exception):
    """A construct has no affine form; ``node`` is where and the message says why."""

    def __init__(self, node: Node, reason: str) -> None:
        super().__init__(reason)
        self.node = node
        self.reason = reason


def constant_value(node: Node) -> int | None:
    """The value of an integer constant expression as the source spells it.

    None for another expression, and where a type that the source writes does not hold the value.
    """
    node = node.bare
    value = _spelled(node)
    return value if value is None or holds(node.type, value) else None


def _spelled(node: Node) -> int | None:
    if node.kind in CASTS and node.children:
        return constant_value(node.children[-1])
    if node.value is not None:
        return node.value
    if node.kind == "UNARY_OPERATOR" and node.op in ("+", "-"):
        value = constant_value(node.children[0])
        return None if value is None else value if node.op == "+" else -value
    if node.kind == "BINARY_OPERATOR" and node.op in ("+", "-", "*", "/", "<<"):
        left, right = (constant_value(c) for c in node.children)
        if node.op == "<<":
            shifted = left is not None and right is not None and left >= 0 and 0 <= right < 64
            return left << right if shifted else None  # type: ignore[operator]
        if left is None or right is None or (node.op == "/" and (left < 0 or right <= 0)):
            return None
        return {"+": left + right, "-": left - right, "*": left * right}.get(
            node.op, left // right if right else 0
        )
    return None


def holds(type_: CType, value: int) -> bool:
    """Whether a variable of a type has the number itself, which nothing cuts."""
    if type_.kind != "int" or not type_.size:
        return True
    bits = 1 if type_.spelling == "_Bool" else 8 * type_.size - type_.signed
    return -(1 << bits) * type_.signed <= value < 1 << bits
