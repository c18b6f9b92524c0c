"""Changing nests: all expressions, names of loops, what stands in loops."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from s2s.scop.expressions import Expr, Variable, substitute, walk
from s2s.scop.nest import (
    Allocate,
    Check,
    Define,
    Dimension,
    For,
    If,
    Node,
    Store,
    Tensor,
    children,
    rebuild,
)

Change = Callable[[Expr], Expr]


def mapped(node: Node, change: Change, where: Callable[[Node], bool] = lambda _: True) -> Node:
    """The nest with ``change`` applied to the expressions of all nodes.

    Nodes for which ``where`` does not hold stay as they are, with all below.
    """
    if not where(node):
        return node
    below = tuple(mapped(child, change, where) for child in children(node))
    return with_expressions(rebuild(node, below), change)


def with_expressions(node: Node, change: Change) -> Node:
    """The node with ``change`` applied to its own expressions."""
    match node:
        case For(minimum=low, extent=extent):
            new = (change(low), change(extent))
            same = new[0] is low and new[1] is extent
            return node if same else replace(node, minimum=new[0], extent=new[1])
        case If(condition=condition) | Check(condition=condition):
            changed = change(condition)
            return node if changed is condition else replace(node, condition=changed)
        case Define(value=value):
            changed = change(value)
            return node if changed is value else replace(node, value=changed)
        case Allocate(tensor=tensor):
            return replace(node, tensor=_tensor(tensor, change))
        case Store():
            return _store(node, change)
    return node


def _tensor(tensor: Tensor, change: Change) -> Tensor:
    def maybe(value: Expr | None) -> Expr | None:
        return None if value is None else change(value)

    return replace(
        tensor,
        dimensions=tuple(
            Dimension(change(d.minimum), change(d.extent), maybe(d.stride), maybe(d.fold))
            for d in tensor.dimensions
        ),
    )


def _store(store: Store, change: Change) -> Store:
    return replace(
        store,
        subscripts=tuple(change(e) for e in store.subscripts),
        values=tuple(change(e) for e in store.values),
        instance=tuple(change(e) for e in store.instance),
        predicate=None if store.predicate is None else change(store.predicate),
    )


def substituted(node: Node, values: dict[str, Expr]) -> Node:
    """The nest with variables replaced by name."""
    return mapped(node, lambda e: substitute(e, values)) if values else node


def uses(expr: Expr, name: str) -> bool:
    """Whether an expression has a variable of a name."""
    return any(isinstance(n, Variable) and n.name == name for n in walk(expr))
