"""Vectors that a kernel reaches by pointers to their elements, which live in memory for that.

v8float sums; float *one = (float *)&sums; one[3]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from s2s.simulators.aie.reading.jumps import kind_of, nodes


def taken_apart(function: Any) -> Iterator[tuple[str, Any]]:
    """Names whose addresses are cast in a function, each with the type that it is cast to."""
    for node in nodes(function.body):
        if kind_of(node) != "Cast" or kind_of(node.to_type.type) != "PtrDecl":
            continue
        inner = node.expr
        if kind_of(inner) == "UnaryOp" and inner.op == "&" and kind_of(inner.expr) == "ID":
            yield inner.expr.name, node.to_type
