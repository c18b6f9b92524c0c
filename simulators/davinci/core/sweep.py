"""The clock of several settings of a machine's numbers at once.

What instructions do to memory does not depend on the machine's times, so one run of a kernel tells
how long it takes with each of many settings: times are arrays, an element for each.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2s.simulators.davinci.core.clock import Clock, Token
from s2s.source.records import dataclass


@dataclass
class Sweep(Clock):
    """Numbers of the machine, times of pipes and flags are arrays; nothing is counted by line."""

    def run(self, name: str, line: int, cost: Any, head: Any, tail: Any) -> None:
        scalar, pipe = self.scalar, self.pipes[name]
        scalar.free = scalar.free + self.issue
        idle = np.logical_or(scalar.free > pipe.free, pipe.idle)
        pipe.free = np.maximum(pipe.free, scalar.free) + cost + np.where(idle, head, 0.0)
        pipe.done = pipe.free + tail
        pipe.idle = False
        pipe.count += 1

    def stall(self, name: str, cycles: Any) -> None:
        pipe = self.pipes[name]
        pipe.free = pipe.free + cycles

    def set(self, source: str, target: str, event: int, line: int) -> None:
        self.scalar.free = self.scalar.free + self.issue
        pipe = self.pipes[source]
        time: Any = np.maximum(np.maximum(pipe.done, pipe.free), self.scalar.free)
        known = {**pipe.known, source: pipe.count}
        self.tokens[source, target, event] = Token(time + self.flag, known, line)

    def wait(self, source: str, target: str, event: int) -> None:
        self.scalar.free = self.scalar.free + self.issue
        token, pipe = self.tokens.pop((source, target, event)), self.pipes[target]
        idle: Any = np.logical_or(token.time > pipe.free, pipe.idle)
        pipe.idle = idle
        pipe.free = np.maximum(pipe.free, token.time)
        pipe.done = np.maximum(pipe.done, pipe.free)
        self._learn(target, token.known)

    def barrier(self, name: str) -> None:
        self.scalar.free = self.scalar.free + self.issue
        if name == "ALL":
            self._drain_all()
            return
        pipe = self.pipes[name]
        if name == "V":
            pipe.free = pipe.free + self.chip["barrier_v"]
        else:
            pipe.free = np.maximum(pipe.free, pipe.done) + self.chip["barrier"]
        pipe.done = np.maximum(pipe.done, pipe.free)
        pipe.known[name] = pipe.count

    def _end(self) -> Any:
        times = [np.maximum(p.done, p.free) for p in self.pipes.values()]
        return np.maximum.reduce(np.broadcast_arrays(*times))
