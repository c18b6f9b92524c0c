"""When the instructions of a program run: a model of the core's pipes, to compare variants.

Each pipe runs its instructions in order; flags and barriers order them between pipes. Loops are not
run to their end: once two iterations have moved all pipes alike, the others move them as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from itertools import pairwise

from s2s.scop.cce import Call, Loop, Note, Statement
from s2s.source.records import dataclass

Numbers = Mapping[str, float]
"""Numbers of the machine by their names in its file."""

_NAMES = ("S", "V", "M", "MTE1", "MTE2", "MTE3")


@dataclass(frozen=True)
class Cost:
    """Cycles of an instruction; with ``head`` if its pipe was idle, ``tail`` until all is there."""

    pipe: str
    cycles: float
    head: float = 0.0
    tail: float = 0.0


@dataclass
class Pipes:
    """``free``: from when a pipe runs its next instruction; ``done``: when all results are there.

    ``tokens`` are flags that are set, with their times.
    """

    numbers: Numbers
    cost: Callable[[Call], Cost | None]
    free: dict[str, float] = field(default_factory=lambda: dict.fromkeys(_NAMES, 0.0))
    done: dict[str, float] = field(default_factory=lambda: dict.fromkeys(_NAMES, 0.0))
    idle: dict[str, bool] = field(default_factory=lambda: dict.fromkeys(_NAMES, True))
    tokens: dict[tuple[str, ...], float] = field(default_factory=dict)
    compared: bool = False
    """Whether the last vector instruction set CMPMASK, for which a selection waits."""

    @property
    def cycles(self) -> float:
        """When everything is over."""
        return max(*self.free.values(), *self.done.values())

    def run(self, statements: Sequence[Statement]) -> None:
        for statement in statements:
            match statement:
                case Call():
                    self._issue(statement)
                case Loop():
                    self._loop(statement)
                case Note():
                    pass

    # ---- instructions

    def _issue(self, call: Call) -> None:
        self.free["S"] += self.numbers["scalar"]
        words = tuple(str(operand).removeprefix("PIPE_") for operand in call.operands)
        match call.name:
            case "set_flag":
                time = max(self.done[words[0]], self.free[words[0]], self.free["S"])
                self.tokens[words] = time + self.numbers["flag"]
            case "wait_flag":
                self._wait(words[1], self.tokens.pop(words, 0.0))
            case "pipe_barrier":
                self._barrier(words[0])
            case _:
                cost = self.cost(call)
                if cost is None:
                    self.done["S"] = self.free["S"]
                else:
                    self._execute(call, cost)

    def _execute(self, call: Call, cost: Cost) -> None:
        pipe, start = cost.pipe, self.free[cost.pipe]
        if pipe == "V":
            if call.name == "vsel" and self.compared:
                start += self.numbers["cmpmask_stall"]
            self.compared = call.name.startswith("vcmp_")
        if self.free["S"] > start:
            start, self.idle[pipe] = self.free["S"], True
        self.free[pipe] = start + cost.cycles + (cost.head if self.idle[pipe] else 0.0)
        self.done[pipe] = self.free[pipe] + cost.tail
        self.idle[pipe] = False

    def _wait(self, pipe: str, time: float) -> None:
        if time > self.free[pipe]:
            self.free[pipe], self.idle[pipe] = time, True
        self.done[pipe] = max(self.done[pipe], self.free[pipe])

    def _barrier(self, pipe: str) -> None:
        if pipe == "ALL":
            end = self.cycles + self.numbers["barrier"]
            for name in _NAMES:
                self.free[name] = self.done[name] = end
                self.idle[name] = True
        elif pipe == "V":
            self.free[pipe] += self.numbers["barrier_v"]
            self.done[pipe] = max(self.done[pipe], self.free[pipe])
        else:
            self.free[pipe] = max(self.free[pipe], self.done[pipe]) + self.numbers["barrier"]
            self.done[pipe] = self.free[pipe]

    # ---- loops

    def _loop(self, loop: Loop) -> None:
        """All iterations of the block that has the most of them."""
        moved: list[float] = []
        before = self._times()
        for left in range(-(-loop.extent // loop.step) - 1, -1, -1):
            known = tuple(self.idle.values()), tuple(self.tokens)
            self.run(loop.body)
            after = self._times()
            if known != (tuple(self.idle.values()), tuple(self.tokens)):
                moved = []
            else:
                moves = [b - a for a, b in zip(before, after, strict=True)]
                if moved and max(abs(a - b) for a, b in zip(moves, moved, strict=True)) < 1e-6:
                    last = [time + left * by for time, by in zip(after, moves, strict=True)]
                    if _order(after, last):
                        self._set(last)
                        return
                moved = moves
            before = after

    def _times(self) -> list[float]:
        return [*self.free.values(), *self.done.values(), *self.tokens.values()]

    def _set(self, times: Sequence[float]) -> None:
        found = iter(times)
        for each in (self.free, self.done, self.tokens):
            for name in each:
                each[name] = next(found)  # type: ignore[index]


def _order(one: Sequence[float], other: Sequence[float]) -> bool:
    """Whether times that come one after another do so in both."""
    ranked = sorted(range(len(one)), key=lambda k: (one[k], other[k]))
    return all(other[a] <= other[b] + 1e-6 for a, b in pairwise(ranked))
