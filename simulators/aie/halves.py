"""Halves of accumulators: put in, taken out, joined; a half may be undefined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from s2s.simulators.aie.arithmetic import joined, zero
from s2s.simulators.aie.instructions import Concatenate, Extract, Update
from s2s.simulators.aie.machine import Machine
from s2s.simulators.aie.state import Total
from s2s.simulators.aie.values import AccumulatorType, Type


def update(machine: Machine, item: Update) -> None:
    """One half replaced."""
    whole, part = machine.half_total(item.vector), machine.half_total(item.part)
    lanes = _kind(item.part.type).lanes
    pieces = [_slice(whole, _kind(item.vector.type), lanes, k) for k in range(2)]
    pieces[item.index] = part
    machine.held[item.value] = _joined(pieces, _kind(item.part.type))


def extract(machine: Machine, item: Extract) -> None:
    """One half."""
    whole, lanes = machine.half_total(item.vector), _kind(item.value.type).lanes
    machine.held[item.value] = _slice(whole, _kind(item.vector.type), lanes, item.index)


def concatenate(machine: Machine, item: Concatenate) -> None:
    """Two halves as one accumulator."""
    parts = [machine.half_total(one) for one in item.parts]
    machine.held[item.value] = _joined(parts, _kind(item.parts[0].type))


def _kind(kind: Type) -> AccumulatorType:
    assert isinstance(kind, AccumulatorType)
    return kind


def _mask(total: Total, lanes: int) -> int:
    if total.sums is None:
        return 0
    return (1 << lanes) - 1 if total.defined is None else total.defined


def _slice(whole: Total, kind: AccumulatorType, lanes: int, index: int) -> Total:
    first = lanes * index
    defined = _mask(whole, kind.lanes) >> first & ((1 << lanes) - 1)
    if whole.sums is None or not defined:
        return Total(None)
    sums = whole.sums.each(lambda data: data[..., first : first + lanes])
    return Total(sums, None if defined == (1 << lanes) - 1 else defined)


def _joined(parts: Sequence[Total], kind: AccumulatorType) -> Total:
    masks = [_mask(part, kind.lanes) for part in parts]
    defined = sum(mask << kind.lanes * n for n, mask in enumerate(masks))
    if not defined:
        return Total(None)
    sums = [zero(kind) if part.sums is None else part.sums for part in parts]
    whole = (1 << kind.lanes * len(parts)) - 1
    return Total(joined(sums, _side_by_side), None if defined == whole else defined)


def _side_by_side(parts: Sequence[Any]) -> Any:
    import numpy as np

    axes = np.broadcast_shapes(*(part.shape[:-1] for part in parts))
    return np.concatenate([np.broadcast_to(p, (*axes, p.shape[-1])) for p in parts], axis=-1)
