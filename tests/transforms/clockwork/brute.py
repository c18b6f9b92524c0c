"""What an accelerator does, iteration by iteration: a reference for its schedule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from s2s.scop.accelerator import Accelerator, Operation
from s2s.scop.cycles import CycleSchedule
from s2s.scop.expressions import Binary, Const, Expr, Variable
from s2s.scop.nest import Allocate, For, Node, Store, children


@dataclass(frozen=True)
class Step:
    """An iteration: what it loads and stores, as (buffer, subscripts)."""

    operation: str
    cycle: int
    ready: int
    loads: tuple[tuple[object, ...], ...]
    store: tuple[object, ...]


def value(expr: Expr, values: dict[str, int]) -> int:
    match expr:
        case Const(_, number):
            return int(number)
        case Variable(_, name):
            return values[name]
        case Binary(_, op, left, right):
            a, b = value(left, values), value(right, values)
            return {"add": a + b, "sub": a - b, "mul": a * b, "div": a // (b or 1)}[op]
    raise AssertionError(expr)


def steps(accelerator: Accelerator, schedule: CycleSchedule) -> list[Step]:
    """All iterations in the program's order."""
    stores = {id(o.store): o for o in accelerator.operations}
    found: list[Step] = []

    def visit(node: Node, values: dict[str, int], homes: dict[str, tuple[int, ...]]) -> None:
        if isinstance(node, For):
            first, count = value(node.minimum, values), value(node.extent, values)
            for at in range(first, first + count):
                visit(node.body, {**values, node.name: at}, homes)
        elif isinstance(node, Allocate):
            visit(node.body, values, {**homes, node.tensor.name: tuple(values.values())})
        elif isinstance(node, Store):
            found.append(_step(stores[id(node)], schedule, values, homes))
        else:
            for child in children(node):
                visit(child, values, homes)

    visit(accelerator.nest.body, {}, {})
    return found


def _step(
    operation: Operation,
    schedule: CycleSchedule,
    values: dict[str, int],
    homes: dict[str, tuple[int, ...]],
) -> Step:
    def element(tensor: str, subscripts: tuple[Expr, ...]) -> tuple[object, ...]:
        return (tensor, homes.get(tensor, ()), *(value(s, values) for s in subscripts))

    start = schedule.starts[operation.name]
    counters = [values[loop.name] - value(loop.minimum, {}) for loop in operation.loops]
    cycle = start.offset + sum(s * i for s, i in zip(start.strides, counters, strict=True))
    loads = tuple(element(load.tensor, load.subscripts) for load in operation.loads)
    stored = element(operation.store.tensor, operation.store.subscripts)
    return Step(operation.name, cycle, cycle + start.latency, loads, stored)


def wrong_loads(accelerator: Accelerator, schedule: CycleSchedule) -> Iterator[str]:
    """Loads that get another value than in the program, where stores are seen in their cycle.

    Operations of one cycle come in the program's order.
    """
    program = steps(accelerator, schedule)
    last: dict[tuple[object, ...], int] = {}
    expected = []
    for number, step in enumerate(program):
        expected.append([last.get(element) for element in step.loads])
        last[step.store] = number
    events = [(step.ready, 0, number) for number, step in enumerate(program)]
    events += [(step.cycle, 1, number) for number, step in enumerate(program)]
    memory: dict[tuple[object, ...], int] = {}
    for cycle, number, kind in sorted((c, n, 1 - k) for c, k, n in events):
        step = program[number]
        if kind == 0:
            for element, right in zip(step.loads, expected[number], strict=True):
                if memory.get(element) != right:
                    yield f"{step.operation} in cycle {cycle}: {element}"
        else:
            memory[step.store] = number


def capacity(accelerator: Accelerator, schedule: CycleSchedule, buffer: str) -> int:
    """The most elements that wait in a buffer between two cycles."""
    born: dict[tuple[object, ...], int] = {}
    dies: dict[tuple[object, ...], int] = {}
    for step in steps(accelerator, schedule):
        if step.store[0] == buffer:
            born[step.store] = min(born.get(step.store, step.ready), step.ready)
        for element in step.loads:
            if element[0] == buffer:
                dies[element] = max(dies.get(element, 0), step.cycle)
    ends = max(dies.values(), default=0)
    waiting = [0] * (ends + 2)
    for element, first in born.items():
        if dies.get(element, -1) > first:
            waiting[first] += 1
            waiting[dies[element]] -= 1
    most = now = 0
    for change in waiting:
        now += change
        most = max(most, now)
    return most
