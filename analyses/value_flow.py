"""Value-based data flow: which write gave the value that is read.

Dependences relate all accesses to one element; here only the last write before a read counts
(Feautrier, "Dataflow analysis of array and scalar references", 1991). A write that may not happen
is taken to happen with the value that was there before, which makes it a read as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import islpy as isl

from s2s.scop.nodes import Access, Scop, Statement

# A reader of everything, behind the region.
_END = "_end"


@dataclass(frozen=True)
class Sources:
    """Of each ``[reader -> element]`` the instance that wrote the value.

    ``writes`` leads there; ``before`` are the readers and elements whose value is older than the
    region.
    """

    writes: isl.UnionMap
    before: isl.UnionMap


@dataclass(frozen=True)
class ValueFlow:
    """Where the values come from that a region reads and leaves, in its sequential order."""

    scop: Scop

    def sources(self, access: Access) -> Sources:
        """Where the values come from that an access reads, or overwrites if it is a write."""
        reads = isl.UnionMap.from_map(access.relation)
        everything = self._all
        return Sources(
            everything.writes.intersect_domain(reads.wrap()), everything.before.intersect(reads)
        )

    def last_writes(self, array: str) -> isl.UnionMap:
        """From the elements that the region writes to the instances that do so last."""
        end = isl.UnionMap.from_domain_and_range(
            isl.UnionSet(f"{{ {_END}[] }}"), self._written(array).range()
        )
        return self._all.writes.intersect_domain(end.wrap()).domain_factor_range()

    @cached_property
    def _all(self) -> Sources:
        reads = isl.UnionMap.empty(self.scop.domain().get_space())
        writes = reads
        for statement in self.scop.statements:
            for access in statement.accesses:
                relation = isl.UnionMap.from_map(access.relation.intersect_domain(statement.domain))
                if access.write:
                    writes = writes.union(relation)
                if not access.write or not access.exact:
                    reads = reads.union(relation)
        end = isl.UnionSet(f"{{ {_END}[] }}")
        reads = reads.union(isl.UnionMap.from_domain_and_range(end, writes.range()))
        order = _order(list(self.scop.statements), 0).sequence(isl.Schedule.from_domain(end))
        info = isl.UnionAccessInfo.from_sink(reads).set_must_source(writes)
        flow = info.set_schedule(order).compute_flow()
        return Sources(flow.get_full_must_dependence().reverse(), flow.get_must_no_source())

    def _written(self, array: str) -> isl.UnionMap:
        found = isl.UnionMap.empty(self.scop.domain().get_space())
        for statement in self.scop.statements:
            for access in statement.accesses:
                if access.write and access.array == array:
                    relation = access.relation.intersect_domain(statement.domain)
                    found = found.union(isl.UnionMap.from_map(relation))
        return found


def _order(statements: Sequence[Statement], position: int) -> isl.Schedule:
    """The order of statements from an entry of their time vectors on.

    A tree: isl takes the entries of a map for textual order where they are one number, and gets the
    last write wrong for a statement with a single instance.
    """
    if position == statements[0].schedule.dim(isl.dim_type.out):
        domain = isl.UnionSet.empty(statements[0].domain.get_space())
        for statement in statements:
            domain = domain.union(isl.UnionSet.from_set(statement.domain))
        return isl.Schedule.from_domain(domain)
    groups: dict[int, list[Statement]] = {}
    for statement in statements:
        value = statement.schedule.plain_get_val_if_fixed(isl.dim_type.out, position)
        if not value.is_int():
            inner = _order(statements, position + 1)
            return inner.insert_partial_schedule(_entry(statements, position))
        groups.setdefault(int(value.to_python()), []).append(statement)
    first, *rest = (_order(members, position + 1) for _, members in sorted(groups.items()))
    for other in rest:
        first = first.sequence(other)
    return first


def _entry(statements: Sequence[Statement], position: int) -> isl.MultiUnionPwAff:
    """An entry of the time vectors as a function of the statements' instances."""
    found: isl.UnionMap | None = None
    for statement in statements:
        time = statement.schedule.intersect_domain(statement.domain)
        count = time.dim(isl.dim_type.out)
        time = time.project_out(isl.dim_type.out, position + 1, count - position - 1)
        time = time.project_out(isl.dim_type.out, 0, position)
        item = isl.UnionMap.from_map(time)
        found = item if found is None else found.union(item)
    assert found is not None
    return isl.MultiUnionPwAff.from_union_map(found)
