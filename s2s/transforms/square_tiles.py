"""Square tiles for nests in which one array is walked along rows and another along columns.

::

    for i: for j:                             for i_tile: for j_tile:
        b[i][j] = a[j][i];           ->           for i in tile: for j in tile: b[i][j] = a[j][i];

No order of the loops is good for both arrays. A column's cache lines are used again by the next
columns if they are still in the cache, and rows whose length is a multiple of a large power of two
put all of them into the same few sets: there, and only there, tiles pay (Lam, Rothberg and Wolf,
"The cache performance and optimizations of blocked algorithms", 1991).
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import ClassVar

import islpy as isl

from s2s.analyses import legality
from s2s.analyses.extents import constant, iteration_count
from s2s.analyses.locality import coefficient
from s2s.scop.nodes import Access, Construct, Loop, Scop, Statement, walk
from s2s.source.records import dataclass
from s2s.transforms.errors import NotApplicable, NothingToGain
from s2s.transforms.reschedule import source_order
from s2s.transforms.scop_pass import ScopPass
from s2s.transforms.tile import tile
from s2s.transforms.transformed import Transformed

# Rows that are a multiple of this many bytes long start in one of four sets of a first-level cache
# with 64 sets. Measured with gcc and clang on floats and doubles: tiles of 24 are 1.15 to 3.9 times
# as fast for such rows (16 and 32 between 0.85 and 4.2), and up to twice as slow for others, whose
# columns stay in the cache anyway.
_CRITICAL_BYTES = 1024


@dataclass(frozen=True)
class SquareTiles(ScopPass):
    """The pass: tiles of ``size`` by ``size`` iterations."""

    name: ClassVar[str] = "tiles"
    size: int = field(
        default=24, metadata={"help": "iterations along each side of a tile", "least": 2}
    )
    shortest: int = field(
        default=64, metadata={"help": "iterations of each loop below which all stays"}
    )

    def run(self, scop: Scop, dependences: isl.UnionMap) -> Transformed:
        """Tile the nest. Raises NotApplicable with the reason."""
        _check(scop)
        rows = _critical_rows(scop)
        spelled = [v.spelling for v in scop.statements[0].iterators]
        planned = replace(scop, target=source_order(scop, spelled))
        if legality.permutable_band(planned, dependences) < 2:
            raise NotApplicable(scop.span, "dependences do not allow tiles")
        assert planned.target is not None
        planned = replace(planned, target=replace(planned.target, permutable=2))
        tiled = tile(planned, (self.size, self.size))
        if legality.check(tiled, dependences) is not None:
            raise NotApplicable(scop.span, "dependences do not allow tiles")
        done = replace(
            tiled, divisible=(*scop.divisible, *rows),
            history=(f"tiled {self.size}x{self.size} for rows and columns",),
        )  # fmt: skip
        return Transformed(done, self._long_enough(scop))

    def _long_enough(self, scop: Scop) -> isl.Set:
        result = isl.Set.universe(scop.context.get_space())
        for position in (0, 1):
            count = iteration_count(scop, position)
            number = constant(count)
            if number is not None and number < self.shortest:
                raise NothingToGain(scop.span, f"a loop has {number} iterations")
            enough = count.add_constant_val(isl.Val(-self.shortest)).nonneg_set()
            result = result.intersect(enough)
        return result


def _check(scop: Scop) -> None:
    loops = [n for n in walk(scop.tree) if isinstance(n, Loop)]
    if len(loops) != 2 or any(s.depth != 2 for s in scop.statements):
        raise NothingToGain(scop.span, "the region is not a nest of two loops")
    for node in walk(scop.tree):
        if isinstance(node, Construct):
            raise NothingToGain(node.span, f"'{node.kind.value}' keeps its place")
    if scop.carried or scop.guards or scop.order is not None:
        raise NotApplicable(scop.span, "the order of the statements is not known")
    for access in (a for s in scop.statements for a in s.accesses):
        if access.commutes is not None or scop.arrays[access.array].external:
            raise NothingToGain(access.span, "an update or call keeps its place")


def _critical_rows(scop: Scop) -> tuple[tuple[str, str], ...]:
    """Row lengths, in bytes, that have to be multiples of a critical length as the code runs.

    Raises NotApplicable where no column of such an array is walked, or nothing else along rows.
    """
    found: list[tuple[str, str]] = []
    columns = along = False
    for statement in scop.statements:
        for access in statement.accesses:
            along = along or _walks_along(access, statement, 1)
            if not _walks_along(access, statement, 0) or not _crosses(access):
                continue
            columns = True
            length = _row_bytes(scop, access)
            if length is None or (length.isdigit() and int(length) % _CRITICAL_BYTES):
                raise NothingToGain(access.span, "the cache holds a column's lines")
            if not length.isdigit():
                found.append((length, str(_CRITICAL_BYTES)))
    if not (columns and along):
        raise NothingToGain(scop.span, "not one array along rows and another along columns")
    return tuple(dict.fromkeys(found))


def _walks_along(access: Access, statement: Statement, iterator: int) -> bool:
    """Whether an iterator, and no other one, moves the last subscript of an access by one."""
    rank = access.relation.dim(isl.dim_type.out)
    if rank < 2:
        return False
    steps = [coefficient(access, rank - 1, i) for i in range(statement.depth)]
    return abs(steps[iterator] or 0) == 1 and not steps[1 - iterator]


def _crosses(access: Access) -> bool:
    """Whether an access goes to another row with each iteration of the inner loop."""
    rank = access.relation.dim(isl.dim_type.out)
    steps = [coefficient(access, row, 1) for row in range(rank)]
    return bool(steps[rank - 2]) and not any(steps[: rank - 2])


def _row_bytes(scop: Scop, access: Access) -> str | None:
    """How many bytes lie between rows, as a number or isl text."""
    array = scop.arrays[access.array]
    size = array.sizes[-1] if array.sizes and not array.row_rank else None
    if size is None or not array.element_size:
        return None
    if size.isdigit():
        return str(int(size) * array.element_size)
    return f"{array.element_size}*({size})"
