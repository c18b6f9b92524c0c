"""Expressions and nests rebuilt: with other parts, with values for names, with what is empty gone.

What changes an expression is a function of that expression alone: parts that stand in several
places are changed once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from operator import is_
from typing import TYPE_CHECKING, Any, TypeVar

from s2s.scop.expressions import Const, Expr, Let, Load, Variable, field_names
from s2s.scop.nest import (
    Allocate,
    Block,
    Check,
    Define,
    Dimension,
    For,
    Hoist,
    If,
    Node,
    Produce,
    Run,
    Store,
    Tensor,
    children,
)

if TYPE_CHECKING:
    from s2s.scop.pipeline import Definition

Change = Callable[[Expr], Expr]
Places = tuple[Expr, ...]

_Node = TypeVar("_Node", bound=Node)

NOTHING = Block(())


# ---- expressions


def rebuild(expr: Expr, operands: tuple[Expr, ...]) -> Expr:
    """The node with other operands, in the order of ``Expr.operands``."""
    if all(map(is_, operands, expr.operands)):
        return expr
    fresh = iter(operands)
    values: list[Any] = []
    for name in field_names(type(expr)):
        value = getattr(expr, name)
        if isinstance(value, Expr):
            value = next(fresh)
        elif isinstance(value, tuple):
            value = tuple(next(fresh) if isinstance(v, Expr) else v for v in value)
        values.append(value)
    return type(expr)(*values)


def transform(expr: Expr, change: Change, done: dict[Expr, Expr] | None = None) -> Expr:
    """The tree with ``change`` applied to every node, operands first; each node once.

    ``done`` has what parts are known to become (nothing below these is looked at), and gets what
    the others became.
    """
    done = {} if done is None else done
    stack = [expr]
    while stack:
        node = stack[-1]
        missing = () if node in done else [o for o in node.operands if o not in done]
        if missing:
            stack += reversed(missing)
            continue
        stack.pop()
        if node not in done:
            done[node] = change(rebuild(node, tuple([done[o] for o in node.operands])))
    return done[expr]


def substitute(
    expr: Expr, values: Mapping[str, Expr], done: dict[Expr, Expr] | None = None
) -> Expr:
    """The tree with variables replaced by name. ``Let`` names are taken to be unique.

    ``done`` remembers parts for other expressions with the same values.
    """
    if expr.variables.isdisjoint(values):
        return expr
    done = {} if done is None else done
    stack = [expr]
    while stack:
        node = stack.pop()
        if node in done:
            continue
        if isinstance(node, Variable):
            done[node] = values[node.name]
            continue
        names = node.operands
        missing = [o for o in names if o not in done and not o.variables.isdisjoint(values)]
        if missing:
            stack += (node, *missing)
        else:
            done[node] = rebuild(node, tuple([done.get(o, o) for o in names]))
    return done[expr]


def inline_lets(expr: Expr) -> Expr:
    """The expression with every ``Let`` put in where it is used."""

    def put_in(node: Expr) -> Expr:
        if isinstance(node, Let):
            return substitute(node.body, {node.name: node.value})
        return node

    return transform(expr, put_in) if expr.has_lets else expr


def replace_parts(expr: Expr, known: Mapping[Expr, Expr]) -> Expr:
    """The expression with the ``known`` parts replaced, outer ones first."""
    return transform(expr, lambda node: node, dict(known))


# ---- nests


def map_children(node: Node, change: Callable[[Node], Node]) -> Node:
    """The node with the nodes directly below changed, in the order in which they run."""
    old = children(node)
    new = [change(child) for child in old]
    if all(map(is_, new, old)):
        return node
    match node:
        case Block():
            return Block(tuple(new))
        case If():
            return replace(node, then=new[0], otherwise=new[1] if new[1:] else None)
    assert not isinstance(node, Store | Check | Run)
    return replace(node, body=new[0])


def with_children(node: Node, change: Callable[[Node], Node]) -> Node:
    """As ``map_children``, and tidy: what is empty goes, and what a constant decides."""
    return tidy(map_children(node, change))


def tidy(node: Node) -> Node:
    """The node without what does nothing directly below, blocks in blocks taken apart."""
    match node:
        case Block(below):
            flat = len(below) != 1 and not any(isinstance(child, Block) for child in below)
            return node if flat else block(below)
        case For(body=body) | Allocate(body=body) | Produce(body=body) | Define(body=body):
            return NOTHING if is_empty(body) else node
        case Hoist(body=body):  # memory is got outside of loops anyway
            return body
        case If(condition, then, otherwise):
            otherwise = None if otherwise is None or is_empty(otherwise) else otherwise
            if isinstance(condition, Const):
                return then if condition.value else (otherwise or NOTHING)
            return replace(node, otherwise=otherwise)
    return node


def block(nodes: Sequence[Node]) -> Node:
    """The nodes one after the other; blocks in blocks become one."""
    flat: list[Node] = []
    for node in nodes:
        flat += node.children if isinstance(node, Block) else (node,)
    return flat[0] if len(flat) == 1 else Block(tuple(flat))


def is_empty(node: Node) -> bool:
    """Whether a node is a block of nothing."""
    return isinstance(node, Block) and not node.children


def map_expressions(
    node: Node, change: Change, where: Callable[[Node], bool] | None = None
) -> Node:
    """The nest with ``change`` applied to the expressions of all nodes.

    Nodes for which ``where`` does not hold stay as they are, with all below.
    """
    if where is not None and not where(node):
        return node
    below = map_children(node, lambda child: map_expressions(child, change, where))
    return change_own(below, change)


def with_expressions(node: Node, change: Change) -> Node:
    """As ``map_expressions`` for all nodes, and tidy."""
    below = map_children(node, lambda child: with_expressions(child, change))
    return tidy(change_own(below, change))


def substitute_in(node: Node, values: Mapping[str, Expr]) -> Node:
    """The nest with variables replaced by name."""
    done: dict[Expr, Expr] = {}
    return map_expressions(node, lambda e: substitute(e, values, done)) if values else node


def with_places(node: Node, name: str, places: Callable[[Places], Places]) -> Node:
    """The nest with other subscripts of a tensor, where it is read and where it is written."""

    def read(part: Expr) -> Expr:
        if isinstance(part, Load) and part.tensor == name:
            return replace(part, subscripts=places(part.subscripts))
        return part

    def write(node: Node) -> Node:
        if isinstance(node, Store) and node.tensor == name:
            return replace(node, subscripts=places(node.subscripts))
        return map_children(node, write)

    done: dict[Expr, Expr] = {}
    return write(with_expressions(node, lambda e: transform(e, read, done) if e.reads else e))


def change_own(node: _Node, change: Change) -> _Node:
    """The node with ``change`` applied to the expressions that stand in it, not below."""
    new: dict[str, Any] = {}
    match node:
        case For():
            new = {"minimum": change(node.minimum), "extent": change(node.extent)}
        case If() | Check():
            new = {"condition": change(node.condition)}
        case Define():
            new = {"value": change(node.value)}
        case Allocate():
            new = {"tensor": _tensor(node.tensor, change)}
        case Store():
            for name in ("subscripts", "values", "instance"):
                old = getattr(node, name)
                changed = tuple(map(change, old))
                new[name] = old if all(map(is_, changed, old)) else changed
            new["predicate"] = None if node.predicate is None else change(node.predicate)
    same = all(value is getattr(node, name) for name, value in new.items())
    return node if same else replace(node, **new)


def _tensor(tensor: Tensor, change: Change) -> Tensor:
    """A tensor with the expressions of its dimensions changed."""

    def maybe(expr: Expr | None) -> Expr | None:
        return None if expr is None else change(expr)

    return replace(
        tensor,
        dimensions=tuple(
            Dimension(change(d.minimum), change(d.extent), maybe(d.stride), maybe(d.fold))
            for d in tensor.dimensions
        ),
    )


def around(layer: Define | If, body: Node) -> Node:
    """A definition, or a branch without another side, with something else inside."""
    return replace(layer, body=body) if isinstance(layer, Define) else replace(layer, then=body)


def change_definition(definition: Definition, change: Change) -> None:
    """Apply ``change`` to all parts of the expressions of a definition, and of its special ones.

    Domains and conditions of specializations stay.
    """
    definition.args = [transform(e, change) for e in definition.args]
    definition.values = [transform(e, change) for e in definition.values]
    if definition.predicate is not None:
        definition.predicate = transform(definition.predicate, change)
    for special in definition.specializations:
        change_definition(special.definition, change)


def redirect_loads(definition: Definition, to: Mapping[str, str]) -> None:
    """Let a definition load from other Funcs, by name."""

    def change(node: Expr) -> Expr:
        if isinstance(node, Load) and node.tensor in to:
            return replace(node, tensor=to[node.tensor])
        return node

    change_definition(definition, change)
