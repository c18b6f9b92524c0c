"""Which operations of a graph a device could take: its table's matches, longest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from s2s.source.records import dataclass
from s2s.transforms.outline.graph import Graph, Node
from s2s.transforms.outline.patterns import Match
from s2s.transforms.outline.table import Entry, get_patterns_with_prefix


@dataclass(frozen=True, eq=False)
class Composite:
    """Operations that a device takes as one: ``name`` is the pattern's."""

    name: str
    device: str
    nodes: tuple[Node, ...]
    pieces: frozenset[int]


@dataclass(frozen=True, eq=False)
class Rejected:
    """A match that did not become a composite: which pattern, where, and why."""

    name: str
    node: Node
    reason: str


def annotate(graph: Graph, device: str) -> tuple[list[Composite], list[Rejected]]:
    """The composites of a device, no two with a piece in common, and what was rejected.

    The longest match wins, then the earlier line of the table, then the earlier node.
    """
    entries = get_patterns_with_prefix(f"{device}.")
    found: list[tuple[int, int, int, Entry, Match]] = []
    for place, entry in enumerate(entries):
        for node in graph.nodes:
            for match in entry.pattern.at_node(graph, node):
                found.append((-len(match.nodes), place, node.number, entry, match))
    taken: set[int] = set()
    composites: list[Composite] = []
    rejected: list[Rejected] = []
    for _, _, _, entry, match in sorted(found, key=lambda one: one[:3]):
        pieces = graph.pieces(match.nodes)
        if pieces & taken:
            continue
        reason = _refusal(graph, entry, match)
        if reason:
            rejected.append(Rejected(entry.name, match.roots[0], reason))
            continue
        taken |= pieces
        nodes = tuple(sorted(match.nodes, key=lambda node: node.number))
        composites.append(Composite(entry.name, device, nodes, pieces))
    taken_nodes = {node for one in composites for node in one.nodes}
    return composites, [r for r in _once(rejected) if r.node not in taken_nodes]


def _refusal(graph: Graph, entry: Entry, match: Match) -> str:
    """Why a match is none that the device could run; empty if it is one."""
    others = set(graph.of_pieces(graph.pieces(match.nodes))) - match.nodes
    if others:
        other = min(others, key=lambda node: node.number)
        return f"its loops compute {other} as well"
    inner = match.nodes - set(match.roots)
    for node in sorted(inner, key=lambda n: n.number):
        outside = [user for user in graph.users(node) if user not in match.nodes]
        if outside:
            return f"the result of {node} is needed by {outside[0]}, too"
    return entry.refusal(graph, match)


def _once(rejected: Sequence[Rejected]) -> Iterator[Rejected]:
    seen = set()
    for one in rejected:
        key = one.name, one.node, one.reason
        if key not in seen:
            seen.add(key)
            yield one
