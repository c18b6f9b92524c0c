"""Rows of a tile two at a time: elements that both of them read are loaded once.

::

    for t: for i: { row of U1(t, i - 2t);  row of U2(t, i - 2t - 1) }
    ->
    for t: { for i by 2: for j: { U1(t, i - 2t, j); U1(t, i + 1 - 2t, j) }
             for i by 2: for j: { U2(t, i - 2t - 1, j); U2(t, i - 2t, j) } }

Unroll-and-jam (Callahan, Carr and Kennedy, "Improving register allocation for subscripted
variables", 1990) of the loop around rows. Where a tile's elements are in a cache, a stencil takes
the time of its loads: the five points of a cross are eight for two rows, not ten.
"""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from s2s.scop.nodes import Scop, Statement
from s2s.scop.schedule import Dimension, Parallelism, Role, Schedule, SharedLoads
from s2s.source.records import dataclass
from s2s.transforms.rows import innermost_loops
from s2s.transforms.units import Unit, direction, varies_in_last
from s2s.transforms.unroll_and_jam import whole_tiles

# So many rows need as many pointers as x86-64 has registers for; three are no faster.
ROWS = 2
# Places in rows that a loop may go through: more do not fit into registers beside what counts.
POINTERS = 11
# Entries of the new time vectors between the loops around and that of the band's last loop.
_BEFORE_ROW = 4


def side_by_side(scop: Scop, units: tuple[Unit, ...], depth: int, *, gain: float) -> Scop | None:
    """A schedule of tiles of a band of ``depth`` loops with pairs of rows in them.

    None where two rows together do not load ``gain`` times less than each by itself. Legality is
    proved elsewhere.
    """
    schedule = scop.target
    assert schedule is not None
    paired = {u.name for u in units if _is_paired(scop, u, depth, gain)}
    if not paired:
        return None
    form = _Form(schedule, depth)
    maps = {}
    for number, unit in enumerate(units):
        for statement in map(scop.statement, unit.statements):
            times = schedule.maps[statement.name].intersect_domain(statement.domain)
            maps[statement.name] = (
                form.pairs(times, statement, number)
                if unit.name in paired
                else times.apply_range(form.single(number))
            ).coalesce()
    column = scop.statement(next(u for u in units if u.name in paired).statements[0])
    name = column.iterators[depth].spelling
    changed = Schedule(maps, form.dimensions(name), shared=SharedLoads(name))
    return replace(scop, target=changed)


