"""Patterns over a graph of operations, with the names of TVM's dataflow pattern language.

    conv = is_op("convolution")(wildcard(), is_const())
    pattern = conv.optional(lambda x: is_op("relu")(x))
    either = is_op("max_pool")(wildcard()) | is_op("avg_pool")(wildcard())

A pattern is matched at the node whose result it is; with ``is_tuple`` there are several results.
Arguments that are not given match anything. Section 3.1.1 of *Bring Your Own Codegen*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations

from s2s.source.records import dataclass
from s2s.transforms.outline.graph import HOST, Graph, Node, Tensor

COMMUTATIVE = frozenset({"add", "multiply", "maximum", "minimum"})
Bindings = Mapping["Pattern", "Node | Tensor"]


@dataclass(frozen=True, eq=False)
class Match:
    """The nodes that a pattern takes; ``bindings`` says what each part of it stands for.

    ``roots`` are the nodes with its results.
    """

    nodes: frozenset[Node]
    bindings: Bindings
    roots: tuple[Node, ...]

    def joined(self, other: Match) -> Match:
        """Both, the first one's roots."""
        return Match(self.nodes | other.nodes, {**self.bindings, **other.bindings}, self.roots)


class Pattern:
    """What stands at one place of a graph. Compared by identity, so that parts can be named."""

    def optional(self, wrap: Callable[[Pattern], Pattern]) -> Pattern:
        """Itself, or what ``wrap`` makes of it."""
        return wrap(self) | self

    def has_attr(self, attributes: Mapping[str, object]) -> Pattern:
        """Itself, where the operation has these attributes."""
        return _HasAttr(self, attributes)

    def __or__(self, other: Pattern) -> Pattern:
        return _Or(self, other)

    def at_node(self, graph: Graph, node: Node) -> Iterator[Match]:
        """All ways to match at a node."""
        return iter(())

    def at_input(self, graph: Graph, user: Node, tensor: Tensor) -> Iterator[Match]:
        """All ways to match what an operation reads."""
        node = graph.producer(user, tensor)
        if node is not None:
            yield from self.at_node(graph, node)


class _Wildcard(Pattern):
    def at_node(self, graph: Graph, node: Node) -> Iterator[Match]:
        yield Match(frozenset(), {self: node}, ())

    def at_input(self, graph: Graph, user: Node, tensor: Tensor) -> Iterator[Match]:
        yield Match(frozenset(), {self: tensor}, ())


class _Const(Pattern):
    def at_input(self, graph: Graph, user: Node, tensor: Tensor) -> Iterator[Match]:
        if tensor.constant:
            yield Match(frozenset(), {self: tensor}, ())


class _Call(Pattern):
    def __init__(self, ops: frozenset[str], arguments: Sequence[Pattern] | None) -> None:
        self._ops, self._arguments = ops, arguments

    def __call__(self, *arguments: Pattern) -> Pattern:
        """The operation with patterns for what it reads, in its order."""
        return _Call(self._ops, arguments)

    def at_node(self, graph: Graph, node: Node) -> Iterator[Match]:
        if node.op not in self._ops and (self._ops or node.op == HOST):
            return
        own = Match(frozenset({node}), {self: node}, (node,))
        if not self._arguments:
            yield own
            return
        if len(self._arguments) != len(node.inputs):
            return
        orders: Iterator[Sequence[Tensor]] = (
            permutations(node.inputs) if node.op in COMMUTATIVE else iter([node.inputs])
        )
        for inputs in orders:
            yield from self._with(graph, node, own, list(zip(self._arguments, inputs, strict=True)))

    def _with(
        self, graph: Graph, node: Node, found: Match, rest: Sequence[tuple[Pattern, Tensor]]
    ) -> Iterator[Match]:
        if not rest:
            yield found
            return
        (pattern, tensor), *others = rest
        for one in pattern.at_input(graph, node, tensor):
            if _agree(found, one):
                yield from self._with(graph, node, found.joined(one), others)


class _Or(Pattern):
    def __init__(self, first: Pattern, second: Pattern) -> None:
        self._both = first, second

    def at_node(self, graph: Graph, node: Node) -> Iterator[Match]:
        for pattern in self._both:
            yield from _bound(self, pattern.at_node(graph, node), node)

    def at_input(self, graph: Graph, user: Node, tensor: Tensor) -> Iterator[Match]:
        for pattern in self._both:
            yield from _bound(self, pattern.at_input(graph, user, tensor), tensor)


class _HasAttr(Pattern):
    def __init__(self, inner: Pattern, attributes: Mapping[str, object]) -> None:
        self._inner, self._attributes = inner, attributes

    def at_node(self, graph: Graph, node: Node) -> Iterator[Match]:
        if all(node.attributes.get(key) == value for key, value in self._attributes.items()):
            yield from _bound(self, self._inner.at_node(graph, node), node)


class _Tuple(Pattern):
    """Several results: the first one's node is where it is matched, the others follow."""

    def __init__(self, parts: Sequence[Pattern]) -> None:
        self._parts = parts

    def at_node(self, graph: Graph, node: Node) -> Iterator[Match]:
        first, *others = self._parts
        for found in first.at_node(graph, node):
            yield from self._further(graph, found, others)

    def _further(self, graph: Graph, found: Match, rest: Sequence[Pattern]) -> Iterator[Match]:
        if not rest:
            yield found
            return
        first, *others = rest
        for node in graph.nodes:
            if node in found.roots:
                continue
            for one in first.at_node(graph, node):
                if _agree(found, one):
                    both = replace(found.joined(one), roots=(*found.roots, *one.roots))
                    yield from self._further(graph, both, others)


def _bound(pattern: Pattern, matches: Iterator[Match], to: Node | Tensor) -> Iterator[Match]:
    for match in matches:
        yield replace(match, bindings={**match.bindings, pattern: to})


def _agree(first: Match, second: Match) -> bool:
    """Whether a part of a pattern that stands in both means the same there."""
    for pattern, value in second.bindings.items():
        known = first.bindings.get(pattern, value)
        if known is not value and known != value:
            return False
    return True


def is_op(*names: str) -> _Call:
    """An operation with this name, or one of these (none: any); called with what it reads."""
    return _Call(frozenset(names), None)


def wildcard() -> Pattern:
    """Anything, which stays outside; the same wildcard twice is the same thing."""
    return _Wildcard()


def is_const() -> Pattern:
    """An array of the program that nothing changes."""
    return _Const()


def is_tuple(parts: Sequence[Pattern]) -> Pattern:
    """Several results at once."""
    return _Tuple(parts)
