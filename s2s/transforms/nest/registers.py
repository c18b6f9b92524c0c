"""Sums that stay in vector registers over a loop, and are copied where they belong after it.

A compiler keeps a few vectors of an array on the stack in registers if it sees nothing but vectors
of it. From the loop that copies them gcc makes a call of ``memcpy``, which needs them in memory all
the time::

    simd for (v < 16) product[v] = sum[v];  ->  unroll for (v < 16) product[v] = sum[v];
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from s2s.scop.expressions import Const, Load
from s2s.scop.nest import Allocate, Block, For, Node, Store, Tensor, walk
from s2s.scop.rewrite import with_children
from s2s.scop.storage import SHIFTED, STACK, address, bytes_of, size

_BYTES = 1024
_LANES = 32
_ELEMENTS = 64

Registers = Mapping[str, Tensor]
"""Tensors that fit into vector registers, by name."""


def unroll_copies(node: Node, registers: Registers | None = None) -> Node:
    """The tree whose loops that copy lanes out of registers are unrolled by the C compiler."""
    known = registers or {}
    if isinstance(node, Allocate) and _fits_registers(node.tensor):
        known = {**known, node.tensor.name: node.tensor}
    if isinstance(node, For) and node.kind == "vectorized" and _copies_lanes(node, known):
        return replace(node, kind="unrolled")
    return with_children(node, lambda child: unroll_copies(child, known))


def _fits_registers(tensor: Tensor) -> bool:
    """Whether an array on the stack is not much more than a machine's vector registers hold."""
    if tensor.memory not in (STACK, SHIFTED):
        return False
    count = size(tensor)
    return isinstance(count, Const) and bytes_of(tensor, int(count.value)) <= _BYTES


def _copies_lanes(loop: For, registers: Registers) -> bool:
    """Whether a loop has few lanes and only copies elements of tensors in registers."""
    if not isinstance(loop.extent, Const):
        return False
    lanes = int(loop.extent.value)
    nodes = [node for node in walk(loop.body) if not isinstance(node, Block)]
    if not 0 < lanes <= _LANES or lanes * len(nodes) > _ELEMENTS:
        return False
    return all(_is_copy(node, loop.name, registers) for node in nodes)


def _is_copy(node: Node, lane: str, registers: Registers) -> bool:
    match node:
        case Store(values=(Load(_, source, places),), atomic=False, predicate=None):
            if source not in registers or node.tensor in registers:
                return False
            moves = any(lane in subscript.variables for subscript in node.subscripts)
            return moves and address(registers[source], places).variables == {lane}
    return False
