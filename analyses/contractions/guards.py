"""Branches on loop variables, put where they are taken: ``if (r == 0)`` before the loop.

Programs begin sums in the first iteration of a reduction and finish them in the last one::

    for r: { if (r == 0) acc = bias; acc += ...; if (r == R - 1) out = acc; }

is ``acc = bias; for r: acc += ...; out = acc;``. What chooses between an element's own value and
another one is such a branch, too. Other branches stay as they are.
"""

from __future__ import annotations

from dataclasses import replace

from s2s.analyses.contractions.bounds import negated
from s2s.analyses.contractions.peeling import flat, peel
from s2s.scop.expressions import Binary, Call, Cast, Const, Expr, Load, Select, Type, walk
from s2s.scop.nest import Block, For, If, Node, Store
from s2s.scop.rewrite import map_children, replace_parts


def peel_branches(node: Node) -> Node:
    """The nest with branches on a loop's first and last iteration outside of that loop."""
    node = map_children(node, peel_branches)
    match node:
        case Store():
            return _as_branch(node)
        case If():
            return _begun_and_added(node)
        case Block():
            return flat(node.children)
        case For():
            return peel(node)
    return node


# ---- choices between the old value of an element and another one


def _as_branch(store: Store) -> Node:
    """``t = c ? v : t`` as ``if (c) t = v``, and ``t = (c ? v : t) + w`` as that and an update."""
    if len(store.values) != 1 or store.predicate is not None:
        return store
    (value,) = store.values
    if isinstance(value, Call) and value.name == "undef":
        return Block(())
    choices = [e for e in walk(value) if isinstance(e, Select) and _side(e, store) is not None]
    if len(choices) != 1:
        return store
    choice = choices[0]
    kept, other, condition = _side(choice, store) or (choice, choice, choice)
    rest = replace_parts(value, {choice: kept})
    if _plain(rest) == _itself(store, rest):
        return If(condition, replace(store, values=(replace_parts(value, {choice: other}),)))
    element = _element_type(store, kept)
    if element is None or not _fits(_plain(other), element):
        return store
    begun = replace(store, values=(_converted(element, _plain(other)),))
    return Block((If(condition, begun), replace(store, values=(rest,))))


def _side(choice: Select, store: Store) -> tuple[Expr, Expr, Expr] | None:
    """The side that is the element itself, the other one, and when that one is taken."""
    if _plain(choice.otherwise) == _itself(store, choice.otherwise):
        return choice.otherwise, choice.then, choice.condition
    if _plain(choice.then) == _itself(store, choice.then):
        return choice.then, choice.otherwise, negated(choice.condition)
    return None


def _itself(store: Store, like: Expr) -> Expr | None:
    """The element that is stored, as it is read in an expression; None where it is not."""
    found = _plain(like)
    if isinstance(found, Load) and found.tensor == store.tensor:
        return found if found.subscripts == store.subscripts else None
    return None


def _element_type(store: Store, kept: Expr) -> Type | None:
    found = _itself(store, kept)
    return None if found is None else found.type


def _plain(expr: Expr) -> Expr:
    """A value without the conversions around it that keep it."""
    while isinstance(expr, Cast) and _contains(expr.type, expr.value.type):
        expr = expr.value
    return expr


def _contains(outer: Type, inner: Type) -> bool:
    whole = outer.is_integer and inner.is_integer
    return whole and outer.smallest <= inner.smallest and inner.largest <= outer.largest


def _fits(value: Expr, type_: Type) -> bool:
    if isinstance(value, Const):
        return isinstance(value.value, int) and type_.smallest <= value.value <= type_.largest
    return _contains(type_, value.type)


def _converted(type_: Type, value: Expr) -> Expr:
    return value if value.type == type_ else Cast(type_, value)


def _begun_and_added(branch: If) -> Node:
    """``if (c) t = w; else t += w`` as ``if (c) t = 0; t += w``; two branches of others."""
    if branch.otherwise is None:
        return branch
    for first, second, condition in (
        (branch.then, branch.otherwise, branch.condition),
        (branch.otherwise, branch.then, negated(branch.condition)),
    ):
        begun, added = _only(first), _only(second)
        if begun is not None and added is not None and _is_sum_of(added, begun):
            load = next(e for e in walk(added.values[0]) if _itself(added, e) is not None)
            type_ = _plain(load).type
            zero = replace(begun, values=(Const(type_, 0),))
            return Block((If(condition, zero), added))
    if not branch.condition.variables or any(isinstance(e, Load) for e in walk(branch.condition)):
        return branch
    return Block(
        (If(branch.condition, branch.then), If(negated(branch.condition), branch.otherwise))
    )


def _only(node: Node) -> Store | None:
    """The one store that a node is."""
    while isinstance(node, Block) and len(node.children) == 1:
        node = node.children[0]
    return node if isinstance(node, Store) and len(node.values) == 1 else None


def _is_sum_of(added: Store, begun: Store) -> bool:
    """Whether the first adds to an element what the second gives it."""
    if (added.tensor, added.subscripts) != (begun.tensor, begun.subscripts):
        return False
    value = _without_conversion(added.values[0])
    if not isinstance(value, Binary) or value.op != "add":
        return False
    for old, new in ((value.left, value.right), (value.right, value.left)):
        if _itself(added, old) is not None:
            return _without_conversion(new) == _without_conversion(begun.values[0])
    return False


def _without_conversion(expr: Expr) -> Expr:
    """A value before it becomes an element; both sides of a branch are converted alike."""
    while isinstance(expr, Cast):
        expr = expr.value
    return expr
