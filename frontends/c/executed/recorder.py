"""Records events: where the reader is, under which conditions and locks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field

from s2s.scop.executions import Condition, Event, Mark, Place, Role, Root, Scope, Wait, names_in
from s2s.scop.polynomial import Polynomial
from s2s.source import Span
from s2s.source.records import dataclass

_MOST_EVENTS = 2000


class TooMuch(Exception):
    """A function has more to look at than a warning is worth."""


@dataclass
class Recorder:
    """The stack of scopes, and what has happened so far."""

    stack: list[Scope] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    locks: dict[object, int] = field(default_factory=dict)
    threads: dict[str, Polynomial] = field(default_factory=dict)
    local: set[str] = field(default_factory=set)
    doubt: int = 0
    """1 where data decides whether the code runs, 2 where something unknown does."""
    definitions: dict[str, tuple[Condition, ...]] = field(default_factory=dict)
    """What is known of symbols wherever they occur."""
    spun: bool = False
    """Whether the thread has waited for what another one does; that may order all that follows."""
    updating: bool = False
    atomic: Root | bool = False
    """The variable that the current statement accesses atomically, True for all of them."""
    _named: dict[int, tuple[Condition, frozenset[str]]] = field(default_factory=dict)
    _numbers: int = 0
    _symbols: int = 0

    def symbol(self, hint: str, *, local: bool) -> str:
        """A new name; ``local`` ones have another value in each instance."""
        self._symbols += 1
        name = f"{hint}{self._symbols}"
        if local:
            self.local.add(name)
        return name

    @contextmanager
    def scope(
        self, role: Role, symbols: tuple[str, ...] = (), *, static: bool = False
    ) -> Iterator[Scope]:
        """What is recorded inside is in a new scope, a child of the current one."""
        if self.stack:
            self.stack[-1].position += 1
        self._numbers += 1
        made = Scope(role, len(self.stack), self._numbers, symbols, static=static)
        known = len(self.conditions)
        self.stack.append(made)
        try:
            yield made
        finally:
            self.stack.pop()
            del self.conditions[known:]
            if self.stack:
                self.stack[-1].position += 1

    @contextmanager
    def under(self, condition: Condition | None, doubt: int = 0) -> Iterator[None]:
        """What is recorded inside happens under a condition."""
        known, before = len(self.conditions), self.doubt
        self.doubt = max(self.doubt, doubt)
        if condition is not None:
            self.conditions.append(condition)
        try:
            yield
        finally:
            del self.conditions[known:]
            self.doubt = before

    @property
    def team(self) -> Scope | None:
        """The innermost team."""
        teams = (s for s in reversed(self.stack) if s.role in (Role.PARALLEL, Role.TEAMS))
        return next(teams, None)

    @property
    def region(self) -> Scope | None:
        """The outermost team: from there on, others execute at the same time."""
        teams = (s for s in self.stack if s.role in (Role.PARALLEL, Role.TEAMS))
        return next(teams, None)

    def mark(self, wait: Wait, task: Scope | None = None) -> None:
        """Threads (of a barrier) or a task's children may be waited for here."""
        self.stack[-1].position += 1
        ends = (Role.PARALLEL,) if wait is Wait.BARRIER else (Role.PARALLEL, Role.TASK)
        for scope in reversed(self.stack):
            scope.marks.setdefault(scope.position, []).append(Mark(wait, task))
            if scope.role in ends:
                break
        self.stack[-1].position += 1

    def distrust(self) -> None:
        """Something may order threads in ways that are not seen."""
        for scope in self.stack:
            scope.doubtful = scope.doubtful or scope.role in (Role.PARALLEL, Role.TEAMS)

    def define(self, symbol: str, *conditions: Condition) -> Polynomial:
        """Say what a symbol of instances stands for."""
        self.definitions[symbol] = conditions
        return Polynomial.name(symbol)

    def _defined(self, place: Place) -> Iterator[Condition]:
        """What is known of the symbols of an access."""
        waiting = [name for subscript in place.subscripts for name in subscript.names]
        waiting += [name for condition in self.conditions for name in self._names_in(condition)]
        seen: set[str] = set()
        while waiting:
            name = waiting.pop()
            if name not in seen:
                seen.add(name)
                for condition in self.definitions.get(name, ()):
                    yield condition
                    waiting += self._names_in(condition)

    def _names_in(self, condition: Condition) -> frozenset[str]:
        """The symbols of a condition; each is looked at once."""
        known = self._named.get(id(condition))
        if known is None:
            known = self._named[id(condition)] = (condition, frozenset(names_in(condition)))
        return known[1]

    @property
    def is_concurrent(self) -> bool:
        """Whether others, threads or lanes, execute the code at the same time."""
        return self.region is not None or any(s.role is Role.SIMD for s in self.stack)

    def is_atomic(self, place: Place) -> bool:
        return self.atomic is True or self.atomic == place.root

    def record(self, place: Place, span: Span, *, write: bool) -> None:
        """An access, unless what decides whether it happens is unknown."""
        self._numbers += 1
        if self.doubt > 1 or self.spun or not self.stack:
            return
        if len(self.events) >= _MOST_EVENTS:
            raise TooMuch
        path = tuple((scope, scope.position) for scope in self.stack)
        conditions = (*self.conditions, *self._defined(place))
        self.events.append(
            Event(place, write, path, conditions, frozenset(self.locks),
                  self.is_atomic(place), self._numbers, span, not self.doubt, self.updating)
        )  # fmt: skip
