"""Places in memory whose value may be a parameter: ``grid[0]``, ``p->n``, ``level[l].size``.

A parameter is named by text, which guards and loops evaluate. It has no effects, and its subscripts
are parameters or numbers, so that it names one place as long as none of these changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from s2s.frontends.c.lvalues import Path, resolve
from s2s.frontends.c.syntax import CASTS, Node
from s2s.scop.polynomial import Polynomial

_SUBSCRIPT = frozenset({"+", "-", "*"})
_BY_NUMBER = frozenset({"/", "%", ">>", "<<"})
_PLACES = frozenset({"DECL_REF_EXPR", "MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR", "UNARY_OPERATOR"})
_ADDRESSES = frozenset({"pointer", "array"})


def spelled(node: Node) -> str:
    """The text of a place or of a subscript in it, whatever macros it came from; empty for others.

    Subscripts of one text are those of one place: numbers and variables, their sums and products.
    """
    if node.kind == "DECL_REF_EXPR":
        return node.name if node.value is None else str(node.value)
    if node.value is not None:
        return str(node.value)
    if node.kind in CASTS and node.type.kind == "int" and node.type.size >= 4 and node.children:
        operand = node.children[-1]
        return spelled(operand) if operand.type.kind == "int" else ""
    if node.kind == "BINARY_OPERATOR" and node.type.kind == "int":
        left, right = (_bracketed(c) for c in node.children)
        plain = node.op in _SUBSCRIPT or (node.op in _BY_NUMBER and _is_small(node.children[1]))
        return f"{left} {node.op} {right}" if left and right and plain else ""
    if node.kind == "MEMBER_REF_EXPR" and len(node.children) == 1 and node.name:
        (base,) = node.children
        around = spelled(base)
        return around and f"{around}{'->' if base.type.kind == 'pointer' else '.'}{node.name}"
    if node.kind == "ARRAY_SUBSCRIPT_EXPR" and len(node.children) == 2:
        base, index = node.children
        around, inside = spelled(base), spelled(index)
        return f"{around}[{inside}]" if around and inside else ""
    if node.kind == "UNARY_OPERATOR" and node.op == "*" and _is_lvalue(node.children[0]):
        around = spelled(node.children[0])
        return around and f"{around}[0]"
    return ""


def _is_small(node: Node) -> bool:
    """Whether anything can be divided or shifted by a number."""
    number = node.uncast.value
    return number is not None and 0 < number < 31


def places_in(node: Node) -> list[Path] | None:
    """The variables and places that an expression reads; None where it is made of more."""
    found: list[Path] = []
    left = [node]
    while left:
        inner = left.pop()
        if inner.value is not None:
            continue
        if inner.kind in _PLACES:
            path = resolve(inner)
            if path is None or path.root is None:
                return None
            found.append(path)
        elif inner.kind in CASTS or inner.kind == "BINARY_OPERATOR":
            left += inner.children
        else:
            return None
    return found


def _bracketed(node: Node) -> str:
    text = spelled(node)
    return f"({text})" if text and node.uncast.kind == "BINARY_OPERATOR" else text


def _is_lvalue(node: Node) -> bool:
    return node.kind in ("DECL_REF_EXPR", "MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR")


def subscripts(
    path: Path, value: Callable[[Node], Polynomial | None], parameters: frozenset[str]
) -> tuple[Polynomial, ...] | None:
    """The subscripts on the way to a place; None where one is made of more than parameters."""
    found = []
    for step in path.steps:
        index = Polynomial.integer(0) if step.index is None else value(step.index)
        if index is None or not index.names <= parameters:
            return None
        found.append(index)
    return tuple(found)


def is_readable(path: Path, indices: tuple[Polynomial, ...]) -> bool:
    """Whether a place can be read at any time: no pointer leads there, and it lies in its array."""
    for step, index in zip(path.steps, indices, strict=True):
        count = step.array_type.count if step.array_type is not None else None
        number = index.number
        if step.through_pointer or count is None or number is None or not 0 <= number < count:
            return False
    return True


def is_constant(path: Path) -> bool:
    """Whether a place is part of an object that is ``const`` itself: nothing ever writes it."""
    root = path.root
    if root is None or path.pointer_depth or root.kind != "VAR_DECL":
        return False
    return root.type.innermost().const and root.type.kind in ("array", "record", "int")


def pointers_to(node: Node) -> Iterator[Path]:
    """The pointers in memory that are followed on the way to a place, the last one first."""
    while node.children:
        (base, *_) = node.children
        if node.kind == "ARRAY_SUBSCRIPT_EXPR" and base.type.kind == "int":
            base = node.children[1]
        if base.type.kind == "pointer":
            path = resolve(base)
            if path is not None:
                yield path
        node = base


def subscripted_member(node: Node) -> Node | None:
    """The member that all subscripts of an element follow; None for elements of anything else."""
    while node.kind == "ARRAY_SUBSCRIPT_EXPR" and node.children[0].type.kind in _ADDRESSES:
        node = node.children[0]
    member = node
    while node.kind == "MEMBER_REF_EXPR" and len(node.children) == 1:
        (node,) = node.children
    return member if member is not node and node.kind == "DECL_REF_EXPR" else None
