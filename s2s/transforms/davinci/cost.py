"""What a program costs, counted from its instructions: to choose between variants.

The simulator, which runs the text, is the measure; this knows the same rules and runs no data.
"""

from __future__ import annotations

from s2s.scop.cce import Call, Place, Program
from s2s.scop.linear import Linear
from s2s.transforms.davinci.pipes import Cost, Numbers, Pipes

_REPEATS = {
    "vmax": ("binary", 3), "vadd": ("binary", 3), "vsub": ("binary", 3), "vmul": ("binary", 3),
    "vdiv": ("divide", 3), "vcmp_eq": ("compare", 2), "vsel": ("select", 3),
    "vector_dup": ("simple", 2), "vmuls": ("simple", 3), "vadds": ("simple", 3),
    "vconv_f162f32": ("simple", 2), "vconv_f322f16": ("simple", 2),
}  # fmt: skip
"""Which number has the cycles of each repeat, and which operand says how many repeats."""

_MOVES = {
    "copy_gm_to_ubuf": ("MTE2", "gm_read"), "copy_gm_to_cbuf": ("MTE2", "gm_read"),
    "copy_ubuf_to_gm": ("MTE3", "gm_write"), "copy_cbuf_to_ubuf": ("MTE1", "move"),
    "copy_ubuf_to_cbuf": ("MTE3", "move"),
}  # fmt: skip


def estimate(program: Program, numbers: Numbers) -> float:
    """Cycles of the block that has the most to do."""
    elements = {buffer.name: buffer.element for buffer in program.buffers}
    costs: dict[Call, Cost | None] = {}

    def cost(call: Call) -> Cost | None:
        if call not in costs:
            costs[call] = _cost(call, numbers, elements)
        return costs[call]

    pipes = Pipes(numbers, cost)
    pipes.run(program.body)
    return pipes.cycles


def _cost(call: Call, numbers: Numbers, elements: dict[str, str]) -> Cost | None:
    """None for what only sets a register."""
    name = call.name
    start = numbers["vector_start"]
    head, tail = numbers["vector_head"], numbers["vector_tail"]
    if name in _REPEATS:
        kind, place = _REPEATS[name]
        first = call.operands[0]
        if kind == "binary" and isinstance(first, Place) and elements[first.array] == "float":
            kind = "binary_fp32"
        repeat = _value(call, place) * numbers[f"repeat_{kind}"]
        return Cost("V", start + repeat, head, tail)
    if name == "copy_ubuf_to_ubuf":
        return Cost("V", start + _bytes(call) / numbers["ub_copy_bytes"], 0.0, tail)
    if name in _MOVES:
        pipe, kind = _MOVES[name]
        cycles = numbers[f"{kind}_fixed"] + _bytes(call) / numbers[f"{kind}_bytes"]
        gaps = numbers["gm_burst"] * (_value(call, 3) - 1) if kind.startswith("gm") else 0.0
        return Cost(pipe, cycles + gaps)
    if name.startswith("img2col"):
        fractals = numbers["img2col_fractal"] * _value(call, 15)
        return Cost("MTE1", numbers["img2col_fixed"] + fractals)
    if name == "col2img":
        fractals = int(str(call.operands[3]).removesuffix("ull"), 16) >> 56
        return Cost("V", start + numbers["col2img_fractal"] * fractals, head, tail)
    return None


def _bytes(call: Call) -> int:
    return _value(call, 3) * _value(call, 4) * 32


def _value(call: Call, place: int) -> int:
    operand = call.operands[place]
    assert isinstance(operand, Linear) and not isinstance(operand, Place)
    return operand.constant
