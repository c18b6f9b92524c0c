"""Strongly connected components and elementary cycles of small directed graphs.

Cycles are networkx's where they are more than pairs. Components (Tarjan, "Depth-first search and
linear graph algorithms", 1972) are wanted of every loop, and importing networkx takes ten times as
long as finding them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Hashable, Mapping
from itertools import islice
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
    successors: Mapping[Node, Collection[Node]], bound: int | None = None
) -> list[tuple[Node, ...]]:
    """The elementary cycles of two or more nodes, each from its first node in the mapping on.

    They come in the order of their nodes. There may be exponentially many: at most ``bound`` are
    looked for.
    """
    nodes = list(successors)
    place = {node: i for i, node in enumerate(nodes)}
    wound = [members for members in components(successors) if len(members) > 1]
    if all(len(members) == 2 for members in wound):  # most loops: no need of the library
        return sorted(wound, key=lambda members: place[members[0]])[:bound]
    import networkx  # 0.07 s

    graph = networkx.DiGraph(
        (place[node], place[other]) for node in nodes for other in successors[node] if other != node
    )
    found = []
    for cycle in islice(networkx.simple_cycles(graph), bound):
        first = cycle.index(min(cycle))
        found.append((*cycle[first:], *cycle[:first]))
    return [tuple(nodes[i] for i in cycle) for cycle in sorted(found)]


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
