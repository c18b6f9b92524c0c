"""One instruction on what values hold; see ``execute.py`` for the axes of iterations."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from s2s.simulators.aie.accesses import load, offset, scalar, store
from s2s.simulators.aie.arithmetic import Sums
from s2s.simulators.aie.counts import Counts
from s2s.simulators.aie.instructions import (
    Accumulate,
    Concatenate,
    Convert,
    Extract,
    Fill,
    Instruction,
    Load,
    Multiply,
    Offset,
    Rearrange,
    Scalar,
    Store,
    Update,
)
from s2s.simulators.aie.log import Log
from s2s.simulators.aie.memory import Fault
from s2s.simulators.aie.registers import concatenate, extract, fill, rearrange, update
from s2s.simulators.aie.state import Held, Pointer, Register, Total, Undefined, aligned
from s2s.simulators.aie.sums import accumulate, convert, multiply
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

    def execute(self, item: Instruction) -> None:
        """Raises Fault, or Conflict where the iterations have to be a sequence."""
        _METHODS[type(item)](self, item)

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


_METHODS: dict[type, Callable[[Machine, Any], None]] = {
    Scalar: scalar,
    Offset: offset,
    Load: load,
    Store: store,
    Fill: fill,
    Update: update,
    Extract: extract,
    Concatenate: concatenate,
    Rearrange: rearrange,
    Multiply: multiply,
    Accumulate: accumulate,
    Convert: convert,
}
