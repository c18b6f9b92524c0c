"""The cheapest renamings that break all cycles of a loop: section 4.5 of the PolySIMD chapter.

Which renaming breaks which cycle is a table (Table 4.2), and the cheapest set that breaks all of
them an integer linear program. There may be too many cycles to name them all: a program that has
some of them is solved, and as long as its solution leaves a cycle, that one is added.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import islice, pairwise, product
from math import prod

from s2s.analyses.dependence_graph import Dependence, Graph, Kind, dependence_graph
from s2s.analyses.elementary import components, elementary_cycles, shortest_cycle
from s2s.analyses.renaming import (
    LATENCY_RATIO,
    Renaming,
    blocks,
    is_unwritten,
    renamings,
    weight,
)
from s2s.analyses.set_cover import minimum_cover
from s2s.analyses.split_graph import split_graph
from s2s.scop.nodes import Loop, Scop
from s2s.source.records import dataclass

CYCLE_BOUND = 256
"""Elementary cycles of a component that are named; the solver meets others as it needs them."""
_WAY_BOUND = 16


@dataclass(frozen=True)
class Cycle:
    """An elementary cycle of statements; between two of them there may be several dependences."""

    statements: tuple[str, ...]
    steps: tuple[tuple[Dependence, ...], ...]


@dataclass(frozen=True)
class Row:
    """A way round a cycle, by one dependence for each step, and what breaks it."""

    cycle: int
    """The number of the cycle; -1 for one that was not named before."""
    dependences: tuple[Dependence, ...]
    breakers: frozenset[Renaming]


@dataclass(frozen=True)
class Component:
    """Statements that depend on each other; ``obstacle`` is why no renaming helps.

    A single statement is one if it needs what it has computed in an earlier iteration.
    """

    statements: tuple[str, ...]
    obstacle: str | None = None


@dataclass(frozen=True)
class Cover:
    """The cycles of a loop, what could break them, and what has been chosen.

    ``complete`` says whether ``cycles`` are all there are. The rows are the constraints of the
    program that are not implied by others; ``useful`` are the renamings that can meet one of them,
    of those that have ``weights``. ``chosen`` covers the rows and breaks all cycles of the
    components without an obstacle.
    """

    graph: Graph
    components: tuple[Component, ...]
    cycles: tuple[Cycle, ...]
    complete: bool
    rows: tuple[Row, ...]
    useful: tuple[Renaming, ...]
    weights: Mapping[Renaming, int]
    chosen: tuple[Renaming, ...]

    @property
    def breakable(self) -> tuple[Component, ...]:
        """The components whose cycles renaming can break."""
        return tuple(c for c in self.components if c.obstacle is None)

    def breaks(self, renaming: Renaming) -> tuple[int, ...]:
        """The numbers of the named cycles of which a renaming breaks each way round."""
        ways: dict[int, bool] = {}
        for row in self.rows:
            ways[row.cycle] = ways.get(row.cycle, True) and renaming in row.breakers
        return tuple(n for n, all_ways in sorted(ways.items()) if all_ways and n >= 0)

    def is_enough(self, chosen: Collection[Renaming]) -> bool:
        """Whether some renamings leave no cycle in the components without an obstacle."""
        return all(remaining_way(self.graph, c.statements, chosen) is None for c in self.breakable)


def cover(
    scop: Scop, loop: Loop, *, latency: int = LATENCY_RATIO, bound: int = CYCLE_BOUND,
    privatize: bool = False, able: Callable[[Renaming], bool] = lambda _: True,
) -> Cover:  # fmt: skip
    """The cheapest renamings for a loop, of those that the caller is ``able`` to make.

    ``privatize`` is as in ``dependence_graph``: then what chosen renamings break is what is left
    when private scalars are private.
    """
    graph = dependence_graph(scop, loop, privatize=privatize)
    known = tuple(r for r in renamings(graph) if able(r))
    found = _Search(graph, known, latency, bound)
    return found.run()


class _Search:
    """Collects components, cycles and rows of one loop, and solves."""

    def __init__(self, graph: Graph, known: tuple[Renaming, ...], latency: int, bound: int) -> None:
        self.graph, self.bound = graph, bound
        self.weights = {r: weight(graph, r, latency) for r in known}
        self.unwritten = {r for r in known if is_unwritten(graph, r)}
        self.known: dict[str, list[Renaming]] = {name: [] for name in graph.statements}
        for renaming in known:
            self.known[renaming.statement].append(renaming)
        self.cycles: list[Cycle] = []
        self.rows: list[Row] = []
        self.complete = True
        self.all_rows = True

    def run(self) -> Cover:
        parts = [
            self._component(members)
            for members in components(self.graph.successors)
            if len(members) > 1 or self._recurrence(members) is not None
        ]
        open_ = [p.statements for p in parts if p.obstacle is None]
        self.rows = [r for r in self.rows if any(r.dependences[0].source in m for m in open_)]
        chosen = self._chosen(open_)
        useful = tuple(r for r in self.weights if self._is_useful(r, open_))
        return Cover(
            self.graph, tuple(parts), tuple(self.cycles), self.complete, tuple(self.rows), useful,
            self.weights, chosen,
        )  # fmt: skip

    def _component(self, members: tuple[str, ...]) -> Component:
        """A component with its cycles and their rows; paper: a pure cycle ends the matter."""
        inside = {n: [m for m in self.graph.successors[n] if m in members] for n in members}
        first = len(self.cycles)
        named = elementary_cycles(inside, self.bound + 1)
        self.complete = self.complete and len(named) <= self.bound
        self.cycles += (self._cycle(c) for c in named[: self.bound])
        obstacle = self._recurrence(members)
        for number in range(first, len(self.cycles)):
            for row in self._rows(number):
                obstacle = obstacle or _obstacle(row)
                self.rows.append(row)
        if obstacle is None:
            # No renaming at all may be enough where cycles were left out.
            left = self._left(members, self.weights)
            obstacle = None if left is None else _obstacle(left)
        return Component(members, obstacle)

    def _cycle(self, statements: tuple[str, ...]) -> Cycle:
        around = pairwise((*statements, statements[0]))
        return Cycle(statements, tuple(self.graph.between[pair] for pair in around))

    def _rows(self, number: int) -> Iterator[Row]:
        """The ways round a cycle that are not broken whenever another one is."""
        steps = self.cycles[number].steps
        self.all_rows = self.all_rows and prod(map(len, steps)) <= _WAY_BOUND
        ways = islice(product(*steps), _WAY_BOUND)
        rows = [self._row(number, way) for way in ways]
        for position, row in enumerate(rows):
            implied = any(
                other.breakers < row.breakers
                or (other.breakers == row.breakers and earlier < position)
                for earlier, other in enumerate(rows)
            )
            if not implied:
                yield row

    def _row(self, number: int, way: tuple[Dependence, ...]) -> Row:
        breakers = frozenset(
            r
            for incoming, outgoing in zip((way[-1], *way), way, strict=False)
            for r in self.known[outgoing.source]
            if self._blocks(r, incoming, outgoing)
        )
        return Row(number, way, breakers)

    def _blocks(self, renaming: Renaming, incoming: Dependence, outgoing: Dependence) -> bool:
        return blocks(renaming, incoming, outgoing, unwritten=renaming in self.unwritten)

    def _recurrence(self, members: Collection[str]) -> str | None:
        """A statement that needs its own result of an earlier iteration: a pure flow cycle."""
        for item in self.graph.dependences:
            if item.source == item.target and item.kind is Kind.FLOW and item.source in members:
                array = self.graph.scop.arrays[item.array].spelling
                return f"a pure flow cycle: {item.source} reads what it has set in '{array}'"
        return None

    def _is_useful(self, renaming: Renaming, open_: Collection[tuple[str, ...]]) -> bool:
        """Whether a renaming breaks anything: sections 4.3.1 and 4.3.2."""
        if self.complete and self.all_rows:
            return any(renaming in row.breakers for row in self.rows)
        name = renaming.statement
        members = next((m for m in open_ if name in m), ())
        inside = [
            d for d in self.graph.dependences
            if d.source != d.target and d.source in members and d.target in members
        ]  # fmt: skip
        return any(
            self._blocks(renaming, incoming, outgoing)
            for incoming in inside if incoming.target == name
            for outgoing in inside if outgoing.source == name
        )  # fmt: skip

    # -- the program ------------------------------------------------------------------------

    def _chosen(self, open_: list[tuple[str, ...]]) -> tuple[Renaming, ...]:
        """The cheapest renamings that leave no cycle."""
        while True:
            chosen = minimum_cover([row.breakers for row in self.rows], self.weights)
            left = list(self._left_ways(open_, chosen))
            if not left:
                return tuple(r for r in self.weights if r in chosen)
            self.rows += left

    def _left_ways(
        self, open_: Collection[tuple[str, ...]], chosen: Collection[Renaming]
    ) -> Iterator[Row]:
        """Ways round cycles that are left, each broken before the next one is looked for."""
        patched = set(chosen)
        while (row := self.left(open_, patched)) is not None:
            yield row
            patched.add(min(row.breakers, key=lambda r: (self.weights[r], r)))

    def left(self, open_: Collection[tuple[str, ...]], chosen: Collection[Renaming]) -> Row | None:
        """A way round a cycle of some components that is left after renamings."""
        return next(filter(None, (self._left(members, chosen) for members in open_)), None)

    def _left(self, members: tuple[str, ...], chosen: Collection[Renaming]) -> Row | None:
        """A way round a cycle that is left after renamings."""
        left = remaining_way(self.graph, members, chosen)
        if left is None:
            return None
        statements = tuple(item.source for item in left)
        numbers = (n for n, c in enumerate(self.cycles) if _same_cycle(c.statements, statements))
        return self._row(next(numbers, -1), left)


def remaining_way(
    graph: Graph, members: Collection[str], chosen: Collection[Renaming]
) -> tuple[Dependence, ...] | None:
    """The dependences of an elementary cycle that renamings leave; None where there is none.

    A shortest cycle of pieces is elementary: it does not come back to a statement that it has left,
    since from each of its pieces a way leads straight to the last one.
    """
    parts = split_graph(graph, members, chosen)
    cycle = shortest_cycle(parts)
    if cycle is None:
        return None
    steps = (parts[first][second] for first, second in pairwise((*cycle, cycle[0])))
    return tuple(item for item in steps if item is not None)


def _obstacle(row: Row) -> str | None:
    """Why nothing breaks a way round a cycle; None where something does."""
    if row.breakers:
        return None
    kinds = {d.kind for d in row.dependences}
    names = " -> ".join((*(d.source for d in row.dependences), row.dependences[0].source))
    if kinds <= {Kind.FLOW, Kind.CONTROL}:
        what = (
            "pure flow cycle" if kinds == {Kind.FLOW} else "cycle of flow and control dependences"
        )
        return f"a {what}: {names}"
    if kinds == {Kind.OUTPUT}:
        return f"a pure output cycle: {names}"
    return f"no renaming breaks {names}"


def _same_cycle(first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    if len(first) != len(second) or second[0] not in first:
        return False
    turn = first.index(second[0])
    return first[turn:] + first[:turn] == second


def covers(found: Cover) -> Iterator[tuple[Renaming, ...]]:
    """All minimal sets of useful renamings that break all cycles; there may be very many."""

    def extend(chosen: tuple[Renaming, ...], without: frozenset[Renaming]) -> Iterator[
        tuple[Renaming, ...]
    ]:  # fmt: skip
        row = _uncovered(found, chosen)
        if row is None:
            if all(not found.is_enough(set(chosen) - {r}) for r in chosen):
                yield chosen
            return
        left: frozenset[Renaming] = frozenset()
        for renaming in sorted(row.breakers - without):
            yield from extend((*chosen, renaming), without | left)
            left |= {renaming}

    yield from extend((), frozenset())


def _uncovered(found: Cover, chosen: Collection[Renaming]) -> Row | None:
    for row in found.rows:
        if not row.breakers & set(chosen):
            return row
    if found.is_enough(chosen):
        return None
    search = _Search(found.graph, tuple(found.weights), LATENCY_RATIO, 0)
    return search.left([c.statements for c in found.breakable], chosen)
