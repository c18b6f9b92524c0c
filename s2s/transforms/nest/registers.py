"""Sums that stay in vector registers over a loop, and are copied where they belong after it.

A compiler keeps a few vectors of an array on the stack in registers if it sees nothing but vectors
of it. From the loop that copies them gcc makes a call of ``memcpy``, which needs them in memory all
the time::

    simd for (v < 16) product[v] = sum[v];  ->  unroll for (v < 16) product[v] = sum[v];
"""

from __future__ import annotations

from collections.abc import Mapping

from s2s.emitters.c.nests.memory import address, size
from s2s.scop.expressions import Const, Load
from s2s.scop.linear_forms import variables
from s2s.scop.nest import Block, For, Node, Store, Tensor, walk
from s2s.transforms.nest.lifetimes import bytes_of

_BYTES = 1024
_LANES = 32
_ELEMENTS = 64


def fits_registers(tensor: Tensor) -> bool:
    """Whether memory is not much more than the vector registers of a machine hold."""
    count = size(tensor)
    return isinstance(count, Const) and bytes_of(tensor, int(count.value)) <= _BYTES


def copied_lanes(loop: For, registers: Mapping[str, Tensor]) -> int:
    """How many lanes a loop has that only copies elements of tensors in registers, else 0."""
    if not isinstance(loop.extent, Const):
        return 0
    lanes = int(loop.extent.value)
    nodes = [node for node in walk(loop.body) if not isinstance(node, Block)]
    if lanes > _LANES or lanes * len(nodes) > _ELEMENTS:
        return 0
    return lanes if all(_is_copy(node, loop.name, registers) for node in nodes) else 0


def _is_copy(node: Node, lane: str, registers: Mapping[str, Tensor]) -> bool:
    match node:
        case Store(values=(Load(_, source, places),), atomic=False, predicate=None):
            if source not in registers or node.tensor in registers:
                return False
            moves = any(lane in variables(subscript) for subscript in node.subscripts)
            return moves and variables(address(registers[source], places)) == {lane}
    return False
