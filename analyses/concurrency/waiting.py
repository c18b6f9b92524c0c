"""Whether a point at which threads or tasks wait lies between two events."""

from __future__ import annotations

from collections.abc import Callable

from s2s.scop.executions import Mark, Role, Scope, Wait

Path = tuple[tuple[Scope, int], ...]
Counts = Callable[[Mark], bool]


def is_barrier(mark: Mark) -> bool:
    return mark.wait is Wait.BARRIER


def behind(path: Path, level: int, counts: Counts) -> bool:
    """Whether a wait may follow an event before the scope at a level goes on to its next child.

    A loop with a wait anywhere is taken to come to it again.
    """
    return any(
        counts(mark)
        for scope, position in path[level + 1 :]
        for at, marks in scope.marks.items()
        if at > position or scope.role is Role.LOOP
        for mark in marks
    )


def ahead(path: Path, level: int, counts: Counts) -> bool:
    """Whether a wait may come before an event, once the scope at a level has come to its child."""
    return any(
        counts(mark)
        for scope, position in path[level + 1 :]
        for at, marks in scope.marks.items()
        if at < position or scope.role is Role.LOOP
        for mark in marks
    )


def inside(scope: Scope, first: float, last: float, counts: Counts) -> bool:
    """Whether a scope has a wait between two of its children, neither included."""
    return any(
        counts(mark)
        for at, marks in scope.marks.items()
        if first < at < last
        for mark in marks
    )  # fmt: skip


def in_row(early: Path, late: Path, level: int, counts: Counts) -> bool:
    """Whether a wait may lie between events in two children of the scope at a level."""
    scope, first = early[level]
    return (
        inside(scope, first, late[level][1], counts)
        or behind(early, level, counts)
        or ahead(late, level, counts)
    )


def around(early: Path, late: Path, level: int, counts: Counts) -> bool:
    """The same for an event and one in the next iteration of the loop at a level."""
    scope, first = early[level]
    return (
        inside(scope, first, float("inf"), counts)
        or inside(scope, float("-inf"), late[level][1], counts)
        or behind(early, level, counts)
        or ahead(late, level, counts)
    )


def has(scope: Scope, counts: Counts) -> bool:
    return inside(scope, float("-inf"), float("inf"), counts)


def first_task(path: Path, level: int) -> int | None:
    """Where the outermost task below a level stands in a path."""
    return next((k for k in range(level + 1, len(path)) if path[k][0].role is Role.TASK), None)


def finishes(path: Path, task: int) -> bool:
    """Whether an event is over when the task at a level is, though others may be around it."""
    inner = first_task(path, task)
    if inner is None:
        return True
    scope, position = path[task]
    waited = (
        any(scope.role is Role.TASKGROUP for scope, _ in path[task + 1 : inner])
        or inside(scope, position, float("inf"), _waits_for_children)
        or behind(path[:inner], task, _waits_for_children)
        or path[inner][0].undeferred
    )
    return waited and finishes(path, inner)


def _waits_for_children(mark: Mark) -> bool:
    return mark.wait is Wait.CHILDREN


def ends(early: Path, level: int) -> Counts | None:
    """Which waits end the tasks of an event below a level; None if it ends without one."""
    task = first_task(early, level)
    if task is None or any(s.role is Role.TASKGROUP for s, _ in early[level + 1 : task]):
        return None
    over, spawned = finishes(early, task), early[task][0]
    if spawned.undeferred and over:
        return None

    def counts(mark: Mark) -> bool:
        if mark.wait is Wait.BARRIER or not over:
            return mark.wait is Wait.BARRIER
        return mark.task is None or leads_to(spawned, mark.task)

    return counts


def leads_to(first: Scope, last: Scope) -> bool:
    """Whether dependences may lead from one task to a later one that the same task spawns."""
    reached: set[Scope] = set()
    waiting = [first]
    while waiting:
        task = waiting.pop()
        found = {t for t in (*first.siblings, last) if t not in reached and _depends(task, t)}
        reached |= found
        waiting += found
    return last in reached


def _depends(first: Scope, second: Scope) -> bool:
    """Whether a task may have to wait for an earlier one, by their tags alone."""
    if second.number <= first.number and not first.loops & second.loops:
        return False
    return any(
        (left == right or "?" in (left, right)) and not (a == b and a in ("in", "inoutset"))
        for left, a in first.depends
        for right, b in second.depends
    )  # fmt: skip
