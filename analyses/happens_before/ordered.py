"""What orders iterations of one worksharing loop: ordered regions and doacross waits."""

from __future__ import annotations

import islpy as isl

from s2s.analyses.happens_before.closure import close_transitively
from s2s.analyses.happens_before.events import Event, Events
from s2s.scop.nodes import Construct, Kind


def ordered_iterations(events: Events, loop: Construct, x: Event, y: Event) -> isl.Map:
    """Pairs of instances in different iterations of one execution that the loop orders."""
    return _regions(events, loop, x, y).union(_doacross(events, loop, x, y))


def _regions(events: Events, loop: Construct, x: Event, y: Event) -> isl.Map:
    """Through ordered regions: up to the end of one, then from the beginning of a later one."""
    found = events.empty(x, y)
    ends = [p for p in events.points if _is_in(p, Kind.ORDERED, loop)]
    for first in ends:
        to_end = events.before(x, first).intersect(_one_iteration(events, loop, x, first))
        for second in ends:
            passed = _iterations_later(events, loop, first, second)
            found = found.union(
                to_end.apply_range(passed).apply_range(_from_start(events, loop, second, y))
            )
    return found


def _iterations_later(events: Events, loop: Construct, first: Event, second: Event) -> isl.Map:
    """Pairs of regions in one execution of the loop, the second in a later iteration."""
    once = events.before(first, second).intersect(events.same(first, second, first.depth(loop)))
    return once.subtract(_one_iteration(events, loop, first, second))


def _from_start(events: Events, loop: Construct, end: Event, y: Event) -> isl.Map:
    """From the end of an ordered region to what is inside it, or after it in its iteration."""
    after = events.before(end, y).intersect(_one_iteration(events, loop, end, y))
    if end.construct not in y.constructs:
        return after
    inside = events.same(end, y, end.domain.dim(isl.dim_type.set))
    return after.union(inside.intersect_domain(end.domain).intersect_range(y.domain))


def _doacross(events: Events, loop: Construct, x: Event, y: Event) -> isl.Map:
    """From what comes before a source to what comes after a sink that waits for it."""
    found = events.empty(x, y)
    sources = [e for e in events.constructs(Kind.SOURCE) if _is_in(e, Kind.SOURCE, loop)]
    sinks = [e for e in events.constructs(Kind.SINK) if _is_in(e, Kind.SINK, loop)]
    if not sources or not sinks:
        return found
    step = isl.UnionMap.empty(found.get_space())
    waits = step
    for source in sources:
        for sink in sinks:
            wait = _waits_for(events, loop, source, sink)
            back = events.before(sink, source).intersect(_one_iteration(events, loop, sink, source))
            waits = waits.union(wait.to_union_map())
            step = step.union(back.to_union_map())
    chain, _ = close_transitively(waits.apply_range(step))
    waits = waits.union(chain.apply_range(waits))
    for source in sources:
        to_source = events.before(x, source).intersect(_one_iteration(events, loop, x, source))
        for sink in sinks:
            onward = events.before(sink, y).intersect(_one_iteration(events, loop, sink, y))
            wait = waits.extract_map(events.empty(source, sink).get_space())
            found = found.union(to_source.apply_range(wait).apply_range(onward))
    return found


def _waits_for(events: Events, loop: Construct, source: Event, sink: Event) -> isl.Map:
    """Pairs (source, sink) that name the same iteration; all earlier ones where not affine."""
    assert sink.construct is not None
    earlier = events.before(source, sink).intersect(events.same(source, sink, sink.depth(loop)))
    vectors = sink.construct.sinks
    outer, depth = sink.depth(loop), sink.domain.dim(isl.dim_type.set)
    if vectors is None or any(len(v) != depth - outer for v in vectors):
        return earlier
    found = events.empty(source, sink)
    for vector in vectors:
        found = found.union(
            _named(sink, outer, vector)
            .reverse()
            .apply_domain(_iteration_of(source, depth).reverse())
        )
    return found.intersect(earlier)


def _named(sink: Event, outer: int, vector: tuple[str, ...]) -> isl.Map:
    """From a sink to the iteration that it waits for."""
    names = [v.name for v in sink.statement.iterators]
    space = sink.domain.get_space()
    count = space.dim(isl.dim_type.param)
    parameters = [space.get_dim_name(isl.dim_type.param, i) or "" for i in range(count)]
    values = ", ".join([*names[:outer], *vector])
    text = f"[{', '.join(parameters)}] -> {{ {sink.name}[{', '.join(names)}] -> [{values}] }}"
    return isl.Map(text).intersect_domain(sink.domain)


def _iteration_of(source: Event, depth: int) -> isl.Map:
    relation = isl.Map.identity(source.domain.get_space().map_from_set())
    extra = source.domain.dim(isl.dim_type.set) - depth
    relation = relation.project_out(isl.dim_type.out, depth, extra)
    return relation.reset_tuple_id(isl.dim_type.out).intersect_domain(source.domain)


def _is_in(event: Event, kind: Kind, loop: Construct) -> bool:
    return event.construct is not None and event.construct.kind is kind and event.owner is loop


def _one_iteration(events: Events, loop: Construct, x: Event, y: Event) -> isl.Map:
    return events.same(x, y, events.instance(loop))
