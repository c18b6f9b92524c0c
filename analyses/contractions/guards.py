"""Branches on loop variables, put where they are taken: ``if (r == 0)`` in front of the loop.

Programs begin sums in the first iteration of a reduction and finish them in the last one::

    for r: { if (r == 0) acc = bias; acc += ...; if (r == R - 1) out = acc; }

is ``acc = bias; for r: acc += ...; out = acc;``. What chooses between an element's own value and
another one is such a branch, too. Other branches stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from s2s.scop.expressions import (
    Binary,
    Cast,
    Const,
    Expr,
    Load,
    Select,
    Type,
    Unary,
    Variable,
    substitute,
    transform,
    walk,
)
from s2s.scop.nest import Block, Define, For, If, Node, Store, children, rebuild

_MOST_ITERATIONS = 1 << 12


def unguarded(node: Node) -> Node:
    """The nest with branches on a loop's first and last iteration outside of that loop."""
    node = rebuild(node, tuple(unguarded(child) for child in children(node)))
    match node:
        case Store():
            return _as_branch(node)
        case If():
            return _begun_and_added(node)
        case Block():
            return _flat(node.children)
        case For():
            return _peeled(node)
    return node


def _flat(nodes: tuple[Node, ...]) -> Block:
    found: list[Node] = []
    for node in nodes:
        found += node.children if isinstance(node, Block) else [node]
    return Block(tuple(found))


# ---- choices between the old value of an element and another one


def _as_branch(store: Store) -> Node:
    """``t = c ? v : t`` as ``if (c) t = v``, and ``t = (c ? v : t) + w`` as that and an update."""
    if len(store.values) != 1 or store.predicate is not None:
        return store
    (value,) = store.values
    choices = [e for e in walk(value) if isinstance(e, Select) and _side(e, store) is not None]
    if len(choices) != 1:
        return store
    choice = choices[0]
    kept, other, condition = _side(choice, store) or (choice, choice, choice)
    rest = _replaced(value, choice, kept)
    if _plain(rest) == _itself(store, rest):
        return If(condition, replace(store, values=(_replaced(value, choice, other),)))
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
        return choice.then, choice.otherwise, _negated(choice.condition)
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


def _replaced(value: Expr, old: Expr, new: Expr) -> Expr:
    return transform(value, lambda expr: new if expr == old else expr)


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


def _negated(condition: Expr) -> Expr:
    opposite = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "le": "gt", "gt": "le"}
    if isinstance(condition, Binary) and condition.op in opposite:
        return replace(condition, op=opposite[condition.op])
    return Unary(condition.type, "not", condition)


