"""What a program costs, counted from its instructions: to choose between variants.

Pipes are taken to wait for each other, as the flags of these programs make them. The simulator,
which runs the text, is the measure; this has to put variants in the same order.
"""

from __future__ import annotations

from collections.abc import Mapping

from s2s.scop.cce import Call, Place, Program, calls
from s2s.scop.linear import Linear

Numbers = Mapping[str, float]
"""Numbers of the machine by their names in its file."""

_SIMPLE = {"vector_dup": 2, "vmuls": 3, "vadds": 3, "vconv_f162f32": 2, "vconv_f322f16": 2}
_REPEATED = {
    "vmax": ("repeat_binary", 3), "vadd": ("repeat_binary", 3), "vsub": ("repeat_binary", 3),
    "vmul": ("repeat_binary", 3), "vdiv": ("repeat_divide", 3), "vcmp_eq": ("repeat_compare", 2),
    "vsel": ("repeat_select", 3),
    **{name: ("repeat_simple", place) for name, place in _SIMPLE.items()},
}  # fmt: skip
"""The number of cycles for each repeat, and which operand says how many repeats."""


def estimate(program: Program, numbers: Numbers) -> float:
    """Cycles of the block that has the most to do."""
    return sum(times * _cost(call, numbers) for call, times in calls(program.body))


def _cost(call: Call, numbers: Numbers) -> float:
    name = call.name
    if name in _REPEATED:
        number, place = _REPEATED[name]
        stall = numbers["cmpmask_stall"] if name == "vsel" else 0.0
        return numbers["vector_start"] + _value(call, place) * numbers[number] + stall
    if name.startswith("copy_"):
        return _copy(call, numbers)
    if name.startswith("img2col"):
        return numbers["img2col_fixed"] + numbers["img2col_fractal"] * _value(call, 15)
    if name == "col2img":
        repeat = int(str(call.operands[3]).removesuffix("ull"), 16) >> 56
        return numbers["vector_start"] + numbers["col2img_fractal"] * repeat
    if name == "pipe_barrier":
        return numbers["barrier_v"] if call.operands == ("PIPE_V",) else numbers["barrier"]
    if name == "wait_flag":
        drained = call.operands[0] == "PIPE_V"
        return (
            numbers["flag"] + (numbers["vector_tail"] if drained else 0.0) + numbers["vector_head"]
        )
    return 0.0


def _copy(call: Call, numbers: Numbers) -> float:
    bytes_ = _value(call, 3) * _value(call, 4) * 32
    if call.name == "copy_ubuf_to_gm":
        return numbers["gm_write_fixed"] + bytes_ / numbers["gm_write_bytes"]
    if call.name.startswith("copy_gm"):
        return numbers["gm_read_fixed"] + bytes_ / numbers["gm_read_bytes"]
    if call.name == "copy_ubuf_to_ubuf":
        return numbers["vector_start"] + bytes_ / numbers["ub_copy_bytes"]
    return numbers["move_fixed"] + bytes_ / numbers["move_bytes"]


def _value(call: Call, place: int) -> int:
    operand = call.operands[place]
    assert isinstance(operand, Linear) and not isinstance(operand, Place)
    return operand.constant
