"""Rows of narrow integers side by side: what several rows of the result read is read once.

::

    for y: for x: out[y][x] = f(in[y - 1][x], in[y][x], in[y + 1][x])
    ->
    for y by 4: for x: { out[y][x] = ...; out[y + 1][x] = ...; out[y + 2][x] = ...;
                         out[y + 3][x] = ...; }

Unroll-and-jam (Callahan, Carr and Kennedy, "Improving register allocation for subscripted
variables", 1990) where nothing depends on anything: compilers see which elements are the same.
Bytes and 16-bit integers are made wider for arithmetic, which costs as much as the arithmetic; of
wider elements a load is cheaper than a register.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import ClassVar, Literal

import islpy as isl

from s2s.analyses import legality
from s2s.analyses.extents import extent, iteration_count
from s2s.scop.nodes import Access, Branch, Construct, Loop, Scop, Sequence, Statement, Tree, walk
from s2s.scop.schedule import Dimension, Role, Schedule
from s2s.source.records import dataclass
from s2s.transforms.errors import NotApplicable
from s2s.transforms.parallelize import doall
from s2s.transforms.reschedule import source_order
from s2s.transforms.scop_pass import Look, ScopPass
from s2s.transforms.tile import first_values
from s2s.transforms.transformed import Transformed
from s2s.transforms.units import varies_in_last
from s2s.transforms.unroll_and_jam import whole_tiles

# Bytes of the widest elements for which it is faster.
_NARROW = 2


@dataclass(frozen=True)
class JamRows(ScopPass):
    """The pass: ``rows`` are computed at once.

    Measured with gcc 12 and AVX2 on images in the second-level cache: 3 x 3 sums of bytes 1.2 times
    as fast, of 16-bit integers 1.0 to 1.4; of floats and of wider integers 0.8 times.
    """

    name: ClassVar[str] = "jam-rows"
    looks_for: ClassVar[frozenset[Look]] = frozenset({Look.ROWS})
    rows: int = field(default=4, metadata={"help": "rows that are computed at once", "least": 2})
    shortest: int = field(
        default=32, metadata={"help": "iterations of the innermost loop below which all stays"}
    )
    parallel: bool = field(default=False, metadata={"help": "add parallel loops"})
    compiler: Literal["gcc", "clang"] = field(
        default="gcc", metadata={"help": "the compiler that makes vectors"}
    )

    def run(self, scop: Scop, dependences: isl.UnionMap) -> Transformed:
        """Jam the loop around the innermost one. Raises NotApplicable with the reason."""
        if self.compiler != "gcc":
            raise NotApplicable(scop.span, "a gain is known of gcc alone")
        loops = _shared_loops(scop)
        _check(scop, dependences, len(loops))
        if not any(_share_rows(a, b, len(loops)) for a, b in _reads_of_one_array(scop)):
            raise NotApplicable(scop.span, "no element is read for several rows")
        planned = replace(scop, target=self._schedule(scop, loops))
        words = f"{self.rows} rows of '{loops[-2].variable.spelling}' at once"
        attempt = doall(planned, 0 if len(loops) > 2 else 1)
        per_thread: tuple[tuple[isl.PwAff, int], ...] = ()
        if self.parallel and legality.check(attempt, dependences) is None:
            planned, words = attempt, f"{words}, parallel outside"
            per_thread = ((iteration_count(scop), 4 * self.rows),)
        long = self._is_large(scop, len(loops))
        return Transformed(replace(planned, history=(words,)), long, per_thread)

    def _is_large(self, scop: Scop, depth: int) -> isl.Set:
        """That there are rows to jam, and that they are long."""
        result = isl.Set.empty(scop.context.get_space())
        for statement in scop.statements:
            domain = statement.domain.reset_tuple_id()
            rows = extent(domain, depth - 2).add_constant_val(isl.Val(-self.rows)).nonneg_set()
            long = extent(domain, depth - 1).add_constant_val(isl.Val(-self.shortest)).nonneg_set()
            result = result.union(rows.intersect(long))
        return result.coalesce()

    def _schedule(self, scop: Scop, loops: list[Loop]) -> Schedule:
        """Times: outer loops; tiles or rest; tile; innermost loop; row; the source's order."""
        count = len(loops)
        names = [loop.variable.spelling for loop in loops]
        base = source_order(scop, names)
        first = first_values(replace(scop, target=base), count)[-2]
        entries = [f"d{i}" for i in range(len(base.dimensions))]
        outer, y, x, rest = (
            entries[: count - 2],
            entries[count - 2],
            entries[count - 1],
            entries[count:],
        )
        tile = f"floor(({y} - {first})/{self.rows})"
        tiled = [*outer, "0", tile, x, y, *rest]
        single = [*outer, "1", y, x, "0", *rest]
        whole = self._whole(scop, base, count, first)
        maps = {}
        for statement in scop.statements:
            times = base.maps[statement.name].intersect_domain(statement.domain)
            inside = times.intersect_range(whole).apply_range(_map(scop, entries, tiled))
            left = times.subtract_range(whole).apply_range(_map(scop, entries, single))
            maps[statement.name] = inside.union(left).coalesce()
        dimensions = (
            *base.dimensions[: count - 2],
            Dimension("part", Role.BAND, unroll=True),
            Dimension(f"{names[-2]}_tile", Role.BAND),
            Dimension(names[-1], Role.BAND),
            Dimension(names[-2], Role.BAND, unroll=True),
            *base.dimensions[count:],
        )
        return Schedule(maps, dimensions)

    def _whole(self, scop: Scop, base: Schedule, count: int, first: str) -> isl.Set:
        """The times of those tiles that have all of their rows."""
        times: isl.Set | None = None
        for item in base.maps.values():
            image = item.intersect_params(scop.context).range()
            image = image.project_out(isl.dim_type.set, count, image.dim(isl.dim_type.set) - count)
            times = image if times is None else times.union(image)
        assert times is not None
        entries = [f"d{i}" for i in range(count)]
        moved = list(entries)
        moved[-2] = f"{entries[-2]} - {first}"
        shift = _map(scop, entries, moved)
        found = whole_tiles(times.coalesce().apply(shift), {count - 2: self.rows})
        if found.is_empty():
            raise NotApplicable(scop.span, "there are too few rows")
        return found.apply(shift.reverse()).insert_dims(
            isl.dim_type.set, count, len(base.dimensions) - count
        )


