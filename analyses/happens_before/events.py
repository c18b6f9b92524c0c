"""Events that happens-before orders: statements, beginnings of constructs, waiting points.

An event is a family of instances, one for each point of its domain, with a time in the sequential
order. Relations between two events are isl maps between their instances.
"""

from __future__ import annotations

from dataclasses import field
from functools import cached_property

import islpy as isl

from s2s.analyses.dependences import SerialOrder
from s2s.scop.nodes import (
    TASKS,
    Branch,
    Construct,
    Kind,
    Leaf,
    Loop,
    Scop,
    Sequence,
    Statement,
    Tree,
)
from s2s.source.records import dataclass

SHARES = frozenset({Kind.LOOP, Kind.SECTION, Kind.SINGLE, Kind.MASTER})
"""Constructs that leave a piece of work to one thread of the team."""


@dataclass(frozen=True, eq=False)
class Event:
    """``path`` are the nodes around it, outermost first, without the construct that it marks."""

    statement: Statement
    path: tuple[Tree, ...]
    construct: Construct | None = None

    @property
    def name(self) -> str:
        return self.statement.name

    @cached_property
    def domain(self) -> isl.Set:
        return self.statement.domain

    @cached_property
    def time(self) -> isl.Map:
        return self.statement.schedule.intersect_domain(self.statement.domain)

    @cached_property
    def constructs(self) -> tuple[Construct, ...]:
        return tuple(n for n in self.path if isinstance(n, Construct))

    @cached_property
    def tasks(self) -> tuple[Construct, ...]:
        """The tasks around, outermost first."""
        return tuple(c for c in self.constructs if c.kind in TASKS)

    @cached_property
    def parallel(self) -> Construct | None:
        """The innermost parallel region around."""
        return next((c for c in reversed(self.constructs) if c.kind is Kind.PARALLEL), None)

    @cached_property
    def owner(self) -> Construct | None:
        """What gives the event to one thread of its team; None where all of them meet it."""
        return next((c for c in self.constructs if c.kind in SHARES), None)

    def depth(self, construct: Construct) -> int:
        """How many leading iterators tell executions of a construct around it apart."""
        position = self.path.index(construct)
        return sum(isinstance(node, Loop) for node in self.path[:position])

    def around(self, construct: Construct, kind: Kind) -> Construct | None:
        """The innermost construct of a kind around another one."""
        position = self.constructs.index(construct)
        return next((c for c in reversed(self.constructs[:position]) if c.kind is kind), None)


@dataclass
class Events:
    """The events of a SCoP; relations between them are computed once."""

    scop: Scop
    serial: SerialOrder
    statements: list[Event] = field(default_factory=list)
    starts: dict[int, Event] = field(default_factory=dict)
    points: list[Event] = field(default_factory=list)
    _before: dict[tuple[str, str], isl.Map] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._by_name = {s.name: s for s in self.scop.statements}
        self._descend(self.scop.tree, ())

    def _descend(self, node: Tree, above: tuple[Tree, ...]) -> None:
        here = (*above, node)
        if isinstance(node, Leaf):
            self.statements.append(Event(self._by_name[node.statement], here))
        elif isinstance(node, Sequence):
            for child in node.children:
                self._descend(child, here)
        elif isinstance(node, Branch):
            self._descend(node.then, here)
            if node.otherwise is not None:
                self._descend(node.otherwise, here)
        elif isinstance(node, Loop):
            self._descend(node.body, here)
        else:
            self._construct(node, above)

    def _construct(self, node: Construct, above: tuple[Tree, ...]) -> None:
        inside = (*above, *find_distributed(node))
        self.starts[node.number] = Event(self.scop.starts[node.number], inside, node)
        if node.point is not None:
            self.points.append(Event(self.scop.points[node.point], above, node))
        self._descend(node.body, (*above, node))

    def start(self, construct: Construct) -> Event:
        return self.starts[construct.number]

    def constructs(self, *kinds: Kind) -> list[Event]:
        """The beginnings of all constructs of some kinds."""
        return [e for e in self.starts.values() if e.construct and e.construct.kind in kinds]

    def empty(self, x: Event, y: Event) -> isl.Map:
        space = x.domain.get_space().map_from_domain_and_range(y.domain.get_space())
        return isl.Map.empty(space)

    def same(self, x: Event, y: Event, count: int) -> isl.Map:
        """Pairs of instances that agree in their first ``count`` iterators."""
        space = x.domain.get_space().map_from_domain_and_range(y.domain.get_space())
        relation = isl.Map.universe(space)
        for position in range(count):
            relation = relation.equate(isl.dim_type.in_, position, isl.dim_type.out, position)
        return relation

    def before(self, x: Event, y: Event) -> isl.Map:
        """Pairs of instances, the first strictly earlier in the sequential order."""
        if x.construct is None and y.construct is None:
            known = self.serial.between(x.name, y.name)
            return self.empty(x, y) if known is None else known
        key = (x.name, y.name)
        if key not in self._before:
            self._before[key] = x.time.lex_lt_map(y.time).coalesce()
        return self._before[key]

    def member(self, x: Event, construct: Construct) -> isl.Map:
        """From an event to the beginning of the construct instance that it is part of."""
        start = self.start(construct)
        relation = self.same(x, start, start.domain.dim(isl.dim_type.set))
        return relation.intersect_domain(x.domain)

    def identity(self, x: Event) -> isl.Map:
        return self.same(x, x, x.domain.dim(isl.dim_type.set)).intersect_domain(x.domain)

    def instance(self, construct: Construct) -> int:
        """How many iterators tell instances of a task or distributed iteration apart."""
        return int(self.start(construct).domain.dim(isl.dim_type.set))


def find_distributed(node: Construct) -> tuple[Tree, ...]:
    """The loops of which a worksharing loop or taskloop makes work for several threads."""
    found: list[Tree] = []
    tree, remaining = node.body, node.collapse
    while node.kind in (Kind.LOOP, Kind.TASKLOOP) and remaining:
        found.append(tree)
        if isinstance(tree, Loop):
            tree, remaining = tree.body, remaining - 1
        elif isinstance(tree, Sequence):
            tree = tree.children[0]
    return tuple(found)
