"""A contraction with a mapping to a kernel: all steps of the paper, in their order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count
from math import prod

from s2s.scop.contraction import Access, Array, Contraction
from s2s.scop.expressions import Type
from s2s.scop.layouts import Axis, Region, Stream, Tiled, natural
from s2s.scop.vector_kernel import (
    ConstantVector,
    Datapath,
    Finish,
    Kernel,
    KernelNest,
    LoadPart,
    PackedArray,
)
from s2s.transforms.aie.body import Body
from s2s.transforms.aie.datapath import ALIGNMENT_BITS, PART_BITS, X_BITS, datapath_of
from s2s.transforms.aie.errors import Unmappable
from s2s.transforms.aie.fusion import fuse, fuse_in_order
from s2s.transforms.aie.lower import Lowered, lower, steps_of
from s2s.transforms.aie.mapping import Mapping, Piece, check, pieces
from s2s.transforms.aie.reuse import Block, blocks
from s2s.transforms.aie.rings import Ring, rings_of
from s2s.transforms.aie.triplets import Roles, initial_vectors, lazy_stores, roles_of, triplets


@dataclass(frozen=True)
class Compiled:
    """The kernel, and the states between the steps (for printing) of its first piece."""

    kernel: Kernel
    bodies: tuple[Body, ...]
    lowered: tuple[Lowered, ...]


def compile_contraction(contraction: Contraction, mapping: Mapping) -> Compiled:
    """All steps; raises Unmappable where one cannot be done."""
    reason = check(contraction, mapping)
    if reason is not None:
        raise Unmappable("schedule", reason)
    roles = roles_of(contraction, mapping.vector)
    if isinstance(roles, str):
        raise Unmappable("schedule", roles)
    datapath = datapath_for(contraction, roles)
    _check_limits(contraction)
    is_streamed = roles.scalar is contraction.weight and _streams(mapping)
    padded = contraction if is_streamed else _padded(contraction, mapping)
    roles_padded = roles_of(padded, mapping.vector)
    assert isinstance(roles_padded, Roles)
    layouts = _layouts(padded, contraction, mapping, datapath, roles_padded)
    bodies, lowered, base = [], [], 0
    boxes = pieces(padded, mapping, datapath.lanes)
    for piece in boxes:
        _check_steps(padded, datapath, roles_padded, layouts, piece)
    for number, piece in enumerate(boxes):
        body = _body(padded, mapping, datapath, piece, roles_padded, layouts)
        done = lower(body, base, f"_{number}" if len(boxes) > 1 else "")
        base += done.region.size if done.region is not None else 0
        bodies.append(body)
        lowered.append(done)
    kernel = _kernel(contraction, datapath, roles_padded, layouts, lowered)
    return Compiled(kernel, tuple(bodies), tuple(lowered))


def _check_steps(
    contraction: Contraction,
    datapath: Datapath,
    roles: Roles,
    layouts: dict[str, Tiled],
    piece: Piece,
) -> None:
    """Refuses operands that would be refused for their alignment in the end, before all work."""
    types = _types(contraction, datapath, roles)
    scalars = [roles.scalar] if roles.scalar is contraction.image else []
    for access in (roles.vector, *scalars):
        name = access.array.name
        steps_of(access, layouts[name], types[name], piece)


def datapath_for(contraction: Contraction, roles: Roles) -> Datapath:
    """The datapath for a contraction's types; raises Unmappable where there is none."""
    output = contraction.output.array.type
    operands = roles.vector.array.type, roles.scalar.array.type
    for type_ in operands:
        if not type_.is_integer:
            raise Unmappable("datapath", f"{type_} is no integer type")
    bits = [t.bits if t.code == "int" or t.bits == 8 else 2 * t.bits for t in operands]
    found = datapath_of(*bits)
    if output.bits not in _outputs(found):
        raise Unmappable(
            "datapath", f"sums of {found.x_bits}-bit products are not stored as {output}"
        )
    return found


def _outputs(datapath: Datapath) -> tuple[int, ...]:
    """Bits of elements that accumulators can be stored as."""
    return (32,) if datapath.x_bits == 32 else (8, 16, 32)


def _padded(contraction: Contraction, mapping: Mapping) -> Contraction:
    """The contraction with reductions made longer; the weights there are zero."""
    extents = dict(mapping.pad)
    if not extents:
        return contraction
    loops = tuple(
        replace(loop, extent=max(loop.extent, extents.get(loop.name, 0)))
        for loop in contraction.loops
    )
    return replace(contraction, loops=loops)


