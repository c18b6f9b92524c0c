"""What instructions on whole registers do: parts, elements, lane by lane."""

from __future__ import annotations

from typing import Any

from s2s.simulators.aie import arithmetic, fixed_point, halves, reshaping
from s2s.simulators.aie.instructions import (
    Concatenate,
    Extract,
    Fill,
    Rearrange,
    Update,
)
from s2s.simulators.aie.log import Conflict
from s2s.simulators.aie.machine import Machine
from s2s.simulators.aie.memory import Fault, held_type
from s2s.simulators.aie.selection import digit, lane_places
from s2s.simulators.aie.state import Register, Total, Undefined
from s2s.simulators.aie.values import (
    AccumulatorType,
    Value,
    VectorType,
)


def fill(machine: Machine, item: Fill) -> None:
    import numpy as np

    kind = item.value.type
    if isinstance(kind, VectorType):
        defined = (1 << kind.lanes) - 1 if item.defined else 0
        scalar = np.asarray(machine.scalar(item.scalar)).astype(held_type(kind))
        lanes = np.broadcast_to(scalar[..., None], (*scalar.shape, kind.lanes))
        machine.held[item.value] = Register(lanes, defined)
    elif isinstance(kind, AccumulatorType):
        machine.held[item.value] = Total(arithmetic.zero(kind) if item.defined else None)
    else:
        machine.held[item.value] = Undefined()


def _lanes_of(item: Update | Extract) -> tuple[int, int]:
    """Lanes of the part, and the first of them in the whole."""
    kind = item.part.type if isinstance(item, Update) else item.value.type
    assert isinstance(kind, VectorType | AccumulatorType)
    return kind.lanes, kind.lanes * item.index


def update(machine: Machine, item: Update) -> None:
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


def extract(machine: Machine, item: Extract) -> None:
    if isinstance(item.value.type, AccumulatorType):
        halves.extract(machine, item)
        return
    whole = machine.register(item.vector)
    lanes, first = _lanes_of(item)
    defined = whole.defined >> first & ((1 << lanes) - 1)
    machine.held[item.value] = Register(whole.data[..., first : first + lanes], defined)


def concatenate(machine: Machine, item: Concatenate) -> None:
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
        places = [(start + place) % lanes for place in lane_places(selection)]
        sides.append(register.data.take(places, axis=-1))
        masks.append(sum((register.defined >> place & 1) << n for n, place in enumerate(places)))
    if item.intrinsic == "shuffle32":
        machine.held[item.value] = Register(sides[0], masks[0])
        return
    x, y, both = *sides, masks[0] & masks[1]
    if item.intrinsic == "gt16":
        lanes_greater = (x > y) & _bits(both)
        found = (lanes_greater.astype(np.int64) << np.arange(16)).sum(axis=-1)
        machine.held[item.value] = found if found.ndim else int(found)
    elif item.intrinsic in ("select16", "select32"):
        chosen = machine.scalar(item.inputs[4])
        takes_y = (np.asarray(chosen)[..., None] >> np.arange(x.shape[-1]) & 1).astype(bool)
        if isinstance(chosen, int):
            both = masks[0] & ~chosen | masks[1] & chosen
        machine.held[item.value] = Register(np.where(takes_y, y, x), both)
    else:
        combine = {"add": np.add, "sub": np.subtract, "max": np.maximum, "min": np.minimum}
        machine.held[item.value] = Register(combine[item.intrinsic[:3]](x, y), both)


def _float_lanes(machine: Machine, item: Rearrange) -> None:
    """``fpadd`` and its kin: lanes, those of X as selected; a comparison gives a bit for each."""
    import numpy as np

    *first, vector, start = item.inputs
    where = machine.scalar(start)
    assert isinstance(vector, Value)
    if not isinstance(where, int):
        raise Conflict
    register = machine.register(vector)
    count, offsets = register.data.shape[-1], item.selections[0].offsets
    places = [(where + digit(offsets, lane)) % count for lane in range(8)]
    x = register.data.take(places, axis=-1)
    defined = sum((register.defined >> place & 1) << n for n, place in enumerate(places))
    other = machine.register(first[0]) if first and isinstance(first[0], Value) else None
    if other is not None:
        defined &= other.defined
    operation = getattr(np, _OF_FLOATS[item.intrinsic])
    with np.errstate(all="ignore"):
        found = operation(x) if other is None else operation(other.data, x)
    if found.dtype == bool:
        mask = (found.astype(np.int64) << np.arange(8)).sum(axis=-1)
        machine.held[item.value] = mask if mask.ndim else int(mask)
    else:
        machine.held[item.value] = Register(found, defined)


_OF_FLOATS = {
    "fpadd": "add", "fpsub": "subtract", "fpmax": "maximum", "fpmin": "minimum",
    "fpneg": "negative", "fpabs": "abs", "fpshuffle": "array", "fpge": "greater_equal",
    "fplt": "less",
}  # fmt: skip


def _plain(machine: Machine, item: Rearrange) -> None:
    """Sums, differences, the greater and the smaller and absolute values of lanes, wrapped."""
    import numpy as np

    sides = [machine.register(one) for one in item.inputs if isinstance(one, Value)]
    if item.intrinsic == "abs":
        machine.held[item.value] = Register(np.abs(sides[0].data), sides[0].defined)
        return
    x, y = sides
    combine = {"+": np.add, "-": np.subtract, "max": np.maximum, "min": np.minimum}
    found = combine[item.intrinsic](x.data, y.data)
    machine.held[item.value] = Register(found, x.defined & y.defined)


def _resized(machine: Machine, item: Rearrange) -> None:
    """Numbers in more or fewer bits; what becomes of those that do not fit is no known fact."""
    assert isinstance(item.value.type, VectorType) and isinstance(item.inputs[0], Value)
    register = machine.register(item.inputs[0])
    found = register.data.astype(held_type(item.value.type))
    if (found != register.data).any():
        raise Fault("a number that is packed does not fit 8 bits")
    machine.held[item.value] = Register(found, register.defined)


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


def _scalar(found: Any) -> Any:
    return int(found) if found.dtype.kind in "iu" else found[()]


def rearrange(machine: Machine, item: Rearrange) -> None:
    import numpy as np

    if item.intrinsic in _OF_FLOATS:
        _float_lanes(machine, item)
        return
    if item.selections:
        _lanewise(machine, item)
        return
    if item.intrinsic in ("+", "-", "abs", "max", "min"):
        _plain(machine, item)
        return
    if reshaping.REDUCTION.fullmatch(item.intrinsic):
        reshaping.reduce(machine, item)
        return
    if reshaping.MOVEMENT.fullmatch(item.intrinsic):
        reshaping.move(machine, item)
        return
    if item.intrinsic in fixed_point.CONVERSIONS:
        fixed_point.convert_lanes(machine, item)
        return
    if item.intrinsic == "shft_elem":
        _shifted(machine, item)
        return
    if item.intrinsic in ("unpack", "pack"):
        _resized(machine, item)
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
        found = register.data[..., index]
        if found.dtype.kind in "iu":
            found = found.astype(np.int64)
        machine.held[item.value] = found if found.ndim else _scalar(found)
        return
    scalar = np.asarray(machine.scalar(item.inputs[2]))
    axes = np.broadcast_shapes(register.data.shape[:-1], scalar.shape)
    data = np.broadcast_to(register.data, (*axes, lanes)).copy()
    data[..., index] = scalar
    machine.held[item.value] = Register(data, register.defined | 1 << index)
