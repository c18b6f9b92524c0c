"""How far pointers move from iteration to iteration."""

from __future__ import annotations

from s2s.scop.contraction import Access
from s2s.scop.expressions import Type
from s2s.scop.layouts import Region, Tiled
from s2s.transforms.aie.body import Body
from s2s.transforms.aie.datapath import ALIGNMENT_BITS
from s2s.transforms.aie.errors import Unmappable
from s2s.transforms.aie.mapping import Piece, loops_of


def steps_of(
    access: Access, layout: Tiled, type_: Type, piece: Piece
) -> tuple[tuple[str, int], ...]:
    """How far an operand moves per iteration of each loop around a piece's body.

    Raises Unmappable where that is not even, or loads would not be aligned.
    """
    align = ALIGNMENT_BITS // type_.bits
    array, found = access.array.name, []
    for name, _, step in loops_of(piece):
        total = 0
        for dimension, subscript in enumerate(access.subscripts):
            moved = layout.move(dimension, subscript.coefficient(name) * step)
            if moved is None:
                raise Unmappable("layout", f"{array} does not move evenly with {name}")
            total += moved
        if total % align:
            raise Unmappable(
                "layout",
                f"{array} moves by {total} elements with {name}, "
                f"no multiple of {align}: loads would not be aligned",
            )
        found.append((name, total))
    return tuple(found)


def stream_steps(body: Body, region: Region | None) -> tuple[tuple[str, int], ...]:
    """How far the stream moves per iteration: its iterations lie one after the other."""
    assert region is not None
    linear = body.roles.scalar.linear
    names = [n for n, _, _ in loops_of(body.piece) if linear.coefficient(n)]
    found, stride = [], len(region.offsets)
    for name, (trips, _) in reversed(list(zip(names, region.loops, strict=True))):
        found.append((name, stride))
        stride *= trips
    return tuple(reversed(found))
