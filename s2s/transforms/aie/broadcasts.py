"""Where the scalars of each instruction lie: in their layout, or in the order of their use."""

from __future__ import annotations

from collections.abc import Sequence

from s2s.scop.layouts import Region
from s2s.source.records import dataclass
from s2s.transforms.aie.body import Body
from s2s.transforms.aie.datapath import ALIGNMENT_BITS
from s2s.transforms.aie.errors import Unmappable
from s2s.transforms.aie.fusion import Fused
from s2s.transforms.aie.mapping import loops_of
from s2s.transforms.aie.reuse import Block, windows
from s2s.transforms.aie.selection import Wanted


@dataclass(frozen=True)
class Broadcast:
    """Where an instruction's scalars lie: a window, and what lanes and columns take of it."""

    window: Block
    wanted: Wanted


def broadcasts_of(body: Body, ordered: Sequence[Fused]) -> tuple[list[Broadcast], Region | None]:
    """Each instruction's scalars, and the region of the weights' stream if there is one."""
    if body.is_streamed:
        return _streamed(body, ordered)
    return _in_place(body, ordered), None


def _streamed(body: Body, ordered: Sequence[Fused]) -> tuple[list[Broadcast], Region]:
    """Scalars in the order of their first use; instructions with the same ones share them."""
    size, columns = body.window_size, body.datapath.columns
    places: dict[tuple[int, ...], int] = {}
    found = []
    for one in ordered:
        key = tuple(-1 if t is None else t.scalar.places[0] for t in one.terms)
        first = places.setdefault(key, len(places) * columns)
        index = first % size
        row = tuple(range(index, index + columns))
        window = Block(body.roles.scalar.array.name, first - index, size, 1)
        found.append(Broadcast(window, (row,) * body.datapath.lanes))
    offsets = [offset for key in places for offset in key]
    offsets += [-1] * (-len(offsets) % size)
    linear = body.roles.scalar.linear
    loops = [
        (trips, linear.coefficient(name) * step)
        for name, trips, step in loops_of(body.piece)
        if linear.coefficient(name)
    ]
    return found, Region(tuple(offsets), tuple(loops))


def _in_place(body: Body, ordered: Sequence[Fused]) -> list[Broadcast]:
    """Scalars where their layout has them, as few windows as possible."""
    size = body.window_size
    align = ALIGNMENT_BITS // body.datapath.z_bits
    for one in ordered:
        if None in one.terms:
            raise Unmappable(
                "fusion",
                f"{one.products[0].vector} fills no column with another: pad the reduction",
            )
    uses = [tuple(term.scalar for term in one.products) for one in ordered]
    chosen = windows(uses, part=size, align=align)
    found = []
    for use in uses:
        window = chosen[use]
        columns = [
            [p - window.start for p in v.places] * (body.datapath.lanes if v.is_scalar else 1)
            for v in use
        ]
        found.append(Broadcast(window, tuple(zip(*columns, strict=True))))
    return found
