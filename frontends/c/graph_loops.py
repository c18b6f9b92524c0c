"""Loops over the vertices of a graph and the edges of each: what their accesses are of.

::

    for (v = 0; v < n; v++)                          a VertexLoop; next[v] is its own vertex's
        for (e = off[v]; e < off[v + 1]; e++)        an EdgeLoop of v; w[e] is the edge's
            next[v] += dist[nbr[e]] * w[e];          dist[nbr[e]] is the neighbour's
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from enum import Enum, auto
from functools import cached_property

from s2s.frontends.c.counted_loops import CountedLoop, counted_loop
from s2s.frontends.c.effects import Effects
from s2s.frontends.c.graph_pragmas import item_of
from s2s.frontends.c.integer_constants import NotAffine
from s2s.frontends.c.places import (
    UNKNOWN,
    Address,
    Field,
    Index,
    Number,
    Place,
    Places,
    Term,
    ValueAt,
    is_lvalue,
    shifted,
    variables,
)
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import ASSIGNMENTS, INCREMENTS, Decl, Node
from s2s.frontends.openmp.directives import Directive
from s2s.source.records import dataclass

_PARALLEL = frozenset({"parallel for", "parallel for simd", "for", "for simd"})


class Of(Enum):
    """Whose an accessed place is."""

    OWN = auto()
    """the vertex that the iteration is for"""
    NEIGHBOUR = auto()
    """the vertex at the other end of an edge"""
    EDGE = auto()
    """an edge"""
    SHARED = auto()
    """no vertex's: the same place in all iterations"""
    LOCAL = auto()
    """a variable that each iteration has for itself"""
    OTHER = auto()
    """anything else: another vertex, or not understood"""


@dataclass(frozen=True, eq=False)
class EdgeLoop:
    """A loop over the edges of a vertex, inside of ``around`` if that is another edge loop.

    ``owner`` is the term of the vertex (its number, or a pointer to it), ``owner_of`` whose that
    is. The iterator runs from ``first`` to ``last`` (exclusive); ``ends`` are the places that were
    loaded for them, offsets of compressed rows (two) or a row's length (one).
    """

    node: Node
    iterator: Decl
    owner: Term
    owner_of: Of
    first: Term
    last: Term
    ends: tuple[Place, ...]
    around: EdgeLoop | None = None

    @property
    def body(self) -> Node:
        return self.node.children[3]


@dataclass(frozen=True, eq=False)
class GraphAccess:
    """A read or write (an update is both) of a place, ``edges`` the innermost edge loop around.

    ``of`` says whose the place is, with ``subject`` the vertex or edge iterator as a term.
    ``whole`` accesses are those of calls: of anything that can be reached from the place.
    ``governed`` are the directives before the statement.
    """

    node: Node
    place: Place
    read: bool
    write: bool
    of: Of
    subject: Term | None
    edges: EdgeLoop | None
    governed: tuple[Directive, ...] = ()
    whole: bool = False

    @property
    def atomic(self) -> Directive | None:
        """The ``atomic`` directive that the access is below."""
        return next((d for d in self.governed if d.name == "atomic"), None)


