"""The arguments of a kernel: arrays in their layouts, as large as what is touched."""

from __future__ import annotations

from dataclasses import replace
from math import prod

from s2s.scop.contraction import Access, Array, Contraction
from s2s.scop.expressions import Type
from s2s.scop.layouts import Region, Stream, Tiled, natural
from s2s.scop.vector_kernel import (
    Finish,
    KernelNest,
    LoadPart,
    PackedArray,
)
from s2s.transforms.aie.datapath import PART_BITS
from s2s.transforms.aie.errors import Unmappable
from s2s.transforms.aie.triplets import Roles


def packed_array(
    access: Access,
    contraction: Contraction,
    roles: Roles,
    tiled: Tiled,
    type_: Type,
    regions: tuple[Region, ...],
    nests: tuple[KernelNest, ...],
) -> PackedArray:
    source = access.array
    is_output = source.name == contraction.output.array.name
    initial = contraction.initial
    is_input = not is_output or (isinstance(initial, Access) and initial.array.name == source.name)
    layout: Tiled | Stream = tiled
    if regions and source.name == roles.scalar.array.name:
        layout = Stream(regions)
    size = max(layout.size, reach(source, type_, nests))
    if isinstance(layout, Tiled) and size > layout.size:
        layout = replace(layout, tail=size - prod(a.extent for a in layout.axes))
    is_natural = (
        isinstance(layout, Tiled)
        and replace(layout, tail=0) == natural(source.extents)
        and type_ == source.type
        and source.view is None
        and source.data is None
    )
    return PackedArray(source.name, type_, size, source, layout, is_output, is_natural, is_input)


def reach(source: Array, type_: Type, nests: tuple[KernelNest, ...]) -> int:
    """Elements up to the last one that a load or store touches.

    Raises Unmappable where one touches what lies before the array.
    """
    last = 0
    for nest in nests:
        trips = {loop.name: loop.trips for loop in nest.loops}
        ends = {
            p.name: p.offset + sum(step * (trips[name] - 1) for name, step in p.steps if step > 0)
            for p in nest.pointers
            if p.array == source.name
        }
        back = {
            p.name: p.offset + sum(step * (trips[name] - 1) for name, step in p.steps if step < 0)
            for p in nest.pointers
            if p.array == source.name
        }
        for op in (*nest.hoisted, *nest.before, *nest.body, *nest.after):
            touches = isinstance(op, LoadPart | Finish) and op.pointer in back
            if touches and back[op.pointer] + op.offset < 0:  # type: ignore[union-attr]
                text = f"a vector of {source.name} begins before the array"
                raise Unmappable("layout", text)
            if isinstance(op, LoadPart) and op.pointer in ends:
                last = max(last, ends[op.pointer] + op.offset + PART_BITS // type_.bits)
            elif isinstance(op, Finish) and op.pointer in ends:
                last = max(last, ends[op.pointer] + op.offset + 1)
    return last
