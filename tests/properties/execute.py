"""The oracle: executes a program's control flow and says what each execution touches and waits for.

It shares nothing with s2s. Every assignment that is executed is an event; ``past`` of an event is
the set of events (bits of an integer) that are over before it begins in every execution of the
parallel program, which the fork-join rules of OpenMP give while the program is walked through once.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from tests.properties.program import (
    Affine,
    Assign,
    Condition,
    If,
    Loop,
    Node,
    Omp,
    Program,
    Ref,
    Unsuitable,
)

Cell = tuple[str, tuple[int, ...]]
_MOST_EVENTS = 2500
_TESTS: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


@dataclass(frozen=True)
class Event:
    """One execution of an assignment."""

    number: int
    values: Mapping[str, int]
    touched: tuple[tuple[Cell, bool], ...]
    """Cells and whether they are written."""
    lock: str
    commutes: bool
    past: int


@dataclass
class _Thread:
    """Where one flow of control stands: what it may rely on, and what it has to wait for later."""

    past: int
    unfinished: int = 0
    """Events of nowait loops and tasks that a barrier waits for."""
    tasks: int = 0
    """Events of child tasks that a taskwait waits for."""
    siblings: list[tuple[int, dict[Cell, bool]]] = field(default_factory=list)
    """The events of child tasks, and their tags with whether one of a kind is written."""


def execute(program: Program, run: Mapping[str, int]) -> Execution:
    """What a program executes for some parameters; remembered. Raises Unsuitable."""
    return _execution(program.body, program.unsigned, tuple(run.items()))


@lru_cache(maxsize=64)
def _execution(
    body: tuple[Node, ...], unsigned: frozenset[str], run: tuple[tuple[str, int], ...]
) -> Execution:
    return Execution(body, unsigned, dict(run))


@dataclass
class Execution:
    """Runs a program for one choice of its parameters. Raises Unsuitable."""

    body: tuple[Node, ...]
    unsigned: frozenset[str]
    parameters: Mapping[str, int]
    events: list[Event] = field(default_factory=list)
    used: dict[tuple[str, int], tuple[int, int]] = field(default_factory=dict)
    """Smallest and largest subscript of each dimension of each array."""
    _instances: int = 0
    _lock: str = ""

    def __post_init__(self) -> None:
        self._private: dict[str, int] = {}
        self._tags: set[tuple[str, tuple[int, ...]]] = set()
        self._block(self.body, dict(self.parameters), _Thread(0))
        self._check_tags()

    def _check_tags(self) -> None:
        """Depend clauses name elements that exist."""
        for name, subscripts in self._tags:
            for place, value in enumerate(subscripts):
                if not 0 <= value <= self.used.get((name, place), (0, 0))[1]:
                    raise Unsuitable("a depend clause names no element")

    # -- control flow -----------------------------------------------------------------------

    def _block(self, nodes: Sequence[Node], values: dict[str, int], thread: _Thread) -> None:
        outside = dict(self._private)
        for node in nodes:
            if isinstance(node, Assign):
                self._assign(node, values, thread)
            elif isinstance(node, Loop):
                for inner in self.iterations(node, values):
                    self._block(node.body, inner, thread)
            elif isinstance(node, If):
                self._block(node.then if self._holds(node, values) else node.otherwise,
                            values, thread)  # fmt: skip
            else:
                self._construct(node, values, thread)
        self._private = outside

    def _value(self, value: Affine, values: Mapping[str, int]) -> int:
        return value.checked(values, self.unsigned)

    def iterations(self, loop: Loop, values: dict[str, int]) -> Iterator[dict[str, int]]:
        low, high = self._value(loop.lower, values), self._value(loop.upper, values)
        if loop.type == "unsigned" or self._mixes(loop):
            least = loop.step if loop.down else 0
            if low < least or high < 1:
                raise Unsuitable("comparison of unsigned with negative")
        span = range(high - 1, low - 1, -loop.step) if loop.down else range(low, high, loop.step)
        for value in span:
            yield {**values, loop.var: value}

    def _mixes(self, loop: Loop) -> bool:
        return any(n in self.unsigned for b in (loop.lower, loop.upper) for n, _ in b.terms)

    def _holds(self, node: If, values: Mapping[str, int]) -> bool:
        found = [self._test(c, values) for c in node.conditions]
        return all(found) if node.joiner == "&&" else any(found)

    def _test(self, condition: Condition, values: Mapping[str, int]) -> bool:
        left, right = self._value(condition.left, values), self._value(condition.right, values)
        names = {n for side in (condition.left, condition.right) for n, _ in side.terms}
        if names & self.unsigned and min(left, right) < 0:
            raise Unsuitable("comparison of unsigned with negative")
        return _TESTS[condition.op](left, right)

    # -- memory -----------------------------------------------------------------------------

    def _assign(self, node: Assign, values: dict[str, int], thread: _Thread) -> None:
        if len(self.events) >= _MOST_EVENTS:
            raise Unsuitable("too many iterations")
        if node.declares:
            self._fresh(node.target.name)
        touched = [(self._cell(r, values), False) for _, r in node.operands]
        if node.condition is not None:
            touched.append((self._cell(node.condition, values), False))
        target = self._cell(node.target, values)
        if node.op != "=":
            touched.append((target, False))
        touched.append((target, True))
        event = Event(
            node.number, dict(values), tuple(touched), self._lock,
            node.op == "+=" and bool(self._lock), thread.past,
        )  # fmt: skip
        thread.past |= 1 << len(self.events)
        self.events.append(event)

    def _cell(self, ref: Ref, values: Mapping[str, int]) -> Cell:
        name, unsigned, used = ref.name, self.unsigned, self.used
        subscripts = tuple([i.value(values, unsigned) for i in ref.indices])
        for place, value in enumerate(subscripts):
            known = used.get((name, place))
            if known is None:
                used[name, place] = value, value
            elif not known[0] <= value <= known[1]:
                used[name, place] = min(known[0], value), max(known[1], value)
        if name in self._private:
            return f"{name}@{self._private[name]}", subscripts
        return name, subscripts

    def _fresh(self, *names: str) -> None:
        for name in names:
            self._instances += 1
            self._private[name] = self._instances

    # -- constructs -------------------------------------------------------------------------

    def _since(self, first: int) -> int:
        return (1 << len(self.events)) - (1 << first)

    def _construct(self, node: Omp, values: dict[str, int], thread: _Thread) -> None:
        outside = dict(self._private)
        first = len(self.events)
        if node.kind in ("critical", "atomic"):
            self._lock, before = f"{node.kind} {node.name}", self._lock
            self._block(node.body, values, thread)
            self._lock = before
        elif node.kind == "barrier":
            self._barrier(thread)
        elif node.kind == "taskwait":
            thread.past |= thread.tasks
        elif node.kind == "task":
            self._task(node, values, thread)
        elif node.kind in ("parallel for", "for"):
            self._workshare(node, values, thread)
        else:
            self._fresh(*node.private)
            inner = _Thread(thread.past)
            self._block(node.body, values, inner)
            thread.unfinished |= self._since(first)
            if node.kind == "parallel" or (node.kind == "single" and not node.nowait):
                self._barrier(thread)
        self._private = outside

    def _barrier(self, thread: _Thread) -> None:
        thread.past |= thread.unfinished
        thread.unfinished = 0

    def _workshare(self, node: Omp, values: dict[str, int], thread: _Thread) -> None:
        first = len(self.events)
        shared = dict(self._private)
        for inner, body in self._distributed(node, values):
            self._private = dict(shared)
            self._fresh(*node.private)
            self._block(body, inner, _Thread(thread.past))
        thread.unfinished |= self._since(first)
        if not node.nowait:
            self._barrier(thread)

    def _distributed(
        self, node: Omp, values: dict[str, int]
    ) -> Iterator[tuple[dict[str, int], tuple[Node, ...]]]:
        (loop,) = node.body
        assert isinstance(loop, Loop)
        for outer in self.iterations(loop, values):
            if node.collapse == 1:
                yield outer, loop.body
                continue
            (second,) = loop.body
            assert isinstance(second, Loop)
            for inner in self.iterations(second, outer):
                yield inner, second.body

    def _task(self, node: Omp, values: dict[str, int], thread: _Thread) -> None:
        tags: dict[Cell, bool] = {}
        for depend in node.depends:
            cell = depend.name, tuple(self._value(i, values) for i in depend.indices)
            tags[cell] = tags.get(cell, False) or depend.kind != "in"
        self._tags.update(tags)
        past = thread.past
        for events, others in thread.siblings:
            if any(written or others[cell] for cell, written in tags.items() if cell in others):
                past |= events
        first = len(self.events)
        self._fresh(*node.private)
        self._block(node.body, values, _Thread(past))
        own = self._since(first)
        thread.tasks |= own
        thread.unfinished |= own
        thread.siblings.append((own | past, tags))


def conflicts(
    execution: Execution, without: frozenset[str] = frozenset()
) -> Iterator[tuple[int, int]]:
    """Pairs of events, in serial order, that touch the same cell, one of them writing."""
    cells: dict[Cell, dict[int, bool]] = {}
    for position, event in enumerate(execution.events):
        for cell, write in event.touched:
            uses = cells.setdefault(cell, {})
            uses[position] = uses.get(position, False) or write
    for (name, _), uses in cells.items():
        if name.partition("@")[0] in without or not any(uses.values()):
            continue
        every: list[int] = []
        writes: list[int] = []
        for b, write in uses.items():
            for a in every if write else writes:
                yield a, b
            every.append(b)
            if write:
                writes.append(b)


def ordered(execution: Execution, a: int, b: int) -> bool:
    return bool(execution.events[b].past >> a & 1)


def _only_updates(execution: Execution, a: int, b: int) -> bool:
    """Whether two events meet only in a cell that both add to under one lock."""
    first, second = execution.events[a], execution.events[b]
    if not (first.lock and first.lock == second.lock and first.commutes and second.commutes):
        return False
    targets = first.touched[-1][0], second.touched[-1][0]
    if targets[0] != targets[1]:
        return False
    reads = {c for e in (first, second) for c, write in e.touched[:-2] if not write}
    writes = {targets[0]}
    return not reads & writes


def has_race(execution: Execution) -> bool:
    """Whether some pair of conflicting events is neither ordered nor a commuting update."""
    return any(
        not ordered(execution, a, b) and not _only_updates(execution, a, b)
        for a, b in conflicts(execution)
    )
