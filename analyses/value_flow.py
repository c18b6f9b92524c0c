"""Value-based data flow: which write gave the value that is read.

Dependences relate all accesses to one element; here only the last write before a read counts
(Feautrier, "Dataflow analysis of array and scalar references", 1991). A write that may not happen
is taken to happen with the value that was there before, which makes it a read as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import islpy as isl

from s2s.scop.nodes import Access, Scop

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
        info = isl.UnionAccessInfo.from_sink(reads).set_must_source(writes)
        flow = info.set_schedule_map(self._schedule()).compute_flow()
        return Sources(flow.get_full_must_dependence().reverse(), flow.get_must_no_source())

    def _schedule(self) -> isl.UnionMap:
        length = self.scop.statements[0].schedule.dim(isl.dim_type.out)
        names = ", ".join(f"t{i}" for i in range(length))
        zeros = ", ".join("0" for _ in range(length))
        later = isl.UnionMap(f"{{ [{names}] -> [0, {names}] }}")
        behind = isl.UnionMap(f"{{ {_END}[] -> [1, {zeros}] }}")
        return self.scop.schedule().apply_range(later).union(behind)

    def _written(self, array: str) -> isl.UnionMap:
        found = isl.UnionMap.empty(self.scop.domain().get_space())
        for statement in self.scop.statements:
            for access in statement.accesses:
                if access.write and access.array == array:
                    relation = access.relation.intersect_domain(statement.domain)
                    found = found.union(isl.UnionMap.from_map(relation))
        return found
