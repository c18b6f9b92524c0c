"""What is known of a graph's objects, put into a region: members of vertices become arrays.

::

    struct vertex *v = vertices[i];
    v->next = 0;                         writes vertex.next[i]
    ... v->in.edges[k].to->distance      reads any vertex.distance[j]

A pointer that a loop loads says nothing to a polyhedral model. That elements of the table of
vertices are different is declared; that different members of structs are different memory is C's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import islpy as isl

from s2s.frontends.c.graph_loops import GraphAccess, Of, VertexLoop
from s2s.frontends.c.graph_pragmas import Graph
from s2s.frontends.c.places import Field, Index, Number, Place, ValueAt
from s2s.scop.nodes import Access, Array, Scop, Statement
from s2s.source.records import dataclass


def member(place: Place) -> Field | None:
    """The member of a struct that a place is, None where it is none."""
    last = place.steps[-1] if place.steps else None
    return last if isinstance(last, Field) else None


def is_own(loop: VertexLoop, access: GraphAccess, graphs: Sequence[Graph]) -> bool:
    """Whether a member's object is the iteration's own vertex, which no other iteration has."""
    if access.of is not Of.OWN or not isinstance(access.subject, ValueAt):
        return False
    return is_table(loop, access.subject.place, graphs)


def is_table(loop: VertexLoop, place: Place, graphs: Sequence[Graph]) -> bool:
    """Whether a place is an element of the declared table of different vertices.

    Two tables may hold the same vertices, so there must be one only.
    """
    tables = {(g.table, g.count) for g in graphs}
    return tables == {(loop.item(place), loop.count)}


@dataclass(frozen=True)
class _Refinement:
    """The members of structs in a region, by the accesses of the loops."""

    loops: Sequence[VertexLoop]
    graphs: Sequence[Graph]

    def of(self, statement: Statement, access: Access) -> Access:
        """The access as one to a member's array, itself where it is none.

        Elements of arrays of structs are left as they are: the region knows their subscripts.
        """
        loop, found = self._found(access)
        field = self.member(access)
        if loop is None or field is None or not all(_of_object(a.place) for a in found):
            return access
        name = f"{field.record}_{field.name}".replace(" ", "_") + "_m"
        own = all(is_own(loop, a, self.graphs) for a in found)
        target = statement.iterators[0].name if own else "o"
        inputs = ", ".join(v.name for v in statement.iterators)
        relation = isl.Map(f"{{ {statement.name}[{inputs}] -> {name}[{target}] }}")
        relation = relation.align_params(access.relation.get_space())
        relation = relation.intersect_domain(access.relation.domain())
        return replace(access, array=name, relation=relation, exact=False)

    def member(self, access: Access) -> Field | None:
        """The member of a struct that an access is to, None where it is to none or to several."""
        _, found = self._found(access)
        members = {member(a.place) for a in found}
        scalar = all(a.node.type.scalar and not a.whole for a in found)
        return next(iter(members)) if len(members) == 1 and scalar else None

    def _found(self, access: Access) -> tuple[VertexLoop | None, list[GraphAccess]]:
        """The loop that an access of the region is in, and what the loop knows of it."""
        loop = next((v for v in self.loops if _holds(v, access)), None)
        spans = set(access.spans)
        return loop, [a for a in loop.accesses if a.node.span in spans] if loop else []


def _holds(loop: VertexLoop, access: Access) -> bool:
    return loop.node.span.start <= access.span.start < loop.node.span.end


def _of_object(place: Place) -> bool:
    """Whether a place is a member of what a pointer leads to, without any subscript."""
    before = next((s for s in reversed(place.steps) if isinstance(s, Index)), None)
    return before is not None and before.pointer and before.term == Number(0)


def refine_region(scop: Scop, loops: Sequence[VertexLoop], graphs: Sequence[Graph]) -> Scop:
    """The region with accesses to members of structs as accesses to arrays of them."""
    refinement = _Refinement(loops, graphs)
    arrays = dict(scop.arrays)
    became: dict[str, set[str]] = {}
    members: dict[str, set[Field | None]] = {}
    statements = []
    for statement in scop.statements:
        accesses = []
        for access in statement.accesses:
            new = refinement.of(statement, access)
            became.setdefault(access.array, set()).add(new.array)
            members.setdefault(new.array, set()).add(refinement.member(access))
            if new.array not in arrays:
                arrays[new.array] = Array(new.array, arrays[access.array].spelling, 1)
            accesses.append(new)
        statements.append(replace(statement, accesses=tuple(accesses)))
    pairs = frozenset(_pairs(scop, became, members))
    return replace(scop, arrays=arrays, statements=tuple(statements), may_alias=pairs)


def _pairs(
    scop: Scop, became: dict[str, set[str]], members: dict[str, set[Field | None]]
) -> Iterator[frozenset[str]]:
    """What may alias now: different members do not, if all accesses to them are known as such."""

    def differ(a: str, b: str) -> bool:
        one, other = members.get(a, {None}), members.get(b, {None})
        return None not in one | other and one.isdisjoint(other)

    for found in became.values():
        yield from (frozenset({a, b}) for a in found for b in found if a < b and not differ(a, b))
    for pair in scop.may_alias:
        one, other = sorted(pair) if len(pair) == 2 else (*pair, *pair)
        for a in became.get(one, {one}):
            for b in became.get(other, {other}):
                if a != b and not differ(a, b):
                    yield frozenset({a, b})