@dataclass(eq=False)
class VertexLoop:
    """A loop over vertices: ``for (iterator = first; iterator < last; iterator++) body``."""

    function: Function
    node: Node
    iterator: Decl
    declared: bool
    first: Node
    last: Node
    directives: tuple[Directive, ...]
    is_cilk: bool = False
    places: Places = field(init=False)

    def __post_init__(self) -> None:
        self.places = Places(self.function.facts, self.node)

    @property
    def body(self) -> Node:
        return self.node.children[3]

    @property
    def directive(self) -> Directive | None:
        """The directive that shares the iterations out."""
        return next((d for d in self.directives if d.name in _PARALLEL), None)

    @property
    def is_parallel(self) -> bool:
        """Whether the source says that iterations may run at the same time."""
        return self.is_cilk or self.directive is not None

    @cached_property
    def private(self) -> frozenset[Decl]:
        """Variables that an iteration has for itself: declared inside, or listed as private."""
        inside = {n.decl for n in self.node.walk() if n.kind == "VAR_DECL" and n.decl is not None}
        kinds = ("private", "firstprivate", "lastprivate")
        listed = {v for d in self.directives for v in d.listed(*kinds)}
        named = {d for d in self.places.assigned if d.name in listed and d.is_local}
        return frozenset({*inside, *named, self.iterator})

    @cached_property
    def reduced(self) -> dict[Decl, str]:
        """Variables of reduction clauses with their operators."""
        found = {
            v: clause.modifier().split(",")[-1].strip()
            for d in self.directives for clause in d.all("reduction") for v in clause.names()
        }  # fmt: skip
        return {d: found[d.name] for d in self.function.facts.references if d.name in found}

    @cached_property
    def edge_loops(self) -> tuple[EdgeLoop, ...]:
        """The loops over edges, outer ones before those inside of them."""
        return tuple(self._edge_loops([self.body], None))

    @cached_property
    def accesses(self) -> tuple[GraphAccess, ...]:
        """All accesses in the body but those of plain locals' addresses, in the text's order."""
        return tuple(_Walk(self).of(self.body))

    @cached_property
    def calls(self) -> tuple[tuple[Node, Effects], ...]:
        """The calls in the body and what they may do."""
        found = (n for n in self.body.walk() if n.kind == "CALL_EXPR")
        return tuple((n, self.function.calls.of(n)) for n in found)

    def item(self, place: Place) -> str:
        """What a place is called in ``#pragma s2s graph``: ``off``, ``vertex.out.edges.to``."""
        edges = frozenset(e.iterator for e in self.edge_loops)
        return item_of(self.places.origin(place), edges)

    @cached_property
    def count(self) -> str:
        """What the number of iterations is called, where the loop starts at 0; else empty."""
        last = self.places.term(self.last)
        starts = self.places.term(self.first) == Number(0)
        return self.item(last.place) if starts and isinstance(last, ValueAt) else ""

    def _edge_loops(self, nodes: list[Node], around: EdgeLoop | None) -> Iterator[EdgeLoop]:
        for node in nodes:
            found = self._edge_loop(node, around) if node.kind == "FOR_STMT" else None
            if found is not None:
                yield found
            yield from self._edge_loops(node.children, found or around)

    def _edge_loop(self, node: Node, around: EdgeLoop | None) -> EdgeLoop | None:
        try:
            loop, last = ascending(node)
        except NotAffine:
            return None
        begin, end = self.places.term(loop.first), self.places.term(last)
        ends = _ends(begin, end)
        if ends is None:
            return None
        of, owner = self._whose(ends[0], around)
        if owner is None or of not in (Of.OWN, Of.NEIGHBOUR):
            return None
        return EdgeLoop(node, loop.variable, owner, of, begin, end, ends, around)

    # -- whose a place is -------------------------------------------------------------------

    def whose(self, place: Place, edges: EdgeLoop | None) -> tuple[Of, Term | None]:
        """Whose a place is that is accessed in ``edges``, and the term that says so."""
        if place.root is not None and not place.steps and place.root in self.private:
            return Of.LOCAL, None
        return self._whose(place, edges)

    def _whose(self, place: Place, edges: EdgeLoop | None) -> tuple[Of, Term | None]:
        if place.root is None:
            return Of.OTHER, None
        for position in reversed(range(len(place.steps))):
            step = place.steps[position]
            if not isinstance(step, Index):
                continue
            term, pointer = step.term, False
            if term == Number(0) and step.pointer:
                term, pointer = ValueAt(Place(place.root, place.steps[:position])), True
            of = self.term_of(term, edges, pointer=pointer)
            if of is not Of.SHARED:
                return of, term
        varies = not self._varying(edges).isdisjoint(place.variables())
        own = place.root in self.private
        return (Of.OTHER if varies or own else Of.SHARED), None

    def term_of(self, term: Term, edges: EdgeLoop | None, *, pointer: bool) -> Of:
        """Whose a vertex's or an edge's number is, or the pointer to it.

        Elements of an array of pointers, selected by a vertex's number, are taken for pointers to
        that vertex; whether they are, the array tells (its name is in the subject).
        """
        if self._varying(edges).isdisjoint(variables(term)):
            return Of.SHARED if self.private.isdisjoint(variables(term)) else Of.OTHER
        if not isinstance(term, ValueAt):
            return Of.OTHER
        if term.place == Place(self.iterator):
            return Of.OWN
        loop = edges
        while loop is not None:
            if term.place == Place(loop.iterator):
                return Of.EDGE
            loop = loop.around
        of, subject = self._whose(term.place, edges)
        if of is Of.EDGE:
            return Of.NEIGHBOUR
        last = term.place.steps[-1] if term.place.steps else None
        in_table = pointer and isinstance(last, Index) and last.term == subject
        return of if in_table and of in (Of.OWN, Of.NEIGHBOUR) else Of.OTHER

    def _varying(self, edges: EdgeLoop | None) -> frozenset[Decl]:
        found = {self.iterator}
        while edges is not None:
            found.add(edges.iterator)
            edges = edges.around
        return frozenset(found)


def ascending(node: Node) -> tuple[CountedLoop, Node]:
    """``for (x = first; x < last; x++)`` and its last value. Raises NotAffine."""
    loop = counted_loop(node)
    decl = loop.variable
    local = decl.is_local and not decl.is_static and not decl.type.volatile
    if decl.type.kind != "int" or not local or loop.constant_step != 1:
        raise NotAffine(node, "the loop does not count a local integer up by one")
    bounds = loop.bounds(1)
    if len(bounds) != 1 or bounds[0].relation != "<":
        raise NotAffine(loop.condition, "the loop's end is not a single bound")
    return loop, bounds[0].limit


def _ends(first: Term, last: Term) -> tuple[Place, ...] | None:
    """The places that the ends of a row were loaded from: two offsets, or its length."""
    if not isinstance(last, ValueAt) or not last.place.steps:
        return None
    if first == Number(0):
        return (last.place,)
    if not isinstance(first, ValueAt) or not first.place.steps:
        return None
    one, other = first.place.steps[-1], last.place.steps[-1]
    if not (isinstance(one, Index) and isinstance(other, Index)):
        return (first.place, last.place) if _parallel_fields(first.place, last.place) else None
    rows = Place(first.place.root, first.place.steps[:-1])
    same = rows == Place(last.place.root, last.place.steps[:-1])
    following = other.term == (shifted(one.term, 1) if same else one.term)
    return (first.place, last.place) if following else None


