"""What the threads of a function execute: accesses, each with the constructs around it.

Where a SCoP is one region whose statements could be moved, this is a record of a whole function,
with its callees written out, that need not be complete: it holds the accesses that are surely
executed and whose places are known, and every point at which threads or tasks may wait.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from enum import Enum

from s2s.scop.polynomial import Polynomial
from s2s.source import Span
from s2s.source.records import dataclass


class Role(Enum):
    """What a scope is to the threads that execute it."""

    BLOCK = "block"
    BRANCH = "branch"
    LOOP = "loop"
    PARALLEL = "parallel"
    TEAMS = "teams"
    SHARED_LOOP = "worksharing loop"
    SECTIONS = "sections"
    SINGLE = "single"
    MASTER = "master"
    ORDERED = "ordered"
    TASK = "task"
    TASKGROUP = "taskgroup"
    SIMD = "simd"


class Wait(Enum):
    """What ends at a point."""

    BARRIER = "barrier"
    CHILDREN = "taskwait"
    DEPENDS = "taskwait depend"


@dataclass(frozen=True)
class Mark:
    """A waiting point; ``task`` has the items of one that waits for what it depends on."""

    wait: Wait
    task: Scope | None = None


@dataclass(eq=False)
class Scope:
    """A construct, loop, branch or call. Its children have positions in the order of the text."""

    role: Role
    depth: int
    number: int
    symbols: tuple[str, ...] = ()
    """Of a team, the thread's number; of a loop, or of those that a construct collapses, the
    iterations' numbers, outermost first."""
    position: int = 0
    marks: dict[int, list[Mark]] = field(default_factory=dict)
    depends: tuple[tuple[object, str], ...] = ()
    """Tags of a task: what they name (``?`` for any memory), and the type of dependence."""
    undeferred: bool = False
    final: bool = False
    static: bool = False
    """Of a worksharing loop: whether equal iterations of such loops may meet in one thread."""
    ordered_iterations: bool = False
    """Whether iterations may wait for others, in an ordered region or for one."""
    safelen: int | None = None
    siblings: list[Scope] = field(default_factory=list)
    """Of a task with tags: all those that the same task or thread spawns, itself included."""
    loops: frozenset[Scope] = frozenset()
    """Of a task: the loops around it."""
    doubtful: bool = False
    """Of a team: it calls what may order its threads in ways that nobody sees."""


@dataclass(frozen=True)
class Atom:
    """``value >= 0``, ``value = 0`` or ``value != 0``."""

    value: Polynomial
    relation: str


@dataclass(frozen=True)
class Among:
    """``value`` is the element of a constant table at ``index``."""

    index: Polynomial
    value: str
    table: tuple[int, ...]


@dataclass(frozen=True)
class Both:
    """All of some conditions; always, of none."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True)
class Either:
    """One of some conditions at least; never, of none."""

    parts: tuple[Condition, ...]


Condition = Atom | Among | Both | Either


def names_in(condition: Condition) -> Iterator[str]:
    """The symbols of a condition."""
    if isinstance(condition, Atom):
        yield from condition.value.names
    elif isinstance(condition, Among):
        yield condition.value
        yield from condition.index.names
    else:
        for part in condition.parts:
            yield from names_in(part)


@dataclass(frozen=True)
class Root:
    """Memory that a name stands for: one object for each instance of the scope that owns it."""

    identity: object
    name: str
    owner: Scope | None

    @property
    def depth(self) -> int:
        return -1 if self.owner is None else self.owner.depth


@dataclass(frozen=True)
class Place:
    """An element: a root, the fields and pointers followed from it, and a subscript for each.

    ``bounds`` are subscripts inside rows of constant size, with that size.
    """

    root: Root
    path: str
    subscripts: tuple[Polynomial, ...]
    bounds: tuple[tuple[Polynomial, int], ...] = ()


@dataclass(frozen=True, eq=False)
class Event:
    """An access and what is around it when it happens; ``number`` is its turn in the text."""

    place: Place
    write: bool
    path: tuple[tuple[Scope, int], ...]
    conditions: tuple[Condition, ...]
    locks: frozenset[object]
    atomic: bool
    number: int
    span: Span
    certain: bool = True
    """Whether nothing but ``conditions`` decides if it happens; else the data may."""
    update: bool = False
    """Whether it belongs to a variable's update by its own value."""


@dataclass(frozen=True)
class Execution:
    """The events of a function.

    ``threads`` are the symbols of thread numbers, each with the number of threads. Each event has
    its own value of the symbols in ``local`` (iteration numbers and what follows from them); the
    other symbols are parameters, which have one value throughout a parallel region.
    """

    events: tuple[Event, ...]
    threads: Mapping[str, Polynomial]
    local: frozenset[str]
