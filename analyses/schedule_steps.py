"""What a new schedule consists of, in the letters of the PoPP chapter's Table 3.2.

P permutation, F fusion, S skewing, T tiling, D doacross. They are read off the schedule itself:
what a pass says it did, and what the benchmark is called, play no role.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from s2s.scop.nodes import Loop, Scop
from s2s.scop.schedule import Parallelism, Role, Schedule
from s2s.scop.trees import paths
from s2s.source.records import dataclass

if TYPE_CHECKING:
    import islpy as isl

LETTERS = "PFSTD"


def letters(scop: Scop) -> str:
    """The letters of ``scop.target`` in the order of ``LETTERS``.

    Empty without a target, and where isl's budget for the region is spent: by then the new text
    exists, and it is not given up for a letter.
    """
    import islpy as isl

    try:
        return "" if scop.target is None else _letters(scop, scop.target)
    except isl.Error:
        return ""


def _letters(scop: Scop, target: Schedule) -> str:
    rows = {name: _rows(item, target) for name, item in target.maps.items()}
    present = {
        "P": any(_permuted(statement) for statement in rows.values()),
        "F": _fused(scop, rows),
        "S": any(len(row.iterators) > 1 for statement in rows.values() for row in statement),
        "T": _tiled(target),
        "D": any(d.parallelism is Parallelism.DOACROSS for d in target.dimensions),
    }
    return "".join(letter for letter in LETTERS if present[letter])


@dataclass(frozen=True)
class _Row:
    """An entry of a statement's time vectors: the iterators in it, or the value of a constant."""

    iterators: frozenset[int]
    constant: int | None = None


def _rows(item: isl.Map, target: Schedule) -> list[_Row]:
    """The entries for all dimensions but those of tiles."""
    return [
        _row(item, position)
        for position, dimension in enumerate(target.dimensions)
        if dimension.role is not Role.TILE
    ]


def _row(item: isl.Map, position: int) -> _Row:
    import islpy as isl

    value = item.plain_get_val_if_fixed(isl.dim_type.out, position)
    if not value.is_nan():
        return _Row(frozenset(), value.to_python())
    count = item.dim(isl.dim_type.out)
    row = item.project_out(isl.dim_type.out, position + 1, count - position - 1)
    row = row.project_out(isl.dim_type.out, 0, position).gist_domain(item.domain())
    depth = row.dim(isl.dim_type.in_)
    found: set[int] = set()

    def note(_: isl.Set, value: isl.MultiAff) -> None:
        # What a piece's value depends on; conditions between pieces are no skewing.
        entry = value.get_at(0)
        found.update(i for i in range(depth) if entry.involves_dims(isl.dim_type.in_, i, 1))

    isl.PwMultiAff.from_map(row).foreach_piece(note)
    return _Row(frozenset(found))


def _permuted(rows: list[_Row]) -> bool:
    """Whether the iterators do not become known in the order of the source's loops."""
    known: set[int] = set()
    order: list[int] = []
    for row in rows:
        new = row.iterators - known
        if len(new) == 1:
            order += new
        known |= new
    return order != sorted(order)


def _fused(scop: Scop, rows: dict[str, list[_Row]]) -> bool:
    """Whether two statements share more loops than in the source."""
    places = paths(scop.tree)
    for first, second in combinations(rows, 2):
        loops = [[n for n in places.get(s, ()) if isinstance(n, Loop)] for s in (first, second)]
        before = sum(a is b for a, b in zip(*loops, strict=False))
        if _shared(rows[first], rows[second]) > before:
            return True
    return False


def _shared(first: list[_Row], second: list[_Row]) -> int:
    """Leading dimensions along which both statements move, up to where constants part them."""
    count = 0
    for one, other in zip(first, second, strict=True):
        if bool(one.iterators) != bool(other.iterators) or one.constant != other.constant:
            break
        count += bool(one.iterators)
    return count


def _tiled(target: Schedule) -> bool:
    """Whether there are blocks: strips of one loop that only run in parallel are none."""
    tiles = [d for d in target.dimensions if d.role is Role.TILE and d.size > 1]
    return len(tiles) > 1 or any(d.parallelism is Parallelism.NONE for d in tiles)
