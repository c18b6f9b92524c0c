"""The stores of a nest, each with what stands around it, and the tree that they are leaves of."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Sequential
from dataclasses import field, replace

from s2s.scop.expressions import BOOL, Binary, Const, Expr, Load, Select, Unary
from s2s.scop.nest import (
    Allocate,
    Block,
    Check,
    Define,
    For,
    Hoist,
    If,
    Nest,
    Node,
    Produce,
    Store,
    Tensor,
)
from s2s.scop.nodes import Branch, Construct, Kind, Leaf, Loop, LoopVariable, Sequence, Tree
from s2s.source import Span
from s2s.source.records import dataclass

_CONSTRUCTS = {"parallel": Kind.LOOP, "vectorized": Kind.SIMD}

NOWHERE = Span(0, 0)
"""The place of what no text of the source stands for."""


@dataclass(frozen=True)
class Around:
    """A store, the nodes around it (outside in), and its place: child numbers and loop names."""

    store: Store
    around: tuple[For | If | Define | Not, ...]
    place: tuple[int | str, ...]
    homes: Mapping[str, int]
    """The number of loops around the allocation of each tensor."""


@dataclass(frozen=True)
class Not:
    """The other branch of a condition."""

    condition: Expr


@dataclass
class Stores:
    """Walks a nest and keeps each store with its surroundings."""

    nest: Nest
    stores: list[Around] = field(default_factory=list)
    tensors: list[Tensor] = field(default_factory=list)
    homes: dict[str, int] = field(default_factory=dict)
    checks: list[Expr] = field(default_factory=list)
    """What the program makes sure of before all else."""
    constructs: int = 0

    def __post_init__(self) -> None:
        passed = [a.tensor for a in self.nest.arguments if a.tensor is not None]
        self.tensors += [*passed, *self.nest.tables]

    def visit(
        self,
        node: Node,
        around: tuple[For | If | Define | Not, ...],
        place: tuple[int | str, ...],
    ) -> Tree:
        """The tree of a node; its stores are kept."""
        match node:
            case Block(children):
                parts = enumerate(children)
                return Sequence(
                    tuple(self.visit(c, around, (*place, k)) for k, c in parts), NOWHERE
                )
            case For(name, body=body):
                depth = sum(isinstance(n, For) for n in around)
                below = self.visit(body, (*around, node), (*place, name))
                loop = Loop(loop_variable(node, depth), 1, below, NOWHERE, NOWHERE)
                return self._in_construct(node.kind, loop)
            case Allocate(tensor, body):
                self.tensors.append(tensor)
                self.homes[tensor.name] = sum(isinstance(n, For) for n in around)
                return self.visit(body, around, place)
            case Produce(body=body) | Hoist(body=body):
                return self.visit(body, around, place)
            case Define(_, _, body):
                return self.visit(body, (*around, node), place)
            case If(condition, then, otherwise):
                first = self.visit(then, (*around, node), (*place, 0))
                if otherwise is None:
                    return Branch(first, None, NOWHERE)
                other = (*around, Not(condition))
                return Branch(first, self.visit(otherwise, other, (*place, 1)), NOWHERE)
            case Store():
                return self._store(node, around, place)
            case Check(condition):
                if all(_runs(n) for n in around):
                    self.checks.append(_implied(around, condition))
        return Sequence((), NOWHERE)

    def _in_construct(self, how: str, loop: Loop) -> Tree:
        """A loop in the construct whose kind says that its iterations run at once."""
        kind = _CONSTRUCTS.get(how)
        if kind is None:
            return loop
        self.constructs += 1
        return Construct(self.constructs, kind, loop, NOWHERE)

    def _store(
        self,
        node: Store,
        around: tuple[For | If | Define | Not, ...],
        place: tuple[int | str, ...],
    ) -> Leaf:
        store, masks = _unblended(node)
        conditions = tuple(If(mask, store) for mask in masks)
        self.stores.append(Around(store, (*around, *conditions), place, dict(self.homes)))
        return Leaf(f"S{len(self.stores) - 1}", node.at or NOWHERE)


def loop_variable(loop: For, depth: int) -> LoopVariable:
    """The variable of a loop inside of so many others, by the name that its definition has."""
    return LoopVariable(f"i{depth}", loop.var or loop.name, str(loop.minimum.type), declared=True)


def _unblended(store: Store) -> tuple[Store, list[Expr]]:
    """A store without what stores again what is there already, and where it stores then.

    Blended, ``f(x) = select(mask, value, f(x))`` is ``f(x) = value`` where the mask holds. That
    what is stored again does not race is the directives' business.
    """
    masks: list[Expr] = []
    for _ in range(store.blended):
        first = store.values[0]
        if not all(_keeps(store, k, first) for k in range(len(store.values))):
            break
        assert isinstance(first, Select)
        masks.append(first.condition)
        values = tuple(v.then for v in store.values if isinstance(v, Select))
        store = replace(store, values=values)
    return store, masks


def _keeps(store: Store, place: int, first: Expr) -> bool:
    """Whether a component keeps what is there under the first component's condition."""
    value = store.values[place]
    return (
        isinstance(value, Select)
        and isinstance(first, Select)
        and value.condition is first.condition
        and value.otherwise is Load(value.type, store.tensor, store.subscripts, place)
    )


def _runs(node: For | If | Define | Not) -> bool:
    """Whether what stands in a node runs, but for a condition."""
    if isinstance(node, For):
        return isinstance(node.extent, Const) and node.extent.value > 0
    return not isinstance(node, Define)


def _implied(around: Sequential[For | If | Define | Not], condition: Expr) -> Expr:
    """A condition that holds where those around it do."""
    for node in reversed(around):
        if isinstance(node, If):
            condition = Binary(BOOL, "or", Unary(BOOL, "not", node.condition), condition)
        elif isinstance(node, Not):
            condition = Binary(BOOL, "or", node.condition, condition)
    return condition
