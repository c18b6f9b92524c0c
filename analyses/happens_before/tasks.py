"""Tasks, nested to any depth, and what waits for them.

What a task does is unordered with what its parent does after it (equation 3.3), until its parent
passes a waiting point that covers it:

- ``taskwait`` covers the tasks that its own task has spawned, not their descendants;
- the end of a ``taskgroup`` covers all descendants that were spawned inside;
- a barrier covers all tasks of the team, descendants too;
- the beginning of a task, or ``taskwait depend``, covers siblings with equal tags.

A task is complete when its own statements are: what its descendants do is only covered where the
task itself waits for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

import islpy as isl

from s2s.analyses.happens_before.events import Event, Events
from s2s.analyses.happens_before.team import Team
from s2s.scop.nodes import TASKS, Construct, Kind
from s2s.source.records import dataclass

Cover = tuple[Event, isl.Map, bool]
"""A waiting point, the instances that are complete there, and whether the whole team waits."""


@dataclass
class Tasks:
    """Questions about statements; ``siblings`` is the closed order that depend clauses give."""

    events: Events
    team: Team
    siblings: isl.UnionMap
    _covers: dict[tuple[str, int], list[Cover]] = field(default_factory=dict)

    def unordered(self, a: Event, b: Event) -> isl.Map:
        """Pairs of instances, the first earlier in the sequential order, that nothing orders."""
        found = self.events.empty(a, b)
        for level, pairs in self._levels(a, b):
            if pairs.is_empty():
                continue
            if len(a.tasks) > level:
                found = found.union(pairs.subtract(self._completed(a, b, level, pairs)))
            elif level == 0:
                free = self.team.unordered(a, self._met(b, 0))
                found = found.union(pairs.intersect(free.apply_range(self._parts(b, 0))))
        return found

    def repeated(self, a: Event, b: Event) -> isl.Map:
        """Pairs that may run at once since every thread of a team executes one or both."""
        x, y = self._met(a, 0), self._met(b, 0)
        pairs = self.team.repeated(x, y)
        found = self._parts(a, 0).reverse().apply_range(pairs).apply_range(self._parts(b, 0))
        alone = x.parallel is not None and x.owner is None
        return found.union(self.events.identity(a)) if a is b and alone else found

    def _levels(self, a: Event, b: Event) -> Iterator[tuple[int, isl.Map]]:
        """Pairs by how many tasks they share: the context in which their order is decided."""
        order = self.events.before(a, b)
        shared = 0
        for left, right in zip(a.tasks, b.tasks, strict=False):
            if left is not right:
                break
            inside = self.events.same(a, b, self.events.instance(left))
            yield shared, order.subtract(inside)
            order = order.intersect(inside)
            shared += 1
        yield shared, order

    def _met(self, event: Event, level: int) -> Event:
        """The event that the task around, at a level, meets itself: a spawn or the event."""
        if len(event.tasks) > level:
            return self.events.start(event.tasks[level])
        return event

    def _parts(self, event: Event, level: int) -> isl.Map:
        """From what the task at a level meets to the instances that it stands for."""
        if len(event.tasks) > level:
            return self.events.member(event, event.tasks[level]).reverse()
        return self.events.identity(event)

    def _completed(self, a: Event, b: Event, level: int, asked: isl.Map) -> isl.Map:
        """Pairs such that a is complete, for its context at a level, before b starts.

        Others than those ``asked`` for may be missing.
        """
        met, parts = self._met(b, level), self._parts(b, level)
        needed = asked.apply_range(parts.reverse())
        spawn = self.events.start(a.tasks[level])
        found = self.events.empty(a, met)
        for point, covered, whole in self._points(a, level):
            onward = self._context_order(point, met, level, whole)
            reached = covered.apply_range(onward)
            if not whole and level == 0 and point.owner is None and spawn.owner is not None:
                # Only the thread that has spawned the task waits for it here.
                free = self.team.unordered(spawn, met)
                reached = reached.subtract(self.events.member(a, a.tasks[0]).apply_range(free))
            found = found.union(reached)
            if needed.is_subset(found):
                return found.apply_range(parts)
        if len(b.tasks) > level:
            edges = self._edges(spawn, met)
            found = found.union(self._done_members(a, level).apply_range(edges))
        return found.apply_range(parts)

    def _context_order(self, point: Event, met: Event, level: int, whole: bool) -> isl.Map:
        """Pairs (waiting point, event) that their common task orders."""
        order = self.events.before(point, met)
        if level:
            return order.intersect(self._same_context(point, met, level))
        return order if whole else order.subtract(self.team.unordered(point, met))

    def _same_context(self, x: Event, y: Event, level: int) -> isl.Map:
        return self.events.same(x, y, self.events.instance(x.tasks[level - 1]))

    def _edges(self, first: Event, second: Event) -> isl.Map:
        return self.siblings.extract_map(self.events.empty(first, second).get_space())

    def _done_members(self, a: Event, level: int) -> isl.Map:
        """From instances of a to their task at a level, where a is complete when the task is."""
        member = self.events.member(a, a.tasks[level])
        if len(a.tasks) == level + 1:
            return member
        done = isl.Set.empty(a.domain.get_space())
        for _, covered, _ in self._points(a, level + 1):
            done = done.union(covered.domain())
        return member.intersect_domain(done)

    def _points(self, a: Event, level: int) -> list[Cover]:
        """The waiting points of the context at a level that cover instances of a."""
        key = (a.name, level)
        if key not in self._covers:
            points = self._find_points(a, level)
            self._covers[key] = [cover for cover in points if not cover[1].is_empty()]
        return self._covers[key]

    def _find_points(self, a: Event, level: int) -> Iterator[Cover]:
        spawn = self.events.start(a.tasks[level])
        member, done = self.events.member(a, a.tasks[level]), self._done_members(a, level)
        if level == 0:
            for point, pairs in self.team.barriers(spawn):
                yield point, member.apply_range(pairs), True
        for point in self.events.points:
            assert point.construct is not None
            if point.tasks != a.tasks[:level]:
                continue
            if point.construct.kind is Kind.TASKGROUP and point.construct in spawn.constructs:
                yield point, member.apply_range(self._group_end(spawn, point)), False
            elif point.construct.kind is Kind.TASKWAIT and not point.construct.depends:
                waited = self._own_wait(spawn, point, level)
                yield point, done.apply_range(waited), False
        for other in self.events.constructs(*TASKS, Kind.TASKWAIT):
            assert other.construct is not None
            if other.tasks != a.tasks[:level] or not _blocks(other.construct):
                continue
            yield other, done.apply_range(self._edges(spawn, other)), False
            if other is spawn:
                yield spawn, done, False

    def _group_end(self, spawn: Event, end: Event) -> isl.Map:
        """From spawns inside a taskgroup to its end."""
        return self.events.same(spawn, end, end.domain.dim(isl.dim_type.set)).intersect(
            self.events.before(spawn, end)
        )

    def _own_wait(self, spawn: Event, wait: Event, level: int) -> isl.Map:
        """From spawns to the later taskwaits of the task that spawns."""
        order = self.events.before(spawn, wait)
        if level:
            return order.intersect(self._same_context(spawn, wait, level))
        if wait.owner is None and spawn.parallel is wait.parallel:
            region = spawn.parallel
            count = 0 if region is None else spawn.depth(region)
            return order.intersect(self.events.same(spawn, wait, count))
        return order.intersect(self.team.same_thread(spawn, wait))


def _blocks(construct: Construct) -> bool:
    """Whether the thread that meets a construct goes on only when it is complete."""
    if construct.kind is Kind.TASKWAIT:
        return bool(construct.depends)
    return construct.eager
