"""A layer as a plain C function: its loops in the order of its dimensions, one statement."""

from __future__ import annotations

import re

from s2s.source.spatial.layers import Index, Layer, Tensor

_TAKEN = frozenset(
    re.findall(
        r"\w+",
        "auto break case char const continue default do double else enum extern float for goto if "
        "inline int long register restrict return short signed sizeof static struct switch "
        "typedef union unsigned void volatile while main",
    )
)
"""Words of C, and what a program begins with."""


def function_name(layer: Layer) -> str:
    """The C name of a layer."""
    name = re.sub(r"\W", "_", layer.name) or "layer"
    return f"layer_{name}" if name[0].isdigit() or name in _TAKEN else name


def print_layer(layer: Layer, name: str) -> str:
    """The text of a function over arrays of ints, the output first."""
    names = _names(layer)
    computation = layer.computation
    arrays: dict[str, str] = {}
    for tensor in (computation.output, *computation.operands):
        array = tensor.name if tensor.name not in names.values() else f"{tensor.name}_"
        arrays.setdefault(tensor.name, array)

    def element(tensor: Tensor) -> str:
        subscripts = [_index(axis, names) for axis in tensor.axes] or ["0"]
        return arrays[tensor.name] + "".join(f"[{one}]" for one in subscripts)

    parameters = [
        _declared(layer, tensor, arrays[tensor.name], number > 0)
        for number, tensor in enumerate((computation.output, *computation.operands))
    ]
    heads = "".join(
        f"{'  ' * depth}for (int {names[dim]} = 0; {names[dim]} < {extent}; {names[dim]}++)\n"
        for depth, (dim, extent) in enumerate(layer.loops.items(), 1)
    )
    output = element(computation.output)
    product = " * ".join(map(element, computation.operands))
    statement = f"{output} += {product};"
    if computation.combine != "+":
        sign = ">" if computation.combine == "max" else "<"
        statement = f"{output} = {product} {sign} {output} ? {product} : {output};"
    indent = "  " * (len(layer.loops) + 1)
    said = f"/* {layer.kind.value}: {computation} */\n"
    return f"{said}void {name}({', '.join(parameters)}) {{\n{heads}{indent}{statement}\n}}\n"


def _names(layer: Layer) -> dict[str, str]:
    """The iterator of each dimension."""
    found: dict[str, str] = {}
    for dim in layer.loops:
        name = dim.rstrip("'").lower()
        while name in _TAKEN or name in found.values():
            name += "_"
        found[dim] = name
    return found


def _index(index: Index, names: dict[str, str]) -> str:
    parts = [names[dim] if c == 1 else f"{c} * {names[dim]}" for dim, c in index.terms]
    if index.constant or not parts:
        parts.append(str(index.constant))
    return " + ".join(parts)


def _declared(layer: Layer, tensor: Tensor, array: str, is_read: bool) -> str:
    widths = [_extent(axis, layer) for axis in tensor.axes] or [1]
    first, *rest = widths
    dimensions = f"[restrict {first}]" + "".join(f"[{width}]" for width in rest)
    return f"{'const ' if is_read else ''}int {array}{dimensions}"


def _extent(index: Index, layer: Layer) -> int:
    """Elements of an axis: up to the greatest subscript, subscripts below 0 not counted."""
    return 1 + index.constant + sum(c * (layer.loops[dim] - 1) for dim, c in index.terms if c > 0)
