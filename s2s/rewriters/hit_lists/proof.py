"""Why the condition may be evaluated ahead: nothing that it depends on is written by the work.

What is shown from the text is shown once. What is not (two pointers that may lead to one array)
is asked as the program runs: addresses of all that the work may write in the nest are compared
with those of all that is evaluated ahead.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import field

from s2s.frontends.c.effects import PURE
from s2s.frontends.c.facts import assigned_in
from s2s.frontends.c.liveness import dead_after
from s2s.frontends.c.lvalues import resolve
from s2s.frontends.c.regions import Function
from s2s.frontends.c.syntax import CASTS, Decl, Node
from s2s.rewriters.expressions import is_pure, reads_only, variables
from s2s.rewriters.hit_lists.memory import (
    Evaluation,
    Reads,
    Writes,
    are_apart,
    are_same_array,
    writes_of,
)
from s2s.rewriters.hit_lists.nests import Nest, constant_loops, first_value
from s2s.rewriters.hit_lists.ranges import Range, reach, split
from s2s.rewriters.hit_lists.values import Values, find_values
from s2s.rewriters.idioms.loops import Unsuitable
from s2s.rewriters.interleaving.flow import MemoryUse, Tracked, may_be_same
from s2s.source.records import dataclass

_TRUTHS = frozenset({"<", "<=", ">", ">=", "==", "!=", "!", "&&", "||"})
# Comparisons of addresses that are worth it.
_MOST_PAIRS = 24


@dataclass(frozen=True)
class Proof:
    """What is known of a nest: ``terms`` are the operands of its condition that make its list.

    ``outer`` are variables from outside of the body that the setup sets, ``pairs`` those ranges
    that have to be apart: what is written, what is read. ``values`` are computed for a whole list.
    """

    nest: Nest
    terms: tuple[Node, ...]
    outer: tuple[Decl, ...]
    pairs: tuple[tuple[Range, Range], ...]
    reads: Reads
    local: frozenset[Decl] = field(default_factory=frozenset)
    values: Values | None = None


class Prover:
    """Proves one nest; ``names`` are the C texts of the least and greatest value of counters."""

    def __init__(
        self, function: Function, nest: Nest, names: dict[Decl, tuple[str, str]]
    ) -> None:  # fmt: skip
        self.function = function
        self.nest = nest
        self.names = names
        self.tracked = Tracked(function)
        body = nest.inner.body
        self.inside = {n.decl for n in body.walk() if n.kind == "VAR_DECL" and n.decl is not None}
        self.changed = set(assigned_in([body]))

    def prove(self) -> Proof:
        """Everything that is needed. Raises Unsuitable."""
        values = find_values(self.function, self.nest, self.tracked)
        if values is not None:
            try:
                return self._proof(values)
            except Unsuitable:
                pass  # a list alone may do
        return self._proof(None)

    def _proof(self, values: Values | None) -> Proof:
        nest = self.nest
        escaped = self.function.facts.escaped
        known = constant_loops(nest.inner.body)
        constant = {d: range_ for d, range_ in known.items() if d not in escaped}
        setup, terms = self._ahead(constant)
        outer = self._outer(setup)
        writes = writes_of(self.function, nest.work, self.tracked, self.inside)
        reads = setup.reads
        self._headers(reads)
        self._check_variables(reads, writes)
        whole = len(terms) == len(nest.terms)
        early = reads if values is None else self._early(setup, values, reads, whole=whole)
        pairs = self._pairs(early, writes, constant, whole=whole)
        return Proof(nest, terms, outer, tuple(pairs), reads, frozenset(setup.own), values)

    # -- what is evaluated ahead ----------------------------------------------------------------

    def _ahead(self, constant: dict[Decl, tuple[int, int]]) -> tuple[Evaluation, tuple[Node, ...]]:
        """The setup, and the terms of the condition that are simple enough."""
        nest = self.nest
        own = {d for s in nest.setup for d in s.assigned} | {
            n.decl for s in nest.setup for n in s.walk() if n.kind == "VAR_DECL" and n.decl
        }
        for decl in own - self.inside:
            if decl not in self.tracked:
                raise Unsuitable(nest.branch, f"others may see '{decl.name}'")
        found = Evaluation(self.tracked, own)
        found.certain = frozenset(
            id(n) for s in nest.setup for n in s.walk()
            if n.kind == "FOR_STMT" and any(d in constant for d in n.children[0].assigned)
        )  # fmt: skip
        found.statements(nest.setup, True)
        terms: list[Node] = []
        for place, term in enumerate(nest.terms):
            before = len(found.reads.places), set(found.reads.variables)
            try:
                if not is_pure(term) and not reads_only(term):
                    raise Unsuitable(term, "the condition has effects, or calls something")
                found.value(term, place == 0)
                if place and (len(found.reads.places) > before[0] or not _always_defined(term)):
                    raise Unsuitable(term, "it may be undefined where other terms do not hold")
            except Unsuitable:
                if place == 0:
                    raise
                del found.reads.places[before[0] :]
                found.reads.variables = before[1]
            else:
                terms.append(term)
        return found, tuple(terms)

    def _early(self, setup: Evaluation, values: Values, reads: Reads, *, whole: bool) -> Reads:
        """All that is read before the rest of the work of earlier iterations."""
        if not whole:
            raise Unsuitable(self.nest.branch, "the list may hold more than the condition picks")
        own = setup.own | {d for s in values.ahead for d in s.assigned}
        found = Evaluation(self.tracked, own, PURE)
        found.set_ = set(setup.set_)
        found.statements(values.ahead, True)
        for decl in found.reads.variables - {*self.nest.counters}:
            if decl in self.changed:
                raise Unsuitable(self.nest.branch, f"'{decl.name}' is changed by the work")
        return Reads(
            reads.variables | found.reads.variables, reads.places + found.reads.places,
            reads.sure | found.reads.sure,
        )  # fmt: skip

    def _outer(self, setup: Evaluation) -> tuple[Decl, ...]:
        """Variables from outside that the setup sets anew each time, and nobody reads behind."""
        outer = [d for d in setup.own if d not in self.inside]
        for decl in outer:
            if decl not in setup.set_:
                raise Unsuitable(self.nest.branch, f"'{decl.name}' is not always set")
            if not dead_after(self.function.node, [self.nest.whole], decl):
                raise Unsuitable(self.nest.branch, f"'{decl.name}' may be read behind the loop")
        return tuple(sorted(outer, key=lambda d: d.offset))

    def _headers(self, reads: Reads) -> None:
        """The values that the loops begin with and their bounds stay as they are."""
        nest = self.nest
        found = Evaluation(self.tracked, set())
        for depth, loop in enumerate(nest.loops):
            ends = (first_value(loop), loop.bound_node)
            for value in ends:
                if not reads_only(value):
                    raise Unsuitable(value, "a bound of the loop has effects")
                if variables(value) & {*nest.counters}:
                    raise Unsuitable(value, "a loop's bounds follow the one around")
                found.value(value, depth == 0)
            names = {d.name for d in nest.counters[depth + 1 :]}
            if any(n.name in names for v in ends for n in v.walk() if n.kind == "DECL_REF_EXPR"):
                raise Unsuitable(loop.node, "a counter is hidden")
        reads.variables |= found.reads.variables
        reads.places += found.reads.places
        reads.sure |= found.reads.sure

    def _check_variables(self, reads: Reads, writes: Writes) -> None:
        counters = {*self.nest.counters}
        for decl in sorted(reads.variables - counters, key=lambda d: d.offset):
            if decl in self.changed:
                raise Unsuitable(
                    self.nest.branch, f"what is picked changes '{decl.name}', which is read ahead"
                )
        for decl in counters:
            if decl in self.changed or decl in writes.variables:
                raise Unsuitable(self.nest.branch, f"'{decl.name}' is changed")

    # -- what is compared as the program runs -----------------------------------------------------

    def _pairs(
        self, reads: Reads, writes: Writes, constant: dict[Decl, tuple[int, int]], *, whole: bool
    ) -> list[tuple[Range, Range]]:
        """What has to be apart. ``whole``: the work runs if all terms of the list hold."""
        counters = dict(self.names)
        counters |= {d: (f"{low}", f"{high}") for d, (low, high) in constant.items()}
        self._check_globals(reads, writes)
        paths = [(w, list(self._way(w))) for w in writes.places]
        found: dict[tuple[Range, Range], None] = {}
        sure = {self._text(n) for n in reads.places if id(n) in reads.sure}
        for written in _unconditional(self.nest.work, constant) if whole else ():
            _, pointer = split(written)
            sure |= {self._text(n) for n in self._loads(pointer)} if pointer is not None else set()
        fixed = [n for _, way in paths for n in way]
        for write, way in paths:
            for read in (*reads.places, *fixed):
                if are_apart(self.function, write, read, self.tracked):
                    continue
                if are_same_array(write, read):
                    raise Unsuitable(write, "what is picked changes what the condition reads")
                for place in (*way, *self._way(read)):
                    path = resolve(place)
                    if path is None or (path.steps and self._text(place) not in sure):
                        raise Unsuitable(place, "it is not known whether this may be read ahead")
                pair = tuple(self._range(n, counters) for n in (write, read))
                found[pair[0], pair[1]] = None
        if len(found) > _MOST_PAIRS:
            raise Unsuitable(self.nest.branch, "too many addresses would have to be compared")
        return list(found)

    def _check_globals(self, reads: Reads, writes: Writes) -> None:
        for decl in writes.globals:
            node = self.nest.branch
            one = MemoryUse(decl, decl.type.innermost(), True, node)
            for read in reads.places:
                path = resolve(read)
                assert path is not None
                root = path.root if not path.pointer_depth else None
                other = MemoryUse(root, read.type, False, read)
                if may_be_same(self.function, one, other, self.tracked):
                    raise Unsuitable(read, f"a call changes '{decl.name}'")

    def _way(self, place: Node) -> Iterator[Node]:
        """The loads on the way to a place: of the pointers that lead there."""
        _, pointer = split(place)
        if pointer is None:
            return
        stays = not (variables(pointer) & (self.changed | {*self.nest.counters}))
        if not stays or not reads_only(pointer):
            raise Unsuitable(place, "it is not known where this leads")
        yield from self._loads(pointer)

    def _loads(self, node: Node) -> Iterator[Node]:
        """All places that an expression reads on its way."""
        found = Evaluation(self.tracked, set())
        found.value(node, True)
        yield from found.reads.places

    def _text(self, node: Node) -> str:
        return "".join(self.function.unit.buffer.text(node.span).split())

    def _range(self, place: Node, counters: dict[Decl, tuple[str, str]]) -> Range:
        indices, _ = split(place)
        for index in indices:
            for decl in variables(index):
                if decl in counters:
                    continue
                if decl in self.changed or decl not in self.tracked:
                    raise Unsuitable(index, f"it is not known where '{decl.name}' leads")
            if any(n.kind in ("ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR") for n in index.walk()):
                raise Unsuitable(index, "memory says where this lies")
        return reach(self.function.unit.buffer, place, counters)


def _always_defined(term: Node) -> bool:
    """Whether a term has a value whatever its variables are: no integer can overflow."""
    return all(
        n.type.kind != "int"
        or n.op in _TRUTHS
        or not (n.op or n.kind in CASTS)
        or (n.kind in CASTS and n.children[-1].type.kind == "int")
        for n in term.walk()
    )


def _unconditional(work: Iterable[Node], constant: Container[Decl]) -> Iterator[Node]:
    """The places that statements write whenever they run, those after a jump apart.

    Loops over ``constant`` counters run at least once.
    """
    for statement in work:
        if any(n.kind in ("CONTINUE_STMT", "BREAK_STMT") for n in statement.walk()):
            return
        if statement.kind == "COMPOUND_STMT":
            yield from _unconditional(statement.children, constant)
        elif statement.assigns and statement.children[0].kind != "DECL_REF_EXPR":
            yield statement.children[0]
        elif statement.kind == "FOR_STMT" and any(
            d in constant for d in statement.children[0].assigned
        ):
            yield from _unconditional(statement.children[-1].statements, constant)
