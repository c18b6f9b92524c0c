"""``NAME.ub.json``: the unified buffers of a scheduled accelerator, as Table 4.1 lists them."""

from __future__ import annotations

import json
from collections.abc import Sequence

from s2s.scop.accelerator import Accelerator, constant
from s2s.scop.cycles import CycleSchedule, Start
from s2s.scop.unified_buffers import Port, UnifiedBuffer

Json = dict[str, object]


def print_buffers(
    accelerator: Accelerator, schedule: CycleSchedule, buffers: Sequence[UnifiedBuffer]
) -> str:
    """The text of the file, one port in a line."""
    parts = []
    for buffer in buffers:
        tensor = accelerator.tensors[buffer.name]
        head: Json = {
            "width": tensor.types[0].bits,
            "extents": [constant(d.extent) for d in tensor.dimensions[::-1]],
            "stream": _stream(accelerator, buffer.name),
            "capacity": buffer.capacity,
        }
        lines = [f"      {json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
        ports = [
            f"        {json.dumps(_port(port, schedule.starts[port.operation]))}"
            for port in buffer.ports
        ]
        lines.append('      "ports": [\n' + ",\n".join(ports) + "\n      ]")
        parts.append(f"    {json.dumps(buffer.name)}: {{\n" + ",\n".join(lines) + "\n    }")
    first = [
        f'  "format": 1,\n  "name": {json.dumps(accelerator.name)}',
        f'  "rule": {json.dumps(schedule.rule)},\n  "cycles": {schedule.cycles}',
        '  "buffers": {\n' + ",\n".join(parts) + "\n  }",
    ]
    return "{\n" + ",\n".join(first) + "\n}\n"


def _stream(accelerator: Accelerator, name: str) -> str | None:
    if name in accelerator.inputs:
        return "input"
    return "output" if name in accelerator.outputs else None


def _port(port: Port, start: Start) -> Json:
    """A port; ``delay`` is its first cycle; ``strides`` of the loops, outermost first."""
    delay = start.offset + (start.latency if port.direction == "in" else 0)
    return {
        "operation": port.operation,
        "direction": port.direction,
        "domain": str(port.domain),
        "access": str(port.access),
        "schedule": str(port.schedule),
        "delay": delay,
        "strides": list(start.strides),
        "extents": list(start.extents),
    }
