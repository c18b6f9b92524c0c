"""Which operation of the machine's table an instruction is, where its type alone does not say."""

from __future__ import annotations

from s2s.simulators.aie import floats
from s2s.simulators.aie.instructions import Scalar

UNPACKED = 16
"""Bytes that are made wider at once."""
_REARRANGING = {"fpadd": "multiply_float", "fpsub": "multiply_float", "pack": "convert"}


def rearranging_kind(intrinsic: str) -> str:
    """What makes lanes of lanes."""
    return _REARRANGING.get(intrinsic, "rearrange")


def scalar_kind(one: Scalar) -> str:
    """What makes a scalar: floats have hardware for a few operations, and a library."""
    if floats.is_needed((one.value.type, *(operand.type for operand in one.inputs))):
        has_hardware = one.operation in ("sqrt", "inv", "invsqrt", "abs", "min", "max", "select")
        return "scalar_multiply" if has_hardware else "scalar_float"
    return "scalar_multiply" if one.operation in "*/%" else "scalar"
