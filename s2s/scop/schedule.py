"""A new schedule for a SCoP: what the time dimensions are and which of them run in parallel."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING, ClassVar

from s2s.source.records import dataclass

if TYPE_CHECKING:
    import islpy as isl


class Role(Enum):
    """TILE dimensions count tiles, BAND ones points, ORDER keeps the source's order inside."""

    TILE = "tile"
    BAND = "band"
    ORDER = "order"


class Parallelism(Enum):
    """How the iterations of a dimension run.

    DOACROSS dimensions come in a group: an iteration waits for its predecessors along each of
    them. TASKS are the same with a task for each iteration. SIMD is the innermost loop's.
    """

    NONE = "sequential"
    DOALL = "parallel"
    DOACROSS = "pipelined"
    TASKS = "tasks"
    SIMD = "simd"

    @property
    def waits(self) -> bool:
        """Whether single iterations wait for each other."""
        return self in (Parallelism.DOACROSS, Parallelism.TASKS)


@dataclass(frozen=True)
class Dimension:
    """One entry of the time vectors.

    A TILE dimension counts tiles of ``size`` points from ``start`` (isl text over the parameters,
    "0" where the first point is not known). ``band`` is the place among the BAND dimensions of the
    one that it tiles; None where statements differ in that. ``entry`` is where that one's entry
    stands after those of the tiles, if not there. ``parallelism`` holds for loops over
    nothing but ``statements`` (None: all); ``dynamic``: its iterations differ in cost.

    An ``elastic`` one, outermost and parallel, or pipelined, has the points as its entries. It
    is cut into strips as wide as the number of threads wants them, of at most ``size`` points. Of a
    parallel one no point depends on another, so strips of any width are as good as points; along a
    pipelined one no dependence goes backwards, and the other entries order what is in one strip.
    """

    name: str
    role: Role
    parallelism: Parallelism = Parallelism.NONE
    size: int = 1
    start: str = "0"
    band: int | None = None
    entry: int | None = None
    statements: frozenset[str] | None = None
    dynamic: bool = False
    elastic: bool = False
    unroll: bool = False
    """Whether each iteration is written out."""
    masked: bool = False
    """Of a SIMD one: whether statements that branch are done in lanes, too."""

    def holds_for(self, inside: Iterable[str]) -> bool:
        """Whether ``parallelism`` is that of a loop over the statements ``inside``."""
        return self.statements is None or self.statements.issuperset(inside)


@dataclass(frozen=True)
class Held:
    """An array element of a statement that a local variable stands for in the innermost loop.

    ``access`` is the place among the statement's accesses. It is loaded before the loop over
    ``dimension`` or, with ``inside``, at the beginning of each iteration; what is ``written`` is
    stored after the loop or at the iteration's end. Where it is not ``needed``, a text in which it
    cannot be found is printed as it is.
    """

    statement: str
    access: int
    dimension: str
    inside: bool
    written: bool
    needed: bool = True


@dataclass(frozen=True)
class Reader:
    """A read of what a generator has touched ``distance`` iterations of a loop before."""

    statement: str
    access: int
    distance: int


@dataclass(frozen=True)
class Rotated:
    """Elements that locals carry from iterations of the loop over ``dimension`` to later ones.

    The generator, an ``access`` (its place) of ``statement``, writes or reads an element; the
    ``readers`` read the same one in later iterations, and nothing else writes it meanwhile.
    """

    dimension: str
    statement: str
    access: int
    readers: tuple[Reader, ...]
    needed: bool = False
    """Whether the schedule is for this: where no text can be made for any, it has none."""


@dataclass(frozen=True)
class SharedLoads:
    """Elements that several instances in one iteration of a loop read are loaded once for all.

    None of the instances in an iteration of the loop over ``dimension`` depends on another.
    """

    dimension: str


@dataclass(frozen=True)
class RegisterTile:
    """Iterations of one statement that run together, a tile of their target held in registers.

    The ``whole`` instances of ``statement`` run ``rows`` by ``lanes`` at once in the loop over
    ``dimension``, along iterator ``along``: consecutive values of iterator ``lane`` are the lanes
    of vectors of ``width`` elements, each value of iterator ``row`` has vectors of its own.
    What moves with one of the two is copied before, to panels in the order in which that loop reads
    them: ``packs`` are the times at which their parts are filled, by ``LANES`` (of
    ``[block of rows, lane tile, along]``) and ``ROWS`` (of ``[row tile, along]``); a panel has
    ``depth`` places along the loop, one of lanes ``across`` tiles, one of rows ``down`` tiles.
    """

    statement: str
    dimension: str
    row: int
    lane: int
    along: int
    rows: int
    lanes: int
    width: int
    depth: int
    across: int
    down: int
    whole: isl.Set
    packs: dict[str, isl.Map]

    LANES: ClassVar[str] = "lane_panel"
    ROWS: ClassVar[str] = "row_panel"

    @property
    def name(self) -> str:
        """What an instance stands for that runs as the first lane of a vector."""
        return f"{self.statement}_tile"


@dataclass(frozen=True)
class Team:
    """One team of threads for all iterations of the sequential loop over ``dimension``.

    Every thread runs that loop; parallel loops in it are shared among the threads, and what is
    between them one thread runs. Threads wait for each other before what may depend on
    something else in the loop; ``independent`` are pairs of statements of which neither depends on
    the other in one iteration.
    """

    dimension: str
    independent: frozenset[frozenset[str]] = frozenset()


@dataclass(frozen=True)
class Schedule:
    """Time vectors for all statements: ``maps`` by statement name, one entry per dimension.

    ``permutable`` counts the leading BAND dimensions along which no dependence goes backwards.
    Without a ``team`` each parallel loop has threads of its own.
    """

    maps: dict[str, isl.Map]
    dimensions: tuple[Dimension, ...]
    permutable: int = 0
    held: tuple[Held, ...] = ()
    rotated: tuple[Rotated, ...] = ()
    team: Team | None = None
    tile: RegisterTile | None = None
    shared: SharedLoads | None = None
    members: bool = False
    """Whether nothing is gained but by members of records in locals."""

    def union(self) -> isl.UnionMap:
        items = list(self.maps.values())
        import islpy as isl

        result = isl.UnionMap.from_map(items[0])
        for item in items[1:]:
            result = result.union(isl.UnionMap.from_map(item))
        return result

    def count(self, role: Role) -> int:
        return sum(d.role is role for d in self.dimensions)

    def with_dimension(self, position: int, dimension: Dimension) -> Schedule:
        changed = list(self.dimensions)
        changed[position] = dimension
        return replace(self, dimensions=tuple(changed))
