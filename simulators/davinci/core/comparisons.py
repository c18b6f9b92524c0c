"""Comparisons of the vector unit, the register CMPMASK that they set, and choosing by it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from s2s.simulators.davinci.core.lanes import lanes
from s2s.simulators.davinci.core.operands import counted, pointer, takes
from s2s.simulators.davinci.core.state import Core
from s2s.simulators.davinci.core.vector import Run, costs, issue
from s2s.simulators.davinci.kinds import Pointer, Type

COMPARED: dict[str, Callable[..., Any]] = {
    "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal,
    "gt": np.greater, "ge": np.greater_equal,
}  # fmt: skip


@lru_cache(maxsize=256)
def active(mask: int) -> Any:
    """The lanes whose bit is set."""
    return np.array([k for k in range(128) if mask >> k & 1], np.intp)


def compare(core: Core, name: str, types: tuple[Type, ...]) -> Run:
    """``vcmp_eq(src0, src1, repeat, 3 block strides, 3 repeat strides)``: to CMPMASK."""
    takes(name, types, 9)
    element = pointer(name, types, 0, "ub", ("half", "float"))
    pointer(name, types, 1, "ub", (element.name,))
    view, size = core.ub.view(element.name), element.bytes
    operation, cost = COMPARED[name[5:]], costs(core, "compare", element)
    width = 256 // size

    def run(
        line: int, src0: int, src1: int, repeat: int,
        _: int, block0: int, block1: int, __: int, step0: int, step1: int,
    ) -> None:  # fmt: skip
        if not 0 <= repeat <= 255:
            repeat = counted(core, line, name, repeat)
        if repeat > 1:
            core.findings.say(
                "compare", line,
                f"'{name}' with {repeat} repeats: CMPMASK keeps the result of the last one only",
            )  # fmt: skip
        mask = core.mask & ((1 << width) - 1)
        one = lanes(repeat, block0, step0, size, mask)
        two = lanes(repeat, block1, step1, size, mask)
        core.reads(src0, one, line, "the first source")
        core.reads(src1, two, line, "the second source")
        if repeat:
            bits = np.zeros(128, bool)
            last = one.take(view, src0 // size)[-1], two.take(view, src1 // size)[-1]
            bits[active(mask)] = operation(*last)
            core.cmpmask = bits
            core.cmpmask_at = core.clock.pipes["V"].count + 1
        issue(core, line, cost, repeat, one.elements.size, width)

    return run


def compare_packed(core: Core, name: str, types: tuple[Type, ...]) -> Run:
    """``vcmpv_eq(dst, src0, src1, repeat, ...)``: a bit for each lane, whatever the mask is."""
    takes(name, types, 10)
    pointer(name, types, 0, "ub", ("uint8_t",))
    element = pointer(name, types, 1, "ub", ("half", "float"))
    pointer(name, types, 2, "ub", (element.name,))
    view, size = core.ub.view(element.name), element.bytes
    operation, cost = COMPARED[name[6:]], costs(core, "compare", element)
    width = 256 // size

    def run(
        line: int, dst: int, src0: int, src1: int, repeat: int,
        _: int, block0: int, block1: int, __: int, step0: int, step1: int,
    ) -> None:  # fmt: skip
        if not (0 <= repeat <= 255 and min(block0, block1, step0, step1) >= 0
                and max(block0, block1, step0, step1) <= 255):  # fmt: skip
            repeat = counted(core, line, name, repeat, block0, block1, step0, step1)
        full = (1 << width) - 1
        one = lanes(repeat, block0, step0, size, full)
        two = lanes(repeat, block1, step1, size, full)
        to = lanes(1, 1, 0, 1, (1 << repeat * width // 8) - 1, -(-repeat * width // 256))
        core.reads(src0, one, line, "the first source")
        core.reads(src1, two, line, "the second source")
        core.writes(dst, to, line)
        found = operation(view[one.elements + src0 // size], view[two.elements + src1 // size])
        packed = np.packbits(found.ravel(), bitorder="little")
        core.ub.bytes[dst : dst + packed.size] = packed
        core.wrote(dst, to, line)
        issue(core, line, cost, repeat, one.elements.size, width)

    return run


def move_cmpmask(core: Core, name: str, types: tuple[Type, ...]) -> Run:
    """``set_cmpmask(ub)`` and ``get_cmpmask(ub)``: 16 bytes."""
    takes(name, types, 1)
    given = types[0]
    if not isinstance(given, Pointer) or given.space != "ub":
        raise TypeError(f"'{name}' takes an address in '__ubuf__'")
    cost = costs(core, "simple", given.element)
    ub = core.ub

    def run(line: int, address: int) -> None:
        core.inside("ub", address, 0, 16, line, align=16)
        writes = name == "get_cmpmask"
        core.hazards.touch("V", "ub", address, address + 16, writes, line)
        if writes:
            if core.cmpmask is None:
                core.findings.say("undefined", line, "CMPMASK is read, which nothing has set")
                return
            packed = np.packbits(core.cmpmask, bitorder="little")
            ub.bytes[address : address + 16] = packed
            ub.define(address, address + 16)
        else:
            if not ub.is_whole(address, address + 16):
                core.findings.say("undefined", line, f"the mask at byte {address} has no value")
            bits = np.unpackbits(ub.bytes[address : address + 16], bitorder="little")
            core.cmpmask = bits.astype(bool)
            core.cmpmask_at = core.clock.pipes["V"].count + 1
        issue(core, line, cost, 1, 0, 0)

    return run


def select(core: Core, name: str, types: tuple[Type, ...]) -> Run:
    """``vsel(dst, src0, src1, repeat, 3 block strides, 3 repeat strides)``, of mode 0: the same
    128 bits of CMPMASK choose in every repeat.
    """
    takes(name, types, 10)
    element = pointer(name, types, 0, "ub", ("half", "float"))
    for k in (1, 2):
        pointer(name, types, k, "ub", (element.name,))
    view, size = core.ub.view(element.name), element.bytes
    cost, width = costs(core, "select", element), 256 // size
    stall = core.chip["cmpmask_stall"]

    def run(
        line: int, dst: int, src0: int, src1: int, repeat: int,
        d_block: int, block0: int, block1: int, d_step: int, step0: int, step1: int,
    ) -> None:  # fmt: skip
        if not 0 <= repeat <= 255:
            repeat = counted(core, line, name, repeat)
        mask = core.mask & ((1 << width) - 1)
        to = lanes(repeat, d_block, d_step, size, mask)
        one = lanes(repeat, block0, step0, size, mask)
        two = lanes(repeat, block1, step1, size, mask)
        core.reads(src0, one, line, "the first source")
        core.reads(src1, two, line, "the second source")
        core.writes(dst, to, line)
        if core.cmpmask is None:
            core.findings.say("undefined", line, "'vsel' takes CMPMASK, which nothing has set")
            core.cmpmask = np.zeros(128, bool)
        chosen = core.cmpmask[active(mask)]
        if repeat == 1:
            pair = one.take(view, src0 // size), two.take(view, src1 // size)
            to.put(view, dst // size, np.where(chosen, *pair))
        else:
            for r in range(repeat):
                view[to.elements[r] + dst // size] = np.where(
                    chosen,
                    view[one.elements[r] + src0 // size],
                    view[two.elements[r] + src1 // size],
                )
        core.wrote(dst, to, line)
        if core.cmpmask_at == core.clock.pipes["V"].count:
            core.clock.stall("V", stall)
        issue(core, line, cost, repeat, to.elements.size, width)

    return run
