"""Tuples: a buffer for each component, and an operation for each value."""

from __future__ import annotations

from dataclasses import replace

from s2s.scop.errors import Illegal
from s2s.scop.expressions import Expr, Load, walk
from s2s.scop.nest import Allocate, Node, Store
from s2s.scop.nest import walk as nodes
from s2s.scop.rewrite import NOTHING, block, map_children, map_expressions, transform


def without_tuples(body: Node) -> Node:
    """The body with buffers of one value for each element, and stores of one value.

    All values of a tuple are computed before any is stored: one that needs old values of another
    component is stored first. Raises Illegal where there is no such order.
    """
    return map_expressions(_split(body), lambda e: transform(e, _component))


def drop_unused(body: Node) -> Node:
    """The body without buffers inside that only their own operations load, if any does."""
    inside = {n.tensor.name for n in nodes(body) if isinstance(n, Allocate)}
    while True:
        stores = [n for n in nodes(body) if isinstance(n, Store)]
        unused = inside & {s.tensor for s in stores} - {t for s in stores for t in _others(s)}
        if not unused:
            return body
        body = _without(body, unused)
        inside -= unused


def _others(store: Store) -> set[str]:
    parts = (*store.subscripts, *store.values)
    loaded = {n.tensor for e in parts for n in walk(e) if isinstance(n, Load)}
    return loaded - {store.tensor}


def _without(node: Node, unused: set[str]) -> Node:
    if isinstance(node, Store) and node.tensor in unused:
        return NOTHING
    if isinstance(node, Allocate) and node.tensor.name in unused:
        return _without(node.body, unused)
    return map_children(node, lambda child: _without(child, unused))


def component_name(tensor: str, component: int) -> str:
    """The name of the buffer that a component has."""
    return f"{tensor}$${component}" if component else tensor


def func_and_component(tensor: str) -> tuple[str, int]:
    """Whose component a buffer has."""
    func, mark, number = tensor.rpartition("$$")
    return (func, int(number)) if mark else (tensor, 0)


def _component(node: Expr) -> Expr:
    if isinstance(node, Load) and node.component:
        return replace(node, tensor=component_name(node.tensor, node.component), component=0)
    return node


def _split(node: Node) -> Node:
    if isinstance(node, Store) and len(node.values) > 1:
        parts: list[Node] = []
        for k in _order(node):
            name = component_name(node.tensor, k)
            parts.append(replace(node, tensor=name, values=(node.values[k],), instance=()))
        return block(parts)
    if isinstance(node, Allocate):
        body = _split(node.body)
        for k, kind in reversed(list(enumerate(node.tensor.types))):
            name = component_name(node.tensor.name, k)
            body = Allocate(replace(node.tensor, name=name, types=(kind,)), body)
        return body
    return map_children(node, lambda child: _split(child))


def _order(store: Store) -> list[int]:
    """The components in an order in which each is stored after all that need its old value."""
    waiting = dict(enumerate(_needed(store, value) - {k} for k, value in enumerate(store.values)))
    found: list[int] = []
    while waiting:
        free = [k for k in waiting if not any(k in needs for needs in waiting.values())]
        if not free:
            text = f"components of {store.func} need each other's old values"
            raise Illegal(f"{text}; legal: Funcs of one value each", store.at)
        found.append(free[0])
        del waiting[free[0]]
    return found


def _needed(store: Store, value: Expr) -> set[int]:
    return {n.component for n in walk(value) if isinstance(n, Load) and n.tensor == store.tensor}
