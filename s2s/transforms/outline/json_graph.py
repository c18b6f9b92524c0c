"""A region as JSON, the first of the three code formats (section 3.3): nodes, and what they read.

As in TVM's JSON runtime each node is an input, a constant or a kernel, inputs are
``[node, output]``, and ``heads`` are the results.
"""

from __future__ import annotations

import json
from typing import Any

from s2s.transforms.outline.graph import Tensor
from s2s.transforms.outline.table import Function


def write_json(function: Function) -> bytes:
    """The region's graph, with the elements of constants that are known."""
    nodes: list[dict[str, Any]] = []
    latest: dict[str, tuple[int, int]] = {}
    directions = {a.name: a.direction for a in function.arguments}

    def of(tensor: Tensor) -> list[int]:
        if tensor.name not in latest:
            kind = "const" if directions.get(tensor.name) == "constant" else "input"
            row = {"op": kind, "name": tensor.name, **_typed(tensor)}
            if tensor.name in function.constants:
                row["elements"] = list(function.constants[tensor.name])
            nodes.append(row)
            latest[tensor.name] = len(nodes) - 1, 0
        return list(latest[tensor.name])

    for node in function.nodes:
        inputs = [of(tensor) for tensor in node.inputs]
        outputs = [{"name": t.name, **_typed(t)} for t in node.outputs]
        nodes.append({
            "op": "kernel", "name": node.op, "inputs": inputs, "outputs": outputs,
            "attributes": dict(node.attributes), "macs": node.macs, "line": node.line,
        })  # fmt: skip
        for place, tensor in enumerate(node.outputs):
            latest[tensor.name] = len(nodes) - 1, place
    written = [a.name for a in function.arguments if a.is_written]
    heads = {name: list(latest[name]) for name in written if name in latest}
    table = {"name": function.name, "nodes": nodes, "heads": heads}
    return (json.dumps(table, indent=1) + "\n").encode()


def _typed(tensor: Tensor) -> dict[str, Any]:
    return {"type": tensor.type, "extents": list(tensor.extents)}
