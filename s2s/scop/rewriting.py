"""Nests rebuilt with other expressions or other nodes below."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from s2s.scop.expressions import Const, Expr, rebuild
from s2s.scop.linear_forms import normalized, replaced
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
    Store,
    Tensor,
)

NOTHING = Block(())


def block(children: Sequence[Node]) -> Node:
    """The nodes one after the other; blocks in blocks become one."""
    flat: list[Node] = []
    for child in children:
        flat += child.children if isinstance(child, Block) else (child,)
    return flat[0] if len(flat) == 1 else Block(tuple(flat))


def with_children(node: Node, change: Callable[[Node], Node]) -> Node:
    """The node with the nodes directly below replaced; what is empty goes."""
    match node:
        case Block(below):
            return block([change(child) for child in below])
        case For() | Allocate() | Produce() | Define():
            body = change(node.body)
            return NOTHING if body == NOTHING or empty(body) else replace(node, body=body)
        case Hoist():  # memory is got outside of loops anyway (``lifetimes``)
            return change(node.body)
        case If():
            otherwise = None if node.otherwise is None else change(node.otherwise)
            return conditional(node.condition, change(node.then), otherwise)
    return node


def conditional(condition: Expr, then: Node, otherwise: Node | None) -> Node:
    """An ``If``, or the one part of it that runs where the condition is a constant."""
    if otherwise is not None and empty(otherwise):
        otherwise = None
    if isinstance(condition, Const):
        return then if condition.value else (otherwise or NOTHING)
    return If(condition, then, otherwise)


def empty(node: Node) -> bool:
    return isinstance(node, Block) and not node.children


def with_expressions(node: Node, change: Callable[[Expr], Expr]) -> Node:
    """The node and all below with every expression changed."""

    def below(child: Node) -> Node:
        return with_expressions(child, change)

    match node:
        case For():
            node = replace(node, minimum=change(node.minimum), extent=change(node.extent))
        case Allocate():
            node = replace(node, tensor=tensor_with(node.tensor, change))
        case If():
            node = replace(node, condition=change(node.condition))
        case Define():
            node = replace(node, value=change(node.value))
        case Check():
            return replace(node, condition=change(node.condition))
        case Store():
            return replace(
                node,
                subscripts=tuple(map(change, node.subscripts)),
                values=tuple(map(change, node.values)),
            )
    return with_children(node, below)


def tensor_with(tensor: Tensor, change: Callable[[Expr], Expr]) -> Tensor:
    """The tensor with the expressions of its dimensions changed."""

    def maybe(expr: Expr | None) -> Expr | None:
        return None if expr is None else change(expr)

    return replace(
        tensor,
        dimensions=tuple(
            Dimension(change(d.minimum), change(d.extent), maybe(d.stride), maybe(d.fold))
            for d in tensor.dimensions
        ),
    )


def with_values(node: Node, values: Mapping[str, Expr]) -> Node:
    """The node and all below with variables replaced, in normal form."""
    return with_expressions(node, lambda expr: replaced(expr, values))


def with_parts(root: Expr, known: Mapping[Expr, Expr]) -> Expr:
    """The normal form of an expression with the ``known`` parts replaced, outer ones first."""
    made: dict[int, Expr] = {}
    stack = [root]
    while stack:
        node = stack[-1]
        if node in known:
            made[id(node)] = known[node]
        missing = () if id(node) in made else [o for o in node.operands if id(o) not in made]
        if missing:
            stack += missing
            continue
        stack.pop()
        if id(node) not in made:
            made[id(node)] = rebuild(node, tuple([made[id(o)] for o in node.operands]))
    return normalized(made[id(root)])


def normal(node: Node) -> Node:
    """The node and all below in normal form, names for constants and variables put in."""
    return with_expressions(node, normalized)


def expressions(node: Node) -> Iterator[Expr]:
    """The expressions of one node, not of those below."""
    match node:
        case For():
            yield from (node.minimum, node.extent)
        case Allocate():
            for d in node.tensor.dimensions:
                yield from (e for e in (d.minimum, d.extent, d.stride, d.fold) if e is not None)
        case If() | Check():
            yield node.condition
        case Define():
            yield node.value
        case Store():
            yield from node.subscripts
            yield from node.values
