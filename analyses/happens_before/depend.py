"""Depend clauses: the order between sibling tasks whose tags are equal."""

from __future__ import annotations

import islpy as isl

from s2s.analyses.happens_before.closure import close_transitively
from s2s.analyses.happens_before.events import Event, Events
from s2s.analyses.happens_before.team import Team
from s2s.scop.nodes import Kind
from s2s.scop.tags import DependItem


def sibling_order(events: Events, team: Team) -> tuple[isl.UnionMap, bool]:
    """Tasks that a sibling waits for, closed transitively; whether that is exact.

    Equal tags, one of them written, order siblings as they are spawned. The relation is between
    the beginnings of tasks and of ``taskwait`` constructs with such clauses.
    """
    direct = isl.UnionMap.empty(events.scop.domain().get_space())
    depending = events.constructs(Kind.TASK, Kind.TASKWAIT)
    for first in depending:
        for second in depending:
            direct = direct.union(_edges(events, team, first, second).to_union_map())
    if direct.is_empty():
        return direct, True
    return close_transitively(direct.coalesce())


def _edges(events: Events, team: Team, first: Event, second: Event) -> isl.Map:
    edges = events.empty(first, second)
    assert first.construct is not None and second.construct is not None
    if first.tasks != second.tasks or first.construct.kind is Kind.TASKWAIT:
        return edges
    for a in first.construct.depends:
        for b in second.construct.depends:
            if (a.writes or b.writes) and not _are_distinct(a, b):
                edges = edges.union(_equal_tags(events, first, second, a, b))
    return edges.intersect(_siblings(events, team, first, second))


def _siblings(events: Events, team: Team, first: Event, second: Event) -> isl.Map:
    """Pairs that one task (explicit or implicit) spawns, the first one earlier."""
    order = events.before(first, second)
    if first.tasks:
        return order.intersect(events.same(first, second, events.instance(first.tasks[-1])))
    return order.intersect(team.same_thread(first, second))


def _are_distinct(a: DependItem, b: DependItem) -> bool:
    """Whether tags differ for their bases alone; of pointers the new code checks it as it runs."""
    if not a.base or not b.base or a.base == b.base or a.flat or b.flat:
        return False
    return bool(a.subscripts and b.subscripts) or not (a.pointer or b.pointer)


def _equal_tags(
    events: Events, first: Event, second: Event, a: DependItem, b: DependItem
) -> isl.Map:
    """Pairs of task instances whose tags are equal (all pairs where that is not known)."""
    universe = events.same(first, second, 0)
    universe = universe.intersect_domain(first.domain).intersect_range(second.domain)
    if a.subscripts is None or b.subscripts is None or len(a.subscripts) != len(b.subscripts):
        return universe
    left, right = _tag_map(first, a.subscripts), _tag_map(second, b.subscripts)
    return left.apply_range(right.reverse()).intersect(universe)


def _tag_map(task: Event, values: tuple[str, ...]) -> isl.Map:
    space = task.domain.get_space()
    count = space.dim(isl.dim_type.param)
    names = [space.get_dim_name(isl.dim_type.param, i) or "" for i in range(count)]
    iterators = ", ".join(v.name for v in task.statement.iterators)
    text = f"[{', '.join(names)}] -> {{ {task.name}[{iterators}] -> [{', '.join(values)}] }}"
    return isl.Map(text)
