"""What values hold while a kernel runs; see ``execute.py`` for the axes of iterations."""

from __future__ import annotations

from math import prod
from typing import Any

from s2s.simulators.aie.arithmetic import Sums
from s2s.simulators.aie.counts import Counts
from s2s.simulators.aie.log import Log
from s2s.simulators.aie.memory import Fault
from s2s.simulators.aie.state import Held, Pointer, Register, Total, Undefined, aligned
from s2s.simulators.aie.values import (
    Constant,
    Operand,
    Value,
)


class Machine:
    """The state of a run: what is held, the axes (``shape``) of iterations, the log of accesses."""

    def __init__(self, held: dict[Value, Held], counts: Counts) -> None:
        self.held = held
        self.counts = counts
        self.shape: tuple[int, ...] = ()
        self.log: Log | None = None

    @property
    def depth(self) -> int:
        return len(self.shape)

    @property
    def together(self) -> int:
        """Iterations that an instruction stands for."""
        return prod(self.shape)

    # ---- operands

    def scalar(self, operand: Operand) -> Any:
        """An int, or an array of them. Raises Fault for what was never assigned."""
        if isinstance(operand, Constant):
            return operand.value
        found = aligned(self.held[operand], self.depth)
        if isinstance(found, Undefined):
            what = f"'{operand.name}'" if operand.name else "memory of the kernel"
            raise Fault(f"{what} is read before it is assigned")
        return found

    def register(self, value: Value) -> Register:
        found = aligned(self.held[value], self.depth)
        assert isinstance(found, Register)
        return found

    def total(self, value: Value) -> Sums:
        found = aligned(self.held[value], self.depth)
        assert isinstance(found, Total)
        if found.sums is None:
            raise Fault("an accumulator is read before it is assigned")
        if found.defined is not None:
            raise Fault("an accumulator is read of which a half was never assigned")
        return found.sums

    def half_total(self, value: Value) -> Total:
        """An accumulator of which a part may be undefined."""
        found = aligned(self.held[value], self.depth)
        assert isinstance(found, Total)
        return found

    def pointer(self, value: Value, displacement: int = 0) -> Pointer:
        found = self.scalar(value)
        assert isinstance(found, Pointer)
        return Pointer(found.memory, found.offset + displacement) if displacement else found
