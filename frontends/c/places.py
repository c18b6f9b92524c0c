"""Where the accesses of a loop lead, local copies followed: ``v->in.edges[k].to->distance``.

A ``Place`` is an lvalue as a path from a variable; a ``Term`` is a value as the loads that made it.
Equal terms name the same loads, so they are equal values only while nothing stores to what they
load: whoever relies on that has to look at the stores.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from s2s.frontends.c.facts import Facts, assigned_in, initializer
from s2s.frontends.c.syntax import CType, Decl, Node
from s2s.source import Span
from s2s.source.records import dataclass

_CASTS = frozenset({"IMPLICIT_CAST", "CSTYLE_CAST_EXPR"})
# Copies of copies that are followed; generated code may have long chains.
_DEEPEST = 32


@dataclass(frozen=True)
class Number:
    """A constant."""

    value: int


@dataclass(frozen=True)
class ValueAt:
    """The value at a place."""

    place: Place


@dataclass(frozen=True)
class Address:
    """A pointer to a place, or to the first element of the array there."""

    place: Place


@dataclass(frozen=True)
class Shifted:
    """A term and a constant that is not 0."""

    term: Term
    offset: int


@dataclass(frozen=True)
class Opaque:
    """A value that nothing is known of but where it is computed."""

    span: Span


@dataclass(frozen=True)
class Written:
    """A value of which C text is all there is: for places that are to be printed."""

    text: str


Term = Number | ValueAt | Address | Shifted | Opaque | Written


@dataclass(frozen=True)
class Index:
    """The selection of an element; ``pointer`` says that a pointer is followed on the way."""

    term: Term
    pointer: bool


@dataclass(frozen=True)
class Field:
    """The selection of a member; ``record`` is the canonical name of its struct."""

    name: str
    record: str


@dataclass(frozen=True)
class Place:
    """An lvalue: ``root`` is None where it does not start at a variable."""

    root: Decl | None
    steps: tuple[Index | Field, ...] = ()

    def variables(self) -> Iterator[Decl]:
        """The variables that the place is made of, those in its subscripts included."""
        if self.root is not None:
            yield self.root
        for step in self.steps:
            if isinstance(step, Index):
                yield from variables(step.term)

    def index(self, term: Term, *, pointer: bool) -> Place:
        return Place(self.root, (*self.steps, Index(term, pointer)))

    @property
    def is_known(self) -> bool:
        """Whether root and subscripts are all understood."""
        inner = (s.term for s in self.steps if isinstance(s, Index))
        return self.root is not None and all(map(is_known, inner))


UNKNOWN = Place(None)


def variables(term: Term) -> Iterator[Decl]:
    """The variables that a term is made of."""
    if isinstance(term, (ValueAt, Address)):
        yield from term.place.variables()
    elif isinstance(term, Shifted):
        yield from variables(term.term)


def is_known(term: Term) -> bool:
    """Whether all of a term is understood."""
    if isinstance(term, (ValueAt, Address)):
        return term.place.is_known
    return is_known(term.term) if isinstance(term, Shifted) else isinstance(term, Number)


def shifted(term: Term, offset: int) -> Term:
    """A term plus a constant."""
    if isinstance(term, Number):
        return Number(term.value + offset)
    if isinstance(term, Shifted):
        return shifted(term.term, term.offset + offset)
    return Shifted(term, offset) if offset else term


@dataclass
class Places:
    """Places and terms of the expressions in ``loop``, a statement of a function.

    Locals that the loop sets once, by a declaration or by an assignment before all uses,
    stand for what they are set to.
    """

    facts: Facts
    loop: Node
    _values: dict[Decl, Term] = field(default_factory=dict)
    _sources: dict[Decl, Node] = field(init=False)

    def __post_init__(self) -> None:
        self.assigned = assigned_in([self.loop])
        self._sources = dict(self._copies())

    @property
    def followed(self) -> frozenset[Decl]:
        """The locals that stand for what they are set to."""
        return frozenset(self._sources)

    def source(self, decl: Decl) -> Node | None:
        """The expression that a local stands for."""
        return self._sources.get(decl)

    # -- copies -----------------------------------------------------------------------------

    def _copies(self) -> Iterator[tuple[Decl, Node]]:
        for node in self.loop.walk():
            if node.kind == "COMPOUND_STMT":
                yield from self._set_in(node)

    def origin(self, place: Place, depth: int = 0) -> Place:
        """A place with its root, a copy that the function makes outside of the loop, followed.

        ``off[v]`` is ``g->off[v]`` after ``long *off = g->off;``. That is what the variable was
        set to: where something has stored to ``g->off`` since, they are not the same place.
        """
        root = place.root
        if root is None or root in self.assigned or root.node is None or depth > _DEEPEST:
            return place
        source = initializer(root.node)
        if source is None or not root.type.scalar or not self.facts.is_constant(root):
            return place
        term = self.term(source)
        if isinstance(term, ValueAt) and is_known(term):
            return self.origin(Place(term.place.root, (*term.place.steps, *place.steps)), depth + 1)
        if isinstance(term, Address) and place.steps and isinstance(place.steps[0], Index):
            first = _element(term, place.steps[0].term)
            found = Place(first.root, (*first.steps, *place.steps[1:]))
            return self.origin(found, depth + 1) if found.is_known else place
        return place

    def _set_in(self, block: Node) -> Iterator[tuple[Decl, Node]]:
        """Variables that a block sets for all their uses in the loop."""
        for statement in block.children:
            if statement.kind == "DECL_STMT":
                for child in statement.children:
                    value = initializer(child) if child.kind == "VAR_DECL" else None
                    if value is not None and child.decl and self._is_set_once(child.decl):
                        yield child.decl, value
            elif statement.kind == "BINARY_OPERATOR" and statement.op == "=":
                target, value = statement.children
                decl = target.decl if target.kind == "DECL_REF_EXPR" else None
                if decl is None or not self._is_set_once(decl):
                    continue
                if self._is_used_behind(decl, statement, block):
                    yield decl, value

    def _is_set_once(self, decl: Decl) -> bool:
        plain = decl.type.scalar and not decl.type.volatile and not decl.type.reference
        local = decl.is_local and not decl.is_static and decl not in self.facts.escaped
        return plain and local and self.assigned.get(decl) == 1

    def _is_used_behind(self, decl: Decl, setting: Node, block: Node) -> bool:
        uses = [
            n.span for n in self.loop.walk()
            if n.decl is decl and n is not setting.children[0] and n.kind == "DECL_REF_EXPR"
        ]  # fmt: skip
        end = block.span.end
        return all(setting.span.end <= u.start and u.end <= end for u in uses)

    # -- values -----------------------------------------------------------------------------

    def term(self, node: Node, depth: int = 0) -> Term:
        """The value of an expression."""
        if node.value is not None and node.type.kind == "int":
            return Number(node.value)
        if depth > _DEEPEST:
            return Opaque(node.span)
        if node.kind in _CASTS and node.children:
            return self._cast(node, depth)
        if node.kind in ("BINARY_OPERATOR",) and node.op in ("+", "-"):
            return self._sum(node, depth)
        if node.kind == "UNARY_OPERATOR" and node.op == "&":
            return Address(self.place(node.children[0], depth + 1))
        if node.kind == "DECL_REF_EXPR" and node.decl is not None:
            if node.type.kind == "array":
                return Address(Place(node.decl))
            return self._variable(node.decl, depth)
        if is_lvalue(node):
            place = self.place(node, depth + 1)
            return Address(place) if node.type.kind == "array" else ValueAt(place)
        return Opaque(node.span)

    def _variable(self, decl: Decl, depth: int) -> Term:
        if decl.kind not in ("VAR_DECL", "PARM_DECL"):
            return ValueAt(Place(decl))
        source = self._sources.get(decl)
        if source is None or self._value_type(source) != _value_kind(decl.type):
            return ValueAt(Place(decl))
        if decl not in self._values:
            self._values[decl] = ValueAt(Place(decl))  # a copy of itself is not followed
            found = self.term(source, depth + 1)
            self._values[decl] = found if is_known(found) else ValueAt(Place(decl))
        return self._values[decl]

    def _value_type(self, node: Node) -> str:
        return _value_kind(node.type)

    def _cast(self, node: Node, depth: int) -> Term:
        """A conversion that keeps the value: to a wider integer or the same pointer."""
        inner = node.children[-1]
        kinds = (node.type.kind, inner.type.kind)
        wider = kinds == ("int", "int") and node.type.size >= inner.type.size
        if wider or (kinds == ("pointer", "pointer") and _same_target(node.type, inner.type)):
            return self.term(inner, depth + 1)
        return Opaque(node.span)

    def _sum(self, node: Node, depth: int) -> Term:
        left, right = (self.term(c, depth + 1) for c in node.children)
        if node.op == "-":
            return shifted(left, -right.value) if isinstance(right, Number) and (
                node.type.kind == "int") else Opaque(node.span)  # fmt: skip
        if node.type.kind == "pointer":
            base, offset = (left, right) if node.children[0].type.kind != "int" else (right, left)
            return (
                Address(_element(base, offset))
                if _element(base, offset).root
                else Opaque(node.span)
            )
        if isinstance(right, Number):
            return shifted(left, right.value)
        return shifted(right, left.value) if isinstance(left, Number) else Opaque(node.span)

    # -- places -----------------------------------------------------------------------------

    def place(self, node: Node, depth: int = 0) -> Place:
        """Where an lvalue expression leads."""
        if depth > _DEEPEST:
            return UNKNOWN
        if node.kind == "DECL_REF_EXPR":
            return Place(node.decl)
        if node.kind == "ARRAY_SUBSCRIPT_EXPR":
            base, index = node.children
            if base.type.kind == "int":
                base, index = index, base
            if base.type.kind == "array":
                inner = self.place(base, depth + 1)
                term = self.term(index, depth + 1)
                return UNKNOWN if inner.root is None else inner.index(term, pointer=False)
            return _element(self.term(base, depth + 1), self.term(index, depth + 1))
        if node.kind == "UNARY_OPERATOR" and node.op == "*":
            return _element(self.term(node.children[0], depth + 1), Number(0))
        if node.kind == "MEMBER_REF_EXPR" and node.children:
            return self._member(node, depth)
        return UNKNOWN

    def _member(self, node: Node, depth: int) -> Place:
        (base, *_) = node.children
        record: CType | None = base.type
        if base.type.kind == "pointer":
            inner = _element(self.term(base, depth + 1), Number(0))
            record = base.type.element
        else:
            inner = self.place(base, depth + 1)
        if inner.root is None or record is None or record.kind != "record":
            return UNKNOWN
        return Place(inner.root, (*inner.steps, Field(node.name, record_name(record))))


def is_lvalue(node: Node) -> bool:
    """Whether an expression names memory."""
    lvalues = ("DECL_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR")
    return node.kind in lvalues or (node.kind == "UNARY_OPERATOR" and node.op == "*")


def _element(pointer: Term, index: Term) -> Place:
    """The element that a pointer and a subscript select."""
    if isinstance(pointer, ValueAt):
        return pointer.place.index(index, pointer=True)
    if not isinstance(pointer, Address):
        return UNKNOWN
    place = pointer.place
    if index == Number(0):
        return place
    last = place.steps[-1] if place.steps else None
    if not isinstance(last, Index) or not isinstance(last.term, Number):
        return UNKNOWN
    moved = index if last.term.value == 0 else (
        shifted(index, last.term.value) if not isinstance(index, Opaque) else index)  # fmt: skip
    return Place(place.root, (*place.steps[:-1], Index(moved, last.pointer)))


def _same_target(one: CType, other: CType) -> bool:
    return _plain(one.element) == _plain(other.element)


def _value_kind(type_: CType) -> str:
    """Types between which an initialization does not change a value."""
    if type_.kind == "pointer":
        return "pointer to " + _plain(type_.element)
    return type_.kind


def record_name(type_: CType) -> str:
    """The name of a struct without the keyword."""
    return _plain(type_).removeprefix("struct ")


def _plain(type_: CType | None) -> str:
    words = type_.canonical.split() if type_ is not None else []
    return " ".join(w for w in words if w not in ("const", "restrict"))
