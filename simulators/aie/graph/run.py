"""Runs a graph: kernels on their tiles, buffers with locks, DMA, streams, cascades, files.

A kernel's call takes its locks, then the cycles of its text (``timing/``), then releases them.
Transfers over a cascade are spread evenly over a call, each waits for its neighbour. Values are
those of the kernels' texts; run-time parameters are there before the first call.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

from s2s.simulators.aie.graph import streams
from s2s.simulators.aie.graph.cores import SUMS, Argument, Core
from s2s.simulators.aie.graph.events import Deadlock, Process, Store, Time
from s2s.simulators.aie.graph.graph import Graph, Outside, Port
from s2s.simulators.aie.graph.streams import Buffers, Way, way
from s2s.simulators.aie.graph.tokens import refusal
from s2s.source import work_done
from s2s.source.records import dataclass

if TYPE_CHECKING:
    from s2s.simulators.aie.timing.machine import Machine


@dataclass
class Usage:
    """A core's cycles: in calls, waiting for locks and for its neighbours."""

    calls: int = 0
    busy: float = 0.0
    locks: float = 0.0
    cascade: float = 0.0


@dataclass
class Ran:
    """``outputs``: bytes by outside port; ``moved``: bytes through each outside port."""

    cycles: float
    usage: dict[str, Usage]
    outputs: dict[str, bytes]
    moved: dict[str, int]


@dataclass(eq=False)
class _Cascade:
    """Transfers between two cores: those that are ready, room for more, and their values."""

    ready: Store
    room: Store
    values: deque[Any] = field(default_factory=deque)


def run(graph: Graph, cores: Mapping[str, Core], machine: Machine, given: Mapping[str, bytes],
        iterations: int) -> Ran:  # fmt: skip
    """Run all calls. ``given`` has the bytes of the input ports. Raises UserError."""
    simulation = _Simulation(graph, cores, machine, iterations)
    with work_done.counted(iterations * len(cores)):
        return simulation.run(given)