def _begun_and_added(branch: If) -> Node:
    """``if (c) t = w; else t += w`` as ``if (c) t = 0; t += w``; two branches of others."""
    if branch.otherwise is None:
        return branch
    for first, second, condition in (
        (branch.then, branch.otherwise, branch.condition),
        (branch.otherwise, branch.then, _negated(branch.condition)),
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
        (If(branch.condition, branch.then), If(_negated(branch.condition), branch.otherwise))
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


# ---- branches on a loop's variable


def _peeled(loop: For) -> Node:
    body = _flat(loop.body.children if isinstance(loop.body, Block) else (loop.body,))
    values = _values(loop)
    if values is None:
        return replace(loop, body=body)
    rest = [_decided(child, loop.name, values) for child in body.children]
    before: list[Node] = []
    after: list[Node] = []
    while rest and (moved := _moved(rest[0], loop.name, values, values[0])) is not None:
        before.append(moved)
        del rest[0]
    while rest and (moved := _moved(rest[-1], loop.name, values, values[-1])) is not None:
        after.insert(0, moved)
        del rest[-1]
    if not before and not after:
        return replace(loop, body=_flat(tuple(rest)))
    return _flat((*before, replace(loop, body=_flat(tuple(rest))), *after))


def _values(loop: For) -> range | None:
    """The values of a loop's variable; None where they are unknown, too many or none."""
    minimum, extent = loop.minimum, loop.extent
    if not isinstance(minimum, Const) or not isinstance(extent, Const):
        return None
    first, count = int(minimum.value), int(extent.value)
    return range(first, first + count) if 0 < count <= _MOST_ITERATIONS else None


def _decided(node: Node, name: str, values: range) -> Node:
    """A branch without what holds in all iterations; nothing where it holds in none."""
    if not isinstance(node, If) or node.otherwise is not None:
        return node
    conditions, then = _guards(node)
    left: list[Expr] = []
    for condition in conditions:
        holds = _where(condition, name, values)
        if holds is None or 0 < len(holds) < len(values):
            left.append(condition)
        elif not holds:
            return Block(())
    return _guarded(left, then)


def _guards(node: Node) -> tuple[list[Expr], Node]:
    """The conditions of branches inside each other, and what they guard."""
    conditions: list[Expr] = []
    while isinstance(node, If) and node.otherwise is None:
        conditions += _all_of(node.condition)
        node = node.then
        if isinstance(node, Block) and len(node.children) == 1:
            node = node.children[0]
    return conditions, node


def _moved(node: Node, name: str, values: range, at: int) -> Node | None:
    """What a branch that is taken in the iteration ``at`` alone does there; None for others."""
    if isinstance(node, Block) and not node.children:
        return node
    if not isinstance(node, If) or node.otherwise is not None:
        return None
    conditions, then = _guards(node)
    if not any(_where(condition, name, values) == [at] for condition in conditions):
        return None
    rest = [c for c in conditions if _where(c, name, values) != [at]]
    fixed: dict[str, Expr] = {name: Const(_type_of(name, node), at)}
    return _substituted(_guarded(rest, then), fixed)


def _type_of(name: str, node: Node) -> Type:
    from s2s.scop.nest import expressions
    from s2s.scop.nest import walk as nodes

    for below in nodes(node):
        for whole in expressions(below):
            for expr in walk(whole):
                if isinstance(expr, Variable) and expr.name == name:
                    return expr.type
    raise AssertionError(name)


def _guarded(conditions: list[Expr], node: Node) -> Node:
    for condition in reversed(conditions):
        node = If(condition, node)
    return node


def _all_of(condition: Expr) -> list[Expr]:
    """The conditions that have to hold together."""
    if isinstance(condition, Binary) and condition.op == "and":
        return [*_all_of(condition.left), *_all_of(condition.right)]
    return [condition]


def _where(condition: Expr, name: str, values: range) -> list[int] | None:
    """The values of a loop's variable for which a condition on it alone holds."""
    if set(condition.variables) != {name} or any(isinstance(e, Load) for e in walk(condition)):
        return None
    found = [(value, _evaluated(condition, {name: value})) for value in values]
    if any(truth is None for _, truth in found):
        return None
    return [value for value, truth in found if truth]


def _evaluated(expr: Expr, values: Mapping[str, int]) -> int | None:
    """An integer expression's value; None for operations that it does not have to know."""
    match expr:
        case Const(_, value) if isinstance(value, int):
            return value
        case Variable(_, name):
            return values[name]
        case Cast(type_, value) if type_.is_integer:
            inner = _evaluated(value, values)
            return None if inner is None else type_.wrap(inner)
        case Unary(_, "not", value):
            inner = _evaluated(value, values)
            return None if inner is None else int(not inner)
        case Binary(type_, op, left, right):
            sides = _evaluated(left, values), _evaluated(right, values)
            if sides[0] is None or sides[1] is None:
                return None
            return _combined(op, sides[0], sides[1])
    return None


def _combined(op: str, left: int, right: int) -> int | None:
    match op:
        case "add":
            return left + right
        case "sub":
            return left - right
        case "mul":
            return left * right
        case "eq" | "ne":
            return int((left == right) == (op == "eq"))
        case "lt" | "ge":
            return int((left < right) == (op == "lt"))
        case "gt" | "le":
            return int((left > right) == (op == "gt"))
        case "and":
            return int(bool(left) and bool(right))
        case "or":
            return int(bool(left) or bool(right))
    return None


def _substituted(node: Node, values: dict[str, Expr]) -> Node:
    """A node with a loop's variable replaced."""
    node = rebuild(node, tuple(_substituted(child, values) for child in children(node)))

    def fixed(expr: Expr) -> Expr:
        return substitute(expr, values)

    match node:
        case Store():
            predicate = None if node.predicate is None else fixed(node.predicate)
            return replace(
                node,
                subscripts=tuple(map(fixed, node.subscripts)),
                values=tuple(map(fixed, node.values)),
                instance=tuple(map(fixed, node.instance)),
                predicate=predicate,
            )
        case For():
            return replace(node, minimum=fixed(node.minimum), extent=fixed(node.extent))
        case If():
            return replace(node, condition=fixed(node.condition))
        case Define():
            return replace(node, value=fixed(node.value))
    return node
