"""Runs a kernel's loop nests in numpy, all iterations of the outer loops at once.

It knows only what the machine's documentation says about selection; what is undefined is an error.
"""

from itertools import product
from typing import Any

import numpy as np

from s2s.scop.vector_kernel import (
    Datapath,
    Declare,
    Finish,
    Kernel,
    KernelNest,
    LoadPart,
    Multiply,
    Selection,
    Start,
)
from tests.transforms.aie.contractions import Values, dtype, packed, unpacked


def run(kernel: Kernel, inputs: dict[str, Values]) -> Values:
    """The output in the source's layout."""
    memory = {
        a.name: np.zeros(a.size, np.int64) if a.is_output else packed(a, inputs[a.name])
        for a in kernel.arrays
    }
    for nest in kernel.nests:
        _Nest(kernel, nest, memory).run()
    out = kernel.output
    return unpacked(out, memory[out.name].astype(dtype(out)))


class _Nest:
    def __init__(self, kernel: Kernel, nest: KernelNest, memory: dict[str, Values]) -> None:
        self.kernel, self.nest, self.memory = kernel, nest, memory
        kept = len(nest.before) > 0
        split = len(nest.loops) - nest.inner if kept else len(nest.loops)
        self.outer, self.inner = nest.loops[:split], nest.loops[split:]
        grids = np.meshgrid(*(np.arange(lp.trips) for lp in self.outer), indexing="ij")
        self.points = {lp.name: g.ravel() for lp, g in zip(self.outer, grids, strict=True)}
        self.count = int(np.prod([lp.trips for lp in self.outer], dtype=int))
        self.registers: dict[str, Values] = {}
        self.accumulators: dict[str, Values] = {}

    def run(self) -> None:
        self.now: dict[str, int] = {lp.name: 0 for lp in self.inner}
        for op in self.nest.before:
            self.step(op)
        for values in product(*(range(lp.trips) for lp in self.inner)):
            self.now = {lp.name: v for lp, v in zip(self.inner, values, strict=True)}
            for op in (*self.nest.hoisted, *self.nest.body):
                self.step(op)
        self.now = {lp.name: 0 for lp in self.inner}
        for op in self.nest.after:
            self.step(op)

    def address(self, name: str, offset: int, lanes: int) -> Values:
        pointer = next(p for p in self.nest.pointers if p.name == name)
        start = np.full(self.count, pointer.offset + offset)
        for loop, step in pointer.steps:
            start = start + step * self.points.get(loop, self.now.get(loop, 0))
        bits = self.kernel.array(pointer.array).type.bits
        assert not (start * bits % 128).any(), f"{name} + {offset} is not aligned"
        return start[:, None] + np.arange(lanes)[None, :]

    def array(self, name: str) -> Values:
        return self.memory[next(p.array for p in self.nest.pointers if p.name == name)]

    def step(self, op: Any) -> None:
        match op:
            case Declare(register):
                self.registers[register.name] = np.full((self.count, register.lanes), 1 << 40)
            case LoadPart(register, part, pointer, offset):
                lanes = 256 // register.type.bits
                values = self.array(pointer)[self.address(pointer, offset, lanes)]
                known = self.registers.get(register.name, np.zeros((self.count, register.lanes)))
                known = known.astype(np.int64)
                known[:, part * lanes : (part + 1) * lanes] = values
                self.registers[register.name] = known
            case Multiply():
                self.multiply(op)
            case Start(name, None):
                self.accumulators[name] = np.zeros((self.count, self.kernel.datapath.lanes), object)
            case Finish(name, pointer, offset):
                out = self.kernel.output
                lanes = self.kernel.datapath.lanes
                shifted = np.vectorize(lambda v: out.type.wrap(int(v) >> self.kernel.shift))
                self.array(pointer)[self.address(pointer, offset, lanes)] = shifted(
                    self.accumulators[name]
                )

    def multiply(self, op: Multiply) -> None:
        datapath = self.kernel.datapath
        x, z = self.registers[op.x.name], self.registers[op.z.name]
        xs = x_places(datapath, op.x_start, op.x_selection) % op.x.lanes
        zs = z_places(datapath, op.z_start, op.z_selection) % op.z.lanes
        left, right = x[:, xs].astype(object), z[:, zs].astype(object)
        assert (abs(left) < 1 << 40).all() and (abs(right) < 1 << 40).all(), f"undefined: {op}"
        total = (left * right).sum(axis=2)
        known = self.accumulators.get(op.accumulator)
        assert op.is_first or known is not None
        self.accumulators[op.accumulator] = total if op.is_first else known + total


def _digit(value: int, place: int) -> int:
    return value >> (4 * place) & 15


def x_places(datapath: Datapath, start: int, how: Selection) -> Values:
    """The index of operand X for each lane and column."""
    found = np.zeros((datapath.lanes, datapath.columns), int)
    for lane, column in product(range(datapath.lanes), range(datapath.columns)):
        found[lane, column] = _x_place(datapath.x_bits, start, how, lane, column)
    return found


def _x_place(bits: int, start: int, how: Selection, lane: int, column: int) -> int:
    if bits == 32:
        return start + _digit(how.offsets, lane) + column * how.step
    square = how.square or 0
    if bits == 16:
        even = _digit(how.offsets, lane & ~1)
        words = (even, even + _digit(how.offsets, lane | 1) + 1)
        pick = _digit(square, 2 * (lane % 2) + column % 2)
        return start + column // 2 * how.step + 2 * words[pick // 2] + pick % 2
    even = _digit(how.offsets, 2 * (lane // 4))
    words = (even, even + _digit(how.offsets, 2 * (lane // 4) + 1) + 1)
    pick = _digit(square, 2 * (lane // 2 % 2) + column % 2)
    return start + column // 2 * how.step + 4 * words[pick // 2] + 2 * (pick % 2) + lane % 2


def z_places(datapath: Datapath, start: int, how: Selection) -> Values:
    """The index of operand Z for each lane and column."""
    found = np.zeros((datapath.lanes, datapath.columns), int)
    for lane, column in product(range(datapath.lanes), range(datapath.columns)):
        if datapath.z_bits > 8:
            found[lane, column] = start + _digit(how.offsets, lane) + column * how.step
            continue
        pick = _digit(how.square or 0, 2 * (lane % 2) + column % 2)
        group = 2 * (lane // 4) if datapath.x_bits == 8 else lane & ~1
        unit = _digit(how.offsets, group + pick // 2)
        found[lane, column] = start + column // 2 * how.step + 2 * unit + pick % 2
    return found
