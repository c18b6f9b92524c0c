"""Types of a kernel: datapath, packed elements, what sums start with, limits of results."""

from __future__ import annotations

from s2s.scop.contraction import Access, Array, Contraction
from s2s.scop.expressions import FLOAT32, INT32, Type
from s2s.scop.vector_kernel import (
    ConstantVector,
    Datapath,
)
from s2s.transforms.aie.datapath import FLOATS, PART_BITS, datapath_of
from s2s.transforms.aie.errors import Unmappable
from s2s.transforms.aie.triplets import Roles


def datapath_for(contraction: Contraction, roles: Roles) -> Datapath:
    """The datapath for a contraction's types; raises Unmappable where there is none."""
    output = contraction.output.array.type
    operands = roles.vector.array.type, roles.scalar.array.type
    if contraction.floats is not None:
        return FLOATS
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


def initial_type(array: Array, contraction: Contraction, datapath: Datapath) -> Type:
    """The type in which sums are started with elements of an array.

    Sums of 48 bits start with 16 or 32 bits (8 where the output itself has them), those of 80
    bits with 32. Raises Unmappable for others.
    """
    own = array.type
    if datapath.is_float:
        return own
    bits = own.bits if own.code == "int" else 2 * own.bits
    least = PART_BITS // datapath.lanes
    if array.name == contraction.output.array.name:
        if own.code == "int" and (own.bits <= least or own.bits == 32):
            return own
    elif bits <= 32:
        return Type("int", max(bits, least))
    sums = f"sums of {datapath.accumulator_bits} bits"
    raise Unmappable("datapath", f"{own} of {array.name} cannot start {sums}")


def type_beside(access: Access, contraction: Contraction, datapath: Datapath) -> Type:
    """The type of elements beside the output's: what sums start with or are multiplied by."""
    if access is contraction.initial:
        return initial_type(access.array, contraction, datapath)
    return INT32


def constant_of(contraction: Contraction, datapath: Datapath) -> tuple[ConstantVector | None, int]:
    """The vector that all sums start with, and by how much it is shifted left."""
    value = contraction.initial
    if isinstance(value, Access) or value == 0 or rounds(contraction):
        return None, 0
    name = f"{contraction.name}_initial"
    if isinstance(value, float):
        return ConstantVector(name, FLOAT32, value, datapath.lanes), 0
    return _shifted_constant(name, value, datapath.lanes, PART_BITS // datapath.lanes)


def late_constant(contraction: Contraction) -> tuple[ConstantVector | None, int]:
    """What is added to sums that are multiplied, as eight lanes, and by how much it is shifted."""
    if contraction.scale is None or contraction.scale.late == 0:
        return None, 0
    return _shifted_constant(f"{contraction.name}_late", contraction.scale.late, 8, 32)


def _shifted_constant(name: str, value: int, lanes: int, least: int) -> tuple[ConstantVector, int]:
    for bits in dict.fromkeys((least, 32)):
        type_, rest, shift = Type("int", bits), value, 0
        while not type_.smallest <= rest <= type_.largest and rest % 2 == 0:
            rest, shift = rest // 2, shift + 1
        if type_.smallest <= rest <= type_.largest and shift <= 62:
            return ConstantVector(name, type_, rest, lanes), shift
    raise Unmappable("datapath", f"{value} cannot be added to sums")


def rounds(contraction: Contraction) -> bool:
    """Whether what sums start with only rounds the result to the nearest."""
    if contraction.scale is not None:
        return False
    return contraction.rounds or (
        contraction.shift > 0 and contraction.initial == 1 << (contraction.shift - 1)
    )


def types_of(contraction: Contraction, datapath: Datapath, roles: Roles) -> dict[str, Type]:
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
    for access in contraction.accesses[3:]:
        name, wanted = access.array.name, type_beside(access, contraction, datapath)
        if found.setdefault(name, wanted) != wanted:
            what = "start with" if access is contraction.initial else "are multiplied by"
            text = f"sums {what} elements of {name}, which is used otherwise, too"
            raise Unmappable("datapath", text)
    return found


def check_limits(contraction: Contraction) -> None:
    """Results are limited as 32-bit numbers, which hold the sums or saturate first."""
    limits = contraction.least, contraction.most
    if limits == (None, None) or contraction.saturate or contraction.floats is not None:
        return
    if contraction.accumulator.bits > 32:
        raise Unmappable(
            "limits",
            f"results of {contraction.accumulator} are limited on one side only, "
            "then wrapped: limit both sides",
        )
