"""Loops that copy elements to an array of their own: where each comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace

from s2s.frontends.c.facts import initializer
from s2s.frontends.c.syntax import CASTS, INCREMENTS, CType, Decl, Node
from s2s.frontends.c.typed.digits import with_digits_apart
from s2s.frontends.c.typed.nodes import copied, operation
from s2s.frontends.c.typed.sizes import Counted, Ranges, Sizes, counted
from s2s.scop.polynomial import Polynomial
from s2s.source.records import dataclass

_PLAIN = frozenset(
    {"BINARY_OPERATOR", "UNARY_OPERATOR", "CONDITIONAL_OPERATOR", "DECL_REF_EXPR",
     "INTEGER_LITERAL", "FLOATING_LITERAL", "ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR", *CASTS}
)  # fmt: skip


@dataclass(frozen=True)
class Copy:
    """``value`` goes to the element ``place`` of an array, in loops of which each writes others.

    ``left``: variables that the loops set and that others may read.
    """

    array: Decl
    loops: tuple[Counted, ...]
    place: Polynomial
    value: Node
    left: frozenset[Decl]

    def strides(self, sizes: Sizes) -> tuple[dict[Counted, Polynomial], Polynomial]:
        """How far each loop goes in the array, and where they begin."""
        found, rest = {}, self.place
        for loop in self.loops:
            found[loop], rest = rest.divide(sizes.name(loop.variable))
        return found, rest


def read_copy(nest: Node, sizes: Sizes) -> Copy | None:
    """What loops copy; None where they do anything else, or write an element twice."""
    reader = _Reader(sizes)
    stores = reader.stores(nest)
    if stores is None:
        return None
    target, value = stores
    array = array_of(target)
    element = None if array is None else target.type
    if array is None or element is None or _name(element) != _name(value.type):
        return None
    if array in value.decls or not value.kinds <= _PLAIN or _changes(value):
        return None
    loops = tuple(reader.loops)
    place = place_of(target, sizes, {c.variable: c.range for c in loops})
    if place is None:
        return None
    for loop in loops:
        loops, place, value = with_digits_apart(loop, loops, place, value, sizes)
    copy = Copy(array, loops, place, value, frozenset(reader.left))
    return copy if _is_dense(*copy.strides(sizes)) else None


def array_of(element: Node) -> Decl | None:
    """The array or the pointer whose element something is."""
    while element.kind == "ARRAY_SUBSCRIPT_EXPR":
        element = element.children[0].bare
    return element.decl if element.kind == "DECL_REF_EXPR" else None


def place_of(element: Node, sizes: Sizes, around: Ranges) -> Polynomial | None:
    """How many elements lie before one in its array; None where that is no polynomial."""
    if element.kind != "ARRAY_SUBSCRIPT_EXPR":
        return Polynomial()
    base, index = element.children
    base = base.bare
    before, own = place_of(base, sizes, around), sizes.polynomial(index, around)
    if before is None or own is None:
        return None
    if not before.terms and not before.constant:
        return own
    if base.type.kind != "array" or base.type.count is None:
        return None
    return before.scaled(base.type.count) + own


def _is_dense(strides: Mapping[Counted, Polynomial], start: Polynomial) -> bool:
    """Whether each iteration writes an element of its own."""
    steps = [(by, loop.count) for loop, by in strides.items()]
    numbers = [(by.number, count.number) for by, count in steps]
    known = [(by, n) for by, n in numbers if by is not None and n is not None]
    if len(known) == len(numbers):
        reach = 1
        for by, count in sorted(known):
            if by < reach:
                return False
            reach = by * count
        return True
    size = Polynomial.integer(1)
    while steps:
        following = next((s for s in steps if s[0] == size), None)
        if following is None:
            return False
        steps.remove(following)
        size = size * following[1]
    return True


@dataclass
class _Reader:
    """Goes into loops, with what the variables in them are."""

    sizes: Sizes
    loops: list[Counted] = field(default_factory=list)
    left: set[Decl] = field(default_factory=set)
    known: dict[Decl, Node] = field(default_factory=dict)
    levels: dict[Decl, int] = field(default_factory=dict)
    """In how many loops a variable is set."""
    declared: set[Decl] = field(default_factory=set)
    used: set[Decl] = field(default_factory=set)
    """What values are made of."""

    def stores(self, nest: Node) -> tuple[Node, Node] | None:
        """The element that is written in the innermost loop, and what it gets."""
        loop = counted(nest, self.sizes, {c.variable: c.range for c in self.loops})
        if loop is None:
            return None
        self.loops.append(replace(loop, limit=self._written_out(loop.limit)))
        if not loop.declared:
            self.left.add(loop.variable)
        *before, last = list(_in_order(nest.children[-1])) or [nest]
        if not all(self._is_known(s) for s in before):
            return None
        return self.stores(last) if last.kind == "FOR_STMT" else self._stored(last)

    def _is_known(self, statement: Node) -> bool:
        """Take in what a variable gets; False for other statements."""
        if statement.kind == "DECL_STMT":
            found = [n for n in statement.children if n.kind == "VAR_DECL"]
            self.declared |= {n.decl for n in found if n.decl is not None}
            values = [(n.decl, initializer(n)) for n in found]
            whole = len(found) == len(statement.children)
            return whole and all(v is None or self._take(d, v) for d, v in values)
        if not statement.assigns or statement.children[0].kind != "DECL_REF_EXPR":
            return False
        target = statement.children[0]
        value = statement.children[1] if len(statement.children) == 2 else None
        if value is None or target.decl is None:
            return False
        if statement.op != "=":
            if statement.op not in ("+=", "-=", "*=") or target.decl not in self.known:
                return False
            value = operation(statement.op[0], target, value, target.type)
        if target.decl not in self.declared:
            self.left.add(target.decl)
        return self._take(target.decl, value)

    def _take(self, decl: Decl | None, value: Node) -> bool:
        """Know what a variable holds from here on in each iteration of the loops around."""
        if decl is None or decl in self.sizes.facts.escaped:
            return False
        if not decl.is_local or decl.is_static or decl.type.volatile:
            return False
        if self.levels.setdefault(decl, len(self.loops)) != len(self.loops):
            return False
        if decl in self.used:  # it goes from one iteration to the next
            return False
        if not value.kinds <= _PLAIN or _changes(value) or _name(decl.type) != _name(value.type):
            return False
        self.known[decl] = self._written_out(value)
        return True

    def _stored(self, node: Node) -> tuple[Node, Node] | None:
        """A store, or one of several by conditions to the same element."""
        if node.kind == "COMPOUND_STMT" and len(node.children) == 1:
            return self._stored(node.children[0])
        if node.kind == "IF_STMT" and len(node.children) == 3:
            test, *branches = node.children
            sides = [self._stored(b) for b in branches]
            if sides[0] is None or sides[1] is None or not _same(sides[0][0], sides[1][0]):
                return None
            (target, first), (_, second) = sides[0], sides[1]
            parts = [self._written_out(test), first, second]
            return target, Node("CONDITIONAL_OPERATOR", node.span, first.type, parts)
        if node.op != "=" or node.children[0].kind != "ARRAY_SUBSCRIPT_EXPR":
            return None
        target, value = map(self._written_out, node.children)
        return target, value

    def _written_out(self, node: Node) -> Node:
        if node.kind == "DECL_REF_EXPR" and node.decl is not None and node.decl in self.known:
            return copied(self.known[node.decl])
        if node.kind == "DECL_REF_EXPR" and node.decl is not None:
            self.used.add(node.decl)
        return replace(
            node, children=[self._written_out(c) for c in node.children],
            _kinds=None, _decls=None, _assigned=None,
        )  # fmt: skip


def _in_order(block: Node) -> Iterator[Node]:
    """Statements one after the other, those of blocks among them."""
    for statement in block.statements:
        if statement.kind == "COMPOUND_STMT":
            yield from _in_order(statement)
        elif statement.kind != "NULL_STMT":
            yield statement


def _same(one: Node, other: Node) -> bool:
    """Whether two expressions are the same text."""
    if (one.kind, one.op, one.decl, one.value) != (other.kind, other.op, other.decl, other.value):
        return False
    below: Sequence[tuple[Node, Node]] = list(zip(one.children, other.children, strict=False))
    return len(one.children) == len(other.children) and all(_same(a, b) for a, b in below)


def _changes(node: Node) -> bool:
    """Whether an expression stores somewhere, or follows or takes an address."""
    return any(
        n.assigns or n.op in INCREMENTS or (n.kind == "UNARY_OPERATOR" and n.op in ("*", "&"))
        for n in node.walk()
    )


def _name(type_: CType) -> str:
    return replace(type_, const=False).canonical.removeprefix("const ")
