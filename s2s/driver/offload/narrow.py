"""Sums of products of floating-point numbers as such of integers, for devices that have no others.

With ``--offload-lossy`` both factors become integers of as many bits as their sums leave room for
in 32, each with a scale of its own that is found in each call; the result has the product of the
scales. The nest is printed anew from what the recogniser has found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import isqrt, prod
from typing import Any

from s2s.transforms.outline.borders import quantize
from s2s.transforms.outline.graph import Node
from s2s.transforms.outline.table import Function

_MOST = (1 << 31) - 1


def can_narrow(node: Node) -> bool:
    """Whether an operation is one sum of products of two arrays, and nothing else."""
    types = {tensor.type for tensor in (*node.inputs, *node.outputs)}
    is_sum = bool(node.attributes.get("plain")) and node.macs > 0
    return is_sum and types == {"float32"} and (len(node.inputs), len(node.outputs)) == (2, 1)


def narrow(function: Function) -> Function:
    """A function that is such an operation with integers; any other one as it is."""
    if len(function.nodes) != 1 or not can_narrow(function.nodes[0]):
        return function
    (node,) = function.nodes
    loops: dict[str, int] = dict(node.attributes["loops"])  # type: ignore[call-overload]
    reductions: tuple[str, ...] = node.attributes["reductions"]  # type: ignore[assignment]
    terms = prod(loops[name] for name in reductions)
    bits = min(16, (isqrt(_MOST // terms) + 1).bit_length())
    factors = [tensor.name for tensor in node.inputs]
    (output,) = (tensor.name for tensor in node.outputs)
    for name in factors:
        function = quantize(function, name, "int16", bits=bits)
    function = quantize(function, output, "int32", scale=factors)
    return replace(function, text="\n".join(_lines(function, node, loops, reductions)) + "\n")


def _lines(
    function: Function, node: Node, loops: Mapping[str, int], reductions: tuple[str, ...]
) -> Iterator[str]:
    words = []
    for argument in function.arguments:
        extents = "".join(f"[{extent}]" for extent in argument.extents)
        type_ = "int" if argument.is_written else "const short"
        words.append(f"{type_} {argument.name}{extents}")
    yield f"void {function.name}({', '.join(words)})"
    yield "{"
    depth = 1
    outer = [name for name in loops if name not in reductions]
    for name in outer:
        yield f"{'    ' * depth}for (int {name} = 0; {name} < {loops[name]}; {name}++)"
        depth += 1
    pad = "    " * depth
    yield f"{pad[4:]}{{"
    yield f"{pad}int s2s_sum = 0;"
    for name in reductions:
        yield f"{'    ' * depth}for (int {name} = 0; {name} < {loops[name]}; {name}++)"
        depth += 1
    subscripts: Mapping[str, Any] = node.attributes["subscripts"]  # type: ignore[assignment]
    first, second = (_element(t.name, subscripts[t.name]) for t in node.inputs)
    yield f"{'    ' * depth}s2s_sum += {first} * {second};"
    (output,) = (t.name for t in node.outputs)
    yield f"{pad}{_element(output, subscripts[output])} = s2s_sum;"
    yield f"{pad[4:]}}}"
    yield "}"


def _element(name: str, axes: tuple[Mapping[str, int], ...]) -> str:
    return name + "".join(f"[{_sum(axis)}]" for axis in axes)


def _sum(axis: Mapping[str, int]) -> str:
    terms = [
        str(factor) if not dim else dim if factor == 1 else f"{factor} * {dim}"
        for dim, factor in axis.items()
    ]
    return " + ".join(terms) or "0"
