"""Cycles for programs that are no stencil pipelines: one nest of loops after the other.

The innermost loops start an iteration in each cycle if what they carry allows it; what stands in
one body runs as soon as what it depends on has ended. A loop around nests may be a coarse-grained
pipeline: nests of different iterations run at once (with buffers for two of them), and in place of
the sum of the nests' times the loop's interval is the longest of them, or the longest time in which
one of them uses its kernels (then nests also begin before they have ended). Which loops are
pipelined, and how, is tried and proved from the innermost outward. First values of reductions
are made where they are used (initialization.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Literal

import islpy as isl

from s2s.analyses.cycles import Dependence, check
from s2s.scop.accelerator import Accelerator, constant
from s2s.scop.cycles import CycleSchedule, Start, Term
from s2s.scop.nest import For, Node, Store, children
from s2s.source.records import dataclass
from s2s.transforms.clockwork.initialization import (
    FirstValue,
    first_values,
    with_first_values,
)
from s2s.transforms.clockwork.terms import product, total_terms


@dataclass(frozen=True)
class _Place:
    """Where an operation starts in a piece of the program: offset, and strides of the loops."""

    offset: int
    strides: tuple[int, ...]
    terms: tuple[Term, ...]

    def after(self, terms: tuple[Term, ...]) -> _Place:
        cycles = sum(term.cycles for term in terms)
        return replace(self, offset=self.offset + cycles, terms=(*terms, *self.terms))


@dataclass(frozen=True)
class _Timed:
    """A piece of the program that takes ``cycles``: its operations, and why it takes so long."""

    cycles: int
    places: dict[str, _Place]
    terms: tuple[Term, ...]
    busy: int
    """For how many cycles the operation that takes longest uses its kernel."""
    leaf: bool
    """Whether it has operations only, no loops."""


Intervals = Mapping[str, Literal["longest", "busy"]]
"""Pipelined loops: the interval is the longest nest, or the longest use of a kernel."""


def schedule_nests(
    accelerator: Accelerator, dependences: tuple[Dependence, ...], *, pipelined: bool = True
) -> CycleSchedule:
    """One nest after the other; ``pipelined``: with coarse-grained pipelines where proved."""
    firsts = first_values(accelerator, dependences)
    chosen: Intervals = {}
    best = _schedule(accelerator, dependences, chosen, firsts)
    if firsts and check(accelerator, best, dependences) is not None:
        firsts = {}
        best = _schedule(accelerator, dependences, chosen, firsts)
    for loop in _candidates(accelerator.nest.body) if pipelined else ():
        for interval in _WAYS:
            wanted: Intervals = {**chosen, loop.name: interval}
            tried = _schedule(accelerator, dependences, wanted, firsts)
            if tried.cycles < best.cycles and check(accelerator, tried, dependences) is None:
                best, chosen = tried, wanted
                break
    return best


_WAYS: tuple[Literal["busy", "longest"], ...] = ("busy", "longest")


def _candidates(node: Node) -> Iterable[For]:
    """Loops around loops, innermost first."""
    for child in children(node):
        yield from _candidates(child)
    if isinstance(node, For) and any(isinstance(n, For) for n in _sequence(node.body)):
        yield node


def _sequence(node: Node) -> list[Node]:
    """The loops and stores that run one after the other in a body."""
    if isinstance(node, For | Store):
        return [node]
    return [inner for child in children(node) for inner in _sequence(child)]


def _schedule(
    accelerator: Accelerator,
    dependences: tuple[Dependence, ...],
    pipelined: Intervals,
    firsts: Mapping[str, FirstValue],
) -> CycleSchedule:
    names = {id(o.store): o.name for o in accelerator.operations}
    timer = _Timer(accelerator, dependences, pipelined, names, frozenset(firsts))
    timed = timer.sequence(timer.children(accelerator.nest.body), 0)
    starts = {
        o.name: Start(
            timed.places[o.name].offset,
            timed.places[o.name].strides,
            o.extents,
            accelerator.latencies.get(o.name, 0),
        )
        for o in accelerator.operations
        if o.name in timed.places
    }
    terms = {name: place.terms for name, place in timed.places.items()}
    starts, terms = with_first_values(accelerator, firsts, starts, terms)
    rule = "coarse-grained pipeline" if pipelined else "sequential nests"
    return CycleSchedule(starts, terms, rule, total_terms(accelerator, starts, terms))


@dataclass(frozen=True)
class _Timer:
    accelerator: Accelerator
    dependences: tuple[Dependence, ...]
    pipelined: Intervals
    names: dict[int, str]
    left_out: frozenset[str]

    def children(self, node: Node) -> list[Node]:
        """What runs one after the other in a body, but for what is left out."""
        return [n for n in _sequence(node) if not self.stores(n) <= self.left_out]

    def stores(self, node: Node) -> set[str]:
        """The operations of a piece of the program."""
        if isinstance(node, Store):
            return {self.names[id(node)]}
        return set().union(*(self.stores(child) for child in children(node)))

    def sequence(self, nodes: Sequence[Node], depth: int) -> _Timed:
        """Nodes of a body, each as soon as all those that it depends on have ended."""
        parts = [self.time(node, depth) for node in nodes]
        waits: list[tuple[Term, ...]] = []
        for place, part in enumerate(parts):
            before = [
                waits[k] + self.until(parts[k], part)
                for k in range(place)
                if self.depends(parts[k], part)
            ]
            waits.append(max(before, key=_cycles, default=()))
        places = {
            name: where.after(wait)
            for wait, part in zip(waits, parts, strict=True)
            for name, where in part.places.items()
        }
        ends = [wait + part.terms for wait, part in zip(waits, parts, strict=True)]
        longest = max(ends, key=_cycles, default=())
        busy = max((part.busy for part in parts), default=0)
        leaf = all(part.leaf for part in parts)
        return _Timed(_cycles(longest), places, longest, busy, leaf)

    def time(self, node: Node, depth: int) -> _Timed:
        """A store takes a cycle, and its value its latency; a loop its iterations' intervals."""
        if isinstance(node, Store):
            name = self.names[id(node)]
            length = max(1, self.accelerator.latencies.get(name, 0) + self.late(name))
            terms = (product(name, length, 1),)
            return _Timed(length, {name: _Place(0, (), ())}, terms, 1, True)
        assert isinstance(node, For), node
        inner = self.children(node.body)
        body = self.sequence(inner, depth + 1)
        interval = self.interval(node, inner, body, depth)
        count = constant(node.extent)
        places = {
            name: replace(where, strides=(interval, *where.strides))
            for name, where in body.places.items()
        }
        cycles = (count - 1) * interval + body.cycles
        whole = product(node.name, count, interval)
        rest = product("last iteration", body.cycles - interval, 1)
        ends = tuple(t for t in (whole, rest) if t.cycles)
        return _Timed(cycles, places, ends, count * interval, False)

    def late(self, name: str) -> int:
        """Cycles after the value until it is loaded: 1 where it goes through a memory."""
        store = self.accelerator.operation(name).store
        return int(store.tensor in self.accelerator.scattered)

    def interval(self, node: For, inner: Sequence[Node], body: _Timed, depth: int) -> int:
        """Cycles between iterations of a loop."""
        if body.leaf:
            return self.recurrence(body, depth)
        match self.pipelined.get(node.name):
            case "longest":
                return max(self.time(part, depth + 1).cycles for part in inner)
            case "busy":
                return body.busy
        return body.cycles

    def recurrence(self, body: _Timed, depth: int) -> int:
        """The longest time that a value takes to the next iteration of a loop over operations."""
        least = 1
        for each in self._inside(body):
            if each.kind == "RAW" and not _same(each.relation, depth).is_empty():
                latency = self.accelerator.latencies.get(each.source, 0) + self.late(each.source)
                ahead = body.places[each.source].offset - body.places[each.target].offset
                least = max(least, ahead + latency)
        return least

    def _inside(self, body: _Timed) -> Iterable[Dependence]:
        return (
            each
            for name in body.places
            for each in self.by_source.get(name, ())
            if each.target in body.places
        )

    @cached_property
    def by_source(self) -> dict[str, list[Dependence]]:
        found: dict[str, list[Dependence]] = {}
        for each in self.dependences:
            found.setdefault(each.source, []).append(each)
        return found

    @cached_property
    def waiting(self) -> dict[str, frozenset[str]]:
        """The operations that depend on each one."""
        return {name: frozenset(d.target for d in own) for name, own in self.by_source.items()}

    @cached_property
    def functions(self) -> dict[str, str]:
        return {o.name: o.function for o in self.accelerator.operations}

    def depends(self, first: _Timed, second: _Timed) -> bool:
        """Whether the second has to wait; operations with one kernel take turns."""
        functions = {self.functions[name] for name in first.places}
        if any(self.functions[name] in functions for name in second.places):
            return True
        after = second.places.keys()
        return any(not self.waiting.get(n, frozenset()).isdisjoint(after) for n in first.places)

    def until(self, first: _Timed, second: _Timed) -> tuple[Term, ...]:
        """How long the second waits for the first: of two operations only for the value."""
        if not (first.leaf and second.leaf):
            return first.terms
        ((name, _),) = first.places.items()
        functions = {self.functions[n] for n in (name, *second.places)}
        latency = self.accelerator.latencies.get(name, 0) + self.late(name)
        return (product(name, max(latency, int(len(functions) < 2)), 1),)


def _cycles(terms: Iterable[Term]) -> int:
    return sum(term.cycles for term in terms)


def _same(relation: isl.Map, depth: int) -> isl.Map:
    """Pairs with the same values of the outer loops and others of the loop at ``depth``."""
    for k in range(depth):
        relation = relation.equate(isl.dim_type.in_, k, isl.dim_type.out, k)
    return relation
