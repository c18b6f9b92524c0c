"""Value-based data flow: which write gave the value that is read.

Dependences relate all accesses to one element; here only the last write before a read counts
(Feautrier, "Dataflow analysis of array and scalar references", 1991). A write that may not happen
is taken to happen with the value that was there before, which makes it a read as well.
"""

from __future__ import annotations

from dataclasses import dataclass

import islpy as isl

from s2s.scop.nodes import Access, Scop

END = "End"


@dataclass(frozen=True)
class Sources:
    """Of each ``[reader -> element]`` the instance that wrote the value.

    ``writes`` leads there; ``before`` are the readers and elements whose value is older than the
    region.
    """

    writes: isl.UnionMap
    before: isl.UnionMap


def sources(scop: Scop, access: Access) -> Sources:
    """Where the values come from that an access reads, or overwrites if it is a write."""
    return _flow(scop, isl.UnionMap.from_map(access.relation), access.array, scop.schedule())


def last_writes(scop: Scop, array: str) -> isl.UnionMap:
    """From the elements that the region writes to the instances that do so last."""
    written = _writes(scop, array)
    length = scop.statements[0].schedule.dim(isl.dim_type.out)
    names = ", ".join(f"t{i}" for i in range(length))
    zeros = ", ".join("0" for _ in range(length))
    later = isl.UnionMap(f"{{ [{names}] -> [0, {names}] }}")
    schedule = scop.schedule().apply_range(later)
    schedule = schedule.union(isl.UnionMap(f"{{ {END}[] -> [1, {zeros}] }}"))
    end = isl.UnionMap.from_domain_and_range(isl.UnionSet(f"{{ {END}[] }}"), written.range())
    found = _flow(scop, end, array, schedule)
    return found.writes.domain_factor_range()


def _flow(scop: Scop, reads: isl.UnionMap, array: str, schedule: isl.UnionMap) -> Sources:
    info = isl.UnionAccessInfo.from_sink(reads).set_must_source(_writes(scop, array))
    flow = info.set_schedule_map(schedule).compute_flow()
    return Sources(flow.get_full_must_dependence().reverse(), flow.get_must_no_source())


def _writes(scop: Scop, array: str) -> isl.UnionMap:
    found = isl.UnionMap.empty(scop.domain().get_space())
    for statement in scop.statements:
        for access in statement.accesses:
            if access.write and access.array == array:
                relation = access.relation.intersect_domain(statement.domain)
                found = found.union(isl.UnionMap.from_map(relation))
    return found
