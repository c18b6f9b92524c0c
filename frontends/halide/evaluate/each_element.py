"""``for_each_element`` and ``for_each_value`` of a Buffer that the program fills."""

from __future__ import annotations

from typing import Any

from s2s.frontends.halide.evaluate.buffers import Buffer, Element
from s2s.frontends.halide.evaluate.parts import Part
from s2s.frontends.halide.evaluate.values import Pointer


def for_each(interpreter: Part, buffer: Buffer, name: str, function: Any) -> Any:
    """Calls a function for each element: with its place as numbers or an array, or with itself."""
    for indices in list(buffer.everywhere()):
        arguments: list[Any] = [Element(buffer, buffer.place(indices))]
        if name == "for_each_element":
            arguments = [*indices] if _count(function) == len(indices) else [_array(indices)]
        interpreter.apply(function, arguments, None)
    return buffer


def _array(values: list[int]) -> Pointer:
    return Pointer(None, list(values), 0)


def _count(function: Any) -> int:
    """How many numbers a function takes; an array of them counts as none."""
    node = getattr(function, "node", None)
    declared = [c for c in node.children if c.kind == "PARM_DECL"] if node is not None else []
    return 0 if any("*" in c.type for c in declared) else len(declared)
