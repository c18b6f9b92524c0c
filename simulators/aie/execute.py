"""Runs a Program: values bit for bit, faults, and how often everything ran.

Loops whose variables are counters have all their iterations executed together, instruction by
instruction, on arrays with an axis for each such loop: a kernel takes about as long as its text,
not as its iterations. Stores wait until the outermost such loop is done; if a load has read, or
another store written, bytes that one of them writes, or anything else is not as in a sequence, the
loop is executed again one iteration after the other. What a user sees is always that of a sequence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Mapping
from typing import TYPE_CHECKING, Any

from s2s.simulators.aie import accesses, registers, sums
from s2s.simulators.aie.counts import Counts
from s2s.simulators.aie.induction import Induction, induction
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
from s2s.simulators.aie.log import Conflict, Log
from s2s.simulators.aie.machine import Machine
from s2s.simulators.aie.memory import Fault, Memory, memory_of
from s2s.simulators.aie.program import Array, Block, Branch, Loop, Program
from s2s.simulators.aie.state import Held, Pointer, Undefined, aligned, last
from s2s.simulators.aie.values import Constant, Operand, ScalarType, Value
from s2s.source import work_done
from s2s.source.records import dataclass

if TYPE_CHECKING:
    import numpy as np

    Data = np.ndarray[Any, Any]

# Iterations that are executed together, at most: what fits a cache is faster than one huge array.
MOST_TOGETHER = 2048
# A loop without a constant number of iterations that runs longer than this never ends.
ENDLESS = 1 << 20


@dataclass(frozen=True)
class Execution:
    """What a kernel left: its arrays by name (shaped as declared), its result, its counts."""

    arrays: dict[str, Data]
    result: Any
    counts: Counts


_EFFECTS: dict[type, Callable[[Machine, Any], None]] = {
    Scalar: accesses.scalar,
    Offset: accesses.offset,
    Load: accesses.load,
    Store: accesses.store,
    Fill: registers.fill,
    Update: registers.update,
    Extract: registers.extract,
    Concatenate: registers.concatenate,
    Rearrange: registers.rearrange,
    Multiply: sums.multiply,
    Accumulate: sums.accumulate,
    Convert: sums.convert,
}
"""What each kind of instruction does: Fault, or Conflict where iterations have to be a sequence."""


class KernelFault(Exception):
    """The kernel does what the machine has no answer for, at ``line``."""

    def __init__(self, text: str, line: int) -> None:
        super().__init__(text)
        self.line = line


def count_turns(program: Program) -> int:
    """The parts of an execution that are told: the iterations of outermost loops, where known."""
    return sum(item.trips or 1 for item in program.body if isinstance(item, Loop))


def execute(
    program: Program, inputs: Mapping[str, Any], without_extents: Container[str] = ()
) -> Execution:
    """Run a kernel on arrays and numbers by name; arrays that are missing start with zeros.

    Arrays ``without_extents`` have more elements than the kernel needs, and end where it goes.

    Raises KernelFault for a fault of the kernel, KeyError for a missing number, ValueError for an
    array of a wrong size.
    """
    run = _Run(program, inputs)
    result = run.whole()
    for name, memory in run.memories.items():
        memory.is_given = memory.is_given and name not in without_extents
    arrays = {memory.array.name: memory.elements() for memory in run.memories.values()}
    return Execution(arrays, result, run.machine.counts)


def _number(given: Any, parameter: Value) -> Any:
    """What a parameter holds that is a number."""
    import numpy as np

    kind = parameter.type
    is_float = isinstance(kind, ScalarType) and kind.is_float
    return np.dtype(f"float{kind.bits}").type(given) if is_float else int(given)  # type: ignore[union-attr]


class _Run:
    def __init__(self, program: Program, inputs: Mapping[str, Any]) -> None:
        self.program = program
        self._outermost = {one.number for one in program.body if isinstance(one, Loop)}
        self.held: dict[Value, Held] = {}
        self.memories: dict[str, Memory] = {}
        self.machine = Machine(self.held, Counts())
        self._together: dict[int, Induction | None] = {}
        for one in (*program.parameters, *program.arrays):
            if isinstance(one, Array):
                memory = memory_of(one, inputs.get(one.name))
                self.memories[one.name] = memory
                self.held[one.address] = Pointer(memory, 0)
            else:
                self.held[one.value] = _number(inputs[one.name], one.value)

    def whole(self) -> Any:
        import numpy as np

        with np.errstate(over="ignore"):
            self.block(self.program.body)
        result = self.program.result
        found = None if result is None else self.machine.scalar(result)
        return found if found is None or isinstance(found, float | complex) else int(found)

    def block(self, block: Block) -> None:
        machine = self.machine
        for item in block:
            if isinstance(item, Instruction):
                try:
                    _EFFECTS[type(item)](machine, item)
                except Fault as fault:
                    raise KernelFault(str(fault), item.line) from None
            elif isinstance(item, Loop):
                self.loop(item)
            else:
                self.branch(item)

    def branch(self, item: Branch) -> None:
        condition = bool(self._uniform(item.condition, item.line))
        sides = self.machine.counts.branches.setdefault(item.line, Counter())
        sides[condition] += self.machine.together
        self.block(item.then if condition else item.otherwise)
        for one in item.merged:
            self.held[one.value] = self._held(one.then if condition else one.otherwise)

    def _held(self, operand: Operand) -> Held:
        if isinstance(operand, Constant):
            return operand.value
        return aligned(self.held[operand], self.machine.depth)

    def _uniform(self, operand: Operand, line: int) -> int:
        """A scalar that is the same in all iterations that are executed together."""
        import numpy as np

        found = self._held(operand)
        if isinstance(found, Undefined):
            raise KernelFault("a condition on what was never assigned", line)
        if isinstance(found, int):
            return found
        first = int(np.asarray(found).flat[0])
        if (np.asarray(found) != first).any():
            raise Conflict
        return first

    # ---- loops

    def loop(self, loop: Loop) -> None:
        how = self._together.setdefault(loop.number, induction(loop))
        if how is not None:
            trips = self._trips(loop, how)
            if trips is not None and 1 < trips * self.machine.together <= MOST_TOGETHER:
                if self.machine.depth:
                    self._all(loop, how, trips)
                    return
                if self._attempt(loop, how, trips):
                    self._turned(loop, loop.trips or 1)
                    return
        self._sequence(loop)
        if loop.trips is None:
            self._turned(loop, 1)

    def _turned(self, loop: Loop, turns: int) -> None:
        if loop.number in self._outermost:
            work_done.advance(turns, inside=True)

    def _attempt(self, loop: Loop, how: Induction, trips: int) -> bool:
        """All iterations together, unless it turns out that they are no sequence of their own."""
        machine = self.machine
        counts, machine.log = machine.counts.copy(), Log()
        touched = {name: memory.touched for name, memory in self.memories.items()}
        try:
            self._all(loop, how, trips)
            machine.log.commit()
            return True
        except (Conflict, KernelFault):
            machine.counts = counts
            machine.shape = ()
            for name, memory in self.memories.items():
                memory.touched = touched[name]
            self._together[loop.number] = None
            return False
        finally:
            machine.log = None

    def _all(self, loop: Loop, how: Induction, trips: int) -> None:
        import numpy as np

        machine = self.machine
        numbers = np.arange(trips, dtype=np.int64)
        starts = {one.inside: self._held(one.initial) for one in loop.carried}
        self._count(loop, trips)
        machine.shape = (*machine.shape, trips)
        for value, start in starts.items():
            if value in how.steps:
                first = aligned(start, machine.depth)
                self.held[value] = _progression(first, how.steps[value], numbers, machine.depth)
        self.block(loop.body)
        if loop.at_bottom:
            self.block(loop.test)
        after = [last(self._held(one.next), machine.depth) for one in loop.carried]
        machine.shape = machine.shape[:-1]
        for one, held in zip(loop.carried, after, strict=True):
            self.held[one.after] = held

    def _trips(self, loop: Loop, how: Induction) -> int | None:
        """How often a loop will run; None if that can not be said before it runs."""
        import numpy as np

        if loop.trips is not None or loop.at_bottom or how.last:
            return loop.trips
        machine = self.machine
        if not loop.test or not all(isinstance(item, Scalar) for item in loop.test):
            return None
        starts = {one.inside: self._held(one.initial) for one in loop.carried}
        for size in _TRIES:
            machine.shape = (*machine.shape, size)
            numbers = np.arange(size, dtype=np.int64)
            for value, start in starts.items():
                first = aligned(start, machine.depth)
                self.held[value] = _progression(first, how.steps[value], numbers, machine.depth)
            self.block(loop.test)
            found = _first_false(self._held(loop.condition), machine.shape)
            machine.shape = machine.shape[:-1]
            if found is not None:
                return found
        return None

    def _count(self, loop: Loop, trips: int) -> None:
        counts = self.machine.counts.loops.setdefault(loop.number, Counter())
        counts[trips] += self.machine.together

    def _sequence(self, loop: Loop) -> None:
        trips = 0
        for one in loop.carried:
            self.held[one.inside] = self._held(one.initial)
        while True:
            if not loop.at_bottom:
                self.block(loop.test)
                if not self._uniform(loop.condition, loop.line):
                    break
            self.block(loop.body)
            trips += 1
            if loop.trips is not None:
                self._turned(loop, 1)
            if trips > ENDLESS:
                raise KernelFault("a loop that does not end", loop.line)
            more = True
            if loop.at_bottom:
                self.block(loop.test)
                more = bool(self._uniform(loop.condition, loop.line))
            following = [self._held(one.next) for one in loop.carried]
            for one, held in zip(loop.carried, following, strict=True):
                self.held[one.inside] = held
            if not more:
                break
        for one in loop.carried:
            self.held[one.after] = self.held[one.inside]
        self._count(loop, trips)


_TRIES = (64, 1024, MOST_TOGETHER)


def _first_false(condition: Held, shape: tuple[int, ...]) -> int | None:
    """The iteration in which a condition fails first, the same in all the loops around."""
    import numpy as np

    if isinstance(condition, Undefined | Pointer):
        return None
    table = np.broadcast_to(np.asarray(condition), shape).reshape(-1, shape[-1]) == 0
    trips = table.argmax(axis=1)
    if not table.any(axis=1).all() or (trips != trips[0]).any():
        return None
    return int(trips[0])


def _progression(start: Held, step: int, numbers: Any, depth: int) -> Held:
    """``start + step * n`` along the axis of the innermost loop; of anything if it stays."""
    if step == 0:
        return start
    if isinstance(start, Pointer):
        return Pointer(start.memory, _progression(start.offset, step, numbers, depth))
    return start + step * numbers.reshape((1,) * (depth - 1) + (-1,))