def _layouts(
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
        elif access is roles.scalar and access is padded.weight and _streams(mapping):
            found[name] = natural(access.array.extents)
        else:
            found[name] = _fitting(access, padded, mapping, datapath, roles)
    if isinstance(padded.initial, Access) and padded.initial.array.name not in found:
        found[padded.initial.array.name] = _for_initial(padded.initial, padded, mapping, datapath)
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
        needed = subscript.bounds(loops)[1] + 1
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


def _streams(mapping: Mapping) -> bool:
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
            extents[place] = max(extents[place], subscript.bounds(rounded)[1] + 1)
    align = ALIGNMENT_BITS // (datapath.z_bits if access is roles.scalar else datapath.x_bits)
    if access is contraction.output:
        align = max(align, ALIGNMENT_BITS // access.array.type.bits)
    pitch = align if any(s.terms for s in access.subscripts[1:]) else 1
    return natural(extents, pitch=pitch)


def _for_initial(
    access: Access, contraction: Contraction, mapping: Mapping, datapath: Datapath
) -> Tiled:
    """Initial elements: lanes next to each other, or one element repeated for all lanes."""
    rounded = dict(contraction.extents)
    rounded[mapping.vector] = -(-rounded[mapping.vector] // datapath.lanes) * datapath.lanes
    extents = [
        max(extent, s.bounds(rounded)[1] + 1)
        for extent, s in zip(access.array.extents, access.subscripts, strict=True)
    ]
    inner = [d for d, s in enumerate(access.subscripts) if s.coefficient(mapping.vector)]
    outer = [d for d in reversed(range(len(extents))) if d not in inner]
    axes = tuple(Axis(d, 1, extents[d]) for d in (*outer, *inner))
    if not inner:
        return Tiled((*axes, Axis(0, 0, datapath.lanes)))
    return _aligned(Tiled(axes), _initial_type(access.array, contraction, datapath).bits)


def _initial_type(array: Array, contraction: Contraction, datapath: Datapath) -> Type:
    """The type in which sums are started with elements of an array.

    Sums of 48 bits start with 16 or 32 bits (8 where the output itself has them), those of 80
    bits with 32. Raises Unmappable for others.
    """
    own = array.type
    bits = own.bits if own.code == "int" else 2 * own.bits
    least = PART_BITS // datapath.lanes
    if array.name == contraction.output.array.name:
        if own.code == "int" and (own.bits <= least or own.bits == 32):
            return own
    elif bits <= 32:
        return Type("int", max(bits, least))
    sums = f"sums of {datapath.accumulator_bits} bits"
    raise Unmappable("datapath", f"{own} of {array.name} cannot start {sums}")


def _constant(contraction: Contraction, datapath: Datapath) -> tuple[ConstantVector | None, int]:
    """The vector that all sums start with, and by how much it is shifted left."""
    value = contraction.initial
    if isinstance(value, Access) or value == 0 or _rounds(contraction):
        return None, 0
    name = f"{contraction.name}_initial"
    for bits in dict.fromkeys((PART_BITS // datapath.lanes, 32)):
        type_, rest, shift = Type("int", bits), value, 0
        while not type_.smallest <= rest <= type_.largest and rest % 2 == 0:
            rest, shift = rest // 2, shift + 1
        if type_.smallest <= rest <= type_.largest and shift <= 62:
            return ConstantVector(name, type_, rest, datapath.lanes), shift
    raise Unmappable("datapath", f"sums cannot start with {contraction.initial}")


def _rounds(contraction: Contraction) -> bool:
    """Whether what sums start with only rounds the result to the nearest."""
    return contraction.rounds or (
        contraction.shift > 0 and contraction.initial == 1 << (contraction.shift - 1)
    )


def _body(
    contraction: Contraction,
    mapping: Mapping,
    datapath: Datapath,
    piece: Piece,
    roles: Roles,
    layouts: dict[str, Tiled],
) -> Body:
    terms = triplets(contraction, mapping, piece, datapath.lanes, roles, layouts)
    groups = lazy_stores(terms)
    part = PART_BITS // datapath.x_bits
    limit = X_BITS[-1] // PART_BITS
    align = ALIGNMENT_BITS // datapath.x_bits
    vectors = [term.vector for term in terms]
    rings: dict[Block, Ring] = {}
    if _goes_around(mapping, piece):
        if datapath.columns > 2:
            raise Unmappable("reuse", "registers are gone around in with one or two columns only")
        layout = layouts[roles.vector.array.name]
        homes, rings = rings_of(vectors, roles.vector, layout, piece, part, align)
    else:
        homes = blocks(
            vectors,
            part=part,
            align=align,
            limit=limit,
            split=not mapping.paper,
            whole=datapath.columns > 2,
        )
    if mapping.paper:
        fusion = fuse_in_order(groups, datapath, homes)
    else:
        fusion = fuse(groups, datapath, homes, 0 if rings else limit)
    types = _types(contraction, datapath, roles)
    initials = initial_vectors(contraction, mapping, piece, datapath.lanes, layouts)
    return Body(
        contraction,
        mapping,
        datapath,
        piece,
        roles,
        groups,
        homes,
        fusion,
        layouts,
        types,
        initials,
        *_constant(contraction, datapath),
        rings,
    )


def _goes_around(mapping: Mapping, piece: Piece) -> bool:
    """Whether registers of a piece are to be gone around in; what a jam leaves over has no loop."""
    left_over = any(n == mapping.vector and trips == 1 for n, _, trips, _ in piece.loops)
    return mapping.wrap and not (left_over and mapping.order[-1] == mapping.vector)


def _types(contraction: Contraction, datapath: Datapath, roles: Roles) -> dict[str, Type]:
    """Types of packed elements: as wide as the datapath takes them."""
    output = contraction.output.array.type
    if output.code == "uint" and output.bits > 8:
        if contraction.saturate:
            raise Unmappable("datapath", f"results cannot be saturated to {output}")
        output = Type("int", output.bits)
    found = {contraction.output.array.name: output}
    for access, bits in ((roles.vector, datapath.x_bits), (roles.scalar, datapath.z_bits)):
        own = access.array.type
        found[access.array.name] = own if own.bits == bits else Type("int", bits)
    if isinstance(contraction.initial, Access):
        array = contraction.initial.array
        wanted = _initial_type(array, contraction, datapath)
        if found.setdefault(array.name, wanted) != wanted:
            raise Unmappable(
                "datapath", f"sums start with elements of {array.name}, which is an operand, too"
            )
    return found


def _kernel(
    contraction: Contraction,
    datapath: Datapath,
    roles: Roles,
    layouts: dict[str, Tiled],
    lowered: list[Lowered],
) -> Kernel:
    nests = tuple(one.nest for one in lowered)
    regions = tuple(one.region for one in lowered if one.region is not None)
    types = _types(contraction, datapath, roles)
    arrays = []
    for name in contraction.arguments or tuple(a.array.name for a in contraction.accesses[:3]):
        access = next(a for a in contraction.accesses if a.array.name == name)
        arrays.append(
            _packed(access, contraction, roles, layouts[name], types[name], regions, nests)
        )
    constant, _ = _constant(contraction, datapath)
    return Kernel(
        contraction.name,
        datapath,
        tuple(arrays),
        nests,
        contraction.shift,
        contraction.macs,
        constants=() if constant is None else (constant,),
        saturates=contraction.saturate,
        rounds=_rounds(contraction),
        least=contraction.least,
        most=contraction.most,
    )


def _check_limits(contraction: Contraction) -> None:
    """Results are limited as 32-bit numbers, which hold the sums or saturate first."""
    limits = contraction.least, contraction.most
    if limits == (None, None) or contraction.saturate:
        return
    if contraction.accumulator.bits > 32:
        raise Unmappable(
            "limits",
            f"results of {contraction.accumulator} are limited on one side only, "
            "then wrapped: limit both sides",
        )


def _packed(
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
    size = max(layout.size, _reach(source, type_, nests))
    if isinstance(layout, Tiled) and size > layout.size:
        layout = replace(layout, tail=size - prod(a.extent for a in layout.axes))
    is_natural = (
        isinstance(layout, Tiled)
        and replace(layout, tail=0) == natural(source.extents)
        and type_ == source.type
    )
    return PackedArray(source.name, type_, size, source, layout, is_output, is_natural, is_input)


def _reach(source: Array, type_: Type, nests: tuple[KernelNest, ...]) -> int:
    """Elements up to the last one that a load or store touches."""
    last = 0
    for nest in nests:
        trips = {loop.name: loop.trips for loop in nest.loops}
        ends = {
            p.name: p.offset + sum(step * (trips[name] - 1) for name, step in p.steps if step > 0)
            for p in nest.pointers
            if p.array == source.name
        }
        for op in (*nest.hoisted, *nest.before, *nest.body, *nest.after):
            if isinstance(op, LoadPart) and op.pointer in ends:
                last = max(last, ends[op.pointer] + op.offset + PART_BITS // type_.bits)
            elif isinstance(op, Finish) and op.pointer in ends:
                last = max(last, ends[op.pointer] + op.offset + 1)
    return last