def _map(scop: Scop, inputs: list[str], outputs: list[str]) -> isl.Map:
    names = ", ".join(scop.parameter_names())
    return isl.Map(f"[{names}] -> {{ [{', '.join(inputs)}] -> [{', '.join(outputs)}] }}")


def _shared_loops(scop: Scop) -> list[Loop]:
    """The loops around all statements, outermost first. Raises NotApplicable for less than two."""
    loops: list[Loop] = []
    tree: Tree = scop.tree
    while isinstance(tree, Loop) or (isinstance(tree, Sequence) and len(tree.children) == 1):
        if isinstance(tree, Loop):
            loops.append(tree)
            tree = tree.body
        else:
            tree = tree.children[0]
    if not 2 <= len(loops) <= 3 or any(loop.step != 1 for loop in loops):
        raise NotApplicable(scop.span, "the region is no nest of two or three loops by one")
    return loops


def _check(scop: Scop, dependences: isl.UnionMap, depth: int) -> None:
    """Raise NotApplicable unless iterations are independent and their elements narrow integers."""
    for node in walk(scop.tree):
        if isinstance(node, Construct | Branch):
            raise NotApplicable(node.span, "a construct or a condition keeps its place")
    if scop.carried or scop.guards or scop.order is not None:
        raise NotApplicable(scop.span, "the order of the statements is not known")
    for statement in scop.statements:
        if any(scop.arrays[a.array].external for a in statement.accesses):
            raise NotApplicable(statement.span, "a call keeps its place")
        for access in statement.accesses:
            _check_element(scop, statement, access, depth)
    if _carries(dependences, depth):
        raise NotApplicable(scop.span, "iterations of the loops depend on each other")
    if scop.checked:
        raise NotApplicable(scop.span, "compilers do not see that the arrays do not overlap")


def _check_element(scop: Scop, statement: Statement, access: Access, depth: int) -> None:
    array = scop.arrays[access.array]
    if not array.rank or array.row_rank:
        if access.write or array.row_rank:
            raise NotApplicable(access.span, f"'{array.spelling}' is no element of an array")
        return
    if access.floating:
        raise NotApplicable(access.span, "a load is cheaper than a register")
    relation = access.relation
    moves = relation.gist_domain(relation.domain()).involves_dims(isl.dim_type.in_, depth - 1, 1)
    if moves and not 0 < array.element_size <= _NARROW:
        raise NotApplicable(access.span, "a load is cheaper than a register")
    if moves and statement.depth == depth and not varies_in_last(relation, depth - 1):
        raise NotApplicable(access.span, "the innermost loop does not walk along memory")


def _carries(dependences: isl.UnionMap, depth: int) -> bool:
    """Whether an iteration of the outer ``depth`` loops depends on another one."""
    found: list[bool] = []

    def note(pairs: isl.Map) -> None:
        same = pairs
        for place in range(depth):
            same = same.equate(isl.dim_type.in_, place, isl.dim_type.out, place)
        found.append(not pairs.is_subset(same))

    dependences.foreach_map(note)
    return any(found)


def _reads_of_one_array(scop: Scop) -> list[tuple[Access, Access]]:
    reads = [
        a for s in scop.statements for a in s.accesses if not a.write and scop.arrays[a.array].rank
    ]
    return [(a, b) for a in reads for b in reads if a.array == b.array]


def _share_rows(first: Access, second: Access, depth: int) -> bool:
    """Whether some element is read for two neighbouring rows at one place along them."""
    pairs = first.relation.apply_range(second.relation.reverse())
    for place in (*range(depth - 2), depth - 1):
        pairs = pairs.equate(isl.dim_type.in_, place, isl.dim_type.out, place)
    return not pairs.order_lt(isl.dim_type.in_, depth - 2, isl.dim_type.out, depth - 2).is_empty()
