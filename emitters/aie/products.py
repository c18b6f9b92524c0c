"""Sums that are multiplied in the end, eight lanes of 32 bits at once into sums of 80 bits."""

from __future__ import annotations

from s2s.scop.vector_kernel import Finish, Kernel

_IN_ORDER = "0x76543210"


def multiplied(kernel: Kernel, op: Finish) -> tuple[str, str]:
    """Lines before, and the vector of sums, multiplied and shifted, as 32-bit numbers."""
    assert op.factor is not None
    factor, shift = op.factor.name, f"{kernel.name.upper()}_SHIFT"
    if kernel.datapath.lanes == 8:
        sums = f"xset_w(0, srs({op.accumulator}, 0))"
        return "", f"srs({_product(kernel, sums, 0, factor)}, {shift})"
    sums = f"{op.accumulator}_sums"
    halves = [
        f"srs({_product(kernel, sums, 8 * half, f'ext_w({factor}, {half})')}, {shift})"
        for half in (0, 1)
    ]
    line = f"v16int32 {sums} = lsrs({op.accumulator}, 0);\n"
    scaled = f"{op.accumulator}_scaled"
    line += f"v16int32 {scaled} = concat({halves[0]}, {halves[1]});\n"
    return line, scaled


def _product(kernel: Kernel, sums: str, start: int, factor: str) -> str:
    """Eight lanes times theirs, with what is added to them."""
    assert kernel.product is not None
    late, is_negative = kernel.product.late, kernel.product.is_negative
    operands = f"{sums}, {start}, {_IN_ORDER}, {factor}, 0, {_IN_ORDER}"
    if late is None:
        return f"{'lnegmul8' if is_negative else 'lmul8'}({operands})"
    added = f"lups(*(const v8int32 *){late.name}, {kernel.product.late_shift})"
    return f"{'lmsc8' if is_negative else 'lmac8'}({added}, {operands})"
