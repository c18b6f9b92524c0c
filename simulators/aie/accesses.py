"""What scalars, addresses, loads and stores do to the state of a run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s.simulators.aie import arithmetic, fixed_point, floats
from s2s.simulators.aie.instructions import (
    Load,
    Offset,
    Scalar,
    Store,
)
from s2s.simulators.aie.integers import evaluate, wrapped
from s2s.simulators.aie.log import Conflict
from s2s.simulators.aie.machine import Machine
from s2s.simulators.aie.memory import Fault
from s2s.simulators.aie.state import Pointer, Register, Undefined
from s2s.simulators.aie.values import (
    ScalarType,
    Value,
    VectorType,
    size_of,
)


def scalar(machine: Machine, item: Scalar) -> None:
    if item.operation in fixed_point.CONVERSIONS:
        fixed_point.convert_scalar(machine, item)
        return
    inputs = [machine.scalar(one) for one in item.inputs]
    if any(isinstance(one, Pointer) for one in inputs):
        inputs = _offsets(inputs)
    kind = item.value.type
    assert isinstance(kind, ScalarType)
    kinds = [one.type for one in item.inputs]
    if floats.is_needed((kind, *kinds)):
        machine.held[item.value] = floats.evaluate(item.operation, inputs, kinds, kind)
        return
    if all(isinstance(one, int) for one in inputs):
        found = evaluate(item.operation, inputs)
        if found is None:
            raise Fault(f"'{item.operation}' by {inputs[1]}")
        machine.held[item.value] = wrapped(found, kind)
    else:
        machine.held[item.value] = _vectorized(item.operation, inputs, kind)


def _offsets(inputs: list[Any]) -> list[Any]:
    if not all(isinstance(one, Pointer) for one in inputs):
        raise Fault("arithmetic on a pointer and a number")
    if len({one.memory for one in inputs}) > 1:
        raise Fault("pointers to two arrays are compared")
    return [one.offset for one in inputs]


def _vectorized(operation: str, inputs: list[Any], kind: ScalarType) -> Any:
    """The operation on each element; what numpy does not say as C does, one after the other."""
    import numpy as np

    plain: dict[str, Callable[..., Any]] = {
        "+": np.add, "-": np.subtract, "*": np.multiply, "&": np.bitwise_and, "|": np.bitwise_or,
        "^": np.bitwise_xor, "<": np.less, "<=": np.less_equal, ">": np.greater,
        ">=": np.greater_equal, "==": np.equal, "!=": np.not_equal, "cast": np.asarray,
        "neg": np.negative, "~": np.invert, "min": np.minimum, "max": np.maximum,
    }  # fmt: skip
    if operation in plain:
        result = np.asarray(plain[operation](*inputs)).astype(np.int64)
        return _wrapped(result, kind)
    arrays = np.broadcast_arrays(*inputs)
    rows = zip(*(array.flat for array in arrays), strict=True)
    found = [evaluate(operation, [int(number) for number in row]) for row in rows]
    if any(one is None for one in found):
        raise Conflict
    flat = np.array([wrapped(one, kind) for one in found if one is not None], np.int64)
    return flat.reshape(arrays[0].shape)


def _wrapped(values: Any, kind: ScalarType) -> Any:
    if kind.bits == 64:
        return values
    if kind.signed:
        return arithmetic.wrapped(values, kind.bits)
    return values & ((1 << kind.bits) - 1)


def offset(machine: Machine, item: Offset) -> None:
    pointer, count = machine.pointer(item.pointer), machine.scalar(item.count)
    machine.held[item.value] = Pointer(pointer.memory, pointer.offset + count * item.scale)


def _placed(machine: Machine, item: Load | Store) -> Pointer:
    """Where an access is; that through a window starts again behind its end."""
    pointer = machine.pointer(item.pointer, item.displacement)
    if not item.around:
        return pointer
    memory = pointer.memory
    if memory.array.extents or memory.is_given:
        return Pointer(memory, pointer.offset % memory.size)
    name = memory.array.name
    if not memory.holds(pointer.offset):
        raise Fault(f"the window '{name}' goes around its end: --size {name}=N says where it is")
    return pointer


def load(machine: Machine, item: Load) -> None:
    kind = item.value.type
    pointer = _placed(machine, item)
    pointer.memory.check(pointer.offset, kind)
    if machine.log is not None:
        machine.log.loads.append((pointer.memory, pointer.offset, size_of(kind)))
    if not isinstance(kind, VectorType | ScalarType):
        raise Fault(f"a '{kind}' in memory is not simulated")
    written = pointer.memory.defined_at(pointer.offset, kind)
    if written is not None and machine.log is not None:
        raise Conflict
    if isinstance(kind, VectorType):
        data = pointer.memory.load(pointer.offset, kind)
        machine.held[item.value] = Register(data, _mask(kind, written))
    elif written is not None:
        machine.held[item.value] = Undefined()
    else:
        found = pointer.memory.load(pointer.offset, kind)
        if kind.is_float or kind.is_complex:
            machine.held[item.value] = found if found.ndim else found[()]
            return
        found = found.astype("int64")
        machine.held[item.value] = found if found.ndim else int(found)


def _mask(kind: VectorType, written: Any) -> int:
    """The bits of the lanes that are defined, where there is one iteration."""
    if written is None:
        return (1 << kind.lanes) - 1
    return sum(1 << lane for lane, is_written in enumerate(written.tolist()) if is_written)


def store(machine: Machine, item: Store) -> None:
    kind = item.type
    pointer = _placed(machine, item)
    pointer.memory.check(pointer.offset, kind)
    if isinstance(kind, VectorType):
        assert isinstance(item.stored, Value)
        register = machine.register(item.stored)
        if register.defined != (1 << kind.lanes) - 1:
            raise Fault("lanes that are undefined are stored")
        values = register.data
    elif isinstance(kind, ScalarType):
        values = machine.scalar(item.stored)
    else:
        raise Fault(f"a '{kind}' in memory is not simulated")
    _write(machine, pointer, kind, values)


def _write(machine: Machine, pointer: Pointer, kind: ScalarType | VectorType, values: Any) -> None:
    import numpy as np

    if isinstance(kind, ScalarType) and isinstance(values, int):
        values = wrapped(values, kind)
    if machine.log is None:
        pointer.memory.store(pointer.offset, kind, values)
        return
    # Every iteration stores, also where the address is the same for all: then the order matters.
    offset = np.broadcast_to(np.asarray(pointer.offset), machine.shape)
    machine.log.stores.append((pointer.memory, offset, kind, values))
