"""What values hold while a kernel runs.

Iterations of loops that are executed together are leading axes of the arrays, the outermost loop's
first; an axis of length 1, or a missing one, holds the same for all. The last axis of a register
are its lanes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s.simulators.aie.arithmetic import Sums
from s2s.simulators.aie.memory import Memory
from s2s.source.records import dataclass

Data = Any


@dataclass(frozen=True, slots=True)
class Register:
    """A vector; ``defined`` has a bit for each lane."""

    data: Data
    defined: int


@dataclass(frozen=True, slots=True)
class Total:
    """An accumulator; ``sums`` is None where it is undefined.

    ``defined`` has a bit for each lane if some of them are not, else it is None.
    """

    sums: Sums | None
    defined: int | None = None


@dataclass(frozen=True, slots=True)
class Pointer:
    """A place in an array: bytes after its start, an int or an array of them."""

    memory: Memory
    offset: Data


@dataclass(frozen=True, slots=True)
class Undefined:
    """A scalar or pointer that nothing was assigned to."""


Held = Register | Total | Pointer | Undefined | Any


def aligned(held: Held, depth: int) -> Held:
    """With as many axes of iterations as there are loops around, where it has any."""
    if isinstance(held, Register):
        data = _padded(held.data, depth, 1)
        return held if data is held.data else Register(data, held.defined)
    if isinstance(held, Total):
        return _each(held, lambda data: _padded(data, depth, 1))
    if isinstance(held, Pointer):
        offset = _padded(held.offset, depth, 0)
        return held if offset is held.offset else Pointer(held.memory, offset)
    return _padded(held, depth, 0)


def _padded(data: Data, depth: int, inner: int) -> Data:
    axes = getattr(data, "ndim", 0) - inner
    if axes <= 0 or axes >= depth:
        return data
    return data.reshape(*data.shape[:axes], *(1,) * (depth - axes), *data.shape[axes:])


def last(held: Held, depth: int) -> Held:
    """The value in the last iteration of the loop whose axis is number ``depth`` (from 1)."""
    if isinstance(held, Register):
        return Register(_last(held.data, depth, 1), held.defined)
    if isinstance(held, Total):
        return _each(held, lambda data: _last(data, depth, 1))
    if isinstance(held, Pointer):
        return Pointer(held.memory, _last(held.offset, depth, 0))
    return _last(held, depth, 0)


def _last(data: Data, depth: int, inner: int) -> Data:
    axes = getattr(data, "ndim", 0) - inner
    if axes < depth:
        return data
    found = data[..., -1, :] if inner else data[..., -1]
    return found if found.ndim else found.item() if found.dtype.kind in "iub" else found[()]


def _each(held: Total, change: Callable[[Data], Data]) -> Total:
    sums = held.sums
    return held if sums is None else Total(sums.each(change), held.defined)
