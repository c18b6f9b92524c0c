"""Which statements of an innermost loop share a loop when it is distributed in strips.

A statement goes into the loop of another one unless that kept it from being vectorized or made slow
vectors of it: statements of one component of the dependence graph stay in a sequential loop, and a
loop that stores ``t[i]`` and loads ``t[i - 1]`` waits for its own stores.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from functools import cached_property

import islpy as isl

from s2s.analyses.dependences import by_statements
from s2s.analyses.elementary import components
from s2s.scop.nodes import Scop
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Order:
    """What the dependences of a loop's statements leave free.

    ``carried`` are pairs of statements with a dependence between iterations, with the smallest
    distance where that is known; ``flow`` are those of which the second one may load what the
    first one has just stored. All distances are in iterations of ``scop``'s schedule, whose first
    entry is the loop.
    """

    scop: Scop
    dependences: isl.UnionMap
    few: frozenset[str] = frozenset()
    """Statements with a few instances at the beginning, which no loop should be split for."""

    @cached_property
    def edges(self) -> Mapping[str, frozenset[str]]:
        """For each statement those that have to follow it in some iteration."""
        found: dict[str, set[str]] = {s.name: set() for s in self.scop.statements}
        for source, target in by_statements(self.dependences):
            found[source].add(target)
        return {name: frozenset(targets) for name, targets in found.items()}

    @cached_property
    def parts(self) -> list[tuple[str, ...]]:
        """The components of the dependence graph in topological order."""
        return components(self.edges)

    def is_sequential(self, part: Collection[str]) -> bool:
        """Whether the iterations of a component have to run one after the other."""
        return len(part) > 1 or any(name in self.edges[name] for name in part)

    def is_alone(self, part: Collection[str]) -> bool:
        """Whether a component has a loop for itself."""
        return self.is_sequential(part) or any(name in self.few for name in part)

    def waits(self, source: str, target: str, lanes: int) -> bool:
        """Whether ``target`` loads what ``source`` stored less than two vectors of time before."""
        relation = by_statements(self.dependences).get((source, target))
        if relation is None or not self._is_flow(source, target):
            return False
        return self._has_distance(relation, 1, 2 * lanes - 1)

    def _is_flow(self, source: str, target: str) -> bool:
        written = {a.array for a in self.scop.statement(source).accesses if a.write}
        read = {a.array for a in self.scop.statement(target).accesses if not a.write}
        return any(self.scop.arrays[name].rank for name in written & read)

    def _has_distance(self, relation: isl.Map, least: int, most: int) -> bool:
        times = {s.name: s.schedule for s in self.scop.statements}
        timed = relation.apply_domain(times[relation.get_tuple_name(isl.dim_type.in_)])
        timed = timed.apply_range(times[relation.get_tuple_name(isl.dim_type.out)])
        entry = timed.deltas().project_out(isl.dim_type.set, 1, timed.dim(isl.dim_type.in_) - 1)
        return not entry.intersect(isl.Set(f"{{ [d] : {least} <= d <= {most} }}")).is_empty()


def one_loop(order: Order) -> list[list[str]] | None:
    """All statements in one loop; None where a component does not allow a vector loop."""
    if any(order.is_sequential(part) for part in order.parts):
        return None
    return [_sorted(order, [name for part in order.parts for name in part])]


def loops_in_strips(order: Order, lanes: int, glued: Mapping[str, str]) -> list[list[str]]:
    """Statements by loops, in an order that all dependences allow.

    ``glued`` leads from copies to the statement that uses them, with which they go where possible.
    Loops are filled greedily: each takes what can join it before the next one begins.
    """
    waiting = list(order.parts)
    done: set[str] = set()
    loops: list[list[str]] = []
    while waiting:
        ready = [p for p in waiting if _is_ready(order, p, done, waiting)]
        first = min(ready, key=lambda p: _is_early(order, p, glued, waiting))
        loop = list(first)
        waiting.remove(first)
        if not order.is_alone(first):
            _fill(order, loop, waiting, lanes, done)
        done.update(loop)
        loops.append(_sorted(order, loop))
    return loops


def _fill(
    order: Order, loop: list[str], waiting: list[tuple[str, ...]], lanes: int, done: set[str]
) -> None:
    """Add to a vector loop whatever may run in it."""
    grown = True
    while grown:
        grown = False
        for part in list(waiting):
            (name,) = part if len(part) == 1 else (None,)
            if name is None or order.is_alone(part):
                continue
            inside = {*done, *loop}
            if not _is_ready(order, part, inside, waiting):
                continue
            if any(order.waits(other, name, lanes) for other in loop):
                continue
            loop.append(name)
            waiting.remove(part)
            grown = True


def _is_ready(
    order: Order, part: tuple[str, ...], done: Collection[str], waiting: list[tuple[str, ...]]
) -> bool:
    """Whether nothing that has to come before a component is still waiting."""
    left = {n for p in waiting if p is not part for n in p} - set(done)
    return not any(order.edges[other] & set(part) for other in left)


def _is_early(
    order: Order, part: tuple[str, ...], glued: Mapping[str, str], waiting: list[tuple[str, ...]]
) -> bool:
    """Whether a copy had better wait until its user is ready: as late as it can be."""
    user = glued.get(part[0])
    if user is None:
        return False
    left = {n for p in waiting if p is not part for n in p}
    return any(user in order.edges[name] for name in left)


def _sorted(order: Order, names: list[str]) -> list[str]:
    """Statements of one loop in the source's order, but for what dependences want otherwise."""
    place = {s.name: i for i, s in enumerate(order.scop.statements)}
    before: dict[str, set[str]] = defaultdict(set)
    for name in names:
        for target in order.edges[name]:
            if target in names and target != name:
                before[target].add(name)
    found: list[str] = []
    left = sorted(names, key=place.__getitem__)
    while left:
        free = [n for n in left if not before[n] & set(left)]
        # Inside of a component the source's own order is the only one that is sure to be right.
        name = free[0] if free else left[0]
        found.append(name)
        left.remove(name)
    return found
