"""A made-up device: sums of products in integers of eight bits, then a bias and a rectifier.

Its pattern table, its pass, its code generator and its simulator, as a vendor would write them.
"""

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from s2s.simulators.devices import Spent, register_engine
from s2s.source.offload import Region
from s2s.transforms.outline import (
    Function,
    Module,
    PatternCheckContext,
    is_const,
    is_op,
    quantize,
    register_codegen,
    register_pass,
    register_patterns,
    wildcard,
    write_json,
)

MAGIC = b"ACC1"
PER_CYCLE = 64

# ---- patterns and their check

conv = is_op("convolution")(wildcard(), is_const())
conv_bias = conv.optional(lambda x: is_op("bias_add")(x, is_const()))
conv_bias_relu = conv_bias.optional(lambda x: is_op("relu")(x))


def fits(context: PatternCheckContext) -> bool | str:
    node = context.node("conv")
    loops = dict(node.attributes["loops"])  # type: ignore[call-overload]
    reductions = node.attributes["reductions"]
    window = [loops[name] for name in reductions if loops[name] != 1]  # type: ignore[attr-defined]
    if any(extent > 5 for extent in window[-2:]):
        return f"a window of {window[-2:]} is larger than 5 x 5"
    if not node.attributes["plain"]:
        return "it is more than a sum of products"
    if node.inputs[0].type != "float32":
        return f"its elements are {node.inputs[0].type}, and only float32 is quantised"
    return True


register_patterns([("acc.conv_bias_relu", conv_bias_relu, {"conv": conv}, fits)])

# ---- a pass: what crosses the border becomes narrower


@register_pass("acc")
def narrow(function: Function) -> Function:
    node = function.nodes[0]
    factors = [tensor.name for tensor in node.inputs[:2]]
    for argument in function.arguments:
        if argument.name in factors:
            function = quantize(function, argument.name, "int8")
        else:
            function = quantize(function, argument.name, "int32", scale=factors)
    return function


# ---- a code generator: bytes in a format of its own


@register_codegen("acc")
def codegen(
    functions: Sequence[Function], options: Mapping[str, Any], constant_names: Sequence[str]
) -> list[Module]:
    return [
        Module("bytes", {f"{one.name}.acc": serialize(write_json(one))}, said="as a stream")
        for one in (replace(f, constants={}) for f in functions)
    ]


def serialize(graph: bytes) -> bytes:
    return MAGIC + zlib.compress(graph)


def deserialize(stream: bytes) -> dict[str, Any]:
    if not stream.startswith(MAGIC):
        raise ValueError("no stream of acc's")
    found: dict[str, Any] = json.loads(zlib.decompress(stream[len(MAGIC) :]))
    return found


# ---- the simulator


@register_engine("acc")
class Acc:
    def __init__(self, folder: Path, region: Region) -> None:
        self.graph = deserialize((folder / region.files[0]).read_bytes())

    def run(self, arrays: Mapping[str, Any]) -> Spent:
        import numpy as np

        values, cycles = dict(arrays), 0
        for node in self.graph["nodes"]:
            if node["op"] != "kernel":
                continue
            loops = dict(node["attributes"]["loops"])
            index = dict(zip(loops, np.ogrid[tuple(slice(e) for e in loops.values())], strict=True))

            def element(name: str, node: Any = node, index: Any = index) -> Any:
                places = [
                    sum((factor * index[dim] if dim else factor for dim, factor in axis.items()), 0)
                    for axis in node["attributes"]["subscripts"][name]
                ]
                return values[name][tuple(places)]

            names = [self._name(*one) for one in node["inputs"]]
            (output,) = (one["name"] for one in node["outputs"])
            if node["name"] == "convolution":
                products = element(names[0]).astype(np.int32) * element(names[1])
                axes = tuple(
                    k for k, d in enumerate(loops) if d in node["attributes"]["reductions"]
                )
                made = products.sum(axes)
                cycles += -(-node["macs"] // PER_CYCLE)
            elif node["name"] == "bias_add":
                made = element(names[0]) + element(names[1])
            else:
                made = np.maximum(element(names[0]), 0)
            values[output] = made
            if output in arrays:
                arrays[output][...] = made
        return Spent(cycles)

    def _name(self, node: int, place: int) -> str:
        row = self.graph["nodes"][node]
        return str(row["name"] if row["op"] != "kernel" else row["outputs"][place]["name"])
