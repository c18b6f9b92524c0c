"""Rows of a nest side by side, where each iteration of the innermost loop waits for the last one.

::

    for j: for i: a[j][i] = f(a[j][i - 1], a[j - 1][i])
    ->
    for j by 4: {
        the beginnings of four rows, in the source's order
        for t: { a[j][t] = ...; a[j + 1][t - 1] = ...; (and so on, four rows) }
        their ends
    }

A recurrence leaves the processor waiting for each operation. Rows, each ``skew`` columns after the
row before where dependences between rows want that, are chains that do not wait for each other:
loop skewing (Wolfe, "Loop skewing: the wavefront method revisited", 1986) and unroll-and-jam as in
Callahan, Cocke and Kennedy, "Estimating interlock and improving balance for pipelined machines",
1988. Every element sees its operations in the source's order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from functools import reduce
from math import prod
from typing import ClassVar

import islpy as isl

from s2s.analyses import legality, vector_cost
from s2s.analyses.extents import array_extents, constant, iteration_count
from s2s.analyses.locality import coefficient
from s2s.analyses.vector_cost import Compiler
from s2s.scop.nodes import Access, Branch, Construct, Loop, Scop, Sequence, Tree, walk
from s2s.scop.schedule import Dimension, Role, Schedule
from s2s.scop.unions import union_of_maps
from s2s.source.records import dataclass
from s2s.transforms.errors import NotApplicable, NothingToGain, OtherKind
from s2s.transforms.scop_pass import ScopPass
from s2s.transforms.tile import first_values
from s2s.transforms.transformed import Transformed
from s2s.transforms.units import direction

_SKEWS = (0, 1, 2, 3)
# Cycles of a recurrence that are more than memory takes for an element, and a second-level cache.
_LONG = 12.0
_CACHE_BYTES = 512 * 1024
# Rows whose length in bytes is a multiple of this share few sets of a first-level cache.
_CRITICAL = 2048
# Lines that a set of a first-level cache holds: rows whose length is a multiple of 4 KB share sets.
_WAYS = 8
_SET = isl.dim_type.set
_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Chains(ScopPass):
    """The pass: ``rows`` rows at a time."""

    name: ClassVar[str] = "chains"
    rows: int = field(
        default=4, metadata={"help": "rows side by side, at most", "least": 2, "tune": (2, 8)}
    )
    gain: float = field(default=1.5, metadata={"help": "least estimated gain to act"})
    shortest: int = field(
        default=32, metadata={"help": "iterations of the innermost loop below which all stays"}
    )
    compiler: Compiler = field(
        default="gcc", metadata={"help": "the compiler that the new loops are for"}
    )
    reassociate: bool = field(
        default=False, metadata={"help": "floating-point operations in another order"}
    )

    def run(self, scop: Scop, dependences: isl.UnionMap) -> Transformed:
        """Skew and jam the two innermost loops. Raises NotApplicable with the reason."""
        nest = _Nest(scop)
        rows = next((r for r in range(self.rows, 1, -1) if nest.streams(r) <= _WAYS), 0)
        if not rows:
            raise NotApplicable(scop.span, "rows of so many arrays may not fit a cache together")
        self._check_gain(nest, rows, dependences)
        skew = _skew(nest, rows, dependences)
        planned = replace(scop, target=nest.side_by_side(skew, rows))
        if legality.check(planned, dependences) is not None:
            raise NotApplicable(scop.span, "rows cannot run side by side")
        behind = f", each {skew} behind the one before" if skew else ""
        words = f"{rows} rows of '{nest.row}' side by side{behind}"
        return Transformed(replace(planned, history=(words,)), self._long_enough(nest))

    def _check_gain(self, nest: _Nest, rows: int, dependences: isl.UnionMap) -> None:
        """Raise NotApplicable where the innermost loop is not expected to wait for itself."""
        (body,) = vector_cost.bodies(nest.scop)
        scop, compiler, regroup = nest.scop, self.compiler, self.reassociate
        if vector_cost.vectorizes(scop, body, dependences, compiler=compiler, reassociate=regroup):
            raise NothingToGain(scop.span, "the compiler makes vectors of the innermost loop")
        work, latency = vector_cost.waiting(scop, body, dependences)
        if max(work, latency) < self.gain * max(work, latency / rows):
            raise NothingToGain(scop.span, "the innermost loop does not wait for itself")
        if latency < _LONG and not nest.fits_cache():
            raise NothingToGain(scop.span, "the innermost loop may wait for memory")

    def _long_enough(self, nest: _Nest) -> isl.Set:
        result = isl.Set.universe(nest.scop.context.get_space())
        for position, least in ((nest.depth - 2, 2 * self.rows), (nest.depth - 1, self.shortest)):
            count = iteration_count(nest.scop, position)
            number = constant(count)
            if number is not None and number < least:
                raise NothingToGain(nest.scop.span, f"a loop has {number} iterations")
            result = result.intersect(count.add_constant_val(isl.Val(-least)).nonneg_set())
        return result


def _skew(nest: _Nest, rows: int, dependences: isl.UnionMap) -> int:
    """The least skew with which rows of a tile do not wait for each other."""
    for skew in _SKEWS:
        if nest.is_free(skew, rows, dependences):
            return skew
    raise NotApplicable(nest.scop.span, "rows wait for each other, even skewed")


class _Nest:
    """A perfect nest; its last two loops are those over rows and along them.

    Raises NotApplicable where the region is anything else.
    """

    def __init__(self, scop: Scop) -> None:
        self.scop = scop
        loops = list(_loops(scop, scop.tree))
        self.depth = len(loops)
        if self.depth < 2:
            raise OtherKind(scop.span, "no loop around the innermost one")
        for statement in scop.statements:
            if not statement.straight or statement.opaque:
                raise NotApplicable(statement.span, "the statement is not straight code")
            if any(scop.arrays[a.array].external for a in statement.accesses):
                raise NothingToGain(statement.span, "a call keeps its place")
        if any(self._crosses_rows(a) for s in scop.statements for a in s.accesses):
            raise NothingToGain(scop.span, "the innermost loop does not walk along rows")
        if scop.carried or scop.guards or scop.order is not None:
            raise NotApplicable(scop.span, "the order of the statements is not known")
        self.loops = loops
        self.row = loops[-2].variable.spelling

    def _crosses_rows(self, access: Access) -> bool:
        """Whether an access moves from row to row with the innermost loop, or one knows not how."""
        rows = range(access.relation.dim(isl.dim_type.out) - 1)
        return any(coefficient(access, row, self.depth - 1) != 0 for row in rows)

    def fits_cache(self) -> bool:
        """Whether a cache surely holds all arrays."""
        total = 0
        for name, extents in array_extents(self.scop).items():
            sizes = [constant(extent) for extent in extents]
            if None in sizes:
                return False
            total += prod(size or 0 for size in sizes) * self.scop.arrays[name].element_size
        return total <= _CACHE_BYTES

    def streams(self, rows: int) -> int:
        """Rows of arrays that may share the sets of a cache, with so many of the nest's at a time.

        Those of a length that is not known, or a multiple of half a page.
        """
        count = 0
        for name, array in self.scop.arrays.items():
            length = array.sizes[-1] if array.sizes else None
            known = length is not None and length.isdigit()
            if array.rank < 2 or (known and int(length or 0) * array.element_size % _CRITICAL):
                continue
            different = self._rows_named(name)
            count += rows + different - 1 if different else 0
        return count

    def _rows_named(self, array: str) -> int:
        """Subscripts of rows that differ, where the nest's rows are in them."""
        found: list[isl.Map] = []
        for statement in self.scop.statements:
            for access in statement.accesses:
                rank = access.relation.dim(isl.dim_type.out)
                moves = (coefficient(access, i, self.depth - 2) for i in range(rank - 1))
                if access.array == array and any(moves):
                    row = access.relation.project_out(isl.dim_type.out, rank - 1, 1)
                    row = row.reset_tuple_id(isl.dim_type.in_)
                    found += [row] if not any(row.is_equal(r) for r in found) else []
        return len(found)

    def _times(self, skew: int) -> dict[str, isl.Map]:
        """Outer loops, rows, skewed columns, the place of the statement."""
        maps = {}
        for place, statement in enumerate(self.scop.statements):
            *outer, row, column = (direction(statement, i) for i in range(self.depth))
            entries = [*outer, row, f"{column} + {skew} * ({row})", str(place)]
            inputs = ", ".join(v.name for v in statement.iterators)
            text = f"{{ {statement.name}[{inputs}] -> [{', '.join(entries)}] }}"
            maps[statement.name] = isl.Map(text).intersect_domain(statement.domain)
        return maps

    def is_free(self, skew: int, rows: int, dependences: isl.UnionMap) -> bool:
        """Whether rows less than ``rows`` apart only depend on each other's earlier columns."""
        times = union_of_maps(list(self._times(skew).values()))
        timed = dependences.apply_domain(times).apply_range(times)
        if timed.is_empty():
            return True
        entries = ", ".join([*["0"] * (self.depth - 2), "r", "c", "o"])
        waiting = isl.Set(f"{{ [{entries}] : 0 < r < {rows} and c <= 0 }}")
        return bool(isl.Map.from_union_map(timed).deltas().is_disjoint(waiting))

    def side_by_side(self, skew: int, rows: int) -> Schedule:
        """Tiles of rows: what comes before whole columns, these, and what comes behind them."""
        plain = self._times(skew)
        names = [*(loop.variable.spelling for loop in self.loops), "o"]
        flat = Schedule(plain, tuple(Dimension(n, Role.BAND) for n in names))
        first = first_values(replace(self.scop, target=flat), self.depth - 1)[-1]
        form = _Form(names, rows, first, skew)
        times = form.places(plain.values()).intersect_params(self.scop.context)
        whole = form.whole(times)
        if whole.is_empty():
            raise NothingToGain(self.scop.span, "the rows are too short")
        behind = times.intersect(form.behind(whole)).subtract(whole)
        before = times.subtract(whole).subtract(behind)
        maps = {
            name: reduce(isl.Map.union, (
                form.rest(item, before, 0), form.inside(item, whole), form.rest(item, behind, 2)
            )).coalesce()
            for name, item in plain.items()
        }  # fmt: skip
        return Schedule(maps, form.dimensions())


