"""The dependence graph after renamings: section 4.3 of the PolySIMD chapter."""

from __future__ import annotations

from collections.abc import Collection

from s2s.analyses.dependence_graph import Dependence, Graph, Kind
from s2s.analyses.renaming import Renaming, is_unwritten

Part = tuple[str, int]
"""A piece of a statement: the copy of a read (its index), or one of the two below."""
VALUE, WRITE = -2, -1

SplitGraph = dict[Part, dict[Part, Dependence | None]]
"""Which pieces have to wait for which, with a dependence that makes them; None where the two are
pieces of one statement."""


def split_graph(graph: Graph, members: Collection[str], chosen: Collection[Renaming]) -> SplitGraph:
    """What has to come before what after renamings, among the pieces of some statements.

    The copies of a statement's reads come first, then the computation of its value, then its write.
    A renamed scalar that is dead after the loop is not written any more: whoever reads the value
    reads the temporary.
    """
    pieces = _Pieces(graph, chosen)
    found: SplitGraph = {}
    for name in members:
        *others, last = pieces.of(name)
        first = next((p for p in others if p[1] == VALUE), last)
        found.update({p: {last if p == first else first: None} for p in others})
        found[last] = {}
    for item in graph.dependences:
        if item.source in members and item.target in members:
            source, target = pieces.begin(item), pieces.end(item)
            if target in found and source in found and source != target:
                found[source].setdefault(target, item)
    return found


class _Pieces:
    """The pieces that renamings make of statements."""

    def __init__(self, graph: Graph, chosen: Collection[Renaming]) -> None:
        self.graph, self.chosen = graph, set(chosen)
        self.sinks = {r.statement: r for r in chosen if r.kind == "sink"}

    def of(self, name: str) -> list[Part]:
        """A statement's pieces in their order."""
        mine = sorted(r for r in self.chosen if r.statement == name)
        copies = [(name, r.access) for r in mine if r.kind == "source"]
        if name not in self.sinks:
            return [*copies, (name, WRITE)]
        unwritten = is_unwritten(self.graph, self.sinks[name])
        return [*copies, (name, VALUE), *([] if unwritten else [(name, WRITE)])]

    def begin(self, item: Dependence) -> Part:
        """The piece of its source that a dependence begins at."""
        name = item.source
        if item.accesses is None:
            return name, WRITE
        if item.kind is Kind.ANTI:
            return self._reads(name, item.accesses[0])
        sink = Renaming("sink", name, item.accesses[0])
        return name, VALUE if item.kind is Kind.FLOW and sink in self.chosen else WRITE

    def end(self, item: Dependence) -> Part:
        """The piece of its target that a dependence ends at."""
        name = item.target
        if item.kind in (Kind.ANTI, Kind.OUTPUT):
            return name, WRITE
        return self._reads(name, None if item.accesses is None else item.accesses[1])

    def _reads(self, name: str, index: int | None) -> Part:
        """The piece that reads through an access, or that waits for a condition."""
        if index is not None and Renaming("source", name, index) in self.chosen:
            return name, index
        return name, VALUE if name in self.sinks else WRITE
