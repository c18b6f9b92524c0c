"""Which operation of the machine's table an instruction is, where its type alone does not say."""

from __future__ import annotations

from s2s.simulators.aie import floats
from s2s.simulators.aie.fixed_point import CONVERSIONS
from s2s.simulators.aie.instructions import Rearrange, Scalar
from s2s.simulators.aie.reshaping import MOVEMENT, REDUCTION
from s2s.simulators.aie.timing.machine import Machine
from s2s.simulators.aie.values import VectorType

UNPACKED = 16
"""Bytes that are made wider at once."""
_HARDWARE = (*CONVERSIONS, "sqrt", "inv", "invsqrt", "abs")
_REARRANGING = {"fpadd": "multiply_float", "fpsub": "multiply_float", "pack": "convert"}


def rearranging_kinds(one: Rearrange, machine: Machine) -> tuple[str, ...]:
    """What makes lanes of lanes, one after the other.

    Floats are converted eight at once, by one or more instructions. A reduction halves its lanes
    until one is left, which goes to a scalar register. Bytes are moved and reduced as 16 bits. The
    public source of the vector API has it so.
    """
    if one.intrinsic in CONVERSIONS:
        assert isinstance(one.value.type, VectorType)
        each = int(machine["float.conversion"])
        return ("multiply_float",) * (each * max(1, one.value.type.lanes // 8))
    is_reduced = REDUCTION.fullmatch(one.intrinsic) is not None
    if not is_reduced and MOVEMENT.fullmatch(one.intrinsic) is None:
        return (_REARRANGING.get(one.intrinsic, "rearrange"),)
    kind = one.inputs[0].type
    assert isinstance(kind, VectorType)
    is_sum = kind.element.is_float and one.intrinsic == "reduce_add"
    steps = (kind.lanes.bit_length() - 1) if is_reduced else 1
    found = ("multiply_float" if is_sum else "rearrange",) * steps
    before = ("unpack",) * (kind.bits == 8)
    after = ("move",) if is_reduced else ("convert",) * (kind.bits == 8)
    return (*before, *found, *after)


def scalar_kind(one: Scalar) -> str:
    """What makes a scalar: floats have hardware for a few operations, and a library."""
    if floats.is_needed((one.value.type, *(operand.type for operand in one.inputs))):
        if one.operation in ("min", "max", "select"):
            return "select_float"
        if one.operation in ("floor", "ceil", "round", "trunc"):
            return "library_round"
        if one.operation in ("exp", "log", "log2", "exp2", "sin", "cos", "tanh"):
            return "library_function"
        return "scalar_multiply" if one.operation in _HARDWARE else "scalar_float"
    return "scalar_multiply" if one.operation in "*/%" else "scalar"
