"""Certain data races of a function: pairs of accesses, with what they touch."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from s2s.analyses.concurrency.instances import meets
from s2s.analyses.concurrency.orders import Way, ways
from s2s.scop.executions import Event, Execution, Role, Root
from s2s.source.records import dataclass

_CONCURRENT = frozenset({Role.PARALLEL, Role.TEAMS, Role.SIMD})
_MOST_CHECKS = 120
"""Of a function: how often instances are compared before the rest is left."""
_MOST_PAIRS = 400
"""Of one variable: how many pairs are looked at before it is given up."""


@dataclass(frozen=True)
class Race:
    """Two accesses of a variable, the first one in front in the text."""

    name: str
    first: Event
    second: Event
    by: str


def races(execution: Execution) -> Iterator[Race]:
    """One race for each variable that has some, first ones first."""
    written = {(e.place.root, e.place.path) for e in execution.events if e.write}
    accessed: dict[tuple[Root, str], list[Event]] = defaultdict(list)
    for event in execution.events:
        key = event.place.root, event.place.path
        if key in written and not _follows_changed(event, written):
            accessed[key].append(event)
    checks = iter(range(_MOST_CHECKS))
    for (root, _), events in accessed.items():
        found = None if _is_private(root, events) else _first_race(execution, root, events, checks)
        if found is not None:
            yield found


def _is_private(root: Root, events: list[Event]) -> bool:
    """Whether each thread has the variable for itself, and no task shares it."""
    if any(scope.role is Role.TASK for event in events for scope, _ in event.path):
        return False
    return not any(
        scope.role in _CONCURRENT and root.depth <= scope.depth
        for event in events
        for scope, _ in event.path
    )


def _follows_changed(event: Event, written: set[tuple[Root, str]]) -> bool:
    """Whether a pointer that leads to the element is itself written."""
    path = event.place.path
    return any(
        (event.place.root, path[:k]) in written for k, step in enumerate(path) if step == "*"
    )


def _first_race(
    execution: Execution, root: Root, events: list[Event], checks: Iterator[int]
) -> Race | None:
    for k, (first, second) in enumerate(_conflicting(events)):
        if k >= _MOST_PAIRS:
            break
        for way, swapped in ways(first, second):
            if root.depth > way.shared or _excluded(first, second, way):
                continue
            if next(checks, None) is None:
                return None
            one, other = (second, first) if swapped else (first, second)
            if meets(execution, one, other, way):
                return Race(root.name, first, second, way.by)
    return None


def _conflicting(events: list[Event]) -> Iterator[tuple[Event, Event]]:
    """Pairs of which one writes, those of one statement first."""
    different = list({_look(event): event for event in reversed(events)}.values())[::-1]
    pairs = [
        (a, b)
        for k, a in enumerate(different)
        for b in different[k:]
        if (a.write or b.write) and _sure(a, b)
    ]  # fmt: skip
    return iter(sorted(pairs, key=lambda p: p[1].number - p[0].number))


def _look(event: Event) -> object:
    """What tells events apart but for their turn in one statement."""
    turn = event.number if any(s.role is Role.SIMD for s, _ in event.path) else 0
    return (event.place, event.write, event.path, event.conditions, event.locks, event.atomic,
            event.certain, event.update, turn)  # fmt: skip


def _sure(first: Event, second: Event) -> bool:
    """Whether both surely happen, or update one variable where the data may ask for it."""
    return (first.certain and second.certain) or (first.update and second.update)


def _excluded(first: Event, second: Event, way: Way) -> bool:
    """Whether a lock or atomicity keeps the accesses apart; teams share no locks."""
    if first.atomic and second.atomic:
        return True
    return way.by != "teams" and way.by != "lanes" and bool(first.locks & second.locks)
