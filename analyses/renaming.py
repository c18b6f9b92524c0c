"""Variable renamings that break dependence cycles: section 4.3 of the PolySIMD chapter.

::

    SoVR(s, r):  k = r;                    SiVR(s, w):  temp[i] = <right-hand side of s>;
                 s with k in place of r                 w = temp[i];

What was read through ``r`` is read by the first copy, what was computed for ``w`` is computed by
the first statement, and whoever reads that value reads ``temp``: some dependences that end or begin
at ``s`` are repositioned to the statement before it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Literal

from s2s.analyses.dependence_graph import Dependence, Graph, Kind
from s2s.source.records import dataclass

LATENCY_RATIO = 50
"""Time of an access to memory in that of one to a register: section 4.5.3."""


@dataclass(frozen=True, order=True)
class Renaming:
    """SoVR (``source``) of a read or SiVR (``sink``) of a write.

    ``access`` is the index in ``Statement.accesses`` of the access that is renamed.
    """

    kind: Literal["source", "sink"]
    statement: str
    access: int


def blocks(
    renaming: Renaming, incoming: Dependence, outgoing: Dependence, *, unwritten: bool = False
) -> bool:
    """Whether no path leads any more from one dependence to the other through the statement.

    Sections 4.3.1 and 4.3.2: SoVR takes away an anti dependence from its read, unless the path
    comes in through the same read; SiVR parts a write from the computation of its value. A write
    that the new code does without (``unwritten``) has no anti and output dependences at all.
    """
    if renaming.kind == "source":
        leaves = outgoing.kind is Kind.ANTI and _source(outgoing) == renaming.access
        enters = incoming.kind is Kind.FLOW and _target(incoming) == renaming.access
        return leaves and not enters
    overwrites = incoming.kind in (Kind.ANTI, Kind.OUTPUT)
    enters = overwrites and _target(incoming) == renaming.access
    leaves = outgoing.kind is Kind.OUTPUT and _source(outgoing) == renaming.access
    if unwritten and (enters or leaves):
        return True
    if not enters:
        return False
    if outgoing.kind is Kind.FLOW:
        return _source(outgoing) == renaming.access
    return outgoing.kind is Kind.ANTI


def _source(dependence: Dependence) -> int | None:
    return None if dependence.accesses is None else dependence.accesses[0]


def _target(dependence: Dependence) -> int | None:
    return None if dependence.accesses is None else dependence.accesses[1]


def is_unwritten(graph: Graph, renaming: Renaming) -> bool:
    """Whether nothing needs what a renamed write writes: who reads it reads the temporary."""
    array = graph.access(renaming.statement, renaming.access).array
    return renaming.kind == "sink" and graph.scop.arrays[array].dead


def renamings(graph: Graph) -> Iterator[Renaming]:
    """All renamings of exact accesses in a loop, in the order of its text.

    Of a statement that sets several things the right-hand side is not one value.
    """
    for name in graph.statements:
        statement = graph.scop.statement(name)
        plain = statement.straight and sum(a.write for a in statement.accesses) == 1
        for index, access in sorted(enumerate(statement.accesses), key=lambda item: item[1].span):
            if not access.exact or graph.scop.arrays[access.array].external:
                continue
            if not access.write:
                yield Renaming("source", name, index)
            elif plain:
                yield Renaming("sink", name, index)


def references(graph: Graph, renaming: Renaming) -> int:
    """How many reads in the loop see what a write stores."""
    return len(
        {
            (d.target, d.accesses[1])
            for d in graph.dependences
            if d.kind is Kind.FLOW
            and d.accesses is not None
            and (d.source, d.accesses[0]) == (renaming.statement, renaming.access)
        }
    )


def weight(graph: Graph, renaming: Renaming, latency: int = LATENCY_RATIO) -> int:
    """Loads and stores that a renaming adds to an iteration, in accesses to registers: Table 4.1.

    SoVR adds a load and a store of a scalar; SiVR a store and a load through a pointer, and a load
    for each reference, which is no longer a scalar's where a scalar is renamed.
    """
    if renaming.kind == "source":
        return 2
    count = references(graph, renaming)
    array = graph.access(renaming.statement, renaming.access).array
    scalar_loads = 0 if graph.scop.arrays[array].rank else -count
    return latency * (2 + count) + scalar_loads


def strip_size(spacelimit: int, chosen: Collection[Renaming]) -> int | None:
    """Vectors in a strip for which the new storage keeps to a bound, in vectors: section 4.5.5.

    None where the bound allows no renaming at all; where only sources are renamed, which needs a
    vector for each whatever the strip's length, all of the bound.
    """
    sinks = sum(r.kind == "sink" for r in chosen)
    left = spacelimit - (len(chosen) - sinks)
    if not sinks:
        return spacelimit if left >= 0 and spacelimit > 0 else None
    return left // sinks if left >= sinks else None
