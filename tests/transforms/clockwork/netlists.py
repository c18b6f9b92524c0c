"""What a mapped design does, word by word: each operation has to find the words that it names.

A word is the operation and the iteration that made it. Memories, delays and multiplexers are
followed back in time from each port of each kernel.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from itertools import accumulate, product

from s2s.scop.accelerator import Accelerator
from s2s.scop.cycles import CycleSchedule
from s2s.scop.netlist import Controller, Delay, Kernel, Memory, Mux, Netlist, Stream
from tests.transforms.clockwork import brute

Word = tuple[str, int]


def firings(controllers: Sequence[Controller]) -> tuple[tuple[int, int, int], ...]:
    """Cycle, address and second address of each firing."""
    return _firings(tuple(controllers))


@cache
def _firings(controllers: tuple[Controller, ...]) -> tuple[tuple[int, int, int], ...]:
    return tuple(_counted(controllers))


def _counted(controllers: tuple[Controller, ...]) -> Iterator[tuple[int, int, int]]:
    for each in controllers:
        for counters in product(*(range(e) for e in reversed(each.extent))):
            place = counters[::-1]
            at = each.start + sum(s * i for s, i in zip(each.stride, place, strict=True))
            found = [at]
            for address in (each.address, each.second):
                first, strides = address or (0, (0,) * len(place))
                found.append(first + sum(s * i for s, i in zip(strides, place, strict=True)))
            yield found[0], found[1], found[2]


def _elements(stream: Stream) -> Iterator[tuple[int, object]]:
    """What is at a stream's port, by cycle."""
    own = stream.controller
    for counters in product(*(range(e) for e in reversed(own.extent))):
        place = counters[::-1]
        element = tuple(
            start + sum(s * i for s, i in zip(strides, place, strict=True))
            for start, strides in stream.element
        )
        at = own.start + sum(s * i for s, i in zip(own.stride, place, strict=True))
        yield at, ("input", element[::-1])


