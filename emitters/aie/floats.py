"""What is done to a sum of floats at its end: multiplied by a number, limited."""

from __future__ import annotations

from collections.abc import Iterator

from s2s.scop.expressions import FLOAT32
from s2s.scop.vector_kernel import ConstantVector, Kernel

_IN_ORDER = "0x76543210"


def _numbers(kernel: Kernel) -> Iterator[tuple[str, float]]:
    """Variable and value of each number that results meet, in their order."""
    for name, value in (("scale", kernel.scale), ("least", kernel.least), ("most", kernel.most)):
        if value is not None:
            yield name, float(value)


def constants(kernel: Kernel) -> Iterator[ConstantVector]:
    """Tables of the numbers that are not zero."""
    for name, value in _numbers(kernel):
        if value:
            yield ConstantVector(f"{kernel.name}_{name}", FLOAT32, value, 16)


def declare_numbers(kernel: Kernel) -> Iterator[str]:
    """The registers that hold the numbers."""
    for name, value in _numbers(kernel):
        start = f"*(const v16float *){kernel.name}_{name}" if value else "null_v16float()"
        yield f"const v16float {name} = {start};"


def finished(kernel: Kernel, value: str) -> str:
    """A vector of sums as results."""
    for name, _ in _numbers(kernel):
        if name == "scale":
            value = f"fpmul({name}, 0, {_IN_ORDER}, {value}, 0, {_IN_ORDER})"
        else:
            intrinsic = "fpmax" if name == "least" else "fpmin"
            value = f"{intrinsic}({value}, {name}, 0, {_IN_ORDER})"
    return value