@dataclass(frozen=True)
class _Form:
    """Time vectors in a tile: outer loops, unit, whole or rest, pair of rows, column, row."""

    base: Schedule
    depth: int

    @property
    def at(self) -> int:
        """The place of the band's last loop, that over rows."""
        band = [i for i, d in enumerate(self.base.dimensions) if d.role is Role.BAND]
        return band[self.depth - 1]

    @property
    def _names(self) -> list[str]:
        return [f"d{i}" for i in range(len(self.base.dimensions))]

    def pairs(self, times: isl.Map, statement: Statement, number: int) -> isl.Map:
        """The times of a row's statement: in pairs, and by itself where a pair is not whole."""
        along = self._with_column(times, statement)
        names, at = [*self._names, "c"], self.at
        row, tile = names[at], f"{names[at]} - {self._start}"
        shift = _map(times, names, [*names[:at], tile, *names[at + 1 :]])
        whole = whole_tiles(along.range().apply(shift).coalesce(), {at: ROWS})
        whole = whole.apply(shift.reverse())
        behind = names[at + 1 : -1]
        pair = f"floor(({tile})/{ROWS})"
        inside = _map(times, names, [*names[:at], str(number), "1", pair, "c", row, *behind])
        together = along.intersect_range(whole).apply_range(inside)
        # A second row without the first one stands at the beginning, a first one at the end.
        part = f"2 - 2*(({tile}) - {ROWS}*{pair})"
        alone = _map(times, names, [*names[:at], str(number), part, row, "c", row, *behind])
        return together.union(along.subtract_range(whole).apply_range(alone))

    def single(self, number: int) -> isl.Map:
        """From the band's times to those of a unit whose rows stay as they are."""
        names, at = self._names, self.at
        row = names[at]
        entries = [*names[:at], str(number), "1", row, "0", row, *names[at + 1 :]]
        return isl.Map(f"{{ [{', '.join(names)}] -> [{', '.join(entries)}] }}")

    def _with_column(self, times: isl.Map, statement: Statement) -> isl.Map:
        """Times with the iterator along the row behind them."""
        inputs = ", ".join(v.name for v in statement.iterators)
        column = direction(statement, self.depth)
        along = isl.Map(f"{{ {statement.name}[{inputs}] -> [{column}] }}")
        return times.flat_range_product(along)

    @property
    def _start(self) -> str:
        """Where tiles along the rows begin."""
        tiles = [d for d in self.base.dimensions if d.role is Role.TILE]
        return next(d.start for d in tiles if d.band == self.depth - 1)

    def dimensions(self, column: str) -> tuple[Dimension, ...]:
        old, at = self.base.dimensions, self.at
        row = old[at].name
        last = self.depth - 1
        outer = [replace(d, entry=last + _BEFORE_ROW) if d.band == last else d for d in old[:at]]
        return (
            *outer,
            Dimension("sweep", Role.BAND, unroll=True),
            Dimension("part", Role.BAND, unroll=True),
            Dimension(f"{row}_pair", Role.BAND),
            Dimension(column, Role.BAND, parallelism=Parallelism.SIMD),
            Dimension(row, Role.BAND, unroll=True),
            *old[at + 1 :],
        )


def _map(like: isl.Map, inputs: list[str], outputs: list[str]) -> isl.Map:
    space = like.get_space()
    count = space.dim(isl.dim_type.param)
    names = ", ".join(str(space.get_dim_name(isl.dim_type.param, i)) for i in range(count))
    return isl.Map(f"[{names}] -> {{ [{', '.join(inputs)}] -> [{', '.join(outputs)}] }}")


def _is_paired(scop: Scop, unit: Unit, depth: int, gain: float) -> bool:
    """Whether a unit is one vector loop whose neighbouring rows read the same elements."""
    statements = [scop.statement(name) for name in unit.statements]
    loops = innermost_loops(scop)
    if unit.depth != depth or len({id(loops[s.name]) for s in statements}) > 1:
        return False
    if not all(s.depth == depth + 1 and s.straight and not s.opaque for s in statements):
        return False
    return _saves(scop, statements, depth, gain)


def _saves(scop: Scop, statements: list[Statement], depth: int, gain: float) -> bool:
    """Whether two rows load much less together than each by itself, through not too many pointers.

    Each place in a row takes a pointer, as gcc makes loops.
    """
    loads: list[tuple[str, isl.Map]] = []
    stores = 0
    for statement in statements:
        for access in statement.accesses:
            stores += access.write
            ranked = scop.arrays[access.array].rank
            if ranked and not access.write and varies_in_last(access.relation, depth):
                _note(loads, access.array, access.relation.gist_domain(statement.domain))
    alone, together = len(loads), list(loads)
    for name, relation in loads:
        _note(together, name, _next_row(relation, depth).apply_range(relation))
    return alone * ROWS > len(together) * gain and len(together) + ROWS * stores <= POINTERS


def _note(loads: list[tuple[str, isl.Map]], array: str, relation: isl.Map) -> None:
    """Add an access unless it is there: of whatever statement, these have the same loops."""
    relation = relation.reset_tuple_id(isl.dim_type.in_)
    if not any(array == name and relation.is_equal(other) for name, other in loads):
        loads.append((array, relation))


def _next_row(relation: isl.Map, depth: int) -> isl.Map:
    """From iterations to those one row further."""
    names = [f"i{place}" for place in range(depth + 1)]
    moved = [*names[: depth - 1], f"{names[depth - 1]} + 1", names[depth]]
    return _map(relation, names, moved)