def _parallel_fields(first: Place, last: Place) -> bool:
    """Whether two places are members of the same object."""
    fields = isinstance(first.steps[-1], Field) and isinstance(last.steps[-1], Field)
    return fields and first.root is last.root and first.steps[:-1] == last.steps[:-1]


@dataclass
class _Walk:
    """Collects the accesses of a vertex loop's body."""

    loop: VertexLoop

    def of(self, node: Node) -> Iterator[GraphAccess]:
        yield from self._statement(node, None, ())

    def _statement(
        self, node: Node, edges: EdgeLoop | None, governed: tuple[Directive, ...]
    ) -> Iterator[GraphAccess]:
        if node.kind.endswith("STMT"):
            found = self.loop.function.attached.before(node.span.start)
            governed = tuple(found) or governed
            inner = next((e for e in self.loop.edge_loops if e.node is node), None)
            if inner is not None:
                for child in node.children[:2]:
                    yield from self._statement(child, edges, governed)
                yield from self._statement(node.children[3], inner, ())
                return
            for child in node.children:
                yield from self._statement(child, edges, governed)
        else:
            found = self.loop.function.attached.before(node.span.start)
            yield from self._value(node, edges, tuple(found) or governed)

    def _value(
        self, node: Node, edges: EdgeLoop | None, governed: tuple[Directive, ...]
    ) -> Iterator[GraphAccess]:
        if node.op in ASSIGNMENTS and len(node.children) == 2:
            target, source = node.children
            yield from self._value(source, edges, governed)
            yield from self._lvalue(target, edges, governed, read=node.op != "=", write=True)
        elif node.op in INCREMENTS:
            yield from self._lvalue(node.children[0], edges, governed, read=True, write=True)
        elif node.kind == "UNARY_OPERATOR" and node.op == "&":
            yield from self._on_the_way(node.children[0], edges, governed)
        elif node.kind == "CALL_EXPR":
            yield from self._call(node, edges, governed)
        elif node.kind == "CXX_UNARY_EXPR":  # sizeof: its operand is not evaluated
            return
        elif is_lvalue(node):
            yield from self._lvalue(node, edges, governed, read=True, write=False)
        elif node.kind.endswith("STMT"):
            yield from self._statement(node, edges, governed)
        else:
            for child in node.children:
                yield from self._value(child, edges, governed)

    def _lvalue(
        self, node: Node, edges: EdgeLoop | None, governed: tuple[Directive, ...], *,
        read: bool, write: bool,
    ) -> Iterator[GraphAccess]:  # fmt: skip
        yield from self._on_the_way(node, edges, governed)
        variable = node.decl is None or node.decl.kind in ("VAR_DECL", "PARM_DECL")
        if node.kind == "DECL_REF_EXPR" and not variable:
            return
        if node.type.kind == "array" and not write:
            return  # decays to its address
        place = self.loop.places.place(node) if is_lvalue(node) else UNKNOWN
        of, subject = self.loop.whose(place, edges)
        yield GraphAccess(node, place, read, write, of, subject, edges, governed)

    def _on_the_way(
        self, node: Node, edges: EdgeLoop | None, governed: tuple[Directive, ...]
    ) -> Iterator[GraphAccess]:
        """Accesses for an lvalue's address: subscripts, and the pointers that it follows."""
        if node.kind == "DECL_REF_EXPR":
            return
        for child in node.children:
            located = is_lvalue(child) and child.type.kind != "pointer" and (
                node.kind == "MEMBER_REF_EXPR" or child.type.kind == "array")  # fmt: skip
            if located:
                yield from self._on_the_way(child, edges, governed)
            else:
                yield from self._value(child, edges, governed)

    def _call(
        self, node: Node, edges: EdgeLoop | None, governed: tuple[Directive, ...]
    ) -> Iterator[GraphAccess]:
        effects = self.loop.function.calls.of(node)
        arguments = node.children[1:]
        for argument in arguments:
            yield from self._value(argument, edges, governed)
        if effects.anything or effects.global_writes or effects.global_reads or effects.output:
            write = effects.anything or bool(effects.global_writes) or effects.output
            yield GraphAccess(node, UNKNOWN, True, write, Of.OTHER, None, edges, governed, True)
        for number, argument in enumerate(arguments):
            read, write = number in effects.reads, number in effects.writes
            if read or write:
                place = self._behind(argument)
                of, subject = self.loop.whose(place, edges)
                yield GraphAccess(argument, place, read, write, of, subject, edges, governed, True)

    def _behind(self, argument: Node) -> Place:
        """What a pointer argument leads to."""
        term = self.loop.places.term(argument)
        if isinstance(term, Address):
            return term.place
        return term.place.index(Number(0), pointer=True) if isinstance(term, ValueAt) else UNKNOWN
