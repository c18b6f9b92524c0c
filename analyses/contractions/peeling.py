"""Branches on loop variables, put where they are taken: before a loop or after it."""

from __future__ import annotations

from dataclasses import replace

from s2s.analyses.contractions.conditions import type_of, where
from s2s.scop.build import conjuncts
from s2s.scop.expressions import Binary, Const, Expr, Load, Variable, walk
from s2s.scop.nest import Block, For, If, Node, Store, expressions
from s2s.scop.nest import walk as nodes
from s2s.scop.rewrite import block, substitute_in

_MOST_ITERATIONS = 1 << 12


def flat(nodes: tuple[Node, ...]) -> Block:
    """A block of nodes; blocks in blocks become one."""
    made = block(nodes)
    return made if isinstance(made, Block) else Block((made,))


def peel(loop: For) -> Node:
    body = flat(loop.body.children if isinstance(loop.body, Block) else (loop.body,))
    values = _values(loop)
    if values is None:
        return replace(loop, body=body)
    rest = [_decided(child, loop.name, values) for child in body.children]
    rest = [child for child in rest if not isinstance(child, Block) or child.children]
    before: list[Node] = []
    after: list[Node] = []
    while rest and (moved := _in_front(rest, loop, values, f"{len(before)}")) is not None:
        before.append(moved)
        del rest[0]
    while rest and (moved := _behind(rest, loop, values, f"-{len(after)}")) is not None:
        after.insert(0, moved)
        del rest[-1]
    if not before and not after:
        return replace(loop, body=flat(tuple(rest)))
    return flat((*before, replace(loop, body=flat(tuple(rest))), *after))


def _in_front(nodes: list[Node], loop: For, values: range, mark: str) -> Node | None:
    """What the first of some nodes is before their loop; None where it has to stay."""
    first, *others = nodes
    return _moved(first, loop.name, values, values[0]) or _distributed(first, others, loop, mark)


def _behind(nodes: list[Node], loop: For, values: range, mark: str) -> Node | None:
    """As ``_in_front``, of the last one, after the loop."""
    *others, last = nodes
    return _moved(last, loop.name, values, values[-1]) or _distributed(last, others, loop, mark)


def _distributed(branch: Node, others: list[Node], loop: For, mark: str) -> Node | None:
    """A branch that does not depend on a loop, with a loop of its own in it.

    The new loop's name has a mark. What it shares with the other nodes has to be other elements
    in each iteration.
    """
    if not isinstance(branch, If) or branch.otherwise is not None or not others:
        return None
    conditions, then = _guards(branch)
    if any(loop.name in condition.variables for condition in conditions):
        return None
    ours, theirs = _accesses(then), [a for other in others for a in _accesses(other)]
    for tensor, subscripts, stores in ours:
        for other, other_subscripts, other_stores in theirs:
            if tensor != other or not (stores or other_stores):
                continue
            if subscripts != other_subscripts or not _tells_apart(subscripts, loop.name):
                return None
    name = f"{loop.name}.{mark}"
    fixed: dict[str, Expr] = {loop.name: Variable(loop.minimum.type, name)}
    return _guarded(conditions, replace(loop, name=name, body=substitute_in(then, fixed)))


_Access = tuple[str, tuple[Expr, ...], bool]
"""Tensor, subscripts, and whether it is stored."""


def _accesses(node: Node) -> list[_Access]:
    found: list[_Access] = []
    for below in nodes(node):
        if isinstance(below, Store):
            found.append((below.tensor, below.subscripts, True))
        for whole in expressions(below):
            loads = [e for e in walk(whole) if isinstance(e, Load)]
            found += [(load.tensor, load.subscripts, False) for load in loads]
    return found


def _tells_apart(subscripts: tuple[Expr, ...], name: str) -> bool:
    """Whether a subscript is a loop's variable plus what does not depend on it."""
    return any(_is_moved(subscript, name) for subscript in subscripts)


def _is_moved(expr: Expr, name: str) -> bool:
    if isinstance(expr, Variable):
        return expr.name == name
    if isinstance(expr, Binary) and expr.op in ("add", "sub"):
        inside = [name in side.variables for side in (expr.left, expr.right)]
        side = expr.left if inside[0] else expr.right
        return inside.count(True) == 1 and _is_moved(side, name)
    return False


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
        holds = where(condition, name, values)
        if holds is None or 0 < len(holds) < len(values):
            left.append(condition)
        elif not holds:
            return Block(())
    return _guarded(left, then)


def _guards(node: Node) -> tuple[list[Expr], Node]:
    """The conditions of branches inside each other, and what they guard."""
    conditions: list[Expr] = []
    while isinstance(node, If) and node.otherwise is None:
        conditions += conjuncts(node.condition)
        node = node.then
        if isinstance(node, Block) and len(node.children) == 1:
            node = node.children[0]
    return conditions, node


def _moved(node: Node, name: str, values: range, at: int) -> Node | None:
    """What a branch that is taken in the iteration ``at`` alone does there; None for others."""
    if not isinstance(node, If) or node.otherwise is not None:
        return None
    conditions, then = _guards(node)
    taken = [c for c in conditions if where(c, name, values) == [at]]
    if not taken:
        return None
    rest = [c for c in conditions if c not in taken]
    fixed: dict[str, Expr] = {name: Const(type_of(name, taken[0]), at)}
    return substitute_in(_guarded(rest, then), fixed)


def _guarded(conditions: list[Expr], node: Node) -> Node:
    for condition in reversed(conditions):
        node = If(condition, node)
    return node
