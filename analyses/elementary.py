"""Strongly connected components and elementary cycles of small directed graphs.

Cycles are networkx's where there are many. Components (Tarjan, "Depth-first search and linear graph
algorithms", 1972) and cycles that few steps find are wanted of every loop, and importing networkx
takes a quarter of the time of a file with one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Hashable, Mapping, Sequence
from itertools import count, islice
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)
# So many paths are looked at sooner than networkx is imported.
_FEW_STEPS = 10_000


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
    cycles = _few_cycles(successors, nodes)
    if cycles is not None and (bound is None or len(cycles) <= bound):
        return [tuple(nodes[i] for i in cycle) for cycle in cycles]
    import networkx  # 0.2 s

    place = {node: i for i, node in enumerate(nodes)}
    graph = networkx.DiGraph(
        (place[node], place[other]) for node in nodes for other in successors[node] if other != node
    )
    found = []
    for cycle in islice(networkx.simple_cycles(graph), bound):
        first = cycle.index(min(cycle))
        found.append((*cycle[first:], *cycle[:first]))
    return [tuple(nodes[i] for i in cycle) for cycle in sorted(found)]


def _few_cycles(
    successors: Mapping[Node, Collection[Node]], nodes: Sequence[Node]
) -> list[tuple[int, ...]] | None:
    """All cycles as places of nodes, in their order; None where they take more than few steps."""
    place = {node: i for i, node in enumerate(nodes)}
    cycles: list[tuple[int, ...]] = []
    steps = count()
    for members in components(successors):
        inside = {place[node] for node in members}
        after = {place[n]: {place[other] for other in successors[n]} & inside for n in members}
        for first in inside if len(inside) > 1 else ():
            stack: list[tuple[int, ...]] = [(first,)]
            while stack:
                if next(steps) >= _FEW_STEPS:
                    return None
                path = stack.pop()
                for other in after[path[-1]]:
                    if other == first and len(path) > 1:
                        cycles.append(path)
                    elif other > first and other not in path:
                        stack.append((*path, other))
    return sorted(cycles)


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
