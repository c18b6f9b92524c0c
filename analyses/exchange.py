"""Proof that arrays which exchange their roles hold what they hold in the source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import islpy as isl

from s2s.analyses.roles import NotExchangeable, Roles, roles, sides
from s2s.scop.nodes import Scop, Statement
from s2s.source.records import dataclass

_IN, _OUT = isl.dim_type.in_, isl.dim_type.out


@dataclass(frozen=True)
class Exchange:
    """The proof for a new program.

    ``origins`` leads from its statements to those of the source whose instances they are;
    ``exchanged`` are those whose texts have the names of the arrays exchanged.
    """

    origins: Mapping[str, str]
    exchanged: frozenset[str]

    def dependences(
        self, before: Scop, after: Scop, dependences: isl.UnionMap
    ) -> isl.UnionMap | None:
        """What orders the new program: the source's dependences, and those of exchanged elements.

        Exchanging names leaves the dependences within an iteration as they are.
        """
        try:
            found = roles(before)
        except NotExchangeable:
            return None
        known = after.assumptions.intersect(after.context)
        if not self._has_instances(before, after, found, known):
            return None
        if not all(self._is_renamed(before, s, found) for s in after.statements):
            return None
        rename = self._rename(before, after)
        moved = dependences.apply_domain(rename).apply_range(rename)
        order = self._order(before, after, found)
        for swap in found.swaps:
            for array in (swap.kept, swap.other):
                moved = moved.union(_conflicts(after, array).intersect(order))
        return moved

    def _has_instances(self, before: Scop, after: Scop, found: Roles, known: isl.Set) -> bool:
        """Whether each statement runs when it should: once, exchanged or not."""
        for statement in before.statements:
            copy = statement.name in found.copies
            parts = found.parts
            plain = parts.copied if copy else parts.rest.union(parts.first)
            exchanged = parts.second.subtract(parts.second) if copy else parts.second
            for wanted, is_exchanged in ((plain, False), (exchanged, True)):
                expected = found.when(statement, wanted).intersect_params(known)
                if not self._partition(statement, after, expected, is_exchanged):
                    return False
        return True

    def _partition(
        self, statement: Statement, after: Scop, expected: isl.Set, exchanged: bool
    ) -> bool:
        """Whether the new statements of one kind have the expected instances, each once."""
        total = expected.subtract(expected)
        for piece in self._pieces(statement, after):
            if (piece.name in self.exchanged) is not exchanged:
                continue
            domain = piece.domain.set_tuple_name(statement.name)
            if not domain.is_disjoint(total):
                return False
            total = total.union(domain)
        return bool(total.is_equal(expected))

    def _pieces(self, statement: Statement, after: Scop) -> Iterator[Statement]:
        return (p for p in after.statements if self.origins[p.name] == statement.name)

    def _is_renamed(self, before: Scop, piece: Statement, found: Roles) -> bool:
        """Whether a statement's accesses are the source's, exchanged where they have to be."""
        origin = before.statement(self.origins[piece.name])
        domain = piece.domain.set_tuple_name(origin.name)
        wanted = []
        for access in origin.accesses:
            relation = access.relation.intersect_domain(domain)
            array = access.array
            swap = found.swap_of(array) if piece.name in self.exchanged else None
            if swap is not None:
                inside, outside = sides(swap, access, domain)
                if domain.is_subset(inside):
                    array = swap.partner(array)
                elif not domain.is_subset(outside):
                    return False
            relation = relation.set_tuple_name(_IN, piece.name).set_tuple_name(_OUT, array)
            wanted.append((array, access.write, relation))
        found_ = [(a.array, a.write, a.relation) for a in piece.accesses]
        return len(found_) == len(wanted) and all(
            a[:2] == b[:2] and a[2].is_equal(b[2].intersect_domain(piece.domain))
            for a, b in zip(wanted, found_, strict=True)
        )

    def _rename(self, before: Scop, after: Scop) -> isl.UnionMap:
        """From the source's instances to the same ones in the new program."""
        result = isl.UnionMap.empty(after.domain().get_space())
        for statement in before.statements:
            for piece in self._pieces(statement, after):
                same = isl.Map.identity(statement.domain.get_space().map_from_set())
                same = same.set_tuple_name(_OUT, piece.name).intersect_range(piece.domain)
                result = result.union(isl.UnionMap.from_map(same))
        return result

    def _order(self, before: Scop, after: Scop, found: Roles) -> isl.UnionMap:
        """Pairs of instances in this order, up to two iterations apart.

        What is exchanged is set in each second iteration at least, so accesses that are further
        apart are ordered by way of others.
        """
        result = isl.UnionMap.empty(after.domain().get_space())
        for one in after.statements:
            for other in after.statements:
                origins = [before.statement(self.origins[s.name]) for s in (one, other)]
                copies = tuple(s.name in found.copies for s in origins)
                together = copies == ((True, False) if found.leading else (False, True))
                step = isl.Map(f"{{ [t] -> [u] : t + {int(not together)} <= u <= t + 2 }}")
                first, second = (found.time(s) for s in origins)
                pairs = first.apply_range(step).apply_range(second.reverse())
                pairs = pairs.set_tuple_name(_IN, one.name).set_tuple_name(_OUT, other.name)
                result = result.union(isl.UnionMap.from_map(pairs))
        return result


def _conflicts(scop: Scop, array: str) -> isl.UnionMap:
    """Pairs of instances that touch the same element of an array, one of them to write it."""
    writes = touches = isl.UnionMap.empty(scop.domain().get_space())
    for statement in scop.statements:
        for access in statement.accesses:
            if access.array == array:
                relation = isl.UnionMap.from_map(access.relation)
                touches = touches.union(relation)
                writes = writes.union(relation) if access.write else writes
    forward = writes.apply_range(touches.reverse())
    return forward.union(forward.reverse())
