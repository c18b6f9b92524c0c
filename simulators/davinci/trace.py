"""A run over time for Chrome's and Perfetto's viewers: a microsecond stands for a cycle."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from s2s.simulators.davinci.kinds import PIPES

if TYPE_CHECKING:
    from s2s.simulators.davinci.core.clock import Clock

LIMIT = 100_000
"""Instructions, at most."""


def trace_text(clock: Clock, source: Sequence[str]) -> bytes:
    """The first block's instructions, a row for each pipe."""
    events: list[dict[str, Any]] = [
        {"ph": "M", "pid": 0, "tid": k, "name": "thread_name", "args": {"name": f"pipe {name}"}}
        for k, name in enumerate(PIPES)
    ]
    for pipe, start, end, line in clock.log:
        text = source[line - 1].strip() if line <= len(source) else ""
        events.append(
            {"ph": "X", "pid": 0, "tid": PIPES.index(pipe), "name": text.split("(")[0][:40],
             "ts": start, "dur": end - start, "args": {"line": line, "text": text[:120]}}
        )  # fmt: skip
    more = {"cut_after": clock.log[-1][2]} if len(clock.log) >= LIMIT else {}
    return (json.dumps({"traceEvents": events, "otherData": more}) + "\n").encode()
