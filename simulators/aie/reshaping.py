"""Lanes that move within a register, and registers that are reduced to one number.

These are functions of the vendor's vector API, which makes several instructions of some of them:
a reduction combines the halves of what is left until one lane is.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from s2s.simulators.aie.instructions import Rearrange
from s2s.simulators.aie.log import Conflict
from s2s.simulators.aie.machine import Machine
from s2s.simulators.aie.memory import Fault
from s2s.simulators.aie.state import Register
from s2s.simulators.aie.values import Value

REDUCTION = re.compile(r"reduce_(add|max|min)")
MOVEMENT = re.compile(
    r"shuffle_(?P<way>up|down)(?:_(?P<end>rotate|replicate|fill))?|filter_(?:even|odd)"
)
UNDEFINED = -1


def reduce(machine: Machine, item: Rearrange) -> None:
    """The sum, the greatest or the smallest of all lanes."""
    import numpy as np

    register = _register(machine, item, 0)
    lanes = register.data.shape[-1]
    if register.defined != (1 << lanes) - 1:
        raise Fault(f"'aie::{item.intrinsic}' of lanes that are undefined")
    combine = {"add": np.add, "max": np.maximum, "min": np.minimum}[item.intrinsic[-3:]]
    found = register.data
    with np.errstate(all="ignore"):
        while lanes > 1:
            lanes //= 2
            found = combine(found[..., :lanes], found[..., lanes:])
    found = found[..., 0]
    if found.dtype.kind in "iu":
        found = found.astype(np.int64)
        machine.held[item.value] = found if found.ndim else int(found)
    else:
        machine.held[item.value] = found if found.ndim else found[()]


def move(machine: Machine, item: Rearrange) -> None:
    """``shuffle_...`` (register, count, register whose lanes fill) and ``filter_...``."""
    import numpy as np

    register = _register(machine, item, 0)
    count = machine.scalar(item.inputs[1])
    if not isinstance(count, int):
        raise Conflict
    lanes = register.data.shape[-1]
    if not 0 <= count <= lanes:
        raise Fault(f"'aie::{item.intrinsic}' by {count} of {lanes} lanes")
    data, defined = register.data, register.defined
    if len(item.inputs) > 2:
        fill = _register(machine, item, 2)
        axes = np.broadcast_shapes(data.shape, fill.data.shape)
        data = np.concatenate([np.broadcast_to(one, axes) for one in (data, fill.data)], axis=-1)
        defined |= fill.defined << lanes
    places = _places(item.intrinsic, lanes, count)
    mask = sum((place >= 0 and defined >> place & 1) << n for n, place in enumerate(places))
    machine.held[item.value] = Register(data.take([max(0, one) for one in places], axis=-1), mask)


def _register(machine: Machine, item: Rearrange, number: int) -> Register:
    vector = item.inputs[number]
    assert isinstance(vector, Value)
    return machine.register(vector)


def _places(name: str, lanes: int, count: int) -> list[int]:
    """Where each lane comes from; the lanes that fill are behind those of the register."""
    match = MOVEMENT.fullmatch(name)
    assert match is not None
    if match["way"] is None:
        first = count if name.endswith("odd") else 0
        return [first + n // count * 2 * count + n % count for n in range(lanes // 2)]
    shift = count if match["way"] == "down" else -count
    return [_ends(match["end"] or "", lanes)(n + shift) for n in range(lanes)]


def _ends(end: str, lanes: int) -> Callable[[int], int]:
    """What a place outside of the register stands for."""

    def of_fill(place: int) -> int:
        return lanes + place % lanes

    found: dict[str, Callable[[int], int]] = {
        "": lambda place: UNDEFINED, "rotate": lambda place: place % lanes,
        "replicate": lambda place: 0 if place < 0 else lanes - 1, "fill": of_fill,
    }  # fmt: skip
    return lambda place: place if 0 <= place < lanes else found[end](place)
