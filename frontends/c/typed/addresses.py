"""What pointers hold in syntax that is only read: an array, and a place in it."""

from __future__ import annotations

from dataclasses import replace
from math import prod

from s2s.frontends.c.syntax import CType, Decl, Node
from s2s.frontends.c.typed.errors import NotATensorNest
from s2s.frontends.c.typed.nodes import element, plus, times
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Pointer:
    """``base + offset``, where ``base`` is an array or a pointer.

    ``seen``: the type of what it points to where that is not ``base``'s element; the offset then
    counts ``base``'s elements, which are scalars.
    """

    base: Node
    offset: Node | None = None
    seen: CType | None = None

    @property
    def target(self) -> CType | None:
        """What it points to."""
        return self.seen or self.base.type.element

    def moved(self, by: Node | None) -> Pointer:
        """The address so many of what it points to after it."""
        scale = 1 if self.seen is None else _scalars(self.seen)
        return replace(self, offset=plus(self.offset, times(by, scale)))

    def place(self) -> Node:
        """What it points to."""
        if self.seen is not None and self.seen.kind == "array":
            raise NotATensorNest(self.base.span, "a whole array where a number is needed")
        return element(self.base, self.offset)

    def first(self) -> Pointer:
        """The address of the first element of the array that it points to."""
        if self.seen is None:
            return Pointer(self.place())
        inner = self.seen.element
        return replace(self, seen=inner if inner is not None and inner.kind == "array" else None)


def _scalars(type_: CType) -> int:
    """The scalars of an array type."""
    counts = []
    while type_.kind == "array" and type_.element is not None:
        counts.append(type_.count or 0)
        type_ = type_.element
    return prod(counts)


def rows_of(type_: CType) -> tuple[int | None, ...]:
    """The extents of an array type, outermost first; none for elements."""
    found: list[int | None] = []
    while type_.kind == "array" and type_.element is not None:
        found.append(type_.count)
        type_ = type_.element
    return tuple(found)


def plain_name(type_: CType) -> str:
    """A type's name without qualifiers."""
    return " ".join(w for w in type_.canonical.split() if w not in ("const", "restrict"))


def roots_of(node: Node) -> set[Decl]:
    """The variable that a base begins with."""
    while node.kind == "ARRAY_SUBSCRIPT_EXPR":
        node = node.children[0]
    return set() if node.decl is None else {node.decl}
