"""A run over time for Chrome's and Perfetto's viewers: a microsecond stands for a cycle."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from s2s.simulators.amber.execute import Execution
from s2s.simulators.amber.netlist import Netlist

LIMIT = 100_000
"""Stretches of time, at most."""


def trace_text(netlist: Netlist, execution: Execution) -> bytes:
    """The trace: a row for each stream, operation and port of a memory, in it when it fires."""
    rows: dict[int, list[str]] = {}
    for row, controller in _rows(netlist):
        rows.setdefault(controller, []).append(row)
    tracks = {row: k for k, row in enumerate(sorted({r for some in rows.values() for r in some}))}
    events: list[dict[str, Any]] = [
        {"ph": "M", "pid": 0, "tid": k, "name": "thread_name", "args": {"name": row}}
        for row, k in tracks.items()
    ]
    for controller, first, last in execution.counted["trace"]:
        events += [
            {"ph": "X", "pid": 0, "tid": tracks[row], "name": row.rsplit(" ", 1)[-1], "ts": first,
             "dur": last - first + 1}
            for row in rows.get(controller, ())
        ]  # fmt: skip
    cut = len(execution.counted["trace"]) >= LIMIT
    more = {"cut_after": execution.counted["trace"][-1][2]} if cut else {}
    return (json.dumps({"traceEvents": events[: 4 * LIMIT], "otherData": more}) + "\n").encode()


def _rows(netlist: Netlist) -> Iterator[tuple[str, int]]:
    """Names of rows with the controllers whose times stand in them."""
    for one in netlist.design.instances.values():
        for operation, controller in one.uses:
            yield f"{one.name} {operation}", netlist.controllers[controller]
        for field, ports in one.controllers.items():
            for k, port in enumerate(ports):
                label = one.name if field == "controller" else f"{one.name} {field}{k}"
                for controller in port:
                    yield label, netlist.controllers[controller]
