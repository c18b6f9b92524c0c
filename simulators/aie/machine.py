"""One instruction on what values hold; see ``execute.py`` for the axes of iterations."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from s2s.simulators.aie import arithmetic, halves
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
from s2s.simulators.aie.integers import evaluate, wrapped
from s2s.simulators.aie.log import Conflict, Log
from s2s.simulators.aie.memory import Fault, data_type
from s2s.simulators.aie.selection import digit, granularity
from s2s.simulators.aie.state import Held, Pointer, Register, Total, Undefined, aligned
from s2s.simulators.aie.values import (
    AccumulatorType,
    Constant,
    Operand,
    ScalarType,
    Value,
    VectorType,
    size_of,
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


def _scalar(machine: Machine, item: Scalar) -> None:
    inputs = [machine.scalar(one) for one in item.inputs]
    if any(isinstance(one, Pointer) for one in inputs):
        inputs = _offsets(inputs)
    kind = item.value.type
    assert isinstance(kind, ScalarType)
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


def _offset(machine: Machine, item: Offset) -> None:
    pointer, count = machine.pointer(item.pointer), machine.scalar(item.count)
    machine.held[item.value] = Pointer(pointer.memory, pointer.offset + count * item.scale)


def _load(machine: Machine, item: Load) -> None:
    kind = item.value.type
    pointer = machine.pointer(item.pointer, item.displacement)
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
        found = pointer.memory.load(pointer.offset, kind).astype("int64")
        machine.held[item.value] = found if found.ndim else int(found)


def _mask(kind: VectorType, written: Any) -> int:
    """The bits of the lanes that are defined, where there is one iteration."""
    if written is None:
        return (1 << kind.lanes) - 1
    return sum(1 << lane for lane, is_written in enumerate(written.tolist()) if is_written)


def _store(machine: Machine, item: Store) -> None:
    kind = item.type
    pointer = machine.pointer(item.pointer, item.displacement)
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


def _fill(machine: Machine, item: Fill) -> None:
    import numpy as np

    kind = item.value.type
    if isinstance(kind, VectorType):
        defined = (1 << kind.lanes) - 1 if item.defined else 0
        machine.held[item.value] = Register(np.zeros(kind.lanes, data_type(kind)), defined)
    elif isinstance(kind, AccumulatorType):
        machine.held[item.value] = Total(arithmetic.zero(kind) if item.defined else None)
    else:
        machine.held[item.value] = Undefined()


def _lanes_of(item: Update | Extract) -> tuple[int, int]:
    """Lanes of the part, and the first of them in the whole."""
    kind = item.part.type if isinstance(item, Update) else item.value.type
    assert isinstance(kind, VectorType | AccumulatorType)
    return kind.lanes, kind.lanes * item.index


def _update(machine: Machine, item: Update) -> None:
    import numpy as np

    if isinstance(item.value.type, AccumulatorType):
        halves.update(machine, item)
        return
    whole, part = machine.register(item.vector), machine.register(item.part)
    lanes, first = _lanes_of(item)
    axes = np.broadcast_shapes(whole.data.shape[:-1], part.data.shape[:-1])
    data = np.empty((*axes, whole.data.shape[-1]), whole.data.dtype)
    data[...] = whole.data
    data[..., first : first + lanes] = part.data
    mask = ((1 << lanes) - 1) << first
    machine.held[item.value] = Register(data, whole.defined & ~mask | part.defined << first)


def _extract(machine: Machine, item: Extract) -> None:
    if isinstance(item.value.type, AccumulatorType):
        halves.extract(machine, item)
        return
    whole = machine.register(item.vector)
    lanes, first = _lanes_of(item)
    defined = whole.defined >> first & ((1 << lanes) - 1)
    machine.held[item.value] = Register(whole.data[..., first : first + lanes], defined)


def _concatenate(machine: Machine, item: Concatenate) -> None:
    import numpy as np

    if isinstance(item.value.type, AccumulatorType):
        halves.concatenate(machine, item)
        return
    parts = [machine.register(one) for one in item.parts]
    axes = np.broadcast_shapes(*(part.data.shape[:-1] for part in parts))
    data = [np.broadcast_to(part.data, (*axes, part.data.shape[-1])) for part in parts]
    defined, first = 0, 0
    for part in parts:
        defined |= part.defined << first
        first += part.data.shape[-1]
    machine.held[item.value] = Register(np.concatenate(data, axis=-1), defined)


def _multiply(machine: Machine, item: Multiply) -> None:
    x, z = machine.register(item.x), machine.register(item.z)
    starts = [machine.scalar(one) for one in (item.x_start, item.z_start)]
    for register, start, of_x in ((x, starts[0], True), (z, starts[1], False)):
        _check_picks(item, register, start, of_x)
    found = arithmetic.products(item, x.data, starts[0], z.data, starts[1])
    if item.accumulator is not None:
        found = machine.total(item.accumulator).plus(found, -1 if item.negated else 1)
    elif item.negated:
        kind = item.value.type
        assert isinstance(kind, AccumulatorType)
        found = arithmetic.zero(kind).plus(found, -1)
    machine.held[item.value] = Total(found)
    machine.counts.multiplications += machine.together * item.shape.multiplications


def _check_picks(item: Multiply, register: Register, start: Any, of_x: bool) -> None:
    """Raise Fault where a multiplier takes an undefined element, or from an impossible start."""
    unit, letter = granularity(item.shape, of_x), "X" if of_x else "Z"
    if not isinstance(start, int):
        if (start % unit).any() or register.defined != (1 << register.data.shape[-1]) - 1:
            raise Conflict
        return
    if start % unit:
        raise Fault(f"a start of {start} in {letter}: no multiple of {unit}")
    lanes = register.data.shape[-1]
    if register.defined == (1 << lanes) - 1:
        return
    selection = item.x_selection if of_x else item.z_selection
    missing = arithmetic.used_lanes(item.shape, selection, of_x, start, lanes) & ~register.defined
    if missing:
        first = (missing & -missing).bit_length() - 1
        raise Fault(f"'{item.intrinsic}' takes element {first} of {letter}, which is undefined")


def _accumulate(machine: Machine, item: Accumulate) -> None:
    kind = item.value.type
    assert isinstance(kind, AccumulatorType)
    inputs = [machine.total(one) for one in item.inputs]
    if item.operation == "neg":
        inputs = [arithmetic.zero(kind), *inputs]
    sign = 1 if item.operation == "+" else -1
    machine.held[item.value] = Total(inputs[0].plus(inputs[1], sign))


def _convert(machine: Machine, item: Convert) -> None:
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


def _lanewise(machine: Machine, item: Rearrange) -> None:
    """Lane by lane on two registers: undefined lanes give undefined lanes, or no bit."""
    import numpy as np

    sides, masks = [], []
    for number, selection in enumerate(item.selections):
        vector, start = item.inputs[2 * number], machine.scalar(item.inputs[2 * number + 1])
        assert isinstance(vector, Value)
        if not isinstance(start, int):
            raise Conflict
        register = machine.register(vector)
        lanes = register.data.shape[-1]
        places = [(start + digit(selection.offsets, lane)) % lanes for lane in range(16)]
        sides.append(register.data.take(places, axis=-1))
        masks.append(sum((register.defined >> place & 1) << n for n, place in enumerate(places)))
    x, y, both = *sides, masks[0] & masks[1]
    if item.intrinsic == "gt16":
        lanes_greater = (x > y) & _bits(both)
        found = (lanes_greater.astype(np.int64) << np.arange(16)).sum(axis=-1)
        machine.held[item.value] = found if found.ndim else int(found)
    elif item.intrinsic == "select16":
        chosen = machine.scalar(item.inputs[4])
        takes_y = (np.asarray(chosen)[..., None] >> np.arange(16) & 1).astype(bool)
        if isinstance(chosen, int):
            both = masks[0] & ~chosen | masks[1] & chosen
        machine.held[item.value] = Register(np.where(takes_y, y, x), both)
    else:
        combine = {"add16": np.add, "sub16": np.subtract, "max16": np.maximum, "min16": np.minimum}
        machine.held[item.value] = Register(combine[item.intrinsic](x, y), both)


def _plain(machine: Machine, item: Rearrange) -> None:
    """Sums, differences and absolute values of whole vectors, wrapped."""
    import numpy as np

    sides = [machine.register(one) for one in item.inputs if isinstance(one, Value)]
    if item.intrinsic == "abs":
        machine.held[item.value] = Register(np.abs(sides[0].data), sides[0].defined)
        return
    x, y = sides
    found = x.data + y.data if item.intrinsic == "+" else x.data - y.data
    machine.held[item.value] = Register(found, x.defined & y.defined)


def _shifted(machine: Machine, item: Rearrange) -> None:
    """Each lane goes to the next one, the first is the scalar."""
    import numpy as np

    vector, scalar = item.inputs[0], np.asarray(machine.scalar(item.inputs[1]))
    assert isinstance(vector, Value)
    register = machine.register(vector)
    lanes = register.data.shape[-1]
    axes = np.broadcast_shapes(register.data.shape[:-1], scalar.shape)
    data = np.broadcast_to(np.roll(register.data, 1, axis=-1), (*axes, lanes)).copy()
    data[..., 0] = scalar
    machine.held[item.value] = Register(data, (register.defined << 1 | 1) & ((1 << lanes) - 1))


def _bits(mask: int) -> Any:
    import numpy as np

    return (mask >> np.arange(16) & 1).astype(bool)


def _rearrange(machine: Machine, item: Rearrange) -> None:
    import numpy as np

    if item.selections:
        _lanewise(machine, item)
        return
    if item.intrinsic in ("+", "-", "abs"):
        _plain(machine, item)
        return
    if item.intrinsic == "shft_elem":
        _shifted(machine, item)
        return
    vector, index = item.inputs[0], machine.scalar(item.inputs[1])
    assert isinstance(vector, Value)
    register = machine.register(vector)
    lanes = register.data.shape[-1]
    if not isinstance(index, int):
        raise Conflict
    if not 0 <= index < lanes:
        raise Fault(f"'{item.intrinsic}' of lane {index} of {lanes}")
    if item.intrinsic == "ext_elem":
        if not register.defined >> index & 1:
            raise Fault(f"lane {index} is undefined")
        found = register.data[..., index].astype(np.int64)
        machine.held[item.value] = found if found.ndim else int(found)
        return
    scalar = np.asarray(machine.scalar(item.inputs[2]))
    axes = np.broadcast_shapes(register.data.shape[:-1], scalar.shape)
    data = np.broadcast_to(register.data, (*axes, lanes)).copy()
    data[..., index] = scalar
    machine.held[item.value] = Register(data, register.defined | 1 << index)


_METHODS: dict[type, Callable[[Machine, Any], None]] = {
    Scalar: _scalar,
    Offset: _offset,
    Load: _load,
    Store: _store,
    Fill: _fill,
    Update: _update,
    Extract: _extract,
    Concatenate: _concatenate,
    Rearrange: _rearrange,
    Multiply: _multiply,
    Accumulate: _accumulate,
    Convert: _convert,
}