class Run:
    """A netlist beside its program."""

    def __init__(self, accelerator: Accelerator, schedule: CycleSchedule, netlist: Netlist) -> None:
        self.accelerator, self.netlist = accelerator, netlist
        self.program = brute.steps(accelerator, schedule)
        self.sources = {target: source for source, target in netlist.connections}
        assert len(self.sources) == len(netlist.connections), "a port with two sources"
        self.known: dict[tuple[str, int], object] = {}
        self.fired: dict[tuple[str, int], dict[int, tuple[int, int]]] = {}
        self.streamed: dict[Stream, dict[int, object]] = {}
        self.written: dict[str, dict[int, list[tuple[int, int]]]] = {}

    @cached_property
    def expected(self) -> list[list[Word | None]]:
        """For each iteration the words that its loads name: who made them, in program order."""
        last: dict[tuple[object, ...], Word] = {}
        counts: Counter[str] = Counter()
        found = []
        for step in self.program:
            found.append([last.get(element) for element in step.loads])
            last[step.store] = step.operation, counts[step.operation]
            counts[step.operation] += 1
        return found

    @cached_property
    def made(self) -> dict[str, dict[int, Word]]:
        """For each function the word that is ready in a cycle."""
        counts: Counter[str] = Counter()
        found: dict[str, dict[int, Word]] = {}
        functions = {o.name: o.function for o in self.accelerator.operations}
        for step in self.program:
            words = found.setdefault(functions[step.operation], {})
            assert step.ready not in words, f"{step.operation} is used twice in {step.ready}"
            words[step.ready] = step.operation, counts[step.operation]
            counts[step.operation] += 1
        return found

    def wrong(self) -> Iterator[str]:
        """Ports that give another word than the one that a load names."""
        functions = {o.name: o.function for o in self.accelerator.operations}
        inputs = set(self.accelerator.inputs)
        for step, words in zip(self.program, self.expected, strict=True):
            streamed = [
                (element, word)
                for element, word in zip(step.loads, words, strict=True)
                if element[0] in self.accelerator.tensors
            ]
            for place, (element, word) in enumerate(streamed):
                port = f"{functions[step.operation]}.in{place}"
                got = self.word(self.sources[port], step.cycle)
                right: object = ("input", element[2:]) if element[0] in inputs else word
                if got != right:
                    yield f"{port} in {step.cycle}: {got} in place of {right}"

    def word(self, port: str, cycle: int) -> object:
        key = port, cycle
        if key not in self.known:
            name, end = port.rsplit(".", 1)
            self.known[key] = self._word(name, end, cycle)
        return self.known[key]

    def _word(self, name: str, port: str, cycle: int) -> object:
        instance = self.netlist.instances[name]
        match instance:
            case Kernel(function):
                return self.made[function].get(cycle)
            case Delay(_, cycles):
                return self.word(self.sources[f"{name}.in"], cycle - cycles)
            case Mux(select):
                fire = [k for k, each in enumerate(select) if cycle in self.cycles(name, k, each)]
                assert len(fire) < 2, f"{name} in {cycle}: {fire}"
                fire = fire or [k for k, each in enumerate(select) if not each]
                assert len(fire) < 2, f"{name}: several inputs without controllers"
                return self.word(self.sources[f"{name}.in{fire[0]}"], cycle) if fire else None
            case Stream():
                return self._input(instance, cycle)
            case Memory():
                return self._read(name, instance, int(port.removeprefix("out")), cycle)
        raise AssertionError(instance)

    def cycles(
        self, name: str, port: int, controllers: Sequence[Controller]
    ) -> dict[int, tuple[int, int]]:
        """Address and second address by the cycle of a firing."""
        memo = self.fired
        if (name, port) not in memo:
            every = list(firings(controllers))
            found = {cycle: (address, second) for cycle, address, second in every}
            assert len(found) == len(every), f"{name} fires twice at port {port}"
            memo[name, port] = found
        return memo[name, port]

    def _input(self, stream: Stream, cycle: int) -> object:
        if stream not in self.streamed:
            self.streamed[stream] = dict(_elements(stream))
        return self.streamed[stream].get(cycle)

    def _read(self, name: str, memory: Memory, port: int, cycle: int) -> object:
        found = self.cycles(name, 100 + port, memory.reads[port]).get(cycle)
        if found is None:
            chain = self.sources.get(f"{name}.chain{port}")
            return None if chain is None else self.word(chain, cycle)
        if memory.mode == "fifo":
            return self._queued(name, memory, port, cycle)
        if memory.mode == "sram":
            return self._buffered(name, memory, port, cycle, found[0])
        writes = self.writes(name, memory)
        times = writes.get(found[0] % (memory.modulo or memory.capacity), [])
        last = bisect_left(times, (cycle, -1)) - 1
        if last < 0:
            return None
        at, source = times[last]
        return self.word(self.sources[f"{name}.in{source}"], at)

    def _queued(self, name: str, memory: Memory, port: int, cycle: int) -> object:
        """The oldest word that has not been taken."""
        taken = sum(at < cycle for at in self.cycles(name, 100 + port, memory.reads[port]))
        at = sorted(f[0] for f in firings(memory.writes[0]))[taken]
        assert at < cycle, f"{name} is empty in {cycle}"
        return self.word(self.sources[f"{name}.in0"], at)

    def writes(self, name: str, memory: Memory) -> dict[int, list[tuple[int, int]]]:
        """Cycles and ports of the writes of each word."""
        memo = self.written
        if name not in memo:
            found: dict[int, list[tuple[int, int]]] = {}
            cycles: Counter[int] = Counter()
            for port, controllers in enumerate(memory.writes):
                for cycle, address, _ in firings(controllers):
                    assert memory.modulo or 0 <= address < memory.capacity, f"{name}: {address}"
                    key = address % (memory.modulo or memory.capacity)
                    found.setdefault(key, []).append((cycle, port))
                    cycles[cycle] += 1
            assert memory.mode == "register_file" or max(cycles.values()) == 1, name
            memo[name] = {key: sorted(times) for key, times in found.items()}
        return memo[name]

    def overfull(self) -> Iterator[str]:
        """Memories with addresses of which ports give more words later than they have place for."""
        for name, memory in self.netlist.instances.items():
            if isinstance(memory, Memory) and memory.mode not in ("sram", "fifo"):
                most = self._most_held(name, memory)
                if most > memory.capacity:
                    yield f"{name}: {most} words of {memory.capacity}"

    def _most_held(self, name: str, memory: Memory) -> int:
        """The most words at a time that a port gives in a later cycle."""
        reads: dict[int, list[int]] = {}
        for controllers in memory.reads:
            for cycle, address, _ in firings(controllers):
                reads.setdefault(address % (memory.modulo or memory.capacity), []).append(cycle)
        change: Counter[int] = Counter()
        for place, times in self.writes(name, memory).items():
            ends = [*(at for at, _ in times[1:]), max(reads.get(place, [0]))]
            for (begin, _), end in zip(times, ends, strict=True):
                last = max((at for at in reads.get(place, ()) if at <= end), default=begin)
                change[begin] += 1
                change[max(begin, last)] -= 1
        return max(accumulate(change[cycle] for cycle in sorted(change)))

    def _buffered(self, name: str, memory: Memory, port: int, cycle: int, place: int) -> object:
        """The word at ``place`` of a transpose buffer, by way of SRAM and aggregator."""
        half, word = divmod(place % 8, 4)
        fetch = self._last(memory.from_sram[port], cycle, lambda a, s: s % 2 == half)
        if fetch is None:
            return None
        at, address, _ = fetch
        wide = memory.capacity if memory.modulo is None else memory.modulo
        key = address % (wide // 4)
        found = [
            (moved[0], moved[2] % 2, source)
            for source, controllers in enumerate(memory.to_sram)
            for moved in firings(controllers)
            if moved[0] < at and moved[1] % (wide // 4) == key
        ]
        if not found:
            return None
        when, row, source = max(found)
        put = self._last(memory.writes[source], when, lambda a, s: a % 8 == 4 * row + word)
        return None if put is None else self.word(self.sources[f"{name}.in{source}"], put[0])

    @staticmethod
    def _last(
        controllers: Sequence[Controller], before: int, fits: Callable[[int, int], bool]
    ) -> tuple[int, int, int] | None:
        """The last firing before a cycle whose addresses fit."""
        found = [f for f in firings(controllers) if f[0] < before and fits(f[1], f[2])]
        return max(found, default=None)

    def sram_conflicts(self) -> Iterator[str]:
        """Cycles in which a single-ported SRAM is used twice."""
        for name, memory in self.netlist.instances.items():
            if isinstance(memory, Memory) and memory.mode == "sram":
                used = Counter(
                    cycle
                    for controllers in (*memory.to_sram, *memory.from_sram)
                    for cycle, _, _ in firings(controllers)
                )
                yield from (f"{name} in {cycle}" for cycle, n in used.items() if n > 1)
