"""Strongly connected components and elementary cycles of small directed graphs.

Tarjan, "Depth-first search and linear graph algorithms", 1972; Johnson, "Finding all the elementary
circuits of a directed graph", 1975. networkx has both, but importing it takes ten times as long as
the work here.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Hashable, Iterator, Mapping
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def components(successors: Mapping[Node, Collection[Node]]) -> list[tuple[Node, ...]]:
    """The strongly connected components in topological order, nodes in the order of the mapping."""
    place = {node: i for i, node in enumerate(successors)}
    index: dict[Node, int] = {}
    low: dict[Node, int] = {}
    stack: list[Node] = []
    open_: set[Node] = set()
    found: list[tuple[Node, ...]] = []

    def finish(node: Node) -> None:
        if low[node] == index[node]:
            cut = stack.index(node)
            members, stack[cut:] = stack[cut:], []
            open_.difference_update(members)
            found.append(tuple(sorted(members, key=place.__getitem__)))

    for root in successors:
        work = [] if root in index else [(root, iter(successors[root]))]
        while work:
            node, rest = work[-1]
            if node not in index:
                index[node] = low[node] = len(index)
                stack.append(node)
                open_.add(node)
            for other in rest:
                if other not in index:
                    work.append((other, iter(successors[other])))
                    break
                if other in open_:
                    low[node] = min(low[node], index[other])
            else:
                work.pop()
                finish(node)
                if work:
                    above = work[-1][0]
                    low[above] = min(low[above], low[node])
    return found[::-1]


def elementary_cycles(
    successors: Mapping[Node, Collection[Node]],
) -> Iterator[tuple[Node, ...]]:
    """The elementary cycles of two or more nodes, each from its first node in the mapping on.

    There may be exponentially many: callers take as many as they can use.
    """
    nodes = list(successors)
    for position, start in enumerate(nodes):
        left = set(nodes[position:])
        inside = {n: [m for m in successors[n] if m in left and m != n] for n in left}
        ordered = {n: inside[n] for n in nodes[position:]}
        component = next(set(c) for c in components(ordered) if start in c)
        if len(component) > 1:
            yield from _through(start, {n: [m for m in inside[n] if m in component] for n in left})


def _through(start: Node, inside: Mapping[Node, list[Node]]) -> Iterator[tuple[Node, ...]]:
    """The elementary cycles through one node of a component."""
    blocked = {start}
    waiting: dict[Node, set[Node]] = defaultdict(set)
    path = [start]
    rest = [iter(inside[start])]
    closed: set[Node] = set()
    while path:
        node = path[-1]
        for other in rest[-1]:
            if other == start:
                yield tuple(path)
                closed.update(path)
            elif other not in blocked:
                path.append(other)
                rest.append(iter(inside[other]))
                blocked.add(other)
                closed.discard(other)
                break
        else:
            if node in closed:
                _unblock(node, blocked, waiting)
            else:
                for other in inside[node]:
                    waiting[other].add(node)
            path.pop()
            rest.pop()


def _unblock(node: Node, blocked: set[Node], waiting: dict[Node, set[Node]]) -> None:
    work = {node}
    while work:
        free = work.pop()
        if free in blocked:
            blocked.remove(free)
            work |= waiting.pop(free, set())


def shortest_cycle(successors: Mapping[Node, Collection[Node]]) -> tuple[Node, ...] | None:
    """A cycle with the fewest nodes, two at least; None where there is none."""
    best: tuple[Node, ...] | None = None
    for start in successors:
        found = _shortest_through(start, successors)
        if found is not None and (best is None or len(found) < len(best)):
            best = found
    return best


def _shortest_through(
    start: Node, successors: Mapping[Node, Collection[Node]]
) -> tuple[Node, ...] | None:
    before: dict[Node, Node] = {}
    work = deque([start])
    while work:
        node = work.popleft()
        for other in successors[node]:
            if other == start and node != start:
                path = [node]
                while path[-1] != start:
                    path.append(before[path[-1]])
                return tuple(reversed(path))
            if other not in before and other != start:
                before[other] = node
                work.append(other)
    return None
