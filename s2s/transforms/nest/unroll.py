"""Unrolled loops become copies of their bodies, one for each value of the variable."""

from __future__ import annotations

from s2s.scop.errors import Inexpressible
from s2s.scop.expressions import INT32, Binary, Const, Variable
from s2s.scop.nest import Define, For, Node
from s2s.scop.normal_form import integer, normalized, replaced, with_values
from s2s.scop.rewrite import block, with_children


def unroll_loops(node: Node) -> Node:
    """The tree without unrolled loops and without names for constants and variables."""
    match node:
        case For(kind="unrolled"):
            return block([unroll_loops(copy) for copy in _copies(node)])
        case Define(name, value, body) if isinstance(value, Const | Variable):
            return unroll_loops(with_values(body, {name: value}))
        case For() if isinstance(node.extent, Const) and node.extent.value == 1:
            return unroll_loops(with_values(node.body, {node.name: node.minimum}))
    return with_children(node, unroll_loops)


def _copies(loop: For) -> list[Node]:
    extent = normalized(loop.extent)
    if not isinstance(extent, Const):
        raise Inexpressible(f"the unrolled loop {loop.name} has no constant extent", loop)
    return [
        with_values(
            loop.body,
            {loop.name: replaced(Binary(INT32, "add", loop.minimum, integer(k)), {})},
        )
        for k in range(int(extent.value))
    ]
