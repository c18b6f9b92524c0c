"""In which ways nothing may order two accesses: by the constructs around them.

What is found is certain as far as the constructs go: wherever a wait may come between, or two
accesses may be one thread's, they count as ordered.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from s2s.analyses.concurrency import waiting
from s2s.analyses.concurrency.waiting import Path
from s2s.scop.executions import Event, Role, Scope
from s2s.source.records import dataclass

_WHOLE = frozenset({Role.PARALLEL, Role.TEAMS})
_SHARING = frozenset({Role.SHARED_LOOP, Role.SECTIONS, Role.SINGLE, Role.MASTER})


@dataclass(frozen=True)
class Relation:
    """How the iterations of a scope compare: ``=``, ``!=``, ``<`` or ``next`` (of the second)."""

    scope: Scope
    kind: str
    other: Scope | None = None
    """Of two worksharing loops, of which other iterations than equal ones are meant."""


@dataclass(frozen=True)
class Way:
    """One way to be unordered.

    The first ``shared`` scopes of both paths are the same instances; ``lanes`` tells that a lane of
    a ``simd`` loop overtakes another one, ``by`` who else executes: threads, teams or tasks.
    """

    relations: tuple[Relation, ...] = ()
    shared: int = 0
    by: str = "threads"
    teams: tuple[Scope, ...] = ()
    """Teams in which both are executed by different threads."""

    def where(self, scope: Scope, kind: str, other: Scope | None = None) -> Way:
        if not scope.symbols:
            return self
        return replace(self, relations=(*self.relations, Relation(scope, kind, other)))

    def until(self, level: int, by: str, team: Scope | None = None) -> Way:
        teams = self.teams if team is None else (*self.teams, team)
        return replace(self, shared=level, by=by, teams=teams)


def ways(first: Event, second: Event) -> Iterator[tuple[Way, bool]]:
    """How two events may be unordered; whether the roles are swapped in the relations."""
    for way in _Pair(first, second).by_one(0, Way()):
        yield way, False
    if first is not second:
        for way in _Pair(second, first).by_one(0, Way()):
            yield way, True


class _Pair:
    """Two events; where it matters, the first one is the earlier one."""

    def __init__(self, first: Event, second: Event) -> None:
        self.first, self.second = first, second
        self.left: Path = first.path
        self.right: Path = second.path

    def _scope(self, level: int) -> Scope | None:
        """The scope at a level of both paths; None where one of them has ended."""
        if level >= min(len(self.left), len(self.right)):
            return None
        return self.left[level][0]

    def by_one(self, level: int, way: Way) -> Iterator[Way]:
        """Both are met by one thread or task, with equal iterations so far."""
        scope = self._scope(level)
        if scope is None:
            return
        if scope.role in _WHOLE and not _active(self.left[:level]):
            yield from self._by_team(level + 1, level, way)
            return
        if scope.role is Role.SIMD:
            yield from self._by_lanes(level, way)
        looping = scope.role in (Role.LOOP, Role.SHARED_LOOP, Role.SIMD)
        if looping and self._team_of(level) is not None:
            yield from self._later_iteration(level, way)
        way = way.where(scope, "=")
        if self.left[level][1] == self.right[level][1]:
            yield from self.by_one(level + 1, way)
        elif self.left[level][1] < self.right[level][1]:
            yield from self._after(level, way)

    def _team_of(self, level: int) -> Scope | None:
        around = [s for s, _ in self.left[:level] if s.role in _WHOLE]
        return around[-1] if around else None

    def _after(self, level: int, way: Way) -> Iterator[Way]:
        """The first is in an earlier child of a scope: unordered if its task may go on."""
        ends = waiting.ends(self.left, level)
        if ends is None or self._team_of(level) is None or self._tagged(level):
            return
        if not waiting.in_row(*self._spawns(level), level, ends):
            yield way.until(level, "tasks")

    def _later_iteration(self, level: int, way: Way) -> Iterator[Way]:
        """The second is in a later iteration of the loop that spawned the first one's task."""
        scope = self.left[level][0]
        ends = waiting.ends(self.left, level)
        if ends is None or self._tagged(level):
            return
        if not waiting.has(scope, ends):
            yield way.where(scope, "<").until(level, "tasks")
        elif not waiting.around(*self._spawns(level), level, ends):
            yield way.where(scope, "next").until(level, "tasks")

    def _spawns(self, level: int) -> tuple[Path, Path]:
        """Both paths up to their tasks: what waits inside does not wait for siblings."""
        ends = (waiting.first_task(path, level) for path in (self.left, self.right))
        first, second = ends
        return self.left[:first], self.right[:second]

    def _tagged(self, level: int) -> bool:
        """Whether tags may order the tasks of both events below a level."""
        early, late = (waiting.first_task(p, level) for p in (self.left, self.right))
        if early is None or late is None or not waiting.finishes(self.left, early):
            return False
        return waiting.leads_to(self.left[early][0], self.right[late][0])

    def _by_lanes(self, level: int, way: Way) -> Iterator[Way]:
        """A later iteration's access comes earlier in the text, so that lanes do it first."""
        scope = self.left[level][0]
        apart = way.where(scope, "<").until(level, "lanes")
        for deeper in range(level + 1, self._common(level)):
            inner = self.left[deeper][0]
            if inner.role is Role.ORDERED:
                return
            if inner.role is Role.LOOP:
                yield apart.where(inner, ">")
                apart = apart.where(inner, "=")
        ordered = any(_is_in(Role.ORDERED, p[level:]) for p in (self.left, self.right))
        if self.first.number > self.second.number and not ordered:
            yield apart

    def _common(self, level: int) -> int:
        """The number of leading scopes that both paths have, from a level on."""
        while (
            level < min(len(self.left), len(self.right))
            and self.left[level][0] is self.right[level][0]
        ):
            level += 1
        return level

    def _by_team(self, level: int, team: int, way: Way) -> Iterator[Way]:
        """Both are in a team whose threads all come to the scope at a level."""
        scope = self._scope(level)
        whole = self.left[team][0]
        if whole.doubtful:
            return
        if scope is None or self.left[level - 1][1] != self.right[level - 1][1]:
            yield from self._in_row(level - 1, team, way)
            return
        if scope.role in _SHARING:
            yield from self._shared_out(level, team, way)
        elif scope.role is Role.TASK:
            yield from self._apart(level, team, way)
            yield from self.by_one(level, way.where(whole, "="))
        elif scope.role in _WHOLE:
            yield from self._apart(level, team, way)
            if whole.role is Role.TEAMS:
                yield from self.by_one(level, way.where(whole, "="))
        elif scope.role in (Role.LOOP, Role.SIMD):
            yield from self._around_loop(level, team, way)
        else:
            yield from self._by_team(level + 1, team, way)

    def _in_row(self, level: int, team: int, way: Way) -> Iterator[Way]:
        """Different children of a scope that every thread executes, or one statement."""
        positions = self.left[level][1], self.right[level][1]
        if positions[0] > positions[1]:
            return
        same = positions[0] == positions[1]
        if same or not waiting.in_row(self.left, self.right, level, waiting.is_barrier):
            yield from self._apart(level + 1, team, way)
        if not same:
            yield from self._after(level, way.where(self.left[team][0], "="))

    def _around_loop(self, level: int, team: int, way: Way) -> Iterator[Way]:
        """A loop that every thread executes."""
        scope = self.left[level][0]
        if scope.role is Role.SIMD:
            yield from self._by_lanes(level, way)
        equal = way.where(scope, "=")
        if not waiting.has(scope, waiting.is_barrier):
            yield from self._apart(level + 1, team, way.where(scope, "<"), again=True)
        elif not waiting.around(self.left, self.right, level, waiting.is_barrier):
            yield from self._apart(level + 1, team, way.where(scope, "next"), again=True)
        yield from self._later_iteration(level, way.where(self.left[team][0], "="))
        yield from self._by_team(level + 1, team, equal)

    def _shared_out(self, level: int, team: int, way: Way) -> Iterator[Way]:
        """Both are in one execution of a construct of whose parts each is one thread's."""
        scope = self.left[level][0]
        apart = way.until(team, self._executors(team), self.left[team][0])
        if scope.role is Role.SECTIONS and self.left[level][1] != self.right[level][1]:
            if self.left[level][1] < self.right[level][1]:
                yield apart
            return
        if scope.role is Role.SHARED_LOOP:
            ordered = all(_is_in(Role.ORDERED, p) for p in (self.left, self.right))
            if not ordered and not scope.ordered_iterations:
                yield apart.where(scope, "!=")
            way = way.where(scope, "=")
        yield from self._below(level, way.where(self.left[team][0], "="))

    def _below(self, level: int, way: Way) -> Iterator[Way]:
        """Both are in one iteration, section or block of the construct at a level."""
        if self.left[level][1] == self.right[level][1]:
            yield from self.by_one(level + 1, way)
        elif self.left[level][1] < self.right[level][1]:
            yield from self._after(level, way)

    def _executors(self, team: int) -> str:
        return "teams" if self.left[team][0].role is Role.TEAMS else "threads"

    def _apart(self, level: int, team: int, way: Way, *, again: bool = False) -> Iterator[Way]:
        """Different threads execute both, the constructs below a level allowing."""
        left, right = (_owner(p, level) for p in (self.left, self.right))
        found = way.until(team, self._executors(team), self.left[team][0])
        if left is not None and right is not None:
            if left.role is right.role is Role.MASTER:
                return
            if left.role is right.role is Role.SHARED_LOOP and left.static and right.static:
                if not again and left is right:
                    return
                found = found.where(left, "!=", right)
        yield found


def _active(path: Path) -> bool:
    """Whether what is around has threads of its own, so that an inner team has one thread."""
    return _is_in(Role.PARALLEL, path)


def _is_in(role: Role, path: Path) -> bool:
    return any(scope.role is role for scope, _ in path)


def _owner(path: Path, level: int) -> Scope | None:
    """The construct below a level that gives its parts to single threads."""
    for scope, _ in path[level:]:
        if scope.role in _SHARING:
            return scope
        if scope.role is Role.TASK:
            return None
    return None
