"""Wrap-around reuse: registers that keep what the iteration before has loaded.

The innermost loop moves a row by whole registers, so that what an iteration loads last is what the
next one needs first. Each row has a register of its own, a ring: a part of memory always lies in
the same place of it, the number of the part modulo the ring's parts, and selection wraps around
its end. Only parts that are new are loaded; those of the first iteration before the loop.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from s2s.scop.contraction import Access
from s2s.scop.layouts import Tiled
from s2s.source.records import dataclass
from s2s.transforms.aie.errors import Unmappable
from s2s.transforms.aie.fusion import Fused
from s2s.transforms.aie.mapping import Piece, loops_of
from s2s.transforms.aie.ordering import blocks_of
from s2s.transforms.aie.reuse import Block, components
from s2s.transforms.aie.triplets import Vector

_PARTS = (2, 4)
"""Parts of a ring: registers of 512 and 1024 bits."""
_MOST_PARTS = 6
"""Parts of all rings: what the registers that can be operand X hold beside operand Z."""


@dataclass(frozen=True)
class Ring:
    """A register of ``parts`` places for a row from ``start`` on that moves by ``step`` parts."""

    array: str
    start: int
    part: int
    parts: int
    step: int

    def number(self, place: int) -> int:
        """Which part of the row an element lies in."""
        return (place - self.start) // self.part

    def __str__(self) -> str:
        return f"{self.array}[{self.start}..] in a ring of {self.parts} parts"


@dataclass(frozen=True)
class Turn:
    """A part of a row that is loaded into its ring before instruction ``at`` (-1: the loop)."""

    at: int
    ring: Ring
    number: int


def rings_of(
    vectors: Iterable[Vector], access: Access, layout: Tiled, piece: Piece, part: int, align: int
) -> tuple[dict[Vector, Block], dict[Block, Ring]]:
    """The block of each vector, never more than its ring holds, and the rings of blocks.

    Raises Unmappable where rows do not go around.
    """
    step = _step(access, layout, piece)
    homes: dict[Vector, Block] = {}
    found: dict[Block, Ring] = {}
    rows = components(vectors)
    for row in rows:
        ring = _ring(row, step, part, align)
        for vector in row:
            first, last = ring.number(min(vector.places)), ring.number(max(vector.places))
            if last - first >= ring.parts:
                raise Unmappable(
                    "reuse", f"{vector} reaches over {last - first + 1} parts, {ring} has fewer"
                )
            block = Block(ring.array, ring.start + first * part, part, last - first + 1)
            homes[vector] = block
            found[block] = ring
    needed = sum(ring.parts for ring in set(found.values()))
    if needed > _MOST_PARTS:
        raise Unmappable(
            "reuse",
            f"{len(rows)} rows of {access.array.name} that go around need {needed} parts in "
            f"registers, there are {_MOST_PARTS}",
        )
    return _widened(homes, found)


def _widened(
    homes: dict[Vector, Block], rings: dict[Block, Ring]
) -> tuple[dict[Vector, Block], dict[Block, Ring]]:
    """Blocks that begin in one place as one: what is selected together is loaded together."""
    widest: dict[tuple[str, int], Block] = {}
    for block in rings:
        key = block.array, block.start
        if key not in widest or widest[key].parts < block.parts:
            widest[key] = block
    moved = {vector: widest[block.array, block.start] for vector, block in homes.items()}
    return moved, {block: rings[block] for block in widest.values()}


def _step(access: Access, layout: Tiled, piece: Piece) -> int:
    """Elements by which the innermost loop moves an operand."""
    loops = loops_of(piece)
    total = 0
    if loops and not any(trips > 1 for _, trips, _ in piece.kept):
        name, _, step = loops[-1]
        for dimension, subscript in enumerate(access.subscripts):
            total += layout.move(dimension, subscript.coefficient(name) * step) or 0
    return total


def _ring(row: Sequence[Vector], step: int, part: int, align: int) -> Ring:
    """The smallest ring that a row goes around in once per iteration, or several times."""
    start = min(min(v.places) for v in row) // align * align
    end = max(max(v.places) for v in row)
    for parts in _PARTS:
        if step > 0 and step % (parts * part) == 0 and (end - start) // part >= step // part:
            return Ring(row[0].array, start, part, parts, step // part)
    raise Unmappable(
        "reuse",
        f"{row[0]} to {row[-1]} do not go around: the innermost loop moves them by {step} "
        f"elements, a register has {part * _PARTS[0]} or {part * _PARTS[1]}",
    )


def turns(
    ordered: Sequence[Fused], homes: Mapping[Vector, Block], rings: Mapping[Block, Ring]
) -> tuple[Turn, ...]:
    """What is loaded when, that before the loop first."""
    start: dict[tuple[Ring, int], int] = {}
    _, end = _loads(ordered, homes, rings, start)
    carried = {
        (ring, place): number - ring.step
        for (ring, place), number in end.items()
        if number >= ring.step
    }
    before = tuple(Turn(-1, ring, number) for (ring, _), number in carried.items())
    return (*before, *_loads(ordered, homes, rings, carried)[0])


def _loads(
    ordered: Sequence[Fused],
    homes: Mapping[Vector, Block],
    rings: Mapping[Block, Ring],
    start: Mapping[tuple[Ring, int], int],
) -> tuple[list[Turn], dict[tuple[Ring, int], int]]:
    """The loads of one iteration that begins with these parts in the rings, and what it leaves."""
    held = dict(start)
    found = []
    for at, one in enumerate(ordered):
        for block in blocks_of(one, dict(homes)):
            ring = rings[replace(block, is_alone=False)]
            first = ring.number(block.start)
            for number in range(first, first + block.parts):
                place = (ring, number % ring.parts)
                if held.get(place) != number:
                    held[place] = number
                    found.append(Turn(at, ring, number))
    return found, held
