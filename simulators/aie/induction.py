"""Which loops can have all their iterations executed together, as far as registers go."""

from __future__ import annotations

from s2s.simulators.aie.instructions import Instruction, Offset, Scalar
from s2s.simulators.aie.program import Item, Loop, items
from s2s.simulators.aie.values import Constant, Operand, ScalarType, Value
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Induction:
    """``steps`` of the variables that grow by a constant in each iteration (in bytes for
    pointers); ``last`` are those whose value from before an iteration nothing reads.
    """

    steps: dict[Value, int]
    last: frozenset[Value]


def induction(loop: Loop) -> Induction | None:
    """How a loop's variables change; None where one depends on the iteration before."""
    made = {i.result: i for i in items((*loop.test, *loop.body)) if isinstance(i, Instruction)}
    used = _reads(loop)
    if not loop.at_bottom and _changes_in_test(loop):
        return None
    steps, last = {}, set()
    for one in loop.carried:
        step = _step(one.next, one.inside, made)
        if step is not None:
            steps[one.inside] = step
        elif one.inside not in used:
            last.add(one.inside)
        else:
            return None
    return Induction(steps, frozenset(last))


def _changes_in_test(loop: Loop) -> bool:
    """Whether the test makes what the iterations go on with, as ``while (n-- > 0)`` does."""
    made = {item.result for item in loop.test if isinstance(item, Instruction)}
    read: set[Operand] = {one.next for one in loop.carried}
    for item in items(loop.body):
        read |= set(_operands(item))
    return not made.isdisjoint(read)


def _step(following: Operand, inside: Value, made: dict[Value | None, Instruction]) -> int | None:
    """The constant by which ``following`` is larger than ``inside``."""
    total = 0
    while following != inside:
        item = made.get(following) if isinstance(following, Value) else None
        if isinstance(item, Offset) and isinstance(item.count, Constant):
            following, total = item.pointer, total + item.count.value * item.scale
        elif isinstance(item, Scalar) and (moved := _moved(item)) is not None:
            following, total = moved[0], total + moved[1]
        else:
            return None
    return total


def _moved(item: Scalar) -> tuple[Operand, int] | None:
    """``x`` and ``c`` of an integer ``x + c`` that does not wrap at fewer than 32 bits."""
    kind = item.value.type
    if item.operation not in ("+", "-") or not isinstance(kind, ScalarType) or kind.bits < 32:
        return None
    if kind.is_float or kind.is_complex:
        return None
    first, second = item.inputs
    if isinstance(first, Constant) and item.operation == "+":
        first, second = second, first
    if not isinstance(second, Constant):
        return None
    return first, second.value if item.operation == "+" else -second.value


def _reads(loop: Loop) -> set[Operand]:
    """What the iterations read, the next values of variables included."""
    found: set[Operand] = {loop.condition, *(one.next for one in loop.carried)}
    for item in items((*loop.test, *loop.body)):
        found |= set(_operands(item))
    return found


def _operands(item: Item) -> list[Operand]:
    if isinstance(item, Instruction):
        return list(item.operands)
    if isinstance(item, Loop):
        inner = [operand for one in item.carried for operand in (one.initial, one.next)]
        return [item.condition, *inner]
    sides = [operand for one in item.merged for operand in (one.then, one.otherwise)]
    return [item.condition, *sides]
