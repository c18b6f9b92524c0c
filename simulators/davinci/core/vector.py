"""Instructions of the vector unit: on 128 lanes of fp16 or 64 of fp32, repeated.

Rounding is that of each operation in its type, in the order of the instructions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from s2s.simulators.davinci.core.lanes import lanes
from s2s.simulators.davinci.core.operands import counted, pointer, takes
from s2s.simulators.davinci.core.state import Core
from s2s.simulators.davinci.kinds import Scalar, Type
from s2s.source.records import dataclass

Run = Callable[..., None]

BINARY: dict[str, Callable[..., Any]] = {
    "vmax": np.maximum,
    "vmin": np.minimum,
    "vadd": np.add,
    "vsub": np.subtract,
    "vmul": np.multiply,
    "vdiv": np.divide,
    "vand": np.bitwise_and,
    "vor": np.bitwise_or,
}
UNARY: dict[str, Callable[..., Any]] = {
    "vabs": np.abs,
    "vrelu": lambda x: np.maximum(x, x.dtype.type(0)),
    "vexp": lambda x: np.exp(x.astype(np.float32)).astype(x.dtype),
    "vln": lambda x: np.log(x.astype(np.float32)).astype(x.dtype),
    "vrec": lambda x: (np.float32(1) / x.astype(np.float32)).astype(x.dtype),
    "vsqrt": lambda x: np.sqrt(x.astype(np.float32)).astype(x.dtype),
    "vrsqrt": lambda x: (1 / np.sqrt(x.astype(np.float32))).astype(x.dtype),
    "vnot": np.bitwise_not,
}
WITH_SCALAR: dict[str, Callable[..., Any]] = {"vmuls": np.multiply, "vadds": np.add}
_TYPES = {
    "vdiv": ("half", "float"),
    "vand": ("int16_t", "uint16_t"),
    "vor": ("int16_t", "uint16_t"),
    "vnot": ("int16_t", "uint16_t"),
}
_NUMBERS = ("half", "float", "int32_t", "int", "int16_t")
_DUPLICATED = (*_NUMBERS, "uint16_t", "uint32_t")


@dataclass
class Costs:
    """Cycles of a kind of instruction."""

    start: float
    repeat: float
    head: float
    tail: float


def costs(core: Core, kind: str, element: Scalar) -> Costs:
    """``kind``: simple, binary, compare, select or divide."""
    chip = core.chip
    wide = "repeat_binary_fp32" if kind == "binary" and element.bytes == 4 else f"repeat_{kind}"
    return Costs(chip["vector_start"], chip[wide], chip["vector_head"], chip["vector_tail"])


def issue(core: Core, line: int, cost: Costs, repeat: int, active: int, width: int) -> None:
    """Time of an instruction, and how well it uses the lanes."""
    core.lanes_used += active
    core.lanes_all += repeat * width
    cycles = cost.start + repeat * cost.repeat
    core.clock.run("V", line, cycles, cost.head, cost.tail)


def binary(core: Core, name: str, types: tuple[Type, ...]) -> Run:
    """``name(dst, src0, src1, repeat, 3 block strides, 3 repeat strides)``."""
    takes(name, types, 10)
    element = pointer(name, types, 0, "ub", _TYPES.get(name, _NUMBERS))
    for k in (1, 2):
        pointer(name, types, k, "ub", (element.name,))
    view, size, operation = core.ub.view(element.name), element.bytes, BINARY[name]
    cost = costs(core, "divide" if name == "vdiv" else "binary", element)
    width = 256 // size
    idempotent = name in ("vmax", "vmin")

    def run(
        line: int, dst: int, src0: int, src1: int, repeat: int,
        d_block: int, block0: int, block1: int, d_step: int, step0: int, step1: int,
    ) -> None:  # fmt: skip
        if not (0 <= repeat <= 255 and min(d_block, block0, block1, d_step, step0, step1) >= 0
                and max(d_block, block0, block1, d_step, step0, step1) <= 255):  # fmt: skip
            repeat = counted(
                core, line, name, repeat, d_block, block0, block1, d_step, step0, step1
            )
        mask = core.mask
        to = lanes(repeat, d_block, d_step, size, mask)
        one = lanes(repeat, block0, step0, size, mask)
        two = lanes(repeat, block1, step1, size, mask)
        core.reads(src0, one, line, "the first source")
        core.reads(src1, two, line, "the second source")
        core.writes(dst, to, line)
        serial = not to.apart
        for k, (source, where, block, step) in enumerate(
            ((src0, one, block0, step0), (src1, two, block1, step1))
        ):
            if source + where.low < dst + to.high and dst + to.low < source + where.high:
                accumulates = k == 1 and source == dst and d_step == step1 == 0
                serial = serial or repeat > 1
                said = _overlap(repeat, d_block, d_step, block, step, size, mask, dst - source)
                if said and not (accumulates and said == "later" and d_block == block1):
                    _say_overlap(core, line, name, k, said)
        at, first, second = dst // size, src0 // size, src1 // size
        if not serial:
            to.put(view, at, operation(one.take(view, first), two.take(view, second)))
        elif idempotent and dst == src1 and d_step == step1 == 0 and d_block == block1:
            many = operation.reduce(one.take(view, first)[::-1], axis=0)  # type: ignore[attr-defined]
            row = to.elements[0] + at
            view[row] = operation(many, view[row])
        else:
            for r in range(repeat):
                view[to.elements[r] + at] = operation(
                    view[one.elements[r] + first], view[two.elements[r] + second]
                )
        core.wrote(dst, to, line)
        issue(core, line, cost, repeat, to.elements.size, width)

    return run


def _say_overlap(core: Core, line: int, name: str, k: int, said: str) -> None:
    which = ("first", "second")[k]
    if said == "later":
        text = (
            f"'{name}' writes what a later repeat reads as its {which} source: only an accumulator "
            "may be read again, as the second source, with repeat strides 0"
        )
    else:
        text = f"the destination of '{name}' overlaps its {which} source within a repeat"
    core.findings.say("overlap", line, text)


@lru_cache(maxsize=4096)
def _overlap(
    repeat: int, block: int, step: int, s_block: int, s_step: int, size: int, mask: int, away: int
) -> str:
    """How a destination meets a source ``away`` bytes before it: "", "within" or "later"."""
    to, of = lanes(repeat, block, step, size, mask), lanes(repeat, s_block, s_step, size, mask)
    moved = to.elements + away // size
    for r in range(repeat):
        same = np.array_equal(moved[r], of.elements[r])
        if not same and np.intersect1d(moved[r], of.elements[r]).size:
            return "within"
    for r in range(repeat - 1):
        if np.intersect1d(moved[r], of.elements[r + 1 :]).size:
            return "later"
    return ""


def unary(core: Core, name: str, types: tuple[Type, ...]) -> Run:
    """``name(dst, src, repeat, 2 block strides, 2 repeat strides)``."""
    takes(name, types, 7)
    element = pointer(name, types, 0, "ub", _TYPES.get(name, ("half", "float", "int32_t", "int")))
    pointer(name, types, 1, "ub", (element.name,))
    operation = UNARY[name]
    one = _one_source(core, name, element, element, operation, "simple")

    def run(line: int, dst: int, src: int, repeat: int, *strides: int) -> None:
        one(line, dst, src, repeat, *strides)

    return run


def with_scalar(core: Core, name: str, types: tuple[Type, ...]) -> Run:
    """``name(dst, src, scalar, repeat, 2 block strides, 2 repeat strides)``."""
    takes(name, types, 8)
    element = pointer(name, types, 0, "ub", _NUMBERS)
    pointer(name, types, 1, "ub", (element.name,))
    kind = core.ub.view(element.name).dtype.type
    held: list[Any] = [kind(0)]
    operation = WITH_SCALAR[name]
    one = _one_source(core, name, element, element, lambda x: operation(x, held[0]), "simple")

    def run(line: int, dst: int, src: int, scalar: float, repeat: int, *strides: int) -> None:
        held[0] = kind(scalar)
        one(line, dst, src, repeat, *strides)

    return run


def convert(core: Core, name: str, types: tuple[Type, ...]) -> Run:
    """``vconv_f162f32`` and ``vconv_f322f16``: 64 lanes a repeat, 4 blocks of half."""
    takes(name, types, 7)
    wanted = ("float", "half") if name == "vconv_f162f32" else ("half", "float")
    to = pointer(name, types, 0, "ub", (wanted[0],))
    of = pointer(name, types, 1, "ub", (wanted[1],))
    kind = core.ub.view(to.name).dtype
    return _one_source(core, name, to, of, lambda x: x.astype(kind), "simple")


def _one_source(
    core: Core, name: str, to: Scalar, of: Scalar, operation: Callable[[Any], Any], kind: str
) -> Run:
    new, old = core.ub.view(to.name), core.ub.view(of.name)
    cost = costs(core, kind, to)
    wide = max(to.bytes, of.bytes)
    width = 256 // wide
    blocks = [8 * one.bytes // wide for one in (to, of)]

    def run(
        line: int, dst: int, src: int, repeat: int,
        d_block: int, s_block: int, d_step: int, s_step: int,
    ) -> None:  # fmt: skip
        if not (0 <= repeat <= 255 and min(d_step, s_step) >= 0 and max(d_step, s_step) <= 255
                and min(d_block, s_block) >= 0 and max(d_block, s_block) <= 65535):  # fmt: skip
            repeat = counted(core, line, name, repeat, d_step, s_step)
        mask = core.mask & ((1 << width) - 1)
        there = lanes(repeat, d_block, d_step, to.bytes, mask, blocks[0])
        here = lanes(repeat, s_block, s_step, of.bytes, mask, blocks[1])
        core.reads(src, here, line, "the source")
        core.writes(dst, there, line)
        meets = src + here.low < dst + there.high and dst + there.low < src + here.high
        if meets and to == of and repeat > 0:
            said = _overlap(repeat, d_block, d_step, s_block, s_step, to.bytes, mask, dst - src)
            if said:
                _say_overlap(core, line, name, 0, said)
        if meets or not there.apart:
            for r in range(repeat):
                new[there.elements[r] + dst // to.bytes] = operation(
                    old[here.elements[r] + src // of.bytes]
                )
        else:
            values = operation(here.take(old, src // of.bytes))
            there.put(new, dst // to.bytes, values)
        core.wrote(dst, there, line)
        issue(core, line, cost, repeat, there.elements.size, width)

    return run


def duplicate(core: Core, name: str, types: tuple[Type, ...]) -> Run:
    """``vector_dup(dst, scalar, repeat, dst block stride, -, dst repeat stride, -)``."""
    takes(name, types, 7)
    element = pointer(name, types, 0, "ub", _DUPLICATED)
    view, size = core.ub.view(element.name), element.bytes
    cost, width = costs(core, "simple", element), 256 // size
    kind = view.dtype.type

    def run(
        line: int, dst: int, scalar: float, repeat: int, block: int, _: int, step: int, __: int
    ) -> None:
        if not (0 <= repeat <= 255 and 0 <= step <= 255 and 0 <= block <= 65535):
            repeat = counted(core, line, name, repeat, step)
        to = lanes(repeat, block or 1, step, size, core.mask)
        core.writes(dst, to, line)
        to.put(view, dst // size, np.full(to.elements.shape, scalar, kind))
        core.wrote(dst, to, line)
        issue(core, line, cost, repeat, to.elements.size, width)

    return run


def set_mask(core: Core, name: str, types: tuple[Type, ...]) -> Run:
    """``set_vector_mask(high, low)``, ``set_vector_mask_dup(both)``: bits of lanes."""
    takes(name, types, 1 if name.endswith("dup") else 2)
    half = (1 << 64) - 1

    def run(line: int, high: int, low: int | None = None) -> None:
        core.mask = (high & half) << 64 | ((high if low is None else low) & half)
        core.clock.work(line, core.clock.issue)

    return run
