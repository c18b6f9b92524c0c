"""The order between the threads of a team: worksharing, sections, single, master, barriers.

Equation 3.2 is the rule for worksharing loops. Events here are those that a thread meets itself:
statements outside of tasks, beginnings of tasks, waiting points.
"""

from __future__ import annotations

import islpy as isl

from s2s.analyses.happens_before.events import Event, Events, find_distributed
from s2s.analyses.happens_before.ordered import ordered_iterations
from s2s.scop.nodes import Construct, Kind, Loop
from s2s.source.records import dataclass

_BARRIERS = frozenset({Kind.BARRIER, Kind.PARALLEL, Kind.LOOP, Kind.SECTIONS, Kind.SINGLE})


@dataclass(frozen=True)
class Team:
    """Questions about two events in the implicit tasks of one parallel region."""

    events: Events

    def unordered(self, x: Event, y: Event) -> isl.Map:
        """Pairs, the first earlier in the sequential order, that no thread or barrier orders.

        What every thread of the team executes counts as ordered within each of them.
        """
        free = self.events.empty(x, y)
        a, b = x.owner, y.owner
        if x.parallel is not y.parallel or a is None or b is None:
            return free
        pairs = self._in_team(x, y)
        if _sharing(x, a) is _sharing(y, b):
            sharing = _sharing(x, a)
            once = pairs.intersect(self.events.same(x, y, x.depth(sharing)))
            free = self._of_one_execution(x, y, once)
            pairs = pairs.subtract(once)
        if self._waits(x, a) or (a.kind is Kind.MASTER and b.kind is Kind.MASTER):
            return free
        later = self._without_equal_shares(x, y, pairs)
        return free.union(self._without_barriers(x, y, later))

    def repeated(self, x: Event, y: Event) -> isl.Map:
        """Pairs that two threads may execute at once, one event (or both) being for every thread.

        Contains pairs of equal instances.
        """
        if x.parallel is None or x.parallel is not y.parallel or (x.owner and y.owner):
            return self.events.empty(x, y)
        return self._without_barriers(x, y, self._in_team(x, y))

    def same_thread(self, x: Event, y: Event) -> isl.Map:
        """Pairs that one thread meets: in what is shared out as a piece, or by equal shares."""
        a, b = x.owner, y.owner
        if x.parallel is not y.parallel or (a is None) is not (b is None):
            return self.events.empty(x, y)
        team = self._same_team(x, y)
        if a is None or b is None or a.kind is b.kind is Kind.MASTER:
            return team
        shared = team.subtract(self._without_equal_shares(x, y, team))
        if a is b:
            shared = shared.union(self.events.same(x, y, self.events.instance(a)))
        return shared

    def barriers(self, x: Event) -> list[tuple[Event, isl.Map]]:
        """The barriers after an event in its team, each with the pairs (event, barrier)."""
        found = []
        for point in self.events.points:
            assert point.construct is not None
            kind = point.construct.kind
            region = point.construct if kind is Kind.PARALLEL else point.parallel
            if kind in _BARRIERS and region is x.parallel:
                count = x.depth(region) if region is not None else 0
                pairs = self.events.before(x, point)
                found.append((point, pairs.intersect(self.events.same(x, point, count))))
        return found

    def _same_team(self, x: Event, y: Event) -> isl.Map:
        region = x.parallel
        return self.events.same(x, y, 0 if region is None else x.depth(region))

    def _in_team(self, x: Event, y: Event) -> isl.Map:
        return self.events.before(x, y).intersect(self._same_team(x, y))

    def _of_one_execution(self, x: Event, y: Event, pairs: isl.Map) -> isl.Map:
        """Pairs in different iterations or sections of one execution of a construct."""
        a, b = x.owner, y.owner
        assert a is not None
        if a.kind is Kind.LOOP:
            different = pairs.subtract(self.events.same(x, y, self.events.instance(a)))
            return different.subtract(ordered_iterations(self.events, a, x, y))
        return pairs if a is not b else self.events.empty(x, y)

    def _waits(self, x: Event, owner: Construct) -> bool:
        """Whether a barrier ends the construct."""
        return owner.kind is not Kind.MASTER and not _sharing(x, owner).nowait

    def _without_barriers(self, x: Event, y: Event, pairs: isl.Map) -> isl.Map:
        for point, reached in self.barriers(x):
            if pairs.is_empty():
                break
            passed = self.events.before(point, y)
            pairs = pairs.subtract(reached.apply_range(passed.intersect(self._same_team(point, y))))
        return pairs

    def _without_equal_shares(self, x: Event, y: Event, pairs: isl.Map) -> isl.Map:
        """Without pairs that equal static schedules may give to one thread.

        That is promised for loops with a static schedule and as many iterations; it is also what
        happens by default.
        """
        a, b = x.owner, y.owner
        assert a is not None and b is not None
        if a.kind is not Kind.LOOP or b.kind is not Kind.LOOP:
            return pairs
        schedules = {_schedule(a), _schedule(b)}
        if len(schedules) != 1 or not schedules.pop().startswith("static"):
            return pairs
        steps = _steps(a)
        backwards = min(steps, default=-1) < 0
        if not steps or steps != _steps(b) or (backwards and len(steps) > 1):
            return self.events.empty(x, y)
        return pairs.subtract(self._equal_shares(x, y, a, b))

    def _equal_shares(self, x: Event, y: Event, a: Construct, b: Construct) -> isl.Map:
        """Pairs in iterations that have one number, counted from the beginning of their loops."""
        left, right = (_numbers(self.events.start(c), _steps(c)) for c in (a, b))
        equal = left.apply_range(right.reverse())
        member = self.events.member
        return member(x, a).apply_range(equal).apply_range(member(y, b).reverse())


def _sharing(event: Event, owner: Construct) -> Construct:
    """The worksharing construct that an owner belongs to."""
    if owner.kind is Kind.SECTION:
        around = event.around(owner, Kind.SECTIONS)
        assert around is not None
        return around
    return owner


def _schedule(loop: Construct) -> str:
    """The schedule of a worksharing loop without blanks; implementations default to static."""
    text = dict(loop.clauses).get("schedule", "static").split(":")[-1]
    return "".join(text.split())


def _steps(loop: Construct) -> list[int]:
    """The steps of the loops that a construct distributes, outside in."""
    return [node.step for node in find_distributed(loop) if isinstance(node, Loop)]


def _numbers(start: Event, steps: list[int]) -> isl.Map:
    """From the iterations of a distributed loop to their distances from the first one."""
    depth = start.domain.dim(isl.dim_type.set)
    outer = depth - len(steps)
    identity = isl.Map.identity(start.domain.get_space().map_from_set())
    outer_only = identity.project_out(isl.dim_type.out, outer, len(steps))
    outer_only = outer_only.reset_tuple_id(isl.dim_type.out).intersect_domain(start.domain)
    iterations = outer_only.reverse()
    first = iterations.lexmax() if min(steps) < 0 else iterations.lexmin()
    return _distances(outer_only.apply_range(first)).project_out(isl.dim_type.out, 0, outer)


def _distances(first: isl.Map) -> isl.Map:
    """From iterations to their distances from their first ones."""
    pairs = first.reverse()
    distances = pairs.range_map().reverse().apply_range(pairs.deltas_map())
    return distances.reset_tuple_id(isl.dim_type.out)
