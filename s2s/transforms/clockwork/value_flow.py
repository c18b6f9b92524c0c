"""Which operation's value each load gets: the last write before it, in the program's order."""

from __future__ import annotations

from collections.abc import Iterable

import islpy as isl

from s2s.analyses.cycles import Dependence
from s2s.scop.accelerator import Accelerator
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Flow:
    """``relation`` leads from the producer's iterations to the consumer's that load its values.

    ``load`` is the place among the consumer's loads.
    """

    producer: str
    consumer: str
    load: int
    relation: isl.Map


def value_flows(accelerator: Accelerator, dependences: Iterable[Dependence]) -> tuple[Flow, ...]:
    """The flow of values to all loads of buffers, but for those with places that depend on data."""
    known = [each for each in dependences if each.buffer not in accelerator.scattered]
    again = {each.buffer for each in known if each.kind == "WAW"}
    found = [
        Flow(each.source, each.target, each.read, each.relation)
        for each in known
        if each.kind == "RAW" and each.buffer not in again
    ]
    for buffer in sorted(again):
        found += _last_writes(accelerator, buffer)
    return tuple(found)


def _last_writes(accelerator: Accelerator, buffer: str) -> Iterable[Flow]:
    statements = accelerator.scop.statements
    names = {s.name: o.name for s, o in zip(statements, accelerator.operations, strict=True)}
    writes = isl.UnionMap("{}")
    order = isl.UnionMap("{}")
    for statement in statements:
        order = order.union(
            isl.UnionMap.from_map(statement.schedule.intersect_domain(statement.domain))
        )
        if statement.write.array == buffer:
            writes = writes.union(isl.UnionMap.from_map(statement.write.relation))
    for statement in statements:
        for number, access in enumerate(statement.reads):
            if access.array == buffer:
                sink = isl.UnionMap.from_map(access.relation)
                info = isl.UnionAccessInfo.from_sink(sink).set_must_source(writes)
                flow = info.set_schedule_map(order).compute_flow().get_must_dependence()
                for relation in _maps(flow):
                    source = names[relation.get_tuple_name(isl.dim_type.in_)]
                    yield Flow(source, names[statement.name], number, relation)


def _maps(relation: isl.UnionMap) -> list[isl.Map]:
    found: list[isl.Map] = []
    relation.foreach_map(found.append)
    return sorted(found, key=lambda m: str(m.get_tuple_name(isl.dim_type.in_)))
