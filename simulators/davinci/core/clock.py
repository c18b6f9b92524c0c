"""When instructions run: six pipes, each in order, that only flags and barriers order.

The scalar unit issues instructions to the other pipes one after another. A pipe that was idle pays
the head of its next instruction; what an instruction leaves is there when its tail has passed.
"""

from __future__ import annotations

from dataclasses import field

from s2s.simulators.davinci.kinds import PIPES
from s2s.simulators.davinci.machine import Chip
from s2s.source.records import dataclass


@dataclass
class Pipe:
    """``free``: from when the next instruction can run; ``done``: when all results are there.

    ``known``: for each pipe, of which instruction on (by number) it may not be over yet.
    """

    name: str
    free: float = 0.0
    done: float = 0.0
    busy: float = 0.0
    idle: bool = True
    count: int = 0
    known: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PIPES, 0))


@dataclass(frozen=True)
class Token:
    """A flag that is set: when, and what is over by then."""

    time: float
    known: dict[str, int]
    line: int


@dataclass
class Clock:
    """Times of one core in cycles. ``log`` has (pipe, start, end, line) of instructions."""

    chip: Chip
    keep: int = 0
    pipes: dict[str, Pipe] = field(default_factory=lambda: {name: Pipe(name) for name in PIPES})
    tokens: dict[tuple[str, str, int], Token] = field(default_factory=dict)
    by_line: dict[tuple[int, str], list[float]] = field(default_factory=dict)
    log: list[tuple[str, float, float, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.scalar = self.pipes["S"]
        self.issue = self.chip["scalar"]
        self.flag = self.chip["flag"]

    def run(self, name: str, line: int, cost: float, head: float, tail: float) -> None:
        """An instruction of a pipe."""
        scalar = self.scalar
        scalar.free += self.issue
        pipe = self.pipes[name]
        start = pipe.free
        if scalar.free > start:
            start = scalar.free
            pipe.idle = True
        if pipe.idle:
            cost += head
            pipe.idle = False
        pipe.free = end = start + cost
        pipe.done = end + tail
        pipe.busy += cost
        pipe.count += 1
        counted = self.by_line.get((line, name))
        if counted is None:
            self.by_line[line, name] = [1, cost]
        else:
            counted[0] += 1
            counted[1] += cost
        if len(self.log) < self.keep:
            self.log.append((name, start, end, line))

    def stall(self, name: str, cycles: float) -> None:
        """A pipe waits."""
        self.pipes[name].free += cycles

    def work(self, line: int, cycles: float) -> None:
        """The scalar unit is busy itself."""
        start = self.scalar.free
        self.scalar.free = self.scalar.done = start + cycles
        self.scalar.busy += cycles
        self.scalar.count += 1
        counted = self.by_line.setdefault((line, "S"), [0, 0.0])
        counted[0] += 1
        counted[1] += cycles

    def set(self, source: str, target: str, event: int, line: int) -> None:
        """A flag is set when all that was issued to its pipe is over."""
        self.scalar.free += self.issue
        pipe = self.pipes[source]
        known = dict(pipe.known)
        known[source] = pipe.count
        time = max(pipe.done, pipe.free, self.scalar.free)
        self.tokens[source, target, event] = Token(time + self.flag, known, line)

    def wait(self, source: str, target: str, event: int) -> None:
        """A pipe goes on when the flag is there."""
        self.scalar.free += self.issue
        token = self.tokens.pop((source, target, event))
        pipe = self.pipes[target]
        if token.time > pipe.free:
            pipe.free = token.time
            pipe.idle = True
        pipe.done = max(pipe.done, pipe.free)
        self._learn(target, token.known)

    def _learn(self, name: str, known: dict[str, int]) -> None:
        """What a pipe knows to be over; what the scalar unit knows, all know from then on."""
        learning = self.pipes.values() if name == "S" else (self.pipes[name],)
        for pipe in learning:
            for other, count in known.items():
                if count > pipe.known[other]:
                    pipe.known[other] = count

    def barrier(self, name: str) -> None:
        """What comes later in a pipe waits for what came before."""
        self.scalar.free += self.issue
        if name == "ALL":
            self._drain_all()
            return
        pipe = self.pipes[name]
        if name == "V":
            pipe.free += self.chip["barrier_v"]
            pipe.busy += self.chip["barrier_v"]
        else:
            pipe.free = max(pipe.free, pipe.done) + self.chip["barrier"]
        pipe.done = max(pipe.done, pipe.free)
        pipe.known[name] = pipe.count

    def _drain_all(self) -> None:
        end = self._end() + self.chip["barrier"]
        counts = {p.name: p.count for p in self.pipes.values()}
        for pipe in self.pipes.values():
            pipe.free = pipe.done = end
            pipe.idle = True
            pipe.known = dict(counts)

    @property
    def cycles(self) -> float:
        """When everything is over."""
        return self._end()

    def _end(self) -> float:
        return max(max(p.done, p.free) for p in self.pipes.values())