class _Form:
    """The time vectors: outer loops, tiles of rows, part of the tile; columns, rows and statements
    of whole columns; rows, columns and statements of what is before them and behind.

    ``names`` are the loops' and one for the statements' places; ``first`` is the first row.
    """

    def __init__(self, names: list[str], rows: int, first: str, skew: int) -> None:
        self.names = names
        self.outer = [f"x{i}" for i in range(len(names) - 3)]
        self.tile = f"floor((r - {first})/{rows})"
        parameters = ", ".join(sorted(set(_WORD.findall(first))))
        self.head = f"[{parameters}] -> " if parameters else ""
        self.column = f"c - {skew} * r"

    def _map(self, inputs: list[str], outputs: list[str], condition: str = "") -> isl.Map:
        one, other = (", ".join([*self.outer, *entries]) for entries in (inputs, outputs))
        return isl.Map(f"{self.head}{{ [{one}] -> [{other}]{condition} }}")

    def places(self, times: Iterable[isl.Map]) -> isl.Set:
        """Rows and columns, without the statements' places."""
        return reduce(isl.Set.union, (t.range().project_out(_SET, len(self.names) - 1, 1)
                                      for t in times))  # fmt: skip

    def whole(self, times: isl.Set) -> isl.Set:
        """The columns of which a tile has all rows."""
        tiles = self._map(["r", "c"], [self.tile, "c"])
        partial = times.apply(tiles).apply(tiles.reverse()).subtract(times)
        return times.subtract(partial.apply(tiles).apply(tiles.reverse())).coalesce()

    def behind(self, whole: isl.Set) -> isl.Set:
        """All places after a whole column of the same tile."""
        tiles = self._map(["r", "c"], [self.tile, "c"])
        later = self._map(["t", "c"], ["t", "d"], " : d > c")
        return whole.apply(tiles).apply(later).apply(tiles.reverse())

    def inside(self, times: isl.Map, places: isl.Set) -> isl.Map:
        outputs = [self.tile, "1", "c", "r", "o", "0", "0", "0"]
        return self._timed(times, places, outputs)

    def rest(self, times: isl.Map, places: isl.Set, part: int) -> isl.Map:
        outputs = [self.tile, str(part), "0", "0", "0", "r", self.column, "o"]
        return self._timed(times, places, outputs)

    def _timed(self, times: isl.Map, places: isl.Set, outputs: list[str]) -> isl.Map:
        chosen = times.intersect_range(places.insert_dims(_SET, len(self.names) - 1, 1))
        return chosen.apply_range(self._map(["r", "c", "o"], outputs))

    def dimensions(self) -> tuple[Dimension, ...]:
        *outer, row, column, place = self.names
        return (
            *(Dimension(name, Role.BAND) for name in outer),
            Dimension(f"{row}_tile", Role.BAND),
            Dimension("part", Role.BAND, unroll=True),
            Dimension(column, Role.BAND),
            Dimension(row, Role.BAND, unroll=True),
            Dimension(place, Role.BAND),
            *(Dimension(f"{name}_r", Role.ORDER) for name in (row, column, place)),
        )


def _loops(scop: Scop, tree: Tree) -> Iterator[Loop]:
    """The loops of a perfect nest, outside in. Raises NotApplicable where it is none."""
    if isinstance(tree, Sequence) and len(tree.children) == 1:
        yield from _loops(scop, tree.children[0])
    elif isinstance(tree, Loop):
        yield tree
        if any(isinstance(n, Loop | Construct | Branch) for n in walk(tree.body)):
            yield from _loops(scop, tree.body)
    else:
        raise OtherKind(scop.span, "the region is not a perfect nest")
