"""Un-skewing: statements in the order in which they walk the array that they write.

::

    for d: for i <= d: a[i][d - i] = f(..)        for row: for column: a[row][column] = f(..)

A loop over anti-diagonals, which source programs use to show parallelism, touches a new cache line
with each access. The subscripts of the (exact, injective) write give the other order: the rows of
the array become the outer loop. Reversed or skewed subscripts are tried where dependences need
them. Where the result is permutable it is tiled, and tiles of it are pipelined or run as a
wavefront (sections 3.4 and 3.6 of the PoPP chapter do so for NW).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace
from itertools import product
from typing import ClassVar, Literal

import islpy as isl

from s2s.analyses import legality, synchronization
from s2s.analyses.extents import time_extent
from s2s.analyses.locality import coefficient, innermost_cost, walk_cost
from s2s.scop.nodes import Access, Construct, Kind, Scop, Statement, walk
from s2s.scop.schedule import Dimension, Parallelism, Role, Schedule
from s2s.source.records import dataclass
from s2s.transforms.errors import NotApplicable, NothingToGain
from s2s.transforms.parallelize import doall, simd, wait_for_tiles
from s2s.transforms.reschedule import append_order
from s2s.transforms.rotate import rotate
from s2s.transforms.scop_pass import ScopPass
from s2s.transforms.tile import tile
from s2s.transforms.transformed import Transformed

_SKEWS = (0, 1, 2)
_FORMS = {"doacross": "pipelined", "wavefront": "as wavefronts", "tasks": "as tasks"}


@dataclass(frozen=True)
class Unskew(ScopPass):
    """The pass: ``sizes`` are rows and columns of a tile, ``emit`` how tiles run in parallel.

    The default sizes are the best found by hand for NW on two cores (64 rows of 1024 columns,
    pipelined; wavefronts differ by +6 to -55 % with the tile sizes).
    """

    name: ClassVar[str] = "unskew"
    sizes: tuple[int, int] = field(
        default=(64, 1024),
        metadata={
            "help": "rows and columns of a tile",
            "tune": ((32, 512), (64, 512), (128, 128), (128, 1024)),
        },
    )
    plane_sizes: tuple[int, int] = field(
        default=(8, 8), metadata={"help": "sizes of a tile where the array has planes"}
    )
    gain: float = field(default=2.0, metadata={"help": "least estimated gain to act"})
    emit: Literal["auto", "doacross", "wavefront", "tasks"] = field(
        default="auto",
        metadata={"help": "how tiles run in parallel", "tune": ("wavefront",)},
    )
    parallel: bool = field(default=False, metadata={"help": "add parallel loops"})

    def run(self, scop: Scop, dependences: isl.UnionMap) -> Transformed:
        """Walk the written array in its own order. Raises NotApplicable with the reason."""
        _check_constructs(scop)
        walks = {s.name: _written_subscripts(scop, s) for s in scop.statements}
        if not any(_is_skewed(s, walks[s.name]) for s in scop.statements):
            raise NothingToGain(scop.span, "no write walks across rows and columns at once")
        gain = _estimated_gain(scop, walks)
        if gain < self.gain:
            raise NothingToGain(scop.span, "the array's own order is not expected to be faster")
        if self.parallel or _is_parallel(scop):
            return self._in_parallel(scop, dependences, walks, gain)
        planned = _first_legal(scop, dependences, walks)
        planned = _vectorize(planned, dependences)
        return Transformed(_said(planned, "un-skewed to the order in memory"), _everywhere(scop))

    def _in_parallel(
        self, scop: Scop, dependences: isl.UnionMap, walks: dict[str, isl.Map], gain: float
    ) -> Transformed:
        """Rows in parallel where they are independent, else tiles that wait for each other."""
        planned = _first_legal(scop, dependences, walks)
        rows = doall(planned, 0)
        extents = [time_extent(planned, i) for i in range(2)]
        if legality.check(rows, dependences) is None:
            words = "un-skewed to the order in memory, rows in parallel"
            done = _said(_vectorize(rows, dependences), words)
            return Transformed(done, _everywhere(scop), ((extents[0], 1),))
        planned = _first_permutable(scop, dependences, walks)
        assert planned.target is not None
        height, width = self.sizes if planned.target.count(Role.BAND) == 2 else self.plane_sizes
        tiled = tile(planned, (height, width))
        form = self.emit
        if form == "auto":
            form = synchronization.cheapest(synchronization.grids(planned, (height, width)))
        tiled = wait_for_tiles(tiled, form)
        words = f"un-skewed to the order in memory, tiled {height}x{width}, {_FORMS[form]}"
        # With fewer tiles in a row than threads some of these wait; the better order pays for it.
        narrowest = max(1, int(width / min(gain, 8.0)))
        per_thread = ((extents[0], height), (extents[1], narrowest))
        return Transformed(_said(tiled, words), _everywhere(scop), per_thread)


def _is_parallel(scop: Scop) -> bool:
    """Whether the source runs part of the region in parallel."""
    shares = (Kind.LOOP, Kind.TASK)
    return any(isinstance(n, Construct) and n.kind in shares for n in walk(scop.tree))


def _check_constructs(scop: Scop) -> None:
    for node in walk(scop.tree):
        kinds = (Kind.PARALLEL, Kind.LOOP, Kind.SIMD, Kind.SINGLE, Kind.MASTER, Kind.TASK)
        if isinstance(node, Construct) and node.kind not in (*kinds, Kind.TASKWAIT, Kind.BARRIER):
            raise NothingToGain(node.span, f"'{node.kind.value}' keeps its place")
    for statement in scop.statements:
        for access in statement.accesses:
            if access.commutes is not None or scop.arrays[access.array].external:
                raise NothingToGain(access.span, "an update or call keeps its place")


def _written_subscripts(scop: Scop, statement: Statement) -> isl.Map:
    """From a statement's instances to the subscripts of the one element that each writes."""
    writes = [a for a in statement.accesses if a.write and scop.arrays[a.array].rank >= 2]
    for access in writes:
        if _is_walk(access, statement):
            return access.relation.reset_tuple_id(isl.dim_type.out)
    raise NothingToGain(statement.span, "the statement does not write one element of a matrix")


