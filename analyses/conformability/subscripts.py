"""R3 and R4: the dimension dependence graph of a statement's subscripts.

A node is a dimension of an array with the subscript that stands there. Edges lead from a subscript
to those that follow from it: 1) to sums of iterators that have one of its own; 2) among subscripts
of one iterator, from the one with the least constant to the others; 3) from an iterator's to those
of iterators that its bounds depend on.
"""

from __future__ import annotations

from collections.abc import Sequence

from s2s.analyses.conformability.normal_form import Affine, Normal, normal_form
from s2s.analyses.conformability.verdicts import Verdict
from s2s.scop.nodes import Scop, Statement
from s2s.source import Span
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Subscript:
    """A node: ``axis`` of ``array`` (outermost is 0) has the value ``affine``."""

    array: str
    axis: int
    affine: Affine
    at: Span

    @property
    def variable(self) -> str:
        """The name of the dimension variable."""
        return f"{self.array}.{self.axis}"


@dataclass(frozen=True)
class Dimensions:
    """What R3 and R4 say of one statement.

    ``independent`` are the nodes that nothing leads to, ``ordered`` all nodes so that edges lead
    forward (none where there is no such order).
    """

    statement: Statement
    normal: Normal | None
    order: Verdict
    plain: Verdict
    independent: tuple[Subscript, ...] = ()
    ordered: tuple[Subscript, ...] = ()


def dimensions(scop: Scop, statement: Statement) -> Dimensions:
    """The dimensions of a statement, and the verdicts on R3 and R4."""
    normal = normal_form(scop, statement)
    if normal is None:
        said = "the bounds of a loop are no sums of iterators"
        where = statement.span
        return Dimensions(
            statement, None, Verdict("R3", False, said, where), Verdict("R4", True, "", where)
        )
    nodes: dict[tuple[str, int, str], Subscript] = {}
    crooked: Verdict | None = None
    for access in sorted(statement.accesses, key=lambda one: not one.write):
        span = access.span if access.span.end > access.span.start else statement.span
        for axis, affine in enumerate(normal.subscripts(access.elements)):
            if affine is None:
                said = f"subscript {axis} of '{access.array}' is no sum of multiples of iterators"
                crooked = crooked or Verdict("R3", False, said, span)
            elif affine.terms:
                key = access.array, axis, affine.text(normal.names)
                nodes.setdefault(key, Subscript(access.array, axis, affine, span))
    graph = _Graph(tuple(nodes.values()), normal)
    order = crooked or graph.judge_order()
    roots = graph.roots()
    plain = _judge_plain(roots, normal, statement.span)
    return Dimensions(statement, normal, order, plain, roots, graph.ordered())


_NO_SUBSCRIPTS = "there are no subscripts"


def _judge_plain(roots: Sequence[Subscript], normal: Normal, at: Span) -> Verdict:
    """R4: independent subscripts are iterators."""
    for node in roots:
        if not node.affine.is_plain:
            text = node.affine.text(normal.names)
            why = (
                "has a constant" if node.affine.constant or node.affine.parameters else "has steps"
            )
            said = f"subscript {node.axis} of '{node.array}', {text} from 0 on, {why}"
            return Verdict("R4", False, said, node.at)
    if not roots:
        return Verdict("R4", True, _NO_SUBSCRIPTS, at)
    texts = dict.fromkeys(node.affine.text(normal.names) for node in roots)
    return Verdict("R4", True, f"independent subscripts are {', '.join(texts)}", at)


class _Graph:
    def __init__(self, nodes: tuple[Subscript, ...], normal: Normal) -> None:
        self._nodes, self._normal = nodes, normal
        self._edges: list[set[int]] = [set() for _ in nodes]
        self._add_sums()
        self._add_groups()
        self._add_bounds()

    def _add_sums(self) -> None:
        for a, first in enumerate(self._nodes):
            for b, second in enumerate(self._nodes):
                shared = first.affine.terms.keys() & second.affine.terms.keys()
                if a != b and len(second.affine.terms) > 1 and shared:
                    self._edges[a].add(b)

    def _add_groups(self) -> None:
        groups: dict[int, list[int]] = {}
        for a, node in enumerate(self._nodes):
            if len(node.affine.terms) == 1:
                groups.setdefault(next(iter(node.affine.terms)), []).append(a)
        for members in groups.values():
            first = min(members, key=self._rank)
            self._edges[first] |= set(members) - {first}

    def _rank(self, a: int) -> tuple[int, int, bool, bool]:
        """What makes a subscript of one iterator the first: the constant, then being plain."""
        affine = self._nodes[a].affine
        (step,) = affine.terms.values()
        return affine.constant, len(affine.parameters), step != 1, abs(step) != 1

    def _add_bounds(self) -> None:
        around = self._normal.around
        for a, first in enumerate(self._nodes):
            needs = frozenset[int]().union(*(around[k] for k in first.affine.terms))
            for b, second in enumerate(self._nodes):
                if a != b and needs & second.affine.terms.keys():
                    self._edges[a].add(b)

    def roots(self) -> tuple[Subscript, ...]:
        """The nodes that nothing leads to."""
        reached = set[int]().union(*self._edges)
        return tuple(node for a, node in enumerate(self._nodes) if a not in reached)

    def _sorted(self) -> tuple[list[int], list[int]]:
        """The nodes in an order along the edges, and those that are left in circles."""
        waiting = [sum(a in edges for edges in self._edges) for a in range(len(self._nodes))]
        ready = [a for a, count in enumerate(waiting) if not count]
        found: list[int] = []
        while ready:
            found.append(ready.pop(0))
            for b in sorted(self._edges[found[-1]]):
                waiting[b] -= 1
                if not waiting[b]:
                    ready.append(b)
        return found, [a for a in range(len(self._nodes)) if a not in found]

    def ordered(self) -> tuple[Subscript, ...]:
        """All nodes in an order along the edges; none where there is no such order."""
        found, left = self._sorted()
        return () if left else tuple(self._nodes[a] for a in found)

    def judge_order(self) -> Verdict:
        """R3."""
        names = self._normal.names
        _, left = self._sorted()
        if left:
            circle = self._circle(left)
            words = [f"'{node.array}'[{node.axis}]: {node.affine.text(names)}" for node in circle]
            said = f"subscripts follow from each other: {', '.join(words)}"
            return Verdict("R3", False, said, circle[-1].at)
        roots = self.roots()
        seen: dict[str, Subscript] = {}
        for node in roots:
            other = seen.setdefault(node.variable, node)
            if other is not node:
                both = f"{other.affine.text(names)} and {node.affine.text(names)}"
                said = f"subscript {node.axis} of '{node.array}' is {both}, independent both"
                return Verdict("R3", False, said, node.at)
        at = self._normal.statement.span
        if not roots:
            return Verdict("R3", True, _NO_SUBSCRIPTS, at)
        words = [f"{node.array}[{node.axis}]" for node in roots]
        rest = len(self._nodes) - len(roots)
        return Verdict("R3", True, f"{rest} subscripts follow from {', '.join(words)}", at)

    def _circle(self, left: Sequence[int]) -> list[Subscript]:
        """Nodes of a circle among those that are left, in the order of the text."""
        path = [left[0]]
        back = {a: [b for b in left if a in self._edges[b]] for a in left}
        while True:
            before = back[path[-1]][0]
            if before in path:
                return [self._nodes[a] for a in sorted(path[path.index(before) :])]
            path.append(before)
