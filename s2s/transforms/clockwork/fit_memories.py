"""The memories of a design as those of a kind that there is (Table 4.6 of Setter's dissertation).

The mapping leaves memories with an address for each word, a port that writes and one that reads.
Loads of the same words are brought together in one tile, which has two ports out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from math import prod
from typing import TYPE_CHECKING

from s2s.analyses.memory_tiles import count_alive, find_conflict, firings, trace_reads
from s2s.scop.netlist import Controller, Memory, Netlist
from s2s.source.records import dataclass
from s2s.transforms.clockwork.errors import MappingError
from s2s.transforms.clockwork.netlist_edits import drivers, rewire, with_instances
from s2s.transforms.clockwork.wide_fetch import shift
from s2s.transforms.clockwork.wide_ports import are_same, widen

if TYPE_CHECKING:
    Address = tuple[int, tuple[int, ...]]

TRACED = 4_000_000
"""Uses of a memory in a run, at most, of which each is followed: else it stays dual-ported."""
OUTPUTS = 2
"""Ports of a tile that read."""


@dataclass(frozen=True)
class MemoryKind:
    """``wide``: an SRAM with one wide port; ``queues``: words come out in their order, without
    addresses, where they are read so; ``words`` of a tile; up to ``small`` words are in registers
    with addresses, of which the array's tiles have none.
    """

    name: str
    about: str
    wide: bool
    queues: bool
    words: int
    small: int = 0


_KINDS = (
    MemoryKind("wide-fetch", "SRAM with one port for four words", True, False, 2048),
    MemoryKind("dual-port", "SRAM with a port to write and one to read", False, False, 2048),
    MemoryKind(
        "ready-valid",
        "queues, else dual-port; words wait for room",
        False,
        True,
        2048,
    ),
    MemoryKind(
        "ponds", "wide-fetch, up to 32 words in the register files of PEs", True, False, 2048, 32
    ),
    MemoryKind(
        "block-ram", "an FPGA's 36 Kb memories, tables for small ones", False, False, 2048, 64
    ),
)
KINDS = {kind.name: kind for kind in _KINDS}

GLOBAL = "_glb_"
"""What the names of buffers in the global buffer have, as Clockwork tells them apart."""


def mode_of(buffer: str) -> str:
    """How a buffer is kept before tiles are chosen."""
    return "global_buffer" if GLOBAL in buffer else "dual_port"


def fit_memories(netlist: Netlist, kind: MemoryKind) -> Netlist:
    """The design with memories of a kind; where it has none that does, they stay dual-ported."""
    instances: dict[str, Memory] = {}
    moved: dict[str, str] = {}
    removed: list[str] = []
    for group in _groups(netlist):
        while group:
            name, *others = group
            one = netlist.instances[name]
            assert isinstance(one, Memory)
            pair = [netlist.instances[other] for other in others[: OUTPUTS - 1]]
            is_small = max(one.capacity, one.modulo or 0) <= kind.small
            both = _together(one, pair, kind) if pair and kind.wide and not is_small else None
            if both is not None:
                instances[name] = both
                moved[f"{others[0]}.out0"] = f"{name}.out1"
                removed.append(others[0])
                group = others[1:]
            else:
                instances[name] = fit_memory(one, kind)
                group = others
    return with_instances(rewire(netlist, moved), instances, removed=removed)


def _groups(netlist: Netlist) -> Iterable[list[str]]:
    """Memories with addresses, those that take the same words together."""
    sources = drivers(netlist)
    found: dict[object, list[str]] = {}
    for name, each in netlist.instances.items():
        if isinstance(each, Memory) and each.mode == "dual_port":
            if each.addressed:
                found[name] = [name]
                continue
            single = len(each.reads) == 1
            key = (sources[f"{name}.in0"], each.writes) if single else name
            found.setdefault(key, []).append(name)
    return found.values()


def _together(one: Memory, others: Sequence[object], kind: MemoryKind) -> Memory | None:
    (other,) = others
    assert isinstance(other, Memory)
    if _uses(one) + _uses(other) > TRACED:
        return None
    wanted = [*trace_reads(one), *trace_reads(other)]
    span = 1 + max(_highest(one), _highest(other))
    both = replace(one, reads=(*one.reads, *other.reads), modulo=span)
    both = replace(both, capacity=count_alive(both, wanted))
    both = replace(both, tiles=-(-both.capacity // kind.words))
    return _widened(both, kind.words) if are_same(trace_reads(both), wanted) else None


def _highest(memory: Memory) -> int:
    return max(int(firings(port).address.max()) for port in (*memory.writes, *memory.reads))


def fit_memory(memory: Memory, kind: MemoryKind) -> Memory:
    """A memory of a kind, in as many tiles as it needs. Raises MappingError where none does.

    Lanes, which differ by the time of their beginning alone, are one question.
    """
    start = _start(memory)
    return shift(_fitted_from_zero(shift(memory, -start), kind), start)


def _start(memory: Memory) -> int:
    return min(each.start for port in (*memory.writes, *memory.reads) for each in port)


@cache
def _fitted_from_zero(memory: Memory, kind: MemoryKind) -> Memory:
    size = max(memory.capacity, memory.modulo or 0)
    memory = replace(memory, tiles=_tiles(memory, kind.words))
    if memory.addressed:
        return memory
    if size <= kind.small:
        return replace(memory, mode="register_file")
    if _uses(memory) > TRACED:
        return memory
    wanted = trace_reads(memory)
    # A queue gives no word before one was written: there is nothing to take.
    if kind.queues and len(memory.reads) == 1 and (wanted[0] >= 0).all():
        queue = replace(memory, mode="fifo", capacity=_held(memory), modulo=None)
        queue = replace(queue, tiles=_tiles(queue, kind.words))
        if are_same(trace_reads(queue), wanted) and find_conflict(queue, kind.words) is None:
            return queue
    if kind.wide:
        wide = _widened(memory, kind.words)
        if wide is not None:
            return wide
    conflict = find_conflict(memory, kind.words)
    if conflict is not None:
        raise MappingError(f"buffer {memory.buffer}: {conflict}")
    return memory


def count_held(memory: Memory) -> int:
    """The most words at a time that its ports give in a later cycle; of a memory whose uses are
    too many to be followed as many as it has places, which is never too few.
    """
    if _uses(memory) > TRACED:
        return memory.modulo or memory.capacity
    return count_alive(memory, trace_reads(memory))


def _uses(memory: Memory) -> int:
    """How often its ports are used in a run."""
    ports = (*memory.writes, *memory.reads)
    return sum(prod(each.extent) for port in ports for each in port)


def _held(memory: Memory) -> int:
    """The most words that are in a queue at a time."""
    import numpy as np

    into = np.sort(firings(memory.writes[0]).cycles)
    out = np.sort(firings(memory.reads[0]).cycles)
    gone = np.searchsorted(out, into, side="right")
    return int((np.arange(1, into.size + 1) - gone).max(initial=1))


def _tiles(memory: Memory, words: int) -> int:
    """How many tiles of so many words it takes."""
    return -(-max(memory.capacity, memory.modulo or 0) // words)


def _widened(memory: Memory, words: int) -> Memory | None:
    """As ``widen``; memories that differ by the time of their beginning alone are one question, and
    so are those whose elements have other numbers: words lie in a tile as they come.
    """
    start = _start(memory)
    all_words = words * memory.tiles
    first = min(_address(each) for port in memory.writes for each in port)
    like = shift(memory, -start).with_controllers(
        lambda each: replace(each, address=_moved(each.address, -first))
    )
    found = _widened_from_zero(replace(like, buffer="", tiles=1), all_words)
    if found is None:
        return None
    found = replace(shift(found, start), buffer=memory.buffer)
    return replace(found, tiles=_tiles(found, words))


def _address(controller: Controller) -> int:
    return controller.address[0] if controller.address else 0


def _moved(address: Address | None, by: int) -> Address | None:
    return address and (address[0] + by, address[1])


@cache
def _widened_from_zero(memory: Memory, words: int) -> Memory | None:
    return widen(memory, trace_reads(memory), words)
