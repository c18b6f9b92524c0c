"""What a call surely writes or reads behind its pointer arguments, for reports of races.

Which elements a function writes through a parameter is often decided by the pointer and by integers
that are passed with it, never by data::

    void multiply(double *c, const double *a, int n)     // c[i * n + j] for i, j < n
    {
        if (n <= CUTOFF) { for (...) c[i * n + j] = ...; return; }
        multiply(c, a, n / 2); ...
    }

Two calls with equal pointers and integers then write the same elements, whatever these are; and
the element of the loops' first iterations often is one that other code touches, too. Loops
count as entered, and conditions under which a function returns early as false: both hold for some
arguments. A call of a function by itself writes if the function does wherever it ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace

from s2s.frontends.c.counted_loops import initialization
from s2s.frontends.c.effects import UNMODELLED, CallEffects
from s2s.frontends.c.facts import assigned_in, gather, initializer
from s2s.frontends.c.integer_constants import NotAffine
from s2s.frontends.c.lvalues import resolve
from s2s.frontends.c.syntax import ASSIGNMENTS, INCREMENTS, Decl, Node
from s2s.frontends.openmp.directives import Directive
from s2s.scop.polynomial import Polynomial
from s2s.source.records import dataclass

# Directives that leave it to nobody but the calling task whether a write happens.
_PLAIN = frozenset({"task", "taskwait", "taskgroup", "taskyield", "taskloop", "simd"})
_JUMPS = frozenset({"GOTO_STMT", "LABEL_STMT", "RETURN_STMT", "BREAK_STMT", "CONTINUE_STMT"})
_CHOOSING = ("&&", "||")
_MEMORY = frozenset(
    {"ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR", "CALL_EXPR", "CXX_THIS_EXPR", "LAMBDA_EXPR",
     "COMPOUND_ASSIGNMENT_OPERATOR"}
)  # fmt: skip
_DEEPEST = 4
_ANY = -1
"""The element of an assumed access: whatever other accesses have."""


@dataclass(frozen=True)
class Certain:
    """An access behind a pointer argument; ``given`` are the integer arguments that decide where.

    ``assumed`` are those that decide whether loops run and early returns are passed by. ``element``
    is the subscript in the loops' first iterations where that is a constant. All arguments by their
    positions. One that is not ``proved`` rests on calls of the function by itself alone.
    """

    given: frozenset[int] = frozenset()
    assumed: frozenset[int] = frozenset()
    element: int | None = None
    proved: bool = True


Place = tuple[int, bool]
"""The position of a pointer argument, and whether what it leads to is written."""


@dataclass(frozen=True)
class _Found:
    """An access on all paths through a statement, with the variables that it depends on."""

    given: frozenset[Decl] = frozenset()
    assumed: frozenset[Decl] = frozenset()
    element: int | None = None
    proved: bool = True

    def behind(self, names: frozenset[Decl]) -> _Found:
        """The access where loops or early returns that depend on ``names`` are in its way."""
        return replace(self, given=self.given | names, assumed=self.assumed | names)

    def or_else(self, other: _Found, condition: frozenset[Decl]) -> _Found:
        """One of two accesses, as a condition has it."""
        elements = {self.element, other.element} - {_ANY}
        return _Found(
            self.given | other.given | condition, self.assumed | other.assumed,
            elements.pop() if len(elements) == 1 else None if elements else _ANY,
            self.proved or other.proved,
        )  # fmt: skip


@dataclass
class CertainAccesses:
    """Answers what calls surely touch; functions are looked at once."""

    calls: CallEffects
    directives: Sequence[Directive]
    _known: dict[Decl, Mapping[Place, Certain]] = field(default_factory=dict)
    _assumed: dict[Decl, Mapping[Place, Certain]] = field(default_factory=dict)
    _consulted: set[Decl] = field(default_factory=set)
    """Functions on whose assumed accesses the current answers rest."""

    def of(self, call: Node) -> Mapping[Place, Certain]:
        """The accesses of a call whose callee's body is in the file, none of any other."""
        definition = self.calls.definition(call)
        if definition is None or call.decl is None:
            return {}
        for answers in (self._known, self._assumed):
            if call.decl in answers:
                self._consulted |= {call.decl} & self._assumed.keys()
                return answers[call.decl]
        if len(self._assumed) >= _DEEPEST:
            return {}
        found = self._settle(call.decl, _Body(self, definition)) if self._is_plain(
            definition) else {}  # fmt: skip
        self._consulted.discard(call.decl)
        if not self._consulted:
            self._known[call.decl] = found
        return found

    def _settle(self, decl: Decl, body: _Body) -> Mapping[Place, Certain]:
        """The most that holds if calls of the function by itself touch as much."""
        self._assumed[decl] = {
            (p, write): Certain(element=_ANY, proved=False)
            for p in body.pointers.values() for write in (False, True)
        }  # fmt: skip
        while True:
            found = {
                (position, write): access for pointer, position in body.pointers.items()
                for write in (False, True) if (position, write) in self._assumed[decl]
                and (access := body.accessed(pointer, write=write))
            }  # fmt: skip
            if found == self._assumed[decl]:
                del self._assumed[decl]
                return {p: access for p, access in found.items() if access.proved}
            self._assumed[decl] = found

    def _is_plain(self, function: Node) -> bool:
        """Whether nothing but the calling task and its own tasks decides what is touched."""
        start, end = function.span.start, function.span.end
        inside = [d for d in self.directives if start <= d.span.start < end]
        odd = any(n.kind in UNMODELLED or n.type.volatile for n in function.walk())
        return not odd and all(d.name in _PLAIN for d in inside)


