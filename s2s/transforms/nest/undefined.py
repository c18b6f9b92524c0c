"""``undef``: an update that leaves an element as it is, all of it or where a select says so.

What an operation makes of an undefined value is undefined, too; a select with one undefined side
is the other side, stored where that side is chosen.
"""

from __future__ import annotations

from dataclasses import replace

from s2s.scop.expressions import BOOL, Binary, Call, Expr, Load, Select, Unary, walk
from s2s.scop.nest import If, Node, Store
from s2s.scop.rewrite import NOTHING, rebuild, with_children


def drop_undefined(node: Node) -> Node:
    """The tree whose stores only have defined values."""
    if not isinstance(node, Store):
        return with_children(node, drop_undefined)
    if not any(_is_undef(part) for value in node.values for part in walk(value)):
        return node
    sides = [defined(value) for value in node.values]
    if all(value is None for value, _ in sides):
        return NOTHING
    if len(sides) == 1:
        ((value, condition),) = sides
        assert value is not None and condition is not None
        return If(condition, replace(node, values=(value,)))
    values = [_or_kept(node, place, *side) for place, side in enumerate(sides)]
    return replace(node, values=tuple(values))


def _or_kept(store: Store, place: int, value: Expr | None, condition: Expr | None) -> Expr:
    """A component's value, or what is there already."""
    kept = Load(store.values[place].type, store.tensor, store.subscripts, place)
    if value is None:
        return kept
    return value if condition is None else Select(value.type, condition, value, kept)


def defined(value: Expr) -> tuple[Expr | None, Expr | None]:
    """What is defined of a value, and the condition under which (None: always)."""
    if _is_undef(value):
        return None, None
    if isinstance(value, Select):
        chosen = _selected(value)
        if chosen is not None:
            return chosen
    below, conditions = [], []
    for child in value.operands:
        inner, condition = defined(child)
        if inner is None:
            return None, None
        below.append(inner)
        conditions += [] if condition is None else [condition]
    return (rebuild(value, tuple(below)) if conditions else value), _all(conditions)


def _selected(value: Select) -> tuple[Expr, Expr] | None:
    """The one defined side of a selection; None if both or none are."""
    test, always = defined(value.condition)
    sides = defined(value.then), defined(value.otherwise)
    if test is None or (sides[0][0] is None) == (sides[1][0] is None):
        return None
    chosen = test if sides[1][0] is None else Unary(BOOL, "not", test)
    side, condition = sides[0] if sides[1][0] is None else sides[1]
    whole = _all([c for c in (always, chosen, condition) if c is not None])
    assert side is not None and whole is not None
    return side, whole


def _is_undef(value: Expr) -> bool:
    return isinstance(value, Call) and value.name == "undef"


def _all(conditions: list[Expr]) -> Expr | None:
    if not conditions:
        return None
    whole = conditions[0]
    for condition in conditions[1:]:
        whole = Binary(BOOL, "and", whole, condition)
    return whole
