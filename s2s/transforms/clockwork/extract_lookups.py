"""Places that depend on data: all elements that may be meant are taken, one after the other.

::

    g(x) = f(z(x))                 found = 0
                                   for k: found = select(z(x) == k, f(k), found)
                                   g(x) = found

    f(z(x)) = f(z(x)) + 1          for k: f(k) = select(z(x) == k, f(k) + 1, f(k))

Address generators count, whatever the data are (section 6.1 of Setter's dissertation leaves the
histogram out). This takes as many cycles as there are places, and no address from data.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from math import prod

from s2s.scop.accelerator import constant
from s2s.scop.build import TRUE, both, const, var
from s2s.scop.errors import Illegal
from s2s.scop.expressions import BOOL, Binary, Const, Expr, Load, Select, walk
from s2s.scop.nest import Allocate, Argument, Dimension, For, Node, Store, Tensor
from s2s.scop.rewrite import block, map_children, transform

MOST = 4096
"""Places that are looked at for one element."""
Places = tuple[Expr, ...]


def without_lookups(body: Node, streams: Sequence[Argument], tables: Collection[str]) -> Node:
    """The body without places that depend on data, but for those of tables.

    Subscripts count from 0, and buffers are as large as these may be. Raises Illegal where they
    are too large, and where a Func decides itself where it is stored to.
    """
    known = {a.tensor.name: a.tensor for a in streams if a.tensor is not None}
    return _visit(body, known, frozenset(tables))


def _visit(node: Node, tensors: Mapping[str, Tensor], tables: frozenset[str]) -> Node:
    if isinstance(node, Allocate):
        inner = {**tensors, node.tensor.name: node.tensor}
        return replace(node, body=_visit(node.body, inner, tables))
    if isinstance(node, Store):
        return _Expansion(tensors, tables, node).made()
    return map_children(node, lambda child: _visit(child, tensors, tables))


class _Expansion:
    """What one store becomes."""

    def __init__(self, tensors: Mapping[str, Tensor], tables: frozenset[str], store: Store) -> None:
        self._tensors, self._tables, self._store = tensors, tables, store
        self._found: list[Tensor] = []
        self._before: list[Node] = []

    def made(self) -> Node:
        store = self._store
        load = self._next()
        while load is not None:
            store = self._store = self._without(load)
            load = self._next()
        scatters = any(map(_depends, store.subscripts))
        node: Node = self._scattered() if scatters else store
        node = block([*self._before, node])
        for tensor in reversed(self._found):
            node = Allocate(tensor, node)
        return node

    def _next(self) -> Load | None:
        """A load from a place that depends on data alone, not on such a load."""
        store = self._store
        for expr in (*store.subscripts, *store.values):
            for node in walk(expr):
                if isinstance(node, Load) and self._is_lookup(node):
                    inner = (n for s in node.subscripts for n in walk(s))
                    if not any(isinstance(n, Load) and self._is_lookup(n) for n in inner):
                        return node
        return None

    def _is_lookup(self, load: Load) -> bool:
        own = (load.tensor, load.subscripts) == (self._store.tensor, self._store.subscripts)
        return not own and load.tensor not in self._tables and any(map(_depends, load.subscripts))

    def _without(self, load: Load) -> Store:
        """The store with what was found in the place of the load."""
        name = f"{self._store.tensor}$found{len(self._found)}"
        place = (const(0),)
        tensor = Tensor(name, (load.type,), (Dimension(const(0), const(1)),))
        here = Load(load.type, name, place)
        places, condition, loops = self._counted(load.tensor, load.subscripts, name, 1)
        value = Select(load.type, condition, replace(load, subscripts=places), here)
        at = self._store.at
        first = Store(name, place, (Const(load.type, 0),), func=name, at=at)
        look: Node = Store(name, place, (value,), func=name, stage=1, at=at)
        self._found.append(tensor)
        self._before += [first, _nest(loops, look, name, 1)]

        def found(node: Expr) -> Expr:
            return here if node == load else node

        store = self._store
        return replace(
            store,
            subscripts=tuple(transform(s, found) for s in store.subscripts),
            values=tuple(transform(v, found) for v in store.values),
        )

    def _scattered(self) -> Node:
        """The store for each place, changing the one that is meant."""
        store = self._store
        loads = (n for s in store.subscripts for n in walk(s) if isinstance(n, Load))
        if any(n.tensor == store.tensor for n in loads):
            text = f"{store.func} decides itself where it is stored to"
            raise Illegal(f"{text}; legal: another Func for the place", store.at)
        name = f"{store.func}$place"
        places, condition, loops = self._counted(store.tensor, store.subscripts, name, store.stage)

        def moved(node: Expr) -> Expr:
            own = isinstance(node, Load) and node.tensor == store.tensor
            if own and isinstance(node, Load) and node.subscripts == store.subscripts:
                return replace(node, subscripts=places)
            return node

        value = transform(store.values[0], moved)
        old = Load(value.type, store.tensor, places)
        new = Select(value.type, condition, value, old)
        return _nest(
            loops, replace(store, subscripts=places, values=(new,)), store.func, store.stage
        )

    def _counted(
        self, tensor: str, subscripts: Places, name: str, stage: int
    ) -> tuple[Places, Expr, list[tuple[str, int]]]:
        """Places by loops of their own, whether they are the given ones, and the loops."""
        places, loops = list(subscripts), []
        condition: Expr = TRUE
        for k, subscript in enumerate(subscripts):
            if _depends(subscript):
                loop = f"{name}.s{stage}.k{k}"
                places[k] = var(loop)
                condition = both(condition, Binary(BOOL, "eq", subscript, var(loop)))
                loops.append((loop, constant(self._tensors[tensor].dimensions[k].extent)))
        count = prod(extent for _, extent in loops)
        if count > MOST:
            text = f"a place in {tensor} depends on data, and {count} elements may be meant"
            raise Illegal(f"{text}, more than {MOST}; legal: to clamp it", self._store.at)
        return tuple(places), condition, loops


def _depends(subscript: Expr) -> bool:
    return any(isinstance(node, Load) for node in walk(subscript))


def _nest(loops: Sequence[tuple[str, int]], body: Node, func: str, stage: int) -> Node:
    for name, extent in loops:
        variable = name.rsplit(".", 1)[-1]
        body = For(name, const(0), const(extent), "serial", body, func, stage, variable)
    return body
