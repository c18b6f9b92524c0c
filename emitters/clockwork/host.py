"""``host.c``: what the host computes around the accelerator; ``host.json``: how it is called."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator

from s2s.emitters.c.nests import emit
from s2s.emitters.c.nests.kinds import c_type
from s2s.scop.accelerator import Accelerator, constant
from s2s.scop.expressions import BOOL, Const, Type
from s2s.scop.nest import Argument, Nest

Json = dict[str, object]


def print_host(host: Nest, accelerator: Accelerator) -> str:
    """The text of the C file, of a nest that is ready to print. Raises Inexpressible."""
    lines = emit(host).source.splitlines()
    last = max(k for k, line in enumerate(lines) if line.startswith("#include"))
    parameters = []
    for argument in accelerator.nest.arguments:
        const = "" if argument.output else "const "
        parameters.append(f"{const}{c_type(_in_memory(argument.type))} *{argument.name}")
    declared = [
        "",
        "/* A run of the array, on a tile: streams with their first dimension innermost. */",
        f"void {accelerator.name}_accelerator({', '.join(parameters)});",
    ]
    return "\n".join([*lines[: last + 1], *declared, *lines[last + 1 :]]) + "\n"


def describe_host(
    host: Nest, accelerator: Accelerator, updated: Collection[str] = frozenset()
) -> str:
    """The text of the JSON file: the arguments of the host's function and of the accelerator's.

    ``updated``: outputs that are read, too. Extents have the outermost dimension first, null where
    they are not known.
    """
    found: Json = {
        "format": 1,
        "function": emit(host).name,
        "accelerator": f"{accelerator.name}_accelerator",
        "arguments": [
            {**_described(a), **({"input": True} if a.name in updated else {})}
            for a in host.arguments
        ],
        "streams": [_described(a) for a in accelerator.nest.arguments],
    }
    lines = [f"  {json.dumps(k)}: {_rows(v)}" for k, v in found.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _rows(value: object) -> str:
    if not isinstance(value, list):
        return json.dumps(value)
    return "[\n" + ",\n".join(f"    {json.dumps(row)}" for row in value) + "\n  ]"


def _described(argument: Argument) -> Json:
    type_ = argument.type if argument.tensor is None else argument.tensor.types[0]
    found: Json = {"name": argument.name, "type": str(type_), "output": argument.output}
    if argument.tensor is not None:
        found["extents"] = list(_extents(argument))[::-1]
    return found


def _extents(argument: Argument) -> Iterator[int | None]:
    assert argument.tensor is not None
    for dimension in argument.tensor.dimensions:
        is_known = isinstance(dimension.extent, Const)
        yield constant(dimension.extent) if is_known else None


def _in_memory(type_: Type) -> Type:
    """The type of elements in C: 16-bit floats are patterns of bits."""
    narrow = type_.is_float and type_.bits == 16
    return Type("uint", 16) if narrow and type_ != BOOL else type_
