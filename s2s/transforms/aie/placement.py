"""Where arrays lie: the layouts of a mapping, or the source's with rows padded where needed."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

from s2s.scop.contraction import Access, Contraction
from s2s.scop.layouts import Axis, Tiled, natural
from s2s.scop.vector_kernel import (
    Datapath,
)
from s2s.transforms.aie.datapath import ALIGNMENT_BITS
from s2s.transforms.aie.element_types import type_beside
from s2s.transforms.aie.errors import Unmappable
from s2s.transforms.aie.mapping import Mapping
from s2s.transforms.aie.triplets import Roles


def layouts_of(
    padded: Contraction, original: Contraction, mapping: Mapping, datapath: Datapath, roles: Roles
) -> dict[str, Tiled]:
    """The layout of each array: the mapping's, or the source's with rows padded where needed."""
    given = {
        original.image.array.name: mapping.image,
        original.weight.array.name: mapping.weight,
        original.output.array.name: mapping.output,
    }
    found: dict[str, Tiled] = {}
    for access in padded.accesses[:3]:
        name = access.array.name
        layout = given[name]
        if isinstance(layout, Tiled):
            bits = access.array.type.bits
            if access is not padded.output:
                bits = datapath.x_bits if access is roles.vector else datapath.z_bits
            _check_capacity(layout, access, padded, mapping, datapath)
            found[name] = _aligned(layout, bits)
        elif access is roles.scalar and access is padded.weight and streams(mapping):
            found[name] = natural(access.array.extents)
        else:
            found[name] = _fitting(access, padded, mapping, datapath, roles)
    for access in padded.accesses[3:]:
        if access.array.name not in found:
            bits = type_beside(access, padded, datapath).bits
            found[access.array.name] = _beside(access, padded, mapping, datapath, bits)
    return found


def _check_capacity(
    layout: Tiled,
    access: Access,
    contraction: Contraction,
    mapping: Mapping,
    datapath: Datapath,
) -> None:
    """Every element has a place of its own, and zero weights and unused lanes do not take one."""
    loops = dict(contraction.extents)
    if access is not contraction.image:
        lanes = datapath.lanes
        loops[mapping.vector] = -(-loops[mapping.vector] // lanes) * lanes
    for dimension, subscript in enumerate(access.subscripts):
        needed = subscript.reach(loops)[1] + 1
        if access is contraction.image:
            needed = min(needed, access.array.extents[dimension])
        if layout.capacity(dimension) < needed:
            raise Unmappable(
                "layout",
                f"the layout of {access.array.name} has {layout.capacity(dimension)} places "
                f"along dimension {dimension}, {needed} are used",
            )


def _aligned(layout: Tiled, bits: int) -> Tiled:
    """The layout with rows padded so that what lies outside them stays aligned.

    The innermost axis that is no tile of its dimension is made longer.
    """
    align, inner = ALIGNMENT_BITS // bits, 1
    for number in range(len(layout.axes) - 1, 0, -1):
        axis = layout.axes[number]
        outermost = all(a.dimension != axis.dimension for a in layout.axes[:number])
        if outermost and axis.divisor == max(
            a.divisor for a in layout.axes if a.dimension == axis.dimension
        ):
            extent = next(e for e in count(axis.extent) if inner * e % align == 0)
            longer = replace(axis, extent=extent)
            return replace(layout, axes=(*layout.axes[:number], longer, *layout.axes[number + 1 :]))
        inner *= axis.extent
    return layout


def streams(mapping: Mapping) -> bool:
    return mapping.streamed and not mapping.paper


def _fitting(
    access: Access, contraction: Contraction, mapping: Mapping, datapath: Datapath, roles: Roles
) -> Tiled:
    """The source's layout, with rows as long as aligned loads and whole vectors need them."""
    extents = list(access.array.extents)
    rounded = dict(contraction.extents)
    lanes = datapath.lanes
    rounded[mapping.vector] = -(-rounded[mapping.vector] // lanes) * lanes
    is_image = access is contraction.image
    for place, subscript in enumerate(access.subscripts):
        if not is_image:
            extents[place] = max(extents[place], subscript.reach(rounded)[1] + 1)
    align = ALIGNMENT_BITS // (datapath.z_bits if access is roles.scalar else datapath.x_bits)
    if access is contraction.output:
        align = max(align, ALIGNMENT_BITS // access.array.type.bits)
    pitch = align if any(s.terms for s in access.subscripts[1:]) else 1
    return natural(extents, pitch=pitch)


def _beside(
    access: Access, contraction: Contraction, mapping: Mapping, datapath: Datapath, bits: int
) -> Tiled:
    """Elements beside the output's: lanes next to each other, or one repeated for all lanes."""
    rounded = dict(contraction.extents)
    rounded[mapping.vector] = -(-rounded[mapping.vector] // datapath.lanes) * datapath.lanes
    extents = [
        max(extent, s.reach(rounded)[1] + 1)
        for extent, s in zip(access.array.extents, access.subscripts, strict=True)
    ]
    inner = [d for d, s in enumerate(access.subscripts) if s.coefficient(mapping.vector)]
    outer = [d for d in reversed(range(len(extents))) if d not in inner]
    axes = tuple(Axis(d, 1, extents[d]) for d in (*outer, *inner))
    if not inner:
        return Tiled((*axes, Axis(0, 0, datapath.lanes)))
    return _aligned(Tiled(axes), bits)
