"""``float2fix`` and ``fix2float``: between floats and integers with a binary point.

The vendor's guide to the intrinsics (2022.1) says what the first one computes: ``round(n *
pow(2.0, sft))``, which takes halves away from zero. Nothing says what becomes of a number that does
not fit, so that it is a fault. That the other one rounds to the nearest float is assumed.
"""

from __future__ import annotations

from typing import Any

from s2s.simulators.aie.instructions import Rearrange, Scalar
from s2s.simulators.aie.machine import Machine
from s2s.simulators.aie.memory import Fault
from s2s.simulators.aie.state import Register
from s2s.simulators.aie.values import Value

CONVERSIONS = ("float2fix", "fix2float")
SHIFTS = range(-32, 32)
_MOST = 1 << 31


def convert_scalar(machine: Machine, item: Scalar) -> None:
    """A number and the place of the point."""
    import numpy as np

    number, shift = (machine.scalar(one) for one in item.inputs)
    found = _converted(item.operation, np.asarray(number), shift)
    if item.operation == "float2fix":
        _check(found, "a number")
        found = found.astype(np.int64)
        machine.held[item.value] = found if found.ndim else int(found)
    else:
        machine.held[item.value] = found if found.ndim else found[()]


def convert_lanes(machine: Machine, item: Rearrange) -> None:
    """A register and the place of the point; lanes that are undefined stay so."""
    import numpy as np

    vector, shift = item.inputs[0], machine.scalar(item.inputs[1])
    assert isinstance(vector, Value)
    register = machine.register(vector)
    places = np.asarray(shift)[..., None] if np.ndim(shift) else shift
    found = _converted(item.intrinsic, register.data, places)
    if item.intrinsic == "float2fix":
        lanes = np.arange(found.shape[-1])
        found = np.where(register.defined >> lanes & 1, found, 0)
        _check(found, "a lane")
        found = found.astype(np.int32)
    machine.held[item.value] = Register(found, register.defined)


def _converted(which: str, numbers: Any, shift: Any) -> Any:
    """What is still to be checked and made an integer, or a float."""
    import numpy as np

    places = np.asarray(shift)
    if (places < SHIFTS.start).any() or (places >= SHIFTS.stop).any():
        raise Fault(f"a point of '{which}' is not within {SHIFTS.start} .. {SHIFTS.stop - 1}")
    wide = numbers.astype(np.float64)
    if which == "fix2float":
        return np.asarray(np.ldexp(wide, -places)).astype(np.float32)
    scaled = np.asarray(np.ldexp(wide, places))
    return np.copysign(np.floor(np.abs(scaled) + 0.5), scaled)


def _check(found: Any, what: str) -> None:
    if not ((found >= -_MOST) & (found < _MOST)).all():
        raise Fault(f"{what} of 'float2fix' does not fit 32 bits")
