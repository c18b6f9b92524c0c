"""An array that is filled, copied to another one and then forgotten: who fills it fills the other.

::

    X with T; B[f(e)] = T[e] for e in W;      ->      X with B[f(e)] in place of T[e]

Why both are the same: executing X with the contents of T[W] and of B[f(W)] exchanged, before and
after, is executing it with the names exchanged. If X sets all of T[W], reads none of it before, and
does not touch B[f(W)], then it leaves in B[f(W)] what it would have left in T[W], which is what the
copy would have put there; nothing ever looks at T[W] again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import islpy as isl

from s2s.analyses.roles import (
    NotExchangeable,
    Swap,
    check_sets,
    is_behind,
    sides,
)
from s2s.scop.nodes import Loop, Scop, Statement, walk
from s2s.source.records import dataclass

_IN, _OUT, _SET = isl.dim_type.in_, isl.dim_type.out, isl.dim_type.set


@dataclass(frozen=True)
class Forward:
    """``copy`` is the statement, from the array ``swap.other`` to ``swap.kept``.

    ``swap.elements`` are those of the former; ``places`` leads from them to those of the latter.
    ``text`` is what stands for the former's name.
    """

    copy: str
    swap: Swap
    places: isl.Map
    text: str


def forward(scop: Scop) -> Forward:
    """The array that need not be. Raises NotExchangeable."""
    if scop.order is not None or scop.guards or scop.tested or scop.carried or scop.storage:
        raise NotExchangeable(None, "the order of the statements depends on data or blocks")
    copy = scop.statements[-1]
    found = _forward(scop, copy)
    others = [s for s in scop.statements if s is not copy]
    if not all(is_behind(copy, other) for other in others):
        raise NotExchangeable(copy, "the copy is not behind everything else")
    for pair in scop.may_alias:
        if pair & {found.swap.kept, found.swap.other}:
            names = " and ".join(sorted(f"'{scop.arrays[n].spelling}'" for n in pair))
            raise NotExchangeable(copy, f"{names} may overlap")
    check_sets(scop, found.swap, None, isl.Set("{ [0] }"))
    target = found.places.range()
    for other in others:
        for access in other.accesses:
            if access.array == found.swap.kept and not access.relation.range().is_disjoint(target):
                name = scop.arrays[found.swap.kept].spelling
                raise NotExchangeable(other, f"'{name}' is used before it is copied to")
    return found


def _forward(scop: Scop, copy: Statement) -> Forward:
    """What a copy says, as far as one statement shows it."""
    assignment = copy.assignment
    writes = [a for a in copy.accesses if a.write]
    reads = [a for a in copy.accesses if not a.write]
    plain = assignment is not None and not assignment.operation and len(writes) == len(reads) == 1
    if not plain or assignment is None or assignment.copied not in reads[0].spans:
        raise NotExchangeable(copy, "no copy of a local array at the end")
    (write,), (read,) = writes, reads
    array, target = scop.arrays[read.array], scop.arrays[write.array]
    name = array.spelling
    if not array.confined or array.row_rank or target.row_rank or target.external:
        raise NotExchangeable(copy, f"'{name}' may be read elsewhere")
    exact = write.exact and read.exact and read.relation.is_single_valued()
    typed = write.type == read.type and bool(write.type) and array is not target
    if not exact or not typed or not target.base or not write.relation.is_single_valued():
        raise NotExchangeable(copy, f"'{name}' is not copied as it is")
    places = read.relation.reverse().apply_range(write.relation)
    counters = {n.variable.spelling for n in walk(scop.tree) if isinstance(n, Loop)}
    if (
        not _keeps_subscripts(places)
        or not assignment.instead
        or counters & words(assignment.instead)
    ):
        raise NotExchangeable(copy, f"'{name}' is copied to other subscripts")
    elements = read.relation.range().reset_tuple_id()
    swap = Swap(target.name, array.name, (copy.name,), elements)
    return Forward(copy.name, swap, places, assignment.instead)


def words(text: str) -> set[str]:
    """The names in a C text."""
    return set(re.findall(r"[A-Za-z_]\w*", text))


def _keeps_subscripts(places: isl.Map) -> bool:
    """Whether an element goes to the place with its subscripts, after ones that never change."""
    inner, outer = places.dim(_IN), places.dim(_OUT)
    if outer < inner:
        return False
    leading = places.range().project_out(_SET, outer - inner, inner).reset_tuple_id()
    same = places
    for position in range(inner):
        same = same.equate(_IN, position, _OUT, outer - inner + position)
    return bool(places.is_subset(same) and leading.is_singleton())


@dataclass(frozen=True)
class Forwarding:
    """The proof for the new program; ``origins`` leads from its statements to the source's."""

    origins: Mapping[str, str]

    def dependences(
        self, before: Scop, after: Scop, dependences: isl.UnionMap
    ) -> isl.UnionMap | None:
        """The source's dependences without the copy's: names are changed one to one."""
        try:
            found = forward(before)
        except NotExchangeable:
            return None
        known = after.assumptions.intersect(after.context)
        rename = isl.UnionMap.empty(after.domain().get_space())
        for statement in before.statements:
            pieces = [p for p in after.statements if self.origins[p.name] == statement.name]
            if statement.name == found.copy:
                if pieces:
                    return None
                continue
            total = statement.domain.subtract(statement.domain)
            for piece in pieces:
                domain = piece.domain.set_tuple_name(statement.name)
                if not domain.is_disjoint(total) or not _is_renamed(statement, piece, found):
                    return None
                total = total.union(domain)
                same = isl.Map.identity(statement.domain.get_space().map_from_set())
                same = same.set_tuple_name(_OUT, piece.name).intersect_range(piece.domain)
                rename = rename.union(isl.UnionMap.from_map(same))
            if not statement.domain.intersect_params(known).is_equal(total.intersect_params(known)):
                return None
        return dependences.apply_domain(rename).apply_range(rename)


def _is_renamed(origin: Statement, piece: Statement, found: Forward) -> bool:
    """Whether a statement's accesses are the source's, to the other array where they have to be."""
    domain = piece.domain.set_tuple_name(origin.name)
    if len(origin.accesses) != len(piece.accesses):
        return False
    for was, now in zip(origin.accesses, piece.accesses, strict=True):
        relation = was.relation.intersect_domain(domain)
        if was.array == found.swap.other:
            inside, outside = sides(found.swap, was, domain)
            if domain.is_subset(inside):
                relation = relation.apply_range(found.places)
            elif not domain.is_subset(outside):
                return False
        relation = relation.set_tuple_name(_IN, piece.name)
        own = now.relation.intersect_domain(piece.domain)
        if now.write != was.write or not own.is_equal(relation):
            return False
    return True
