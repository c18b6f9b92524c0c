"""``NAME_handshakes.json``: nodes with their turns, and the queues between them."""

from __future__ import annotations

import json

from s2s.scop.handshakes import Affine, Handshakes, Node, Queue, Turns

Json = dict[str, object]


def print_handshakes(found: Handshakes) -> str:
    """The text of the file, one node or queue in a line."""
    head: Json = {
        "format": 1,
        "name": found.name,
        "memory": f"{found.name}_memory.cpp",
        "compute": f"{found.name}_compute.h",
    }
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
    nodes = [f"    {json.dumps(n)}: {json.dumps(_node(node))}" for n, node in found.nodes.items()]
    lines.append('  "nodes": {\n' + ",\n".join(nodes) + "\n  }")
    queues = [f"    {json.dumps(_queue(queue))}" for queue in found.queues]
    lines.append('  "queues": [\n' + ",\n".join(queues) + "\n  ]")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _node(node: Node) -> Json:
    found: Json = {"type": node.kind}
    if node.buffer:
        found["buffer"] = node.buffer
    if node.latency:
        found["latency"] = node.latency
    return {**found, "turns": [_turns(node.kind, each) for each in node.turns]}


def _turns(kind: str, turns: Turns) -> Json:
    found: Json = {"extent": list(turns.extent), "turn": _counts(turns.turn)}
    if kind == "kernel":
        found |= {"operation": turns.operation, "index": list(map(_counts, turns.index))}
    if kind in ("input", "output"):
        found["element"] = list(map(_counts, turns.element))
    takes = {p: {"from": source, **_counts(word)} for p, (source, word) in turns.takes.items()}
    return {**found, **({"takes": takes} if takes else {})}


def _queue(queue: Queue) -> Json:
    found: Json = {"from": queue.source, "to": queue.target, "port": queue.port}
    found |= {"kind": queue.kind, "capacity": queue.capacity}
    return {**found, **({"tiles": queue.tiles} if queue.tiles else {})}


def _counts(counts: Affine) -> Json:
    return {"start": counts[0], "stride": list(counts[1])}
