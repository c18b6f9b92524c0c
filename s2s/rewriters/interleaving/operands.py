"""What a called function is given, and how types and constants of it are written."""

from __future__ import annotations

from enum import Enum, auto
from fractions import Fraction
from math import isfinite

from s2s.frontends.c.syntax import CType, Decl, Node
from s2s.source.records import dataclass


class Role(Enum):
    """What a parameter is for the lanes."""

    UNIFORM = auto()
    VARYING = auto()
    CELL = auto()
    """A pointer to a variable, which each lane has for itself."""
    ROW = auto()
    """A pointer to elements that are stored to."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of the called function, and what it is for the lanes."""

    decl: Decl
    role: Role

    @property
    def type(self) -> CType:
        """The type of a value, of what a cell holds, or of an element of a row."""
        kind = self.decl.type
        if self.role in (Role.CELL, Role.ROW):
            assert kind.element is not None
            return kind.element
        return kind


def spelled(type_: CType) -> str:
    """A scalar's type without qualifiers."""
    return " ".join(w for w in type_.spelling.split() if w not in ("const", "restrict"))


def constant_text(node: Node) -> str | None:
    """A literal, or a product of such that is exact, as C text of the same type."""
    if node.kind in ("INTEGER_LITERAL", "CHARACTER_LITERAL") and node.value is not None:
        sign = "" if node.type.signed else "U"
        return f"{node.value}{sign}{'L' if node.type.size == 8 else ''}"
    value = _exact(node)
    if value is None or not isfinite(value):
        return None
    return f"{value!r}{'f' if node.type.size == 4 else ''}"


def _exact(node: Node) -> float | None:
    """The value of literals, and of their products where nothing is rounded."""
    if node.type.kind != "float":
        return None
    if node.kind == "FLOATING_LITERAL":
        return node.real
    if node.kind != "BINARY_OPERATOR" or node.op != "*" or node.type.size != 8:
        return None
    left, right = (_exact(child) for child in node.children)
    if left is None or right is None or not (isfinite(left) and isfinite(right)):
        return None
    product = left * right
    exact = isfinite(product) and Fraction(left) * Fraction(right) == Fraction(product)
    return product if exact else None