class _Simulation:
    def __init__(
        self, graph: Graph, cores: Mapping[str, Core], machine: Machine, iterations: int
    ) -> None:
        self._graph = graph
        self._cores = cores
        self._machine = machine
        self._iterations = iterations
        self._time = Time()
        self._rate = float(machine["array.stream_bytes"])
        self._start = float(machine["array.dma_start"])
        self._buffers: dict[Port, Buffers] = {}
        self._ways: dict[tuple[Port, Port], Way] = {}
        self._cascades: dict[Port, _Cascade] = {}
        self._outputs: defaultdict[str, bytearray] = defaultdict(bytearray)
        self._moved: defaultdict[str, int] = defaultdict(int)
        self.usage = {name: Usage() for name in cores}

    def run(self, given: Mapping[str, bytes]) -> Ran:
        for core in self._cores.values():
            for argument in core.arguments:
                if argument.kind == "buffer":
                    self._buffers[argument.port] = self._buffer(core, argument)
        depth = self._machine.number("array.stream_depth")
        for link in self._graph.links:
            if link.kind == "stream":
                self._ways[link.source, link.target] = way(self._time, depth)
            elif link.kind == "cascade":
                room = float(self._machine["array.cascade_depth"])
                joint = _Cascade(Store(self._time), Store(self._time, room))
                self._cascades[link.source] = self._cascades[link.target] = joint
        self._begin(given)
        try:
            cycles = self._time.run()
        except Deadlock as waiting:
            text = f"the graph stands still: {waiting} wait for each other or for data"
            raise refusal(text, self._graph.name, 1) from None
        outputs = {name: bytes(data) for name, data in self._outputs.items()}
        return Ran(cycles, self.usage, outputs, dict(self._moved))

    def _buffer(self, core: Core, argument: Argument) -> Buffers:
        elements = self._graph.elements[argument.port]
        copies = 1 if argument.port in self._graph.single else 2
        return Buffers(self._time, copies, core.bytes_of(argument.name, elements))

    def _begin(self, given: Mapping[str, bytes]) -> None:
        for outside in self._graph.outside.values():
            if outside.is_input:
                self._feed(outside, given[outside.name])
            else:
                self._drain(outside)
        for port, buffers in self._buffers.items():
            name = ".".join(map(str, port))
            if port[1] == "in":
                self._time.start(name, self._into(port, buffers))
            else:
                ways = [self._ways[port, link.target] for link in self._graph.leaving(port)]
                steps = streams.out_of_memory(
                    buffers, ways, self._iterations, self._rate, self._start
                )
                self._time.start(name, steps)
        for name, core in self._cores.items():
            self._time.start(name, self._calls(core, self.usage[name]))

    def _into(self, port: Port, to: Buffers) -> Process:
        link = self._graph.feeding(port)
        assert link is not None
        one = self._ways[link.source, port]
        return streams.into_memory(one, to, self._iterations, self._rate, self._start)

    def _outside_rate(self, outside: Outside) -> float:
        """Bytes per cycle of the array: the port's own, or what a stream takes."""
        cycles = float(self._machine["array.megahertz"])
        own = outside.bits / 8 * (outside.megahertz or cycles / 2) / cycles
        return min(self._rate, own)

    def _feed(self, outside: Outside, data: bytes) -> None:
        port = (outside.name, "out", 0)
        links = self._graph.leaving(port)
        needed = self._iterations * max((self._buffers[k.target].size for k in links), default=0)
        if len(data) < needed:
            text = f"{outside.file} has {len(data)} bytes, {needed} are needed"
            raise refusal(text, outside.file, 1)
        ways = [self._ways[port, link.target] for link in links]
        self._moved[outside.name] = needed
        steps = streams.sent(ways, data[:needed], self._outside_rate(outside))
        self._time.start(outside.name, steps)

    def _drain(self, outside: Outside) -> None:
        port = (outside.name, "in", 0)
        link = self._graph.feeding(port)
        if link is None:
            return
        size = self._iterations * self._buffers[link.source].size
        self._moved[outside.name] = size
        self._outputs[outside.name] = bytearray()
        one = self._ways[link.source, port]
        rate = self._outside_rate(outside)
        take = self._outputs[outside.name].extend
        self._time.start(outside.name, streams.out_of_array(one, size, rate, take))

    # ------------------------------------------------------------------------------ kernels

    def _calls(self, core: Core, usage: Usage) -> Process:
        lock = float(self._machine["array.lock"])
        buffers = [a for a in core.arguments if a.kind == "buffer"]
        for turn in range(self._iterations):
            since = self._time.now
            for argument in buffers:
                of = self._buffers[argument.port]
                side = of.full if argument.port[1] == "in" else of.empty
                yield (side[turn % of.count], 1.0)
            usage.locks += self._time.now - since
            yield 2 * lock * len(buffers) + float(self._machine["array.call"])
            since = self._time.now
            yield from self._call(core, turn, usage)
            usage.busy += self._time.now - since
            usage.calls += 1
            work_done.advance()
            for argument in buffers:
                of = self._buffers[argument.port]
                side = of.empty if argument.port[1] == "in" else of.full
                side[turn % of.count].add(1)

    def _call(self, core: Core, turn: int, usage: Usage) -> Process:
        """A call's cycles, with a transfer in and out at equal distances."""
        before, after = self._cascade(core, "in"), self._cascade(core, "out")
        sums = None
        if before is not None:
            yield (before.ready, 1.0)
            sums = before.values.popleft()
        inputs, outputs = self._arrays(core, turn)
        left, sent = core.call(inputs, sums)
        for argument in outputs:
            of = self._buffers[argument.port]
            of.contents[turn % of.count] = left[argument.name][: of.size].ljust(of.size, b"\0")
        cycles = core.cycles(self._graph, turn)
        if before is None and after is None:
            yield cycles
            return
        taken = len(sums) // SUMS if sums is not None else 0
        given = len(sent) // SUMS if after is not None and sent is not None else 0
        if after is not None:
            after.values.append(sent)
        yield from self._transfers(before, after, (taken, given), cycles, usage)

    def _transfers(
        self, before: _Cascade | None, after: _Cascade | None, counts: tuple[int, int],
        cycles: float, usage: Usage,
    ) -> Process:  # fmt: skip
        taken, given = counts
        count = max(taken, given, 1)
        for number in range(count):
            since = self._time.now
            if before is not None:
                if number:
                    yield (before.ready, 1.0)
                before.room.add(1)
            yield cycles / count
            if after is not None:
                yield (after.room, 1.0)
                after.ready.add(1)
            usage.cascade += self._time.now - since - cycles / count

    def _cascade(self, core: Core, side: str) -> _Cascade | None:
        for argument in core.arguments:
            if argument.kind == "cascade" and argument.port[1] == side:
                return self._cascades.get(argument.port)
        return None

    def _arrays(self, core: Core, turn: int) -> tuple[dict[str, bytes], list[Argument]]:
        inputs, outputs = {}, []
        for argument in core.arguments:
            if argument.kind == "buffer" and argument.port[1] == "in":
                of = self._buffers[argument.port]
                inputs[argument.name] = of.contents[turn % of.count]
            elif argument.kind == "buffer":
                outputs.append(argument)
        return inputs, outputs
