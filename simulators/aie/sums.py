"""What multiplications, sums and conversions do."""

from __future__ import annotations

from typing import Any

from s2s.simulators.aie import arithmetic
from s2s.simulators.aie.instructions import (
    Accumulate,
    Convert,
    Multiply,
    Selection,
)
from s2s.simulators.aie.log import Conflict
from s2s.simulators.aie.machine import Machine
from s2s.simulators.aie.memory import Fault
from s2s.simulators.aie.selection import granularity
from s2s.simulators.aie.state import Register, Total
from s2s.simulators.aie.values import (
    AccumulatorType,
    Operand,
    Value,
    VectorType,
)


def multiply(machine: Machine, item: Multiply) -> None:
    x = _picked(machine, item, item.x, item.x_start, item.x_selection, "X")
    z = _picked(machine, item, item.z, item.z_start, item.z_selection, "Z")
    machine.counts.multiplications += machine.together * item.shape.multiplications
    if isinstance(item.value.type, VectorType):
        sums = machine.register(item.accumulator) if item.accumulator is not None else None
        if sums is not None and sums.defined != (1 << item.shape.lanes) - 1:
            raise Fault(f"'{item.intrinsic}' adds to lanes that are undefined")
        data = arithmetic.float_products(item, x, z, None if sums is None else sums.data)
        machine.held[item.value] = Register(data, (1 << item.shape.lanes) - 1)
        return
    fold = item.fold
    y = None
    if fold is not None:
        y = _picked(machine, item, fold.y, fold.start, fold.selection(item.x_selection), "Y")
    found = arithmetic.products(item, x, z, y)
    if item.accumulator is not None:
        found = machine.total(item.accumulator).plus(found, -1 if item.negated else 1)
    elif item.negated:
        kind = item.value.type
        assert isinstance(kind, AccumulatorType)
        found = arithmetic.zero(kind).plus(found, -1)
    machine.held[item.value] = Total(found)


def _picked(
    machine: Machine,
    item: Multiply,
    operand: Value,
    start: Operand,
    selection: Selection,
    letter: str,
) -> arithmetic.Picked:
    register, first = machine.register(operand), machine.scalar(start)
    _check_picks(item, register, first, selection, letter)
    return register.data, first


def _check_picks(
    item: Multiply, register: Register, start: Any, selection: Selection, letter: str
) -> None:
    """Raise Fault where a multiplier takes an undefined element, or from an impossible start."""
    of_x = letter != "Z"
    unit = granularity(item.shape, of_x)
    if not isinstance(start, int):
        if (start % unit).any() or register.defined != (1 << register.data.shape[-1]) - 1:
            raise Conflict
        return
    if start % unit:
        raise Fault(f"a start of {start} in {letter}: no multiple of {unit}")
    lanes = register.data.shape[-1]
    if register.defined == (1 << lanes) - 1:
        return
    missing = arithmetic.used_lanes(item.shape, selection, of_x, start, lanes) & ~register.defined
    if missing:
        first = (missing & -missing).bit_length() - 1
        raise Fault(f"'{item.intrinsic}' takes element {first} of {letter}, which is undefined")


def accumulate(machine: Machine, item: Accumulate) -> None:
    kind = item.value.type
    assert isinstance(kind, AccumulatorType)
    inputs = [machine.total(one) for one in item.inputs]
    if item.operation == "neg":
        inputs = [arithmetic.zero(kind), *inputs]
    sign = 1 if item.operation == "+" else -1
    machine.held[item.value] = Total(inputs[0].plus(inputs[1], sign))


def convert(machine: Machine, item: Convert) -> None:
    kind = item.value.type
    shift = machine.scalar(item.shift)
    if not isinstance(shift, int):
        raise Conflict
    if not -1 <= shift <= 62:
        raise Fault(f"a shift of {shift} is not within -1 .. 62")
    if isinstance(kind, VectorType):
        sums = machine.total(item.source)
        data = arithmetic.narrowed(sums, shift, kind, item.rounding, item.saturates)
        machine.held[item.value] = Register(data, (1 << kind.lanes) - 1)
        return
    assert isinstance(kind, AccumulatorType)
    source = machine.register(item.source)
    if source.defined != (1 << source.data.shape[-1]) - 1:
        raise Fault(f"'{item.intrinsic}' of lanes that are undefined")
    machine.held[item.value] = Total(arithmetic.widened(source.data, shift, kind.bits))
