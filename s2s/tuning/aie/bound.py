"""A lower bound of the cycles that the simulator finds for a kernel."""

from __future__ import annotations

from collections import Counter
from math import prod
from typing import TYPE_CHECKING

from s2s.scop.vector_kernel import Declare, Finish, Kernel, KernelNest, LoadPart, Multiply
from s2s.transforms.aie.estimate import multiplications

if TYPE_CHECKING:
    from s2s.simulators.aie.timing.machine import Machine


def least(kernel: Kernel, machine: Machine) -> int:
    """Cycles below which the simulator cannot come, without a schedule or registers.

    What the innermost loop does not move may be taken out of it and counts for nothing. A body
    that is too long to be pipelined waits for its first load and its last sum in each iteration.
    """
    has_loops = any(loop.trips > 1 for nest in kernel.nests for loop in nest.loops)
    around = machine.number("function.loops") if has_loops else 0
    return around + sum(_least(nest, machine) for nest in kernel.nests)


def _least(nest: KernelNest, machine: Machine) -> int:
    if not nest.loops:
        return multiplications(nest.body)
    *outer, last = nest.loops
    moving = {p.name for p in nest.pointers if p.step(last.name)}
    loads = Counter(op.pointer for op in nest.body if isinstance(op, LoadPart))
    loads = Counter({name: count for name, count in loads.items() if name in moving})
    stores = sum(isinstance(op, Finish) for op in nest.body)
    products = multiplications(nest.body)
    body = max(1, products, stores, -(-loads.total() // 2), *loads.values())
    if products + stores + loads.total() > machine.number("loop.operations"):
        body = max(body, products + _waits(nest, machine))
    entries = prod(loop.trips for loop in outer)
    around = prod(loop.trips for loop in nest.loops[: len(nest.loops) - nest.inner])
    outside = around * (multiplications(nest.before) + len(nest.after))
    setup = machine.number("loop.setup") if last.trips > 1 else 0
    return outside + entries * (last.trips * body + setup)


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