def _is_walk(access: Access, statement: Statement) -> bool:
    relation = access.relation
    same_rank = relation.dim(isl.dim_type.out) == statement.depth
    whole = access.exact and statement.domain.is_subset(relation.domain())
    return same_rank and whole and relation.is_single_valued() and relation.is_injective()


def _is_skewed(statement: Statement, subscripts: isl.Map) -> bool:
    """Whether a subscript combines iterators: a permutation of loops would not be enough."""
    access = replace(statement.accesses[0], relation=subscripts)
    rank = subscripts.dim(isl.dim_type.out)
    return any(
        sum(bool(coefficient(access, row, i)) for i in range(statement.depth)) > 1
        for row in range(rank)
    )


def _estimated_gain(scop: Scop, walks: dict[str, isl.Map]) -> float:
    """Cache lines per iteration, as in the source over as in the array's order."""
    before = after = 0.0
    for statement in scop.statements:
        before += innermost_cost(scop, statement, statement.depth - 1)
        after += walk_cost(scop, statement, walks[statement.name], statement.depth - 1)
    return before / after if after else float("inf")


def _candidates(scop: Scop, walks: dict[str, isl.Map]) -> Iterator[Scop]:
    """Schedules by subscripts: as they are, then reversed, then skewed by the row."""
    (rank, *others) = {w.dim(isl.dim_type.out) for w in walks.values()}
    if others:
        raise NotApplicable(scop.span, "the statements write arrays of different ranks")
    inputs = ", ".join(f"d{i}" for i in range(rank))
    for skew in _SKEWS:
        for signs in product((1, -1), repeat=rank):
            rows = [f"{sign}*d{i}" for i, sign in enumerate(signs)]
            rows = [rows[0], *(f"{row} + {skew}*({rows[0]})" for row in rows[1:])]
            turned = isl.Map(f"{{ [{inputs}] -> [{', '.join(rows)}] }}")
            maps = {name: item.apply_range(turned) for name, item in walks.items()}
            yield replace(scop, target=_schedule(scop, maps, rank))


def _schedule(scop: Scop, maps: dict[str, isl.Map], rank: int) -> Schedule:
    names = ("row", "column") if rank == 2 else tuple(f"x{i}" for i in range(rank))
    dimensions = [Dimension(name, Role.BAND) for name in names]
    if len(scop.statements) > 1:
        return append_order(scop, maps, dimensions)
    (statement,) = scop.statements
    only = {statement.name: maps[statement.name].intersect_domain(statement.domain)}
    return Schedule(only, tuple(dimensions), rank)


def _first_legal(scop: Scop, dependences: isl.UnionMap, walks: dict[str, isl.Map]) -> Scop:
    for candidate in _candidates(scop, walks):
        if legality.check(candidate, dependences) is None:
            return candidate
    raise NotApplicable(scop.span, "dependences do not allow the order of the array")


def _first_permutable(scop: Scop, dependences: isl.UnionMap, walks: dict[str, isl.Map]) -> Scop:
    for candidate in _candidates(scop, walks):
        legal = legality.check(candidate, dependences) is None
        if legal and legality.permutable_band(candidate, dependences) >= 2:
            return candidate
    raise NotApplicable(scop.span, "no two loops over the array can be permuted, even skewed")


def _vectorize(scop: Scop, dependences: isl.UnionMap) -> Scop:
    """Mark the walk along rows as a vector loop where that is proved, for plain statements."""
    assert scop.target is not None
    last = scop.target.count(Role.BAND) - 1
    if last + 1 < len(scop.target.dimensions) or not all(s.straight for s in scop.statements):
        return scop
    if scop.target.dimensions[last].parallelism is not Parallelism.NONE:
        return scop
    attempt = simd(scop, last)
    return attempt if legality.check(attempt, dependences) is None else scop


def _said(scop: Scop, words: str) -> Scop:
    return replace(rotate(scop), history=(words,))


def _everywhere(scop: Scop) -> isl.Set:
    return isl.Set.universe(scop.context.get_space())
