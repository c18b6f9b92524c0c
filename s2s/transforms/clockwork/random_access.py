"""Buffers with places that depend on data: whole in memories that take addresses as words.

A tile of such a buffer has all of its words (of as many iterations of the loops around it as are
under way), which every store writes. It gives one word in a cycle: loads in different cycles share
it, others have a copy. Stores whose places do not depend on data share a port, and so do loads.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from math import prod

import islpy as isl

from s2s.analyses.cycles import cycles
from s2s.scop.accelerator import Accelerator
from s2s.scop.cycles import CycleSchedule
from s2s.scop.netlist import Controller, Memory
from s2s.source.records import dataclass
from s2s.transforms.clockwork.accesses import Access, memories
from s2s.transforms.clockwork.addresses import addressed
from s2s.transforms.clockwork.controllers import controller, fit_loops, whole
from s2s.transforms.clockwork.errors import MappingError
from s2s.transforms.clockwork.netlist_builder import NetlistBuilder

PORTS = 2
"""Ports of a tile that write, and as many that read."""


@dataclass
class RandomAccess:
    """A memory, and whose port ``writers[k]`` (all their values) and ``readers[k]`` are."""

    buffer: str
    memory: Memory
    writers: tuple[tuple[Access, ...], ...]
    readers: tuple[tuple[Access, ...], ...]
    name: str = ""
    """The memory's instance."""

    @property
    def words(self) -> Iterable[tuple[str, Access, int]]:
        """For each port for an address's word: the access, and which of its operation's loads."""
        for verb, ports in (("read", self.readers), ("write", self.writers)):
            for port, (access, *_) in enumerate(ports):
                for k, (load, _) in enumerate(access.words):
                    yield f"{verb}{port}_{k}", access, access.operation.loads.index(load)


def random_accesses(accelerator: Accelerator, schedule: CycleSchedule) -> list[RandomAccess]:
    """The memories of all such buffers. Raises MappingError where stores or ports are too many."""
    homes = memories(accelerator)
    found: list[RandomAccess] = []
    for buffer in [name for name in accelerator.tensors if name in accelerator.scattered]:
        if buffer in (*accelerator.inputs, *accelerator.outputs):
            text = f"buffer {buffer}: a stream has no places that depend on data"
            raise MappingError(f"{text}; legal: a buffer that it is copied to or from")
        stores, loads = [], []
        for operation in accelerator.operations:
            start = schedule.starts[operation.name]
            if operation.store.tensor == buffer:
                stores.append(Access(operation, -1, start, homes[buffer]))
            loads += [
                Access(operation, k, start, homes[buffer])
                for k, load in enumerate(operation.loads)
                if load.tensor == buffer
            ]
        found += _memories(buffer, stores, loads)
    return found


def add_random_accesses(
    design: NetlistBuilder, scattered: Sequence[RandomAccess]
) -> dict[tuple[str, int], str]:
    """Add memories with addresses from data; where the loads (operation, number) get words."""
    found: dict[tuple[str, int], str] = {}
    for each in scattered:
        name = design.add(f"{each.buffer}_mem", each.memory)
        each.name = name
        for port, loads in enumerate(each.readers):
            found |= {(a.operation.name, a.number): f"{name}.out{port}" for a in loads}
        for port, stores in enumerate(each.writers):
            wanted: dict[str, tuple[Controller, ...]] = {}
            for store in stores:
                source = f"{design.kernel(store.operation.name)}.out"
                when = controller(store.start, whole(store.start), store.delay)
                wanted[source] = (*wanted.get(source, ()), *fit_loops(when))
            design.connections.append((design.choose(name, wanted), f"{name}.in{port}"))
    return found


def connect_addresses(design: NetlistBuilder, scattered: Sequence[RandomAccess]) -> None:
    """Words of addresses: those that the kernel takes, a store's as late as its value."""
    known = {target: source for source, target in design.connections}
    for each in scattered:
        for port, access, number in each.words:
            operation = access.operation
            place = design.ports(operation).index(number)
            source = known[f"{operation.function}.in{place}"]
            source = design.delayed(source, access.delay, each.buffer, f"{each.buffer}_address")
            design.connections.append((source, f"{each.name}.{port}"))


@dataclass
class _Copy:
    """Loads that share a memory, and the cycles in which they take place."""

    loads: list[Access] = field(default_factory=list)
    times: list[isl.Set] = field(default_factory=list)


def _memories(
    buffer: str, stores: Sequence[Access], loads: Sequence[Access]
) -> Iterable[RandomAccess]:
    times: list[isl.Set] = []
    for store in stores:
        when = _times(store)
        if not all(when.is_disjoint(other) for other in times):
            text = f"buffer {buffer}: two stores in a cycle, one of them at a place that depends on"
            raise MappingError(f"{text} data")
        times.append(when)
    copies: list[_Copy] = []
    for load in loads:
        when = _times(load)
        for copy in copies:
            if all(when.is_disjoint(t) for t in copy.times) and _fits([*copy.loads, load]):
                break
        else:
            copy = _Copy()
            copies.append(copy)
        copy.loads.append(load)
        copy.times.append(when)
    if not _fits(stores):
        raise MappingError(f"buffer {buffer}: more than {PORTS} ports for stores are needed")
    return [_memory(buffer, stores, copy.loads) for copy in copies]


def _times(access: Access) -> isl.Set:
    return cycles(replace(access.start, offset=access.start.offset + access.delay))


def _fits(accesses: Sequence[Access]) -> bool:
    return len(_by_port(accesses)) <= PORTS


def _by_port(accesses: Sequence[Access]) -> tuple[tuple[Access, ...], ...]:
    """A port for each access with words from data, one for all others."""
    plain = tuple(a for a in accesses if not a.words)
    return (*((plain,) if plain else ()), *((a,) for a in accesses if a.words))


def _memory(buffer: str, stores: Sequence[Access], loads: Sequence[Access]) -> RandomAccess:
    writers, readers = _by_port(stores), _by_port(loads)
    home = stores[0].memory
    inner = prod(home.sizes[len(home.outer) :])
    words = inner * (_under_way([*stores, *loads], inner) if home.outer else 1)
    memory = Memory(
        buffer,
        "dual_port",
        words,
        tuple(map(_controllers, writers)),
        tuple(map(_controllers, readers)),
        words,
        read_words=tuple(tuple(factor for _, factor in port[0].words) for port in readers),
        write_words=tuple(tuple(factor for _, factor in port[0].words) for port in writers),
    )
    return RandomAccess(buffer, memory, writers, readers)


def _controllers(port: Sequence[Access]) -> tuple[Controller, ...]:
    return tuple(c for access in port for c in addressed(access, whole(access.start)))


def _under_way(accesses: Sequence[Access], inner: int) -> int:
    """Iterations of the loops around a buffer whose elements are needed at a time, at most."""
    import numpy as np

    touched = [(access.number < 0, access.touched()) for access in accesses]
    count = max(int(each.cells.max()) for _, each in touched) // inner + 1
    first = np.full(count, np.iinfo(np.int64).max)
    last = np.full(count, -1, np.int64)
    for stored, each in touched:
        if stored:
            np.minimum.at(first, each.cells // inner, each.cycles)
        np.maximum.at(last, each.cells // inner, each.cycles)
    gone = np.searchsorted(np.sort(last), np.sort(first), side="right")
    return int((np.arange(1, count + 1) - gone).max())
