"""The typed expressions of lifted statements: what each stores, C's conversions written out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from s2s.frontends.c.arrays import Memory
from s2s.frontends.c.facts import initializer
from s2s.frontends.c.harmless import KnownCalls
from s2s.frontends.c.raw import RawLeaf
from s2s.frontends.c.syntax import Decl
from s2s.frontends.c.syntax import Node as Syntax
from s2s.frontends.c.text import next_token
from s2s.frontends.c.typed.arithmetic import type_of
from s2s.frontends.c.typed.errors import NotATensorNest
from s2s.frontends.c.typed.expressions import Expressions
from s2s.frontends.c.typed.members import Members
from s2s.frontends.c.typed.memory import array_tensor, tensor
from s2s.frontends.c.typed.nodes import assignment, reference
from s2s.frontends.c.typed.scope import Scope
from s2s.frontends.c.typed.statements import Statements
from s2s.scop.expressions import Expr, Load, Variable, walk
from s2s.scop.literals import cast
from s2s.scop.nest import Allocate, Block, Node, Store, Tensor, expressions
from s2s.scop.nest import walk as nodes
from s2s.scop.rewrite import change_own, replace_parts

if TYPE_CHECKING:
    import islpy as isl

    from s2s.frontends.c.lift import Lifter


class TypedLeaves:
    """Reads the leaves of a region as typed stores to the arrays of the region's SCoP.

    Iterators are variables of their C types by their names in isl, values that the region does not
    change by their names in the source. Subscripts are those of the declarations, innermost first.
    """

    def __init__(
        self,
        lifter: Lifter,
        memories: Iterable[Memory],
        *,
        texts: bool = True,
        rows: bool = False,
    ) -> None:
        self._data = lifter.buffer.data
        self._texts = texts
        self._changing = set(lifter.assigned) | lifter.facts.escaped
        self._rows = rows
        memories = sorted(memories, key=lambda m: len(m.key)) if rows else list(memories)
        self._roots = {m.root for m in memories}
        self.arrays = {
            m.root: m
            for m in memories
            if m.root is not None and not m.key.strip("*") and m.exact and m.stable
        }
        """What variables are or lead to, as the SCoP has it."""
        self.walked: set[str] = set()
        """Tensors to whose elements there are pointers, which may run on from row to row."""
        self.definition: Callable[[Decl], Syntax | None] = lambda decl: None
        """The syntax of a function that is called, where its value may be written out."""
        self.fixed: Mapping[Decl, Syntax] = {}
        """What variables are declared with that are not set again: they may stand for that."""
        self.quotients = False
        """Whether quotients of what may be negative are values (``Scope.quotients``)."""
        self._written = {m.name for m in memories if any(t.write for t in m.touches)}
        self._named = {m.name for m in self.arrays.values()}
        self._calls = lifter.calls if isinstance(lifter.calls, KnownCalls) else None
        self._members: Members | None = None
        if rows:
            texts_of = (p.spelling for p in lifter.affine.parameters.values())
            self._members = Members(memories, texts_of, lifter.affine.text)
            self._named = {m.name for m in memories}
        self.refused: list[NotATensorNest] = []
        """Why leaves have no typed store."""

    def store(self, leaf: RawLeaf, domain: isl.Set) -> Store | None:
        """What a leaf stores in its instances; None where it is not one store whose C is typed."""
        try:
            return self._store(leaf, domain)
        except NotATensorNest as error:
            self.refused.append(error)
            return None

    def _store(self, leaf: RawLeaf, domain: isl.Set) -> Store:
        """What a leaf stores. Raises NotATensorNest."""
        merged = self._texts or bool(leaf.opaque)
        if merged and not self._is_straight(leaf):
            raise NotATensorNest(leaf.span, leaf.opaque or "several statements in one")
        scope = self._scope(leaf)
        typed = self._typed(leaf, domain, scope)
        own = {t.name for t in scope.memory.values() if not t.dimensions}
        found = _only_store(typed, own - self._named)
        if found is None or not _tensors([found]) <= self._named:
            text = leaf.opaque or "a statement that is no single assignment"
            raise NotATensorNest(leaf.span, text)
        return found

    def node(self, leaf: RawLeaf, domain: isl.Set) -> Node:
        """What a leaf does in its instances, branches on data included. Raises NotATensorNest."""
        found = self._typed(leaf, domain, self._scope(leaf))
        stores = [node for node in nodes(found) if isinstance(node, Store)]
        if not stores or not _tensors(nodes(found)) <= self._named:
            raise NotATensorNest(leaf.span, leaf.opaque or "a statement that stores nothing")
        return found

    def _typed(self, leaf: RawLeaf, domain: isl.Set, scope: Scope) -> Node:
        if leaf.context.conditions:
            raise NotATensorNest(leaf.span, "a statement below a condition on data")
        scope.ranges.update(_ranges(leaf, domain))
        parts = leaf.nodes if self._texts else [self._assigned(node) for node in leaf.nodes]
        found = Statements(scope, self._changing, set(scope.memory)).sequence(parts)
        self.walked |= scope.walked
        return found

    def _assigned(self, node: Syntax) -> Syntax:
        """A declaration of a number that is memory of the region as the assignment that it is."""
        if node.kind != "DECL_STMT" or len(node.children) != 1:
            return node
        (variable,) = node.children
        decl, value = variable.decl, initializer(variable)
        if decl not in self.arrays or decl is None or value is None or not decl.type.scalar:
            return node
        return replace(assignment(reference(decl, variable.span), value), span=variable.span)

    def _is_straight(self, leaf: RawLeaf) -> bool:
        """Whether a leaf's text is its nodes in a row: no loop or branch around some of them."""
        place = leaf.span.start
        for node in leaf.nodes:
            if node.in_macro or _after_semicolons(self._data, place) != node.span.start:
                return False
            place = node.span.end
        return _after_semicolons(self._data, place) >= leaf.span.end

    def tensor(self, decl: Decl) -> Tensor | None:
        """The memory of a variable as the region has it; None where it is none, or not typed."""
        memory = self.arrays.get(decl)
        if memory is None:
            return None
        type_ = type_of(decl.type)
        if type_ is not None:
            return tensor(memory.name, type_, ())
        try:
            span = memory.touches[0].span
            return replace(
                array_tensor(decl, span, _written, symbolic=True, rows=self._rows), name=memory.name
            )
        except NotATensorNest:
            return None

    def _scope(self, leaf: RawLeaf) -> Scope:
        """What the names in a leaf stand for; what is missing there has no value."""
        others = {m.name: 1 for root, m in self.arrays.items() if root not in leaf.declares}
        scope = Scope(symbolic=True, names=others, definition=self.definition)
        scope.quotients = self.quotients
        scope.null_tests = self._rows
        scope.symbolic_members = self._members
        if self._calls is not None:
            scope.computes = self._calls.name_of
        self._fill(scope, leaf, _named(leaf.nodes))
        return scope

    def _fill(self, scope: Scope, leaf: RawLeaf, named: set[Decl]) -> None:
        iterators = dict(zip(leaf.context.decls, leaf.context.iterators, strict=True))
        taken = {v.name for v in iterators.values()}
        for decl in named - scope.values.keys() - scope.memory.keys():
            type_ = type_of(decl.type)
            if type_ is not None and decl in iterators:
                scope.values[decl] = Variable(type_, iterators[decl].name)
            elif (
                decl not in leaf.declares and (value := self._fixed(scope, leaf, decl)) is not None
            ):
                scope.values[decl] = value
            elif (memory := self.tensor(decl)) is not None:
                scope.memory[decl] = memory
            elif type_ is not None and self._is_invariant(decl) and decl.name not in taken:
                scope.values[decl] = Variable(type_, decl.name)

    def _fixed(self, scope: Scope, leaf: RawLeaf, decl: Decl) -> Expr | None:
        """What a variable is for as long as it lives; None where that may change meanwhile."""
        first, type_ = self.fixed.get(decl), type_of(decl.type)
        if first is None or type_ is None:
            return None
        self._fill(scope, leaf, _named([first]))
        try:
            value = cast(type_, Expressions(scope).value(first))
        except NotATensorNest:
            return None
        loads = {e.tensor for e in walk(value) if isinstance(e, Load)}
        return None if loads & self._written else value

    def _is_invariant(self, decl: Decl) -> bool:
        """Whether nothing in the region can change what a name stands for."""
        type_ = decl.type
        own = decl.is_local and not (decl.is_static or type_.reference or type_.volatile)
        return own and decl not in self._changing and decl not in self._roots


