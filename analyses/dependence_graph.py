"""The dependences between the statements of a loop: their kinds, distances and accesses.

Section 4.5.1 of the PolySIMD chapter. Scalars are arrays without subscripts. A flow dependence
leads from a write to the reads that may see its value, an output dependence to the next write. So
does an anti dependence, but for scalars whose last value nobody reads: there it leads to all later
writes, and output dependences that a read in between implies are left out. This is how the live
ranges of such a scalar may change places as wholes (as in PPCG, which the chapter builds on).

Arrays that may alias are taken for disjoint: whoever acts on this has to have that checked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from enum import Enum
from functools import cached_property

import islpy as isl

from s2s.analyses.dependences import SerialOrder, other_rows
from s2s.scop.nodes import Access, Loop, Scop, Statement
from s2s.scop.remembered import intersection, meeting
from s2s.scop.trees import paths
from s2s.source.records import dataclass


class Kind(Enum):
    """What makes the target wait for the source."""

    FLOW = "flow"
    ANTI = "anti"
    OUTPUT = "output"
    CONTROL = "control"


@dataclass(frozen=True)
class Dependence:
    """An edge of the graph: ``source`` has to come first.

    ``accesses`` are indices into the ``accesses`` of the source's and the target's statement, None
    for a control dependence. ``least`` and ``most`` bound how many iterations of the loop lie
    between the two, None where there is no such number.
    """

    source: str
    target: str
    kind: Kind
    array: str = ""
    accesses: tuple[int, int] | None = None
    least: int | None = 0
    most: int | None = 0

    @property
    def carried(self) -> bool:
        """Whether it leads (also) to another iteration of the loop."""
        return self.most != 0

    @property
    def distance(self) -> int | None:
        """The number of iterations, where it is always the same."""
        return self.least if self.least == self.most else None

    @property
    def direction(self) -> str:
        """``=`` within an iteration, ``<`` to a later one, ``<=`` both."""
        if not self.carried:
            return "="
        return "<=" if self.least == 0 else "<"


@dataclass(frozen=True)
class Graph:
    """The statements of a loop and the dependences among them, in the order of the source."""

    scop: Scop
    loop: Loop
    statements: tuple[str, ...]
    dependences: tuple[Dependence, ...]
    private: frozenset[str] = frozenset()
    """Scalars that each iteration sets before it reads them, and that are dead after the loop."""

    @cached_property
    def between(self) -> dict[tuple[str, str], tuple[Dependence, ...]]:
        """The dependences from one statement to another one."""
        found: dict[tuple[str, str], list[Dependence]] = defaultdict(list)
        for item in self.dependences:
            if item.source != item.target:
                found[item.source, item.target].append(item)
        return {pair: tuple(items) for pair, items in found.items()}

    @cached_property
    def successors(self) -> dict[str, tuple[str, ...]]:
        """For each statement the others that have to wait for it."""
        return {
            name: tuple(t for t in self.statements if (name, t) in self.between)
            for name in self.statements
        }

    def access(self, statement: str, index: int) -> Access:
        return self.scop.statement(statement).accesses[index]

    def count(self) -> int:
        """How many dependences there are, as Table 4.4 counts: by statements and kind."""
        return len({(d.source, d.target, d.kind) for d in self.dependences if d.source != d.target})


def dependence_graph(scop: Scop, loop: Loop, *, privatize: bool = False) -> Graph:
    """The graph of one loop of a SCoP, for fixed iterations of the loops around it.

    With ``privatize`` each iteration has its own copies of the private scalars, as compilers give
    it; the PolySIMD chapter does without.
    """
    return _Builder(scop, loop, privatize).run()


class _Builder:
    """Finds the dependences of a loop; relations are between instances with equal outer loops."""

    def __init__(self, scop: Scop, loop: Loop, privatize: bool) -> None:
        self.scop, self.loop, self.privatize = scop, loop, privatize
        self.private: set[str] = set()
        self.level = 0
        names = set()
        for name, nodes in paths(scop.tree).items():
            if loop in nodes:
                names.add(name)
                around = [n for n in nodes[: nodes.index(loop)] if isinstance(n, Loop)]
                self.level = len(around)
        self.statements = [s for s in scop.statements if s.name in names]
        self.order = SerialOrder(scop)
        self.conflicts: dict[tuple[str, int, str, int], isl.Map] = {}

    def run(self) -> Graph:
        found = [*self._control()]
        for array in dict.fromkeys(a.array for s in self.statements for a in s.accesses):
            found += self._of_array(array)
        place = {s.name: i for i, s in enumerate(self.statements)}
        kinds = list(Kind)
        found.sort(key=lambda d: (place[d.source], place[d.target], kinds.index(d.kind)))
        return Graph(
            self.scop, self.loop, tuple(place), tuple(found), frozenset(self.private)
        )  # fmt: skip

    def _control(self) -> Iterator[Dependence]:
        names = {s.name for s in self.statements}
        for guard, guarded in self.scop.guards.items():
            for name in sorted(guarded & names if guard in names else ()):
                yield Dependence(guard, name, Kind.CONTROL)

    def _of_array(self, array: str) -> Iterator[Dependence]:
        users = [
            (s, i, a) for s in self.statements for i, a in enumerate(s.accesses) if a.array == array
        ]
        dead = self.scop.arrays[array].dead and not self.scop.arrays[array].rank
        writes = [u for u in users if u[2].write]
        reads = [u for u in users if not u[2].write]
        live = {
            (w[0].name, w[1], r[0].name, r[1]): self._direct(w, r, writes)
            for w in writes for r in reads
        }  # fmt: skip
        if dead and writes and all(self._is_set_before(r, writes, live) for r in reads):
            self.private.add(array)
        for (source, i, target, j), relation in live.items():
            yield from self._edge(source, i, target, j, Kind.FLOW, relation)
        for r in reads:
            for w in writes:
                relation = self._conflict(r, w) if dead else self._direct(r, w, writes)
                yield from self._edge(r[0].name, r[1], w[0].name, w[1], Kind.ANTI, relation)
        for first in writes:
            for second in writes:
                relation = self._direct(first, second, writes)
                for r in reads if dead else ():
                    seen = live[first[0].name, first[1], r[0].name, r[1]]
                    relation = relation.subtract(seen.apply_range(self._conflict(r, second)))
                yield from self._edge(
                    first[0].name, first[1], second[0].name, second[1], Kind.OUTPUT, relation
                )

    def _is_set_before(
        self, r: _User, writes: list[_User], live: dict[tuple[str, int, str, int], isl.Map]
    ) -> bool:
        """Whether a read sees only what its own iteration has written."""
        seen = r[2].relation.domain()
        for w in writes:
            values = live[w[0].name, w[1], r[0].name, r[1]]
            if not values.subtract(self._same_iteration(values)).is_empty():
                return False
            if w[2].exact:
                seen = seen.subtract(values.range())
        return bool(seen.is_empty())

    def _same_iteration(self, relation: isl.Map) -> isl.Map:
        return relation.equate(isl.dim_type.in_, self.level, isl.dim_type.out, self.level)

    def _direct(self, a: _User, b: _User, writes: list[_User]) -> isl.Map:
        """Pairs that touch the same element, which nothing between them is sure to overwrite."""
        found = self._conflict(a, b)
        if not a[2].relation.is_single_valued():
            return found
        for w in writes:
            if w[2].exact and w[2].relation.is_single_valued() and not found.is_empty():
                found = found.subtract(self._conflict(a, w).apply_range(self._conflict(w, b)))
        return found

    def _conflict(self, a: _User, b: _User) -> isl.Map:
        """Pairs in the source's order, with equal outer loops, that may touch the same element."""
        key = (a[0].name, a[1], b[0].name, b[1])
        if key not in self.conflicts:
            self.conflicts[key] = self._new_conflict(a, b)
        return self.conflicts[key]

    def _new_conflict(self, a: _User, b: _User) -> isl.Map:
        first, second = a[2].relation, b[2].relation
        same = meeting(first, second)
        row_rank = self.scop.arrays[a[2].array].row_rank
        if row_rank:
            same = same.union(other_rows(first, second, row_rank))
        order = self.order.between(a[0].name, b[0].name)
        commute = a[2].commutes is not None and a[2].commutes == b[2].commutes
        if order is None or commute:
            return isl.Map.empty(same.get_space())
        same = intersection(same, order)
        for position in range(self.level):
            same = same.equate(isl.dim_type.in_, position, isl.dim_type.out, position)
        return same.coalesce()

    def _edge(
        self, source: str, i: int, target: str, j: int, kind: Kind, relation: isl.Map
    ) -> Iterator[Dependence]:
        if relation.is_empty():
            return
        array = self.scop.statement(source).accesses[i].array
        if self.privatize and array in self.private:
            relation = self._same_iteration(relation)
            if relation.is_empty():
                return
        least, most = self._distances(relation)
        yield Dependence(source, target, kind, array, (i, j), least, most)

    def _distances(self, relation: isl.Map) -> tuple[int | None, int | None]:
        """The smallest and the largest number of iterations between the two ends."""
        space = relation.get_space()
        local = isl.LocalSpace.from_space(space.wrap())
        first = isl.Aff.var_on_domain(local, isl.dim_type.set, self.level)
        there = space.dim(isl.dim_type.in_) + self.level
        second = isl.Aff.var_on_domain(local, isl.dim_type.set, there)
        pairs = relation.wrap()
        step = self.loop.step
        bounds = [
            _integer(pairs.min_val(second.sub(first))), _integer(pairs.max_val(second.sub(first)))
        ]  # fmt: skip
        least, most = (None if b is None else b // step for b in bounds)
        return (most, least) if step < 0 else (least, most)


_User = tuple[Statement, int, Access]


def _integer(value: isl.Val) -> int | None:
    return int(value.to_python()) if value.is_int() else None
