"""A contraction with a mapping to a kernel: all steps of the paper, in their order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from s2s.scop.contraction import Access, Contraction
from s2s.scop.layouts import Tiled
from s2s.scop.vector_kernel import (
    ALONE,
    Cascade,
    Datapath,
    Kernel,
    PackedArray,
    ScaledSum,
)
from s2s.source.records import dataclass
from s2s.transforms.aie.banks import placed, spread_loads
from s2s.transforms.aie.body import Body
from s2s.transforms.aie.datapath import ALIGNMENT_BITS, PART_BITS, X_BITS
from s2s.transforms.aie.element_types import (
    check_limits,
    constant_of,
    datapath_for,
    late_constant,
    rounds,
    types_of,
)
from s2s.transforms.aie.errors import Unmappable
from s2s.transforms.aie.fusion import Fused, Fusion, Slots, fuse, fuse_in_order
from s2s.transforms.aie.lower import Lowered, lower
from s2s.transforms.aie.mapping import Mapping, Piece, check, pieces
from s2s.transforms.aie.names import with_own_names
from s2s.transforms.aie.packed import packed_array
from s2s.transforms.aie.placement import layouts_of, streams
from s2s.transforms.aie.pointer_steps import steps_of
from s2s.transforms.aie.reuse import Block, blocks
from s2s.transforms.aie.rings import Ring, rings_of
from s2s.transforms.aie.triplets import Roles, lazy_stores, roles_of, triplets, vectors_beside


@dataclass(frozen=True)
class Compiled:
    """The kernel, and the states between the steps (for printing) of its first piece."""

    kernel: Kernel
    bodies: tuple[Body, ...]
    lowered: tuple[Lowered, ...]


def compile_contraction(
    contraction: Contraction, mapping: Mapping, cascade: Cascade = ALONE
) -> Compiled:
    """All steps; raises Unmappable where one cannot be done.

    In a chain of cores (``cascade``) sums go on from the core before, or to the next one. What
    sums start with counts for the first core alone.
    """
    if cascade.receives:
        contraction = without_start(contraction)
    if cascade.sends and contraction.scale is not None:
        contraction = without_scale(contraction)
    reason = check(contraction, mapping)
    if reason is not None:
        raise Unmappable("schedule", reason)
    roles = roles_of(contraction, mapping.vector)
    if isinstance(roles, str):
        raise Unmappable("schedule", roles)
    datapath = datapath_for(contraction, roles)
    check_limits(contraction)
    is_streamed = roles.scalar is contraction.weight and streams(mapping)
    padded = contraction if is_streamed else _padded(contraction, mapping)
    roles_padded = roles_of(padded, mapping.vector)
    assert isinstance(roles_padded, Roles)
    layouts = layouts_of(padded, contraction, mapping, datapath, roles_padded)
    bodies, lowered, base = [], [], 0
    boxes = pieces(padded, mapping, datapath.lanes)
    for piece in boxes:
        _check_steps(padded, datapath, roles_padded, layouts, piece)
    for number, piece in enumerate(boxes):
        body = _body(padded, mapping, datapath, piece, roles_padded, layouts)
        body = replace(body, cascade=cascade)
        done = lower(body, base, f"_{number}" if len(boxes) > 1 else "")
        base += done.region.size if done.region is not None else 0
        bodies.append(body)
        lowered.append(done)
    kernel = _kernel(contraction, mapping, datapath, roles_padded, layouts, lowered, cascade)
    return Compiled(kernel, tuple(bodies), tuple(lowered))


def without_start(contraction: Contraction) -> Contraction:
    """The contraction with sums that start at zero; how results are rounded stays."""
    initial = contraction.initial
    arrays = {a.array.name for a in contraction.accesses if a is not initial}
    unused = {initial.array.name} - arrays if isinstance(initial, Access) else set()
    return replace(
        contraction,
        initial=0,
        rounds=rounds(contraction),
        arguments=tuple(name for name in contraction.arguments if name not in unused),
    )


def without_scale(contraction: Contraction) -> Contraction:
    """The contraction whose sums are not multiplied yet, as those that other cores go on with."""
    accesses = contraction.accesses
    kept = {a.array.name for a in accesses[:-1]}
    arguments = tuple(name for name in contraction.arguments if name in kept)
    return replace(contraction, scale=None, shift=0, arguments=arguments)


def _check_steps(
    contraction: Contraction,
    datapath: Datapath,
    roles: Roles,
    layouts: dict[str, Tiled],
    piece: Piece,
) -> None:
    """Refuses operands that would be refused for their alignment in the end, before all work."""
    types = types_of(contraction, datapath, roles)
    scalars = [roles.scalar] if roles.scalar is contraction.image else []
    for access in (roles.vector, *scalars):
        name = access.array.name
        steps_of(access, layouts[name], types[name], piece)


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
    if datapath.is_float:
        terms_of = [(group.output, term) for group in groups for term in group.terms]
        fusion = Fusion(tuple(Fused(output, (term,)) for output, term in terms_of), Slots())
    elif mapping.paper:
        fusion = fuse_in_order(groups, datapath, homes)
    else:
        fusion = fuse(groups, datapath, homes, 0 if rings else limit)
    types = types_of(contraction, datapath, roles)
    start = contraction.initial if isinstance(contraction.initial, Access) else None
    end = None if contraction.scale is None else contraction.scale.factor
    initials, factors = (
        vectors_beside(access, contraction, mapping, piece, datapath.lanes, layouts)
        for access in (start, end)
    )
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
        factors,
        *constant_of(contraction, datapath),
        rings,
    )


def _goes_around(mapping: Mapping, piece: Piece) -> bool:
    """Whether registers of a piece are to be gone around in; what a jam leaves over has no loop."""
    left_over = any(n == mapping.vector and trips == 1 for n, _, trips, _ in piece.loops)
    return mapping.wrap and not (left_over and mapping.order[-1] == mapping.vector)


def _kernel(
    contraction: Contraction,
    mapping: Mapping,
    datapath: Datapath,
    roles: Roles,
    layouts: dict[str, Tiled],
    lowered: list[Lowered],
    cascade: Cascade,
) -> Kernel:
    nests = tuple(one.nest for one in lowered)
    regions = tuple(one.region for one in lowered if one.region is not None)
    types = types_of(contraction, datapath, roles)
    arrays: Sequence[PackedArray] = ()
    for name in contraction.arguments or tuple(a.array.name for a in contraction.accesses[:3]):
        access = next(a for a in contraction.accesses if a.array.name == name)
        if access is contraction.output and cascade.sends:
            continue
        layout, type_ = layouts[name], types[name]
        packed = packed_array(access, contraction, roles, layout, type_, regions, nests)
        arrays = (*arrays, packed)
    constants = constant_of(contraction, datapath)[0], late_constant(contraction)[0]
    if mapping.copies > 1:
        arrays, nests = spread_loads(arrays, nests, roles.vector.array.name)
    nests = with_own_names(nests, [array.name for array in arrays])
    return Kernel(
        contraction.name,
        datapath,
        tuple(arrays) if mapping.paper else placed(arrays),
        nests,
        contraction.shift,
        contraction.macs,
        constants=tuple(constant for constant in constants if constant is not None),
        saturates=contraction.saturate,
        rounds=rounds(contraction),
        least=contraction.least,
        most=contraction.most,
        negative=contraction.negative,
        scale=contraction.floats.scale if contraction.floats is not None else None,
        product=_product(contraction),
    )


def _product(contraction: Contraction) -> ScaledSum | None:
    if contraction.scale is None:
        return None
    return ScaledSum(*late_constant(contraction), contraction.scale.is_negative)
