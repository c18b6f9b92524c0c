"""Cycles of a kernel by counting what each iteration asks of the machine.

A bound below what the simulator finds: no registers, no latencies inside the body. It ranks
mappings before the simulator looks at the best of them.
"""

from __future__ import annotations

from collections import Counter
from math import prod

from s2s.scop.vector_kernel import (
    Finish,
    Kernel,
    KernelNest,
    LoadPart,
    Multiply,
    Operation,
)
from s2s.source.records import dataclass

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
        around = multiplications(nest.before) + multiplications(nest.after) + len(nest.after)
        cycles += entries * (passes * body + runs * _ENTRY + around)
        instructions += 2 * body + _ENTRY + len(nest.before) + len(nest.after)
        interval = max(interval, body)
    return Estimate(cycles, interval, instructions)


def multiplications(operations: tuple[Operation, ...]) -> int:
    """How many of some operations multiply."""
    return sum(isinstance(op, Multiply) for op in operations)


def _interval(kernel: Kernel, nest: KernelNest) -> int:
    """Cycles that one iteration occupies the most wanted resource."""
    loads: Counter[str] = Counter(op.pointer for op in nest.body if isinstance(op, LoadPart))
    stores = sum(isinstance(op, Finish) for op in nest.body)
    products = multiplications(nest.body)
    alone = products + loads.total() + stores > _PIPELINED
    wanted = (
        products + (_ALONE if alone else 0),
        -(-sum(loads.values()) // 2),
        max(loads.values(), default=0),
        stores * (_stores(kernel) if stores else 1),
    )
    return max(1, *wanted)


def _stores(kernel: Kernel) -> int:
    """Operations that store one vector of the output."""
    return 2 if kernel.output.type.bits * kernel.datapath.lanes > 256 else 1