class _Body:
    """Follows the paths through one function; ``pointers`` are its parameters with positions."""

    def __init__(self, certain: CertainAccesses, function: Node) -> None:
        self._certain = certain
        self._facts = gather(function)
        self._statements = function.children[-1]
        listed = [n.decl for n in function.children if n.kind == "PARM_DECL"]
        constant = {
            d: i for i, d in enumerate(listed) if d is not None and self._facts.is_constant(d)
        }
        self.pointers = {
            d: i for d, i in constant.items()
            if d.type.element is not None and d.type.element.innermost().scalar
        }  # fmt: skip
        self._integers = {d: i for d, i in constant.items() if d.type.kind == "int"}
        self._counters: set[Decl] = set()
        self._following: set[Decl] = set()
        self._first: dict[Decl, Polynomial] = {d: Polynomial.name(d.name) for d in self._integers}
        self._write = True

    def accessed(self, pointer: Decl, *, write: bool) -> Certain | None:
        """What the function writes or reads behind a parameter on all paths."""
        self._write = write
        found = self._on(self._statements, pointer)
        if found is None:
            return None
        given, assumed = (
            frozenset(self._integers[d] for d in names if d in self._integers)
            for names in (found.given, found.assumed)
        )
        return Certain(given, assumed, found.element, found.proved)

    def _on(self, node: Node, pointer: Decl) -> _Found | None:
        """The access on all paths through a statement."""
        if node.kind == "COMPOUND_STMT":
            return self._in_row(node.children, pointer)
        if node.kind == "IF_STMT":
            return self._in_branches(node, pointer)
        if node.kind == "FOR_STMT":
            return self._in_loop(node, pointer)
        if node.kind in _JUMPS or node.is_loop or node.kind == "SWITCH_STMT":
            return None
        accesses = (self._by(inner, pointer) for inner in _evaluated(node))
        return next((found for found in accesses if found is not None), None)

    def _in_row(self, nodes: Sequence[Node], pointer: Decl) -> _Found | None:
        """The first access of statements in a row, or that of an early return before it.

        One that is not only known of calls of the function by itself is taken if there is one.
        """
        first: _Found | None = None
        for place, node in enumerate(nodes):
            found = self._on(node, pointer)
            if found is not None and found.proved:
                return found
            first = first or found
            if any(n.kind in _JUMPS for n in node.walk()):
                return first or self._past_return(node, nodes[place + 1 :], pointer)
        return first

    def _past_return(self, node: Node, rest: Sequence[Node], pointer: Decl) -> _Found | None:
        names = self._names(node.children[0]) if _is_early_return(node) else None
        found = None if names is None else self._in_row(rest, pointer)
        if names is None or found is None:
            return None
        early = self._in_row(node.children[1].children, pointer)
        return found.behind(names) if early is None else found.or_else(early, names)

    def _in_branches(self, node: Node, pointer: Decl) -> _Found | None:
        condition, *branches = node.children
        names = self._names(condition)
        found = [self._on(branch, pointer) for branch in branches]
        if names is None or len(found) != 2 or found[0] is None or found[1] is None:
            return None
        return found[0].or_else(found[1], names)

    def _in_loop(self, node: Node, pointer: Decl) -> _Found | None:
        """The access in each iteration of a counted loop that is not left early."""
        if len(node.children) != 4 or any(n.kind in _JUMPS for n in node.walk()):
            return None
        *header, body = node.children
        counters = {d for d in assigned_in(header) if d.type.kind == "int"}
        if counters & set(assigned_in([body])) or counters & self._facts.escaped:
            return None
        fresh = counters - self._counters
        self._counters |= fresh
        self._start(header[0])
        try:
            parts = [self._names(n) for part in header for n in _values(part)]
            found = self._on(body, pointer)
        finally:
            self._counters -= fresh
            for counter in fresh:
                self._first.pop(counter, None)
        names = [p for p in parts if p is not None]
        if found is None or len(names) != len(parts):
            return None
        return found.behind(frozenset[Decl]().union(*names))

    def _start(self, init: Node) -> None:
        """Note the first value of a loop's counter."""
        with suppress(NotAffine):
            counter, _, value = initialization(init)
            first = self._in_first(value)
            self._first.pop(counter, None)
            if first is not None:
                self._first[counter] = first

    def _by(self, node: Node, pointer: Decl) -> _Found | None:
        """The access of an expression or a call itself."""
        stores = node.assigns
        if self._write and stores:
            return self._at(node.children[0], pointer)
        if not self._write and (node.kind == "ARRAY_SUBSCRIPT_EXPR" or node.op == "*"):
            return self._at(node, pointer)
        if node.kind != "CALL_EXPR":
            return None
        for (position, write), access in self._certain.of(node).items():
            if write == self._write:
                found = self._passed(node.children[1:], position, access, pointer)
                if found is not None:
                    return found
        return None

    def _at(self, target: Node, pointer: Decl) -> _Found | None:
        path = resolve(target)
        if path is None or path.root is not pointer or path.key != "*":
            return None
        names = [frozenset() if s.index is None else self._names(s.index) for s in path.steps]
        known = [n for n in names if n is not None]
        if len(known) != len(names):
            return None
        index = path.steps[0].index
        first = Polynomial() if index is None else self._in_first(index)
        element = None if first is None or len(path.steps) > 1 else first.number
        return _Found(given=frozenset[Decl]().union(*known), element=element)

    def _in_first(self, node: Node) -> Polynomial | None:
        """The value of an expression in the first iterations of the loops around."""
        if node.value is not None:
            return Polynomial.integer(node.value)
        if node.kind in ("IMPLICIT_CAST", "CSTYLE_CAST_EXPR") and node.children:
            return self._in_first(node.children[-1])
        if node.kind == "DECL_REF_EXPR" and node.decl is not None:
            return self._first.get(node.decl)
        if node.kind != "BINARY_OPERATOR" or node.op not in ("+", "-", "*"):
            return None
        left, right = (self._in_first(c) for c in node.children)
        if left is None or right is None:
            return None
        return left + right if node.op == "+" else left - right if node.op == "-" else left * right

    def _passed(
        self, arguments: Sequence[Node], position: int, access: Certain, pointer: Decl
    ) -> _Found | None:
        """What a callee touches behind ``pointer`` or a sum of it and integers."""
        if any(p >= len(arguments) for p in {position} | access.given | access.assumed):
            return None
        argument = arguments[position]
        if pointer not in {n.decl for n in argument.walk()} or argument.type.kind != "pointer":
            return None
        place = argument.children[0] if argument.op == "&" else argument
        parts = place.children if place.kind == "ARRAY_SUBSCRIPT_EXPR" else [argument]
        shifts = [self._names(part, pointer) for part in parts]
        shift = None if None in shifts else frozenset[Decl]().union(*(s or () for s in shifts))
        given = [self._names(arguments[p]) for p in sorted(access.given | access.assumed)]
        known = [n for n in given if n is not None]
        if shift is None or len(known) != len(given):
            return None
        if any(arguments[p].value is not None for p in access.assumed):
            return None
        assumed = [self._names(arguments[p]) or frozenset() for p in access.assumed]
        element = access.element if argument.bare.decl is pointer else None
        names = frozenset[Decl]().union(*assumed)
        return _Found(shift.union(*known), names, element, access.proved)

    def _names(self, node: Node, pointer: Decl | None = None) -> frozenset[Decl] | None:
        """The variables that decide a value, None where memory or more than integers do.

        ``pointer`` may be part of it.
        """
        found: set[Decl] = set()
        for inner in node.walk():
            if inner.kind in _MEMORY or (inner.op in (*ASSIGNMENTS, *INCREMENTS, "*", "&")
                                         and len(inner.children) < 2):  # fmt: skip
                return None
            if inner.kind == "BINARY_OPERATOR" and inner.op in ASSIGNMENTS:
                return None
            decl = inner.decl
            if inner.kind != "DECL_REF_EXPR" or decl is None or decl is pointer:
                continue
            names = self._sources(decl, inner)
            if names is None:
                return None
            found |= names
        return frozenset(found)

    def _sources(self, decl: Decl, reference: Node) -> frozenset[Decl] | None:
        """What decides the value of a variable."""
        if reference.value is not None:
            return frozenset()
        if decl in self._integers or decl in self._counters:
            return frozenset({decl})
        sources = self._facts.sources.get(decl, [])
        once = len(sources) == 1 and self._facts.assigned.get(decl, 0) <= 1
        local = decl.is_local and not decl.is_static and decl not in self._facts.escaped
        if not (local and once and decl.type.kind == "int") or decl in self._following:
            return None
        self._following.add(decl)
        try:
            return self._names(sources[0])
        finally:
            self._following.discard(decl)


def _evaluated(node: Node) -> Iterator[Node]:
    """The expressions that a statement surely evaluates."""
    yield node
    children = node.children
    if node.op in _CHOOSING or node.kind == "CONDITIONAL_OPERATOR":
        children = children[:1]
    for child in children:
        yield from _evaluated(child)


def _is_early_return(node: Node) -> bool:
    """Whether a statement is ``if (...) { ...; return; }`` without other jumps."""
    if node.kind != "IF_STMT" or len(node.children) != 2:
        return False
    then = node.children[1]
    *others, last = then.statements
    inner = (n for other in others for n in other.walk())
    return last.kind == "RETURN_STMT" and not any(n.kind in _JUMPS for n in inner)


def _values(part: Node) -> Iterator[Node]:
    """The expressions whose values a part of a loop's header needs."""
    if part.kind == "DECL_STMT":
        for child in part.children:
            value = initializer(child)
            if value is not None:
                yield value
    elif part.op in ASSIGNMENTS:
        yield from part.children
    elif part.kind == "UNARY_OPERATOR" and part.op in INCREMENTS:
        yield part.children[0]
    else:
        yield part
