"""Calls of the vector API that move lanes or reduce them to a number, to instructions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from s2s.simulators.aie.instructions import Rearrange
from s2s.simulators.aie.reading.intrinsic_calls import IntrinsicCalls
from s2s.simulators.aie.reading.kinds import Result
from s2s.simulators.aie.values import Constant, Operand, Value, VectorType

Node = Any
Arguments = Sequence[Any]


def reduce(self: IntrinsicCalls, node: Node, word: str, arguments: Arguments) -> Result:
    """``aie::reduce_add(v)`` and its kin."""
    self.count(node, f"aie::{word}", arguments, 1)
    vector, kind = _vector(self, node, word, arguments[0])
    if kind.element.is_float and kind.lanes > 16 and word == "reduce_add":
        raise self.fail(node, "the order of a sum of 32 floats is not known")
    return self.made(kind.element, lambda value: Rearrange(value, word, (vector,)))


def shuffle(self: IntrinsicCalls, node: Node, word: str, arguments: Arguments) -> Result:
    """``aie::shuffle_down(v, n)`` and its kin; ``_fill`` has a vector before the number."""
    fills = word.endswith("_fill")
    self.count(node, f"aie::{word}", arguments, 2 + fills)
    vector, kind = _vector(self, node, word, arguments[0])
    inputs: list[Operand] = [vector, self.operand(arguments[-1])]
    if fills:
        fill, other = _vector(self, node, word, arguments[1])
        if other != kind:
            raise self.fail(node, f"'aie::{word}' of a '{kind}' and a '{other}'")
        inputs.append(fill)
    return self.made(kind, lambda value: Rearrange(value, word, tuple(inputs)))


def halve(self: IntrinsicCalls, node: Node, word: str, arguments: Arguments) -> Result:
    """``aie::filter_even(v, step)`` and ``filter_odd``: runs of so many lanes, every other one."""
    self.count(node, f"aie::{word}", arguments, 1, 2)
    vector, kind = _vector(self, node, word, arguments[0])
    step = self.constant(arguments[1]) if len(arguments) == 2 else 1
    if step < 1 or step & (step - 1) or step > kind.lanes // 2 or kind.width < 256:
        raise self.fail(node, f"'aie::{word}' of a '{kind}' by steps of {step} is not simulated")
    inputs = (vector, Constant(step))
    half = kind.of(kind.lanes // 2)
    return self.made(half, lambda value: Rearrange(value, word, inputs))


def _vector(self: IntrinsicCalls, node: Node, word: str, given: Node) -> tuple[Value, VectorType]:
    vector = self.vector(given)
    kind = vector.type
    if not isinstance(kind, VectorType) or kind.element.is_complex:
        raise self.fail(node, f"'aie::{word}' of a '{kind}' is not simulated")
    return vector, kind
