"""Limits of results: rectifiers and clips, on 16 lanes of 32 bits."""

from __future__ import annotations

from collections.abc import Iterator

from s2s.scop.expressions import Type
from s2s.scop.vector_kernel import ConstantVector, Kernel

_IN_ORDER = "0x76543210, 0xfedcba98"
_LOW_LANES = "0x76543210, 0x76543210"


def _limits(kernel: Kernel) -> Iterator[tuple[str, str, int | float]]:
    """Intrinsic, variable and value of each limit."""
    if kernel.least is not None:
        yield "max16", "least", kernel.least
    if kernel.most is not None:
        yield "min16", "most", kernel.most


def constants(kernel: Kernel) -> Iterator[ConstantVector]:
    """Tables of the limits that are not zero."""
    for _, name, value in _limits(kernel):
        if value:
            yield ConstantVector(f"{kernel.name}_{name}", Type("int", 32), value, 16)


def declare_numbers(kernel: Kernel) -> Iterator[str]:
    """The registers that hold the limits."""
    for _, name, value in _limits(kernel):
        start = f"*(const v16int32 *){kernel.name}_{name}" if value else "null_v16int32()"
        yield f"const v16int32 {name} = {start};"


def limited(kernel: Kernel, value: str) -> str:
    """A vector of 32-bit results limited; eight lanes stand in the lower half of the register."""
    order = _IN_ORDER
    if kernel.datapath.lanes == 8 and (kernel.least, kernel.most) != (None, None):
        value, order = f"xset_w(0, {value})", _LOW_LANES
    for intrinsic, name, _ in _limits(kernel):
        value = f"{intrinsic}({value}, 0, {order}, {name}, 0, {order})"
    return value
