"""Values that are set once in each iteration and used behind: written out where they are used.

``int ix = 2 * x + s - 1; float v = ix >= 0 ? image[ix] : 0; acc += v * w[s];`` becomes one update,
and where branches stand between such statements none is left under a condition of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping
from dataclasses import field

from s2s.scop.expressions import Expr, Load, walk
from s2s.scop.nest import Allocate, Block, Node, Store
from s2s.scop.nest import walk as nodes
from s2s.scop.rewrite import change_own, map_children, transform
from s2s.source.records import dataclass


def without_temporaries(body: Node) -> Node:
    """The nest without scalars that one statement sets and that only what follows it reads.

    What they are set to may only have elements in it that the nest does not write.
    """
    stores = [node for node in nodes(body) if isinstance(node, Store)]
    own = {node.tensor.name for node in nodes(body) if isinstance(node, Allocate)}
    times = Counter(store.tensor for store in stores)
    once = {store.tensor for store in stores if _is_whole(store) and times[store.tensor] == 1}
    found = _Temporaries(once & own, set(times))
    body = found.below(body, {})
    unread = found.set_ - _reads(body)
    return _without(body, unread)


def _is_whole(store: Store) -> bool:
    """Whether a store always sets a scalar."""
    return not store.subscripts and store.predicate is None and len(store.values) == 1


@dataclass
class _Temporaries:
    """``once``: scalars that one statement sets; ``written``: all that the nest stores to."""

    once: Container[str]
    written: set[str]
    set_: set[str] = field(default_factory=set)
    """Those whose values are known where they are read."""

    def below(self, node: Node, known: Mapping[str, Expr]) -> Node:
        """A node in front of which some scalars have been set, in the same iteration."""
        node = change_own(node, lambda expr: _with(expr, known))
        if not isinstance(node, Block):
            return map_children(node, lambda child: self.below(child, known))
        values, done = dict(known), []
        for child in node.children:
            done.append(self.below(child, values))
            values |= self._value(done[-1])
        return Block(tuple(done))

    def _value(self, node: Node) -> dict[str, Expr]:
        """What is known behind a node that was not known before it."""
        if isinstance(node, Block):
            return {name: value for c in node.children for name, value in self._value(c).items()}
        if not isinstance(node, Store) or node.tensor not in self.once:
            return {}
        (value,) = node.values
        if any(isinstance(e, Load) and e.tensor in self.written for e in walk(value)):
            return {}
        self.set_.add(node.tensor)
        return {node.tensor: value}


def _with(expr: Expr, known: Mapping[str, Expr]) -> Expr:
    if not known or not expr.reads:
        return expr

    def put_in(part: Expr) -> Expr:
        is_known = isinstance(part, Load) and part.tensor in known
        return known[part.tensor] if is_known and isinstance(part, Load) else part

    return transform(expr, put_in)


def _reads(body: Node) -> set[str]:
    """The tensors that expressions of a nest read."""
    found: set[str] = set()

    def look(expr: Expr) -> Expr:
        found.update(e.tensor for e in walk(expr) if isinstance(e, Load))
        return expr

    for node in nodes(body):
        change_own(node, look)
    return found


def _without(node: Node, tensors: Container[str]) -> Node:
    """The nest without stores to tensors."""
    if isinstance(node, Store) and node.tensor in tensors:
        return Block(())
    return map_children(node, lambda child: _without(child, tensors))
