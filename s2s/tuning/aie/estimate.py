"""Cycles of a kernel by counting what each iteration asks of the machine.

A bound below what the simulator finds: no registers, no latencies inside the body. It ranks
mappings before the simulator looks at the best of them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from s2s.scop.vector_kernel import (
    Declare,
    Finish,
    Kernel,
    KernelNest,
    LoadPart,
    Multiply,
    Operation,
)

if TYPE_CHECKING:
    from s2s.simulators.aie.timing.machine import Machine

_ENTRY = 24
"""Cycles around one run of a pipelined loop: prologue, epilogue and setting it up."""
_PIPELINED = 74
"""Operations of the longest body that is software-pipelined."""
_ALONE = 13
"""Cycles that each iteration of a longer one waits for its first load and its last sum."""
_WORDS = 1024
"""Instructions that the program memory holds, at their greatest length."""


@dataclass(frozen=True)
class Estimate:
    """``cycles`` in all; ``interval`` of the largest loop body; ``instructions`` of all text."""

    cycles: int
    interval: int
    instructions: int

    @property
    def fits(self) -> bool:
        """Whether the program memory may hold the kernel."""
        return self.instructions <= _WORDS


def estimate(kernel: Kernel) -> Estimate:
    """The estimate for a kernel."""
    cycles = instructions = interval = 0
    for nest in kernel.nests:
        body = _interval(kernel, nest)
        inner = nest.loops[-nest.inner :] if nest.inner else ()
        entries = prod(loop.trips for loop in nest.loops[: len(nest.loops) - len(inner)])
        passes = prod(loop.trips for loop in inner)
        runs = prod(loop.trips for loop in inner[:-1])
        around = _multiplications(nest.before) + _multiplications(nest.after) + len(nest.after)
        cycles += entries * (passes * body + runs * _ENTRY + around)
        instructions += 2 * body + _ENTRY + len(nest.before) + len(nest.after)
        interval = max(interval, body)
    return Estimate(cycles, interval, instructions)


def _multiplications(operations: tuple[Operation, ...]) -> int:
    return sum(isinstance(op, Multiply) for op in operations)


def _interval(kernel: Kernel, nest: KernelNest) -> int:
    """Cycles that one iteration occupies the most wanted resource."""
    loads: Counter[str] = Counter(op.pointer for op in nest.body if isinstance(op, LoadPart))
    stores = sum(isinstance(op, Finish) for op in nest.body)
    products = _multiplications(nest.body)
    alone = products + loads.total() + stores > _PIPELINED
    wanted = (
        products + (_ALONE if alone else 0),
        -(-sum(loads.values()) // 2),
        max(loads.values(), default=0),
        stores * (2 if kernel.output.type.bits * kernel.datapath.lanes > 256 else 1),
    )
    return max(1, *wanted)


def least(kernel: Kernel, machine: Machine) -> int:
    """Cycles below which the simulator cannot come, without a schedule or registers.

    What the innermost loop does not move may be taken out of it and counts for nothing. A body
    that is too long to be pipelined waits for its first load and its last sum in each iteration.
    """
    return machine.number("function.overhead") + sum(_least(nest, machine) for nest in kernel.nests)


def _least(nest: KernelNest, machine: Machine) -> int:
    if not nest.loops:
        return _multiplications(nest.body)
    *outer, last = nest.loops
    moving = {p.name for p in nest.pointers if p.step(last.name)}
    loads = Counter(op.pointer for op in nest.body if isinstance(op, LoadPart))
    loads = Counter({name: count for name, count in loads.items() if name in moving})
    stores = sum(isinstance(op, Finish) for op in nest.body)
    products = _multiplications(nest.body)
    body = max(1, products, stores, -(-loads.total() // 2), *loads.values())
    if products + stores + loads.total() > machine.number("loop.operations"):
        body = max(body, products + _waits(nest, machine))
    entries = prod(loop.trips for loop in outer)
    around = prod(loop.trips for loop in nest.loops[: len(nest.loops) - nest.inner])
    outside = around * (_multiplications(nest.before) + len(nest.after))
    return outside + entries * (last.trips * body + machine.number("loop.setup"))


def _waits(nest: KernelNest, machine: Machine) -> int:
    """Cycles of one iteration on its own in which nothing can be multiplied.

    What an iteration declares it has to load; other registers may hold something from before.
    """
    loaded = {op.register.name for op in nest.body if isinstance(op, Declare)}
    products = [op for op in nest.body if isinstance(op, Multiply)]
    front = machine.latency("load") if all(op.x.name in loaded for op in products) else 0
    stored = {op.accumulator for op in nest.body if isinstance(op, Finish)}
    back = machine.latency("multiply") if all(op.accumulator in stored for op in products) else 0
    return front + back
