"""Expressions of the own vertex, written for a loop that goes over the same vertices."""

from __future__ import annotations

from s2s.frontends.c.places import Term
from s2s.frontends.c.syntax import Decl, Node
from s2s.rewriters.graphs.mirror import Mirror
from s2s.source.records import dataclass


@dataclass
class Same(Mirror):
    """Writes expressions of the own vertex as they are, without the body's locals."""

    def place(self, node: Node) -> str:
        return self._print(self.loop.places.place(node), node)

    def end(self, term: Term) -> str:
        return self._term(term, self.edges.node)


@dataclass
class Collected(Same):
    """Writes them with the target for the local that collects the result."""

    collector: Decl | None = None
    target: Node | None = None

    def _read(self, node: Node) -> str:
        if self.target is not None and node.decl is not None and node.decl is self.collector:
            return self.place(self.target)
        return super()._read(node)
