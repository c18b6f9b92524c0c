"""Which tensors are read, or allocated, in a part of a nest; remembered, as nests share parts."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from s2s.scop.expressions import Expr, Load, walk
from s2s.scop.nest import Allocate, Node, children, expressions

_of_expression: WeakKeyDictionary[Expr, frozenset[str]] = WeakKeyDictionary()
_of_node: WeakKeyDictionary[Node, frozenset[str]] = WeakKeyDictionary()


def tensors_read(expr: Expr) -> frozenset[str]:
    """The tensors that an expression loads from."""
    known = _of_expression.get(expr)
    if known is None:
        known = frozenset(n.tensor for n in walk(expr) if isinstance(n, Load))
        _of_expression[expr] = known
    return known


def tensors_read_in(node: Node) -> frozenset[str]:
    """The tensors that anything in a node loads from."""
    known = _of_node.get(node)
    if known is None:
        parts = [tensors_read(e) for e in expressions(node)]
        parts += [tensors_read_in(child) for child in children(node)]
        known = frozenset().union(*parts)
        _of_node[node] = known
    return known


_allocated: WeakKeyDictionary[Node, frozenset[str]] = WeakKeyDictionary()


def tensors_allocated_in(node: Node) -> frozenset[str]:
    """The tensors that a node, or anything in it, allocates."""
    known = _allocated.get(node)
    if known is None:
        own = frozenset({node.tensor.name}) if isinstance(node, Allocate) else frozenset[str]()
        known = own.union(*(tensors_allocated_in(child) for child in children(node)))
        _allocated[node] = known
    return known