def _ranges(leaf: RawLeaf, domain: isl.Set) -> Iterator[tuple[str, tuple[int, int]]]:
    """The least and the greatest value of each iterator, as far as its type allows."""
    for place, decl in enumerate(leaf.context.decls):
        type_ = type_of(decl.type)
        if type_ is not None and not domain.is_empty():
            low, high = domain.dim_min_val(place), domain.dim_max_val(place)
            first = low.to_python() if low.is_int() else type_.smallest
            last = high.to_python() if high.is_int() else type_.largest
            yield leaf.context.iterators[place].name, (first, last)


def _after_semicolons(data: bytes, place: int) -> int:
    """Where the next token but a semicolon is."""
    place = next_token(data, place)
    while data[place : place + 1] == b";":
        place = next_token(data, place + 1)
    return place


def _named(nodes: Iterable[Syntax]) -> set[Decl]:
    return {n.decl for root in nodes for n in root.walk() if n.decl is not None}


def _written(node: Syntax) -> Expr:
    """An extent as it is written in a declaration, by the names of the source."""
    scope = Scope(symbolic=True)
    for decl in _named([node]):
        type_ = type_of(decl.type)
        if type_ is not None:
            scope.values[decl] = Variable(type_, decl.name)
    return Expressions(scope).value(node)


def _only_store(node: Node, own: set[str]) -> Store | None:
    """The store that a nest consists of, if it is one and always executed.

    ``own`` are the scalars that live and die in it: what they are set to stands for them.
    """
    found: Store | None = None
    known: dict[Expr, Expr] = {}
    for store in _stores(node):
        if store is None:
            return None
        store = change_own(store, lambda e: replace_parts(e, known))
        if store.tensor in own:
            value = store.values[0]
            known[Load(value.type, store.tensor, ())] = value
        elif found is not None:
            return None
        else:
            found = store
    return found


def _stores(node: Node) -> Iterator[Store | None]:
    """The stores of straight code; None for what is none."""
    match node:
        case Store():
            yield node
        case Block(children):
            for child in children:
                yield from _stores(child)
        case Allocate(_, body):
            yield from _stores(body)
        case _:
            yield None


def _tensors(parts: Iterable[Node]) -> set[str]:
    """The tensors that nodes name themselves."""
    found: set[str] = set()
    for node in parts:
        below = (e for part in expressions(node) for e in walk(part))
        found |= {e.tensor for e in below if isinstance(e, Load)}
        found |= {node.tensor} if isinstance(node, Store) else set()
    return found
