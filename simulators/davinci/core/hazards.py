"""Whether two pipes touch the same bytes without a flag between them.

An access is over for another pipe when that pipe has waited for a flag that was set after it, or a
barrier of all pipes came between. Accesses that are over for all pipes that the program uses are
forgotten.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import field
from typing import Any, NamedTuple

import numpy as np

from s2s.simulators.davinci.core.clock import Clock
from s2s.simulators.davinci.core.findings import Findings
from s2s.simulators.davinci.kinds import MEMORY_NAMES
from s2s.source.records import dataclass


class Access(NamedTuple):
    """An instruction's bytes of a memory, from ``low`` to ``high``.

    ``blocks``: which 32-byte blocks of it, counted from ``first``; None for all.
    """

    number: int
    space: str
    low: int
    high: int
    writes: bool
    line: int
    first: int
    blocks: Any


def _all_blocks(access: Access) -> Any:
    if access.blocks is None:
        return np.arange(access.low // 32, (access.high + 31) // 32)
    return access.blocks + access.first


def _meet(one: Access, other: Access) -> bool:
    """Whether both touch a block of 32 bytes."""
    if one.blocks is None and other.blocks is None:
        return True
    return bool(np.intersect1d(_all_blocks(one), _all_blocks(other)).size)


@dataclass
class Hazards:
    """Accesses that are not over yet for all, by pipe."""

    clock: Clock
    findings: Findings
    used: tuple[str, ...]
    open: dict[str, deque[Access]] = field(default_factory=dict)
    others: dict[str, list[tuple[str, deque[Access]]]] = field(default_factory=dict)

    def use(self, pipes: Sequence[str]) -> None:
        """Which pipes the program has instructions for."""
        self.used = tuple(pipes)
        self.open = {name: deque() for name in self.used}
        # The scalar unit has done with what it touches before it issues the next instruction.
        self.others = {
            name: [(q, a) for q, a in self.open.items() if q not in (name, "S")]
            for name in self.used
        }

    def touch(
        self,
        pipe: str,
        space: str,
        low: int,
        high: int,
        writes: bool,
        line: int,
        first: int = 0,
        blocks: Any = None,
    ) -> None:
        """An access of the instruction that is issued next to a pipe."""
        self_pipe = self.clock.pipes[pipe]
        mine = Access(self_pipe.count, space, low, high, writes, line, first, blocks)
        for name, accesses in self.others[pipe]:
            if accesses and accesses[-1].number >= self_pipe.known[name]:
                self._compare(pipe, mine, name, accesses, self_pipe.known[name])
        self.open[pipe].append(mine)

    def _compare(
        self, pipe: str, mine: Access, name: str, others: deque[Access], known: int
    ) -> None:
        for other in reversed(others):
            if other.number < known:
                break
            if (
                other.space == mine.space
                and (other.writes or mine.writes)
                and other.low < mine.high
                and mine.low < other.high
                and _meet(mine, other)
            ):
                what = "reads" if not mine.writes else "overwrites" if other.writes else "writes"
                did = "writes" if other.writes else "reads"
                self.findings.say(
                    "race",
                    mine.line,
                    f"pipe {pipe} {what} bytes {mine.low} to {mine.high - 1} of "
                    f"{MEMORY_NAMES[mine.space]} that pipe {name} {did} in line {other.line}, "
                    f"with no flag from {name} to {pipe} between them",
                )
                return

    def forget(self) -> None:
        """Drop what is over for all pipes."""
        pipes = self.clock.pipes
        for name, accesses in self.open.items():
            over = min(
                (pipes[q].known[name] for q in self.used if q not in (name, "S")),
                default=pipes[name].count,
            )
            while accesses and accesses[0].number < over:
                accesses.popleft()
