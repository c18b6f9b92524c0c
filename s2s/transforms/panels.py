"""Products in vector registers: a tile of the result held along the sums, operands in panels.

::

    for i: for j: for k: C[i][j] += alpha * A[i][k] * B[k][j]
    ->
    for ii: for kk: { rows = alpha * A[ii][kk];
                      for jj: { lanes = B[kk][jj];
                                for i by 6 in ii: for j by 8 in jj: {
                                    twelve vectors c = C[i .. i + 5][j .. j + 7];
                                    for k in kk: c += rows[i .. i + 5][k] * lanes[k][j .. j + 7];
                                    C[i .. i + 5][j .. j + 7] = c; } } }

The kernel and the blocks are those of Goto and van de Geijn, "Anatomy of high-performance matrix
multiplication", 2008, with the roles of caches as in Van Zee and van de Geijn, "BLIS", 2015; whole
tiles are told from partial ones as in ``unroll_and_jam``. Each element still sees its operations in
the source's order: blocks of ``k`` follow each other, lanes are different elements.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import ClassVar

import islpy as isl

from s2s.analyses import legality
from s2s.analyses.locality import coefficient
from s2s.analyses.vector_cost import Compiler
from s2s.scop.nodes import Access, Construct, Scop, Statement, walk
from s2s.scop.schedule import Dimension, Parallelism, RegisterTile, Role, Schedule
from s2s.source.records import dataclass
from s2s.transforms.distribute import distribute
from s2s.transforms.errors import NotApplicable, NothingToGain, OtherKind
from s2s.transforms.scop_pass import ScopPass
from s2s.transforms.transformed import Transformed
from s2s.transforms.unroll_and_jam import whole_tiles

_ELEMENTS = {"float": 4, "double": 8}
# Places of a panel along the sums, and bytes of all panels of lanes: half of a second-level cache.
_DEPTH = 256
_PANEL_BYTES = 128 * 1024
# Bytes of all panels of rows, each of which is read from start to end for each block of lanes.
_ROWS_BYTES = 480 * 1024
# Arrays that fit into the first-level cache are as fast as they are.
_LEAST_BYTES = 64 * 1024
_VECTORS = 2


@dataclass(frozen=True)
class Roles:
    """Which iterator is which: rows and lanes of the tile, and the one that is summed along."""

    row: int
    lane: int
    along: int


@dataclass(frozen=True)
class Panels(ScopPass):
    """The pass. ``vector`` are the bytes of the vectors that the code is for."""

    name: ClassVar[str] = "panels"
    vector: int = field(default=16, metadata={"help": "bytes of a vector", "least": 16})
    rows: int = field(default=0, metadata={"help": "rows of a tile; 0: as registers allow"})
    shortest: int = field(
        default=16, metadata={"help": "iterations of each loop below which all stays", "least": 1}
    )
    parallel: bool = field(default=False, metadata={"help": "add parallel loops"})
    compiler: Compiler = field(
        default="gcc", metadata={"help": "the compiler that the new loops are for"}
    )

    def run(self, scop: Scop, dependences: isl.UnionMap) -> Transformed:
        """Choose roles and make the schedule. Raises NotApplicable with the reason."""
        statement = _deepest(scop)
        target, size = _target(scop, statement)
        roles = _roles(scop, statement, target)
        base = distribute(scop, dependences, _orders(scop), 0)
        maker = _Maker(base, statement, roles, self._form(scop, statement, roles, size))
        for rest_first in (False, True):
            made = maker.made(rest_first=rest_first)
            if legality.check(made, dependences) is None:
                shared = _shared(made, dependences, statement) if self.parallel else None
                if self.parallel and shared is None:
                    raise NotApplicable(statement.span, "blocks of lanes depend on each other")
                return self._finish(shared or made, statement, roles)
        raise NotApplicable(statement.span, "no legal order lets registers hold elements")

    def _form(self, scop: Scop, statement: Statement, roles: Roles, size: int) -> _Form:
        """How large tiles and panels are."""
        width = self.vector // size
        rows = self.rows or (6 if self.vector > 16 else 4)
        lanes = _VECTORS * width
        operands = {
            str(a.relation) for a in statement.accesses
            if not a.write and _moves(a, roles.lane) and not _moves(a, roles.row)
        }  # fmt: skip
        across = _PANEL_BYTES // (_DEPTH * size * lanes * max(len(operands), 1))
        down = _ROWS_BYTES // (_DEPTH * size * rows * max(len(operands), 1))
        return _Form(rows, lanes, width, _DEPTH, max(across, 1), max(down, 1))

    def _finish(self, scop: Scop, statement: Statement, roles: Roles) -> Transformed:
        names = [statement.iterators[p].spelling for p in (roles.row, roles.lane, roles.along)]
        assert scop.target is not None and scop.target.tile is not None
        tile = scop.target.tile
        words = (
            f"{tile.rows}x{tile.lanes} elements over '{names[0]}' and '{names[1]}' held along"
            f" '{names[2]}', operands in panels"
        )
        done = replace(scop, history=(words,) if not self.parallel else (words, "parallel blocks"))
        per_thread: list[tuple[isl.PwAff, int]] = []
        profitable = isl.Set.universe(scop.context.get_space())
        for place in (roles.row, roles.lane, roles.along):
            loop = statement.domain.reset_tuple_id()
            loop = loop.project_out(isl.dim_type.set, place + 1, statement.depth - place - 1)
            loop = loop.project_out(isl.dim_type.set, 0, place)
            length = loop.dim_max(0).sub(loop.dim_min(0))
            if place == roles.lane and self.parallel:
                per_thread.append((length.add_constant_val(isl.Val(1)), tile.lanes * tile.across))
            long = length.add_constant_val(isl.Val(1 - self.shortest)).nonneg_set()
            profitable = profitable.intersect(long)
        return Transformed(done, profitable, tuple(per_thread), _LEAST_BYTES, otherwise=("jam",))


@dataclass(frozen=True)
class _Form:
    """Rows and lanes of a tile, lanes of a vector; places of panels along sums, tiles of lanes and
    of rows in them.
    """

    rows: int
    lanes: int
    width: int
    depth: int
    across: int
    down: int


def _shared(scop: Scop, dependences: isl.UnionMap, statement: Statement) -> Scop | None:
    """Blocks of lanes, and the outermost loops of other statements, run by several threads."""
    others = frozenset(s.name for s in scop.statements) - {statement.name}
    assert scop.target is not None
    target = scop.target
    for place, names in ((_LANE_BLOCK, frozenset({statement.name})), (_OTHERS, others)):
        dimension = target.dimensions[place]
        marked = replace(dimension, parallelism=Parallelism.DOALL, statements=names)
        attempt = replace(scop, target=target.with_dimension(place, marked))
        if names and legality.check(attempt, dependences) is None:
            target = attempt.target or target
        elif place == _LANE_BLOCK:
            return None
    return replace(scop, target=target)


def _deepest(scop: Scop) -> Statement:
    """The only statement below three loops. Raises NotApplicable."""
    deepest = max(s.depth for s in scop.statements)
    deep = [s for s in scop.statements if s.depth == deepest]
    if deepest != 3 or len(deep) != 1:
        raise NothingToGain(scop.span, "no single statement below three loops")
    if any(isinstance(node, Construct) for node in walk(scop.tree)):
        raise OtherKind(scop.span, "threads share a loop")
    if scop.carried:
        raise NothingToGain(scop.span, "scalars carry values between statements")
    for statement in scop.statements:
        if (
            statement.opaque
            or not statement.straight
            or any(scop.arrays[a.array].external or not a.exact for a in statement.accesses)
        ):
            raise NothingToGain(statement.span, "a call keeps its place")
    (statement,) = deep
    if statement.assignment is None or statement.choices or statement.values:
        raise NothingToGain(statement.span, "the statement is no plain assignment")
    return statement


def _target(scop: Scop, statement: Statement) -> tuple[Access, int]:
    """What the statement updates, and the size of an element. Raises NotApplicable."""
    written = [a for a in statement.accesses if a.write]
    types = {a.type for a in statement.accesses}
    size = _ELEMENTS.get(written[0].type, 0) if len(written) == 1 else 0
    if not size or len(types) != 1 or not scop.arrays[written[0].array].rank:
        raise NothingToGain(statement.span, "not all elements are of one floating-point type")
    if any(scop.arrays[a.array].row_rank for a in statement.accesses):
        raise NothingToGain(statement.span, "rows may be the same memory")
    target = written[0]
    for access in statement.accesses:
        same = access.array == target.array and access.relation.is_equal(target.relation)
        if not same and access.array == target.array:
            raise NothingToGain(access.span, "the array that is set is an operand")
        if not same and frozenset((access.array, target.array)) in scop.may_alias:
            names = sorted(scop.arrays[n].spelling for n in (access.array, target.array))
            raise NotApplicable(statement.span, f"'{names[0]}' and '{names[1]}' may overlap")
    return target, size


def _roles(scop: Scop, statement: Statement, target: Access) -> Roles:
    """Rows, lanes and sums. Raises NotApplicable."""
    places = range(statement.depth)
    along = [i for i in places if not _moves(target, i)]
    last = target.relation.dim(isl.dim_type.out) - 1
    lanes = [
        i for i in places
        if coefficient(target, last, i) == 1
        and not any(coefficient(target, row, i) for row in range(last))
    ]  # fmt: skip
    if len(along) != 1 or not lanes or (last == 0 and not scop.arrays[target.array].flat):
        raise NothingToGain(statement.span, "no sum into elements of a matrix")
    lane = lanes[-1]
    (row,) = (i for i in places if i not in (along[0], lane))
    found = Roles(row, lane, along[0])
    operands = [a for a in statement.accesses if not a.write and a.array != target.array]
    operands = [a for a in operands if scop.arrays[a.array].rank]
    for access in operands:
        if _moves(access, row) and _moves(access, lane):
            raise NothingToGain(access.span, "an operand has an element for each iteration")
    for place in (row, lane):
        if not any(_moves(a, place) and _moves(a, along[0]) for a in operands):
            raise NothingToGain(statement.span, "no product of two operands")
    if any(not _starts_at_zero(statement, i) for i in places):
        raise NothingToGain(statement.span, "a loop may begin below zero")
    return found


def _moves(access: Access, iterator: int) -> bool:
    rows = range(access.relation.dim(isl.dim_type.out))
    return any(coefficient(access, row, iterator) != 0 for row in rows)


def _starts_at_zero(statement: Statement, place: int) -> bool:
    """Whether an iterator is never negative."""
    below = isl.Set.universe(statement.domain.get_space())
    below = below.upper_bound_val(isl.dim_type.set, place, isl.Val(-1))
    return bool(statement.domain.intersect(below).is_empty())


def _orders(scop: Scop) -> dict[str, tuple[int, ...]]:
    return {s.name: tuple(range(s.depth)) for s in scop.statements}


# The entries of time vectors: part, blocks of rows and along sums, panel of rows or all else,
# blocks of lanes, panel of lanes or tiles, tiles of rows, what of a tile, tiles of lanes, the sum,
# its rows and vectors, loops of all else.
_ENTRIES = 15
_LANE_BLOCK, _OTHERS = 4, 12


@dataclass(frozen=True)
class _Maker:
    """Makes schedules; ``base`` says which part of the region each statement is."""

    base: Scop
    statement: Statement
    roles: Roles
    form: _Form

    def made(self, *, rest_first: bool) -> Scop:
        """The SCoP with its schedule: what fills no tile comes before what does, or after it."""
        whole = self._whole({0: self.form.rows, 1: self.form.lanes})
        if whole.is_empty():
            raise NothingToGain(self.statement.span, "the loops are too short for tiles")
        whole_step, edge_step, rest_step = (2, 0, 1) if rest_first else (0, 1, 2)
        maps = {s.name: self._plain(s) for s in self.base.statements}
        domain = self.statement.domain
        inside = self._map(self._whole_entries(whole_step)).intersect_domain(whole)
        rows = self._whole({0: self.form.rows})
        edge = self._map(self._edge_entries(edge_step)).intersect_domain(rows.subtract(whole))
        rest = self._map(self._rest_entries(rest_step)).intersect_domain(domain.subtract(rows))
        maps[self.statement.name] = inside.union(edge).union(rest).coalesce()
        tile = RegisterTile(
            self.statement.name, self._name(self.roles.along), self.roles.row, self.roles.lane,
            self.roles.along, self.form.rows, self.form.lanes, self.form.width, self.form.depth,
            self.form.across, self.form.down, whole, self._packs(whole),
        )  # fmt: skip
        return replace(self.base, target=Schedule(maps, self._dimensions(), tile=tile))

    def _whole(self, sizes: dict[int, int]) -> isl.Set:
        """The instances that fill tiles of rows (0), of lanes (1), or of both."""
        roles, statement = self.roles, self.statement
        domain = statement.domain.intersect_params(self.base.context)
        order = isl.Map(self._header(f"[{self._var(roles.row)}, {self._var(roles.lane)},"
                                     f" {self._var(roles.along)}]"))  # fmt: skip
        order = order.intersect_domain(domain)
        found = whole_tiles(order.range(), sizes)
        return order.intersect_range(found).domain().coalesce()

    def _var(self, place: int) -> str:
        return str(self.statement.iterators[place].name)

    def _name(self, place: int) -> str:
        return self.statement.iterators[place].spelling

    def _header(self, times: str) -> str:
        inputs = ", ".join(v.name for v in self.statement.iterators)
        return f"{{ {self.statement.name}[{inputs}] -> {times} }}"

    def _map(self, entries: list[str]) -> isl.Map:
        return isl.Map(self._header(f"[{', '.join(entries)}]"))

    def _part(self, statement: Statement) -> str:
        """The place of a statement among the parts."""
        assert self.base.target is not None
        first = self.base.target.maps[statement.name].range().dim_min_val(0)
        return str(first.to_python())

    def _blocks(self) -> list[str]:
        row, lane, along = (self._var(p) for p in self._places())
        form = self.form
        return [
            self._part(self.statement), f"floor({row}/{form.rows * form.down})",
            f"floor({along}/{form.depth})", "1", f"floor({lane}/{form.lanes * form.across})", "1",
            f"floor({row}/{form.rows})",
        ]  # fmt: skip

    def _places(self) -> tuple[int, int, int]:
        return self.roles.row, self.roles.lane, self.roles.along

    def _whole_entries(self, step: int) -> list[str]:
        row, lane, along = (self._var(p) for p in self._places())
        inner = [f"floor({lane}/{self.form.lanes})", along, row, f"floor({lane}/{self.form.width})"]
        return [*self._blocks(), str(step), *inner, "0", "0", "0"]

    def _edge_entries(self, step: int) -> list[str]:
        """Lanes that fill no tile, of rows that do."""
        row, lane, along = (self._var(p) for p in self._places())
        tile = f"floor({lane}/{self.form.lanes})"
        return [*self._blocks(), str(step), tile, "0", "0", "0", along, row, lane]

    def _rest_entries(self, step: int) -> list[str]:
        row, lane, along = (self._var(p) for p in self._places())
        return [*self._blocks(), str(step), "0", "0", "0", "0", along, row, lane]

    def _plain(self, statement: Statement) -> isl.Map:
        """Times of a statement that has loops of its own."""
        own = [v.name for v in statement.iterators]
        entries = [self._part(statement), *["0"] * (_ENTRIES - 4), *own, *["0"] * (3 - len(own))]
        text = f"{{ {statement.name}[{', '.join(own)}] -> [{', '.join(entries)}] }}"
        return isl.Map(text).intersect_domain(statement.domain)

    def _packs(self, whole: isl.Set) -> dict[str, isl.Map]:
        """When panels are filled, with what the whole instances of their block need."""
        row, lane, along = (self._var(p) for p in self._places())
        form, part = self.form, self._part(self.statement)
        lanes, rows = RegisterTile.LANES, RegisterTile.ROWS
        block = f"floor({row}/{form.rows * form.down})"
        tiles = isl.Map(self._header(f"{lanes}[{block}, floor({lane}/{form.lanes}), {along}]"))
        inner = "k, t, 0" if self._walks_in_lanes() else "t, k, 0"
        of_lanes = isl.Map(
            f"{{ {lanes}[b, t, k] -> [{part}, b, floor(k/{form.depth}), 1, floor(t/{form.across}),"
            f" 0, 0, 0, 0, 0, 0, 0, {inner}] }}"
        )
        strips = isl.Map(self._header(f"{rows}[floor({row}/{form.rows}), {along}]"))
        of_rows = isl.Map(
            f"{{ {rows}[t, k] -> [{part}, floor(t/{form.down}), floor(k/{form.depth}), 0, 0, 0, 0,"
            f" 0, 0, 0, 0, 0, t, k, 0] }}"
        )
        return {
            lanes: of_lanes.intersect_domain(whole.apply(tiles).coalesce()),
            rows: of_rows.intersect_domain(whole.apply(strips).coalesce()),
        }

    def _walks_in_lanes(self) -> bool:
        """Whether operands that move with the lanes are neighbours along them."""
        operands = [
            a for a in self.statement.accesses if not a.write and _moves(a, self.roles.lane)
        ]
        last = [a.relation.dim(isl.dim_type.out) - 1 for a in operands]
        steps = zip(operands, last, strict=True)
        return all(coefficient(a, row, self.roles.lane) == 1 for a, row in steps)

    def _dimensions(self) -> tuple[Dimension, ...]:
        row, lane, along = (self._name(p) for p in self._places())
        band = Role.BAND
        return (
            Dimension("part", band, unroll=True),
            Dimension(f"{row}_block", band),
            Dimension(f"{along}_block", band),
            Dimension("rows", band, unroll=True),
            Dimension(f"{lane}_block", band),
            Dimension("panel", band, unroll=True),
            Dimension(f"{row}_tile", band),
            Dimension("rest", band, unroll=True),
            Dimension(f"{lane}_tile", band),
            Dimension(along, band),
            Dimension(row, band, unroll=True),
            Dimension("vector", band, unroll=True),
            *(Dimension(f"{name}_r", Role.ORDER) for name in (along, row, lane)),
        )
