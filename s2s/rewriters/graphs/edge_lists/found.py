"""Edge lists that a program builds, as what ``#pragma s2s graph`` would say of them.

Two lists hold the same edges from both ends if they were built of the same edges, each keyed by
what is the value in the other, and nothing has written to them since.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

from s2s.frontends.c.graph_loops import EdgeLoop, GraphAccess, Of, VertexLoop
from s2s.frontends.c.graph_pragmas import Graph
from s2s.frontends.c.syntax import Node
from s2s.rewriters.graphs.edge_lists.contents import (
    Content,
    Entry,
    Filled,
    Keyed,
    Offsets,
    Rows,
    Unknown,
    at_most,
    bag,
)
from s2s.rewriters.graphs.edge_lists.expressions import Frame
from s2s.rewriters.graphs.edge_lists.machine import Machine, TooLong, Visit
from s2s.rewriters.graphs.edge_lists.memory import may_share
from s2s.rewriters.graphs.edge_lists.naming import Naming
from s2s.rewriters.graphs.edge_lists.program import Program
from s2s.rewriters.graphs.edge_lists.terms import Array, Counter, Elem, Lin, Object, number, of
from s2s.rewriters.graphs.refused import Refused
from s2s.source.records import dataclass

_OF_EDGES = (Offsets, Filled)


@dataclass(frozen=True)
class Lists:
    """The edges of vertices: where each one's end, and arrays of values of the edges.

    ``values`` have the arrays' visits, and an entry's value for each of ``entries``.
    """

    ends: Array
    entries: tuple[Entry, ...]
    values: dict[Array, tuple[int, tuple[Lin, ...]]]

    def edges(
        self, neighbour: Array, *others: Array, reverse: bool = False
    ) -> frozenset[tuple[Any, int]]:
        """The edges with their ends and values, as often as they are there."""
        columns = [self.values[a][1] for a in (neighbour, *others)]
        rows = zip(self.entries, *columns, strict=True)
        return bag(
            (e.guards, *((far, e.key) if reverse else (e.key, far)), *rest)
            for e, far, *rest in rows
        )


def find_graph(program: Program, loop: VertexLoop, edges: EdgeLoop, target: GraphAccess) -> Graph:
    """The graph whose lists a loop goes through. Raises Refused with the reason."""
    if program.obstacle:
        raise Refused(edges.node.span, program.obstacle)
    try:
        machine = program.machine
    except TooLong:
        raise Refused(edges.node.span, "the program has too many paths") from None
    visits = machine.visits.get(id(loop.node), [])
    skipped = machine.skipped.get(id(loop.node), "" if visits else "is never called")
    if skipped:
        raise Refused(edges.node.span, f"its function {skipped}")
    found = {_Look(machine, visit, loop, edges, target).graph() for visit in visits}
    if len(found) != 1:
        raise Refused(edges.node.span, "the loop goes through different lists")
    return found.pop()


@dataclass
class _Look:
    """What is known where a loop is come to."""

    machine: Machine
    visit: Visit
    loop: VertexLoop
    edges: EdgeLoop
    target: GraphAccess

    def __post_init__(self) -> None:
        self.machine.state = self.visit.state.copy()
        self.machine.frame = Frame(self.visit.function, dict(self.visit.variables))
        self.naming = Naming(self.machine, self.visit, self.loop)

    def graph(self) -> Graph:
        """The graph as the loop's names say it. Raises Refused."""
        ends = self.edges.ends
        item = self.loop.item(ends[0])
        mine = self.naming.array(ends[0])
        if len(ends) != 2:
            self._refuse("rows with a length are known by a declaration only")
        if mine is None:
            self._refuse(f"it is not known what '{item}' points to")
        count = self.machine.whole(self.loop.last.bare)
        if self.machine.whole(self.loop.first) != number(0):
            self._refuse("the loop does not start at the first vertex")
        lists = self._own_lists(mine, item, count)
        read = dict(self._read())
        used = {array: name for array, name in read.items() if array in lists.values}
        found = self._transposed(lists, used, count)
        if found is None:
            self._refuse(self._difference(lists, read, count, item))
        far, others, other = found
        self._check_apart([*self._arrays(lists), *self._arrays(other)])
        self._check_names({item, *read.values()}, {*self._arrays(lists), *self._arrays(other)})
        return self._named(lists, other, used, [far, *others], item)

    def _refuse(self, reason: str) -> NoReturn:
        raise Refused(self.edges.node.span, reason)

    # -- lists ------------------------------------------------------------------------------

    def _own_lists(self, ends: Array, item: str, count: Lin) -> Lists:
        """The lists that the loop goes through."""
        content = self.visit.state.content(ends)
        if isinstance(content, Offsets):
            self._check_whole(content, item, count)
            return self._lists(ends, content)
        state = self.visit.state
        space = Rows(count, ends, state.version(ends))
        if any(isinstance(c, Offsets) and c.keyed.space == space for c in state.contents.values()):
            return self._rows(space)
        self._refuse(self._why(content, item))

    def _why(self, content: Content, item: str) -> str:
        if not isinstance(content, Unknown):
            return f"'{item}' is not finished"
        if content.why is None:
            return f"what '{item}' holds is not known"
        node, words = content.why
        return f"'{item}' {words}{self._source(node)}"

    def _source(self, node: Node) -> str:
        """The first line of a statement's text, where it is in the file."""
        buffer = self.loop.function.unit.buffer
        inside = any(f.span.start <= node.span.start < f.span.end for f in self._functions())
        text = buffer.text(node.span).split("\n")[0].strip() if inside else ""
        return f": '{text[:60]}'" if text else ""

    def _functions(self) -> list[Node]:
        unit = self.loop.function.unit
        return [unit.convert(c) for c in unit.functions()]

    def _check_whole(self, content: Offsets, item: str, count: Lin) -> None:
        first, last = content.first == number(0), at_most(count + 1, content.last)
        if not first or not last:
            self._refuse(f"'{item}' is not built for as many vertices as the loop goes through")
        if not self._are_below(content.keyed, count):
            self._refuse(f"edges in '{item}' may be of vertices that the loop does not go through")

    def _are_below(self, keyed: Keyed, count: Lin) -> bool:
        """Whether all keys are known to be below a number, by any array that they select from.

        Offsets may be longer than there are vertices, where the places that lists are filled at
        are not.
        """
        known = (c.keyed for c in self.visit.state.contents.values() if isinstance(c, _OF_EDGES))
        return keyed.below(count) or any(k.same(keyed) and k.below(count) for k in known)

    def _lists(self, ends: Array, content: Offsets) -> Lists:
        entries = content.keyed.entries
        values = {}
        for array, held in self.visit.state.contents.items():
            if isinstance(held, Filled) and held.keyed.same(content.keyed):
                order = self._order(held.keyed.entries, entries)
                values[array] = (held.visit, tuple(held.values[i] for i in order))
        return Lists(ends, entries, values)

    @staticmethod
    def _order(theirs: tuple[Entry, ...], mine: tuple[Entry, ...]) -> list[int]:
        """Where entries stand among others that are the same in another order."""
        left = list(enumerate(theirs))
        result = []
        for entry in mine:
            found = next(pair for pair in left if pair[1] == entry)
            left.remove(found)
            result.append(found[0])
        return result

    def _rows(self, space: Rows) -> Lists:
        """Lists that were not built here: their own edges."""
        state = self.visit.state
        found: dict[Array, tuple[int, tuple[Lin, ...]]] = {}
        for held in state.contents.values():
            if isinstance(held, (Offsets, Filled)) and held.keyed.space == space:
                values = held.values if isinstance(held, Filled) else ()
                for term in (*(e.key for e in held.keyed.entries), *values):
                    atom = term.atom
                    row = isinstance(atom, Elem) and atom.index == of(Counter(1))
                    if isinstance(atom, Elem) and row and self._is_now(atom.array, atom.version):
                        found[atom.array] = (0, (term,))
        return Lists(space.offsets, (Entry(frozenset(), of(Counter(0))),), found)

    def _candidates(self, count: Lin) -> Iterator[Lists]:
        """All lists of all vertices."""
        state = self.visit.state
        spaces = set()
        for array, held in state.contents.items():
            if not isinstance(held, Offsets) or not at_most(count + 1, held.last):
                continue
            if held.first == number(0) and self._are_below(held.keyed, count):
                yield self._lists(array, held)
                spaces.add(held.keyed.space)
        for space in spaces:
            whole = isinstance(space, Rows) and space.count == count
            if isinstance(space, Rows) and whole and self._is_now(space.offsets, space.version):
                yield self._rows(space)

    def _is_now(self, array: Array, version: Any) -> bool:
        """Whether an array has not changed since it had a version."""
        return bool(self.visit.state.version(array) == version)

    # -- the other ends ---------------------------------------------------------------------

    def _read(self) -> Iterator[tuple[Array, str]]:
        """The arrays of edges that the loop reads, and their items."""
        for access in self.loop.accesses:
            if access.of is not Of.EDGE or access.edges is not self.edges:
                continue
            array, name = self.naming.array(access.place), self.loop.item(access.place)
            if array is None:
                self._refuse(f"it is not known what '{name}' points to")
            yield array, name

    def _transposed(
        self, lists: Lists, used: dict[Array, str], count: Lin
    ) -> tuple[tuple[Array, Array], list[tuple[Array, Array]], Lists] | None:
        """Pairs of arrays, of the own lists and the other ones: neighbours, and attributes."""
        for mine in used:
            for other in self._candidates(count):
                for far in other.values:
                    if lists.edges(mine) == other.edges(far, reverse=True):
                        rest = [a for a in used if a != mine]
                        pairs = list(self._attributes(lists, other, (mine, far), rest))
                        return (mine, far), pairs, other
        return None

    def _difference(self, lists: Lists, read: dict[Array, str], count: Lin, item: str) -> str:
        """Why no other lists are the transposed ones."""
        for array, name in read.items():
            content = self.visit.state.content(array)
            if array not in lists.values and isinstance(content, Unknown):
                return self._why(content, name)

        def bare(edges: frozenset[tuple[Any, int]]) -> object:
            return bag(row[1:] for row, n in edges for _ in range(n))

        others = list(self._candidates(count))
        for mine in set(read) & set(lists.values):
            for other in others:
                for far in other.values:
                    if bare(lists.edges(mine)) == bare(other.edges(far, reverse=True)):
                        return "the other lists hold edges under other conditions"
        if len(others) > 1:
            return f"the other lists are not of the edges in '{item}'"
        return "no other lists are built"

    def _attributes(
        self, lists: Lists, other: Lists, ends: tuple[Array, Array], rest: list[Array]
    ) -> Iterator[tuple[Array, Array]]:
        """Attributes that the other lists have as well, with the same edges."""
        mine, far = ends
        for array in rest:
            for theirs in other.values:
                aligned = (
                    lists.values[array][0] == lists.values[mine][0]
                    and other.values[theirs][0] == other.values[far][0]
                )
                if aligned and lists.edges(mine, array) == other.edges(far, theirs, reverse=True):
                    yield array, theirs
                    break

    @staticmethod
    def _arrays(lists: Lists) -> list[Array]:
        return [lists.ends, *lists.values]

    # -- what is written --------------------------------------------------------------------

    def _check_apart(self, arrays: list[Array]) -> None:
        """The loop's updates, and loops around it, do not write to lists."""
        objects = {a[0] for a in arrays}
        updated = self.naming.objects(self.target.place)
        shown = self.loop.function.unit.buffer.text(self.target.node.span)
        if not self._are_apart(updated, objects):
            self._refuse(f"'{shown}' may be in the lists")
        for node in self.loop.function.body.walk():
            around = node.is_loop and node.span.start < self.loop.node.span.start and (
                self.loop.node.span.end <= node.span.end)  # fmt: skip
            if around and not objects.isdisjoint(self.machine.changed.get(id(node), set())):
                self._refuse("the lists change in a loop around")

    def _check_names(self, names: set[str], arrays: set[Array]) -> None:
        """What the loop calls like a list is one; what it calls the same is the same."""
        listed: dict[str, Array | None] = {}
        for access in self.loop.accesses:
            name = self.loop.item(access.place) if access.place.steps else ""
            if name not in names or access.node.type.kind == "pointer":
                continue
            array = self.naming.array(access.place)
            if array not in arrays:
                self._refuse(f"'{name}' is the name of other arrays, too")
            if access.of is Of.EDGE and listed.setdefault(name, array) != array:
                self._refuse(f"'{name}' is the name of several arrays")

    def _are_apart(self, updated: set[Object] | None, lists: set[Object]) -> bool:
        escaped = self.visit.state.escaped
        if updated is None:
            return not any(o.outer or o in escaped for o in lists)
        return not any(self._may_be(one, other) for one in updated for other in lists)

    def _may_be(self, one: Object, other: Object) -> bool:
        escaped = self.visit.state.escaped
        if one is other:
            return True
        visible = all(o.outer or o in escaped for o in (one, other))
        return visible and may_share(one.kind, other.kind) and not (one.alone or other.alone)

    # -- names ------------------------------------------------------------------------------

    def _named(
        self, lists: Lists, other: Lists, used: dict[Array, str],
        pairs: list[tuple[Array, Array]], item: str,
    ) -> Graph:  # fmt: skip
        """The graph in the loop's names."""
        names, arrays = [item], []
        places = {lists.ends: self.edges.ends[0]}
        for access in self.loop.accesses:
            array = self.naming.array(access.place) if access.of is Of.EDGE else None
            if array is not None:
                places[array] = access.place
        for mine, theirs in [(lists.ends, other.ends), *pairs]:
            place = self.naming.other(places[mine], mine, theirs)
            if place is None:
                self._refuse("the other lists have no names here")
            names += [used[mine]] if mine != lists.ends else []
            arrays.append((names[-1], place))
        span = self.edges.node.span
        return Graph(self.loop.count, None, tuple(names), tuple(names), span, tuple(arrays))
