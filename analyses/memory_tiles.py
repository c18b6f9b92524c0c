"""What memory tiles give: which written word each read gets, and uses that are in each other's way.

Cycles and addresses of all firings are counted out. A word that is written in a cycle is there in
later ones; in a tile with a wide port it goes from the aggregator to the SRAM, from there to the
transpose buffer, and out, each in a later cycle than the step before (docs/clockwork.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from s2s.scop.netlist import Controller, Memory
from s2s.source.records import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

FETCH = 4
"""Words of a fetch."""
HALVES = 2
"""Fetches of an aggregator or a transpose buffer."""
LOOPS = 6
"""Loops that an address generator counts."""


@dataclass(frozen=True)
class Firings:
    """Cycles of a port with its addresses, in the order of its controllers' loops."""

    cycles: Numbers
    address: Numbers
    second: Numbers


def firings(controllers: Sequence[Controller]) -> Firings:
    """All firings of a port."""
    import numpy as np

    parts = []
    for each in controllers:
        columns = [(each.start, each.stride)]
        for address in (each.address, each.second):
            columns.append(address or (0, (0,) * len(each.extent)))
        parts.append([count_firings(start, each.extent, stride) for start, stride in columns])
    if not parts:
        none = np.zeros(0, np.int64)
        return Firings(none, none, none)
    return Firings(*(np.concatenate([part[k] for part in parts]) for k in range(3)))


def count_firings(start: int, extent: Sequence[int], stride: Sequence[int]) -> Numbers:
    """The values of a start and strides in all iterations of loops, the innermost fastest."""
    import numpy as np

    found = np.array([start], np.int64)
    for count, step in zip(reversed(extent), reversed(stride), strict=True):
        found = (found[:, None] + step * np.arange(count)).ravel()
    return found


def trace_reads(memory: Memory) -> list[Numbers]:
    """For each reading port the number of the write whose word each of its firings gives.

    Writes are counted port after port, in the order of their controllers; -1 where nothing was
    written.
    """
    if memory.mode == "fifo":
        return _trace_queue(memory)
    if memory.mode == "sram":
        return _trace_wide(memory)
    size = memory.capacity if memory.modulo is None else memory.modulo
    keys, cycles = _merged([firings(port) for port in memory.writes], size)
    found = []
    for port in memory.reads:
        read = firings(port)
        found.append(_last_before(keys, cycles, read.address % size, read.cycles))
    return found


def beginning(memory: Memory, cycle: int) -> Memory:
    """The memory with its firings up to a cycle, and perhaps some later ones, as cheap to follow
    as they are few: what goes wrong until then goes wrong in the whole run.
    """
    return memory.with_controllers(lambda each: _clipped(each, cycle))


def _clipped(controller: Controller, cycle: int) -> Controller:
    """Without the iterations of outer loops that begin after a cycle."""
    extent = list(controller.extent)
    left = max(0, cycle - controller.start)
    for k in reversed(range(len(extent))):
        stride = controller.stride[k]
        extent[k] = min(extent[k], left // stride + 1) if stride > 0 else extent[k]
        if extent[k] > 1:
            break
    return replace(controller, extent=tuple(extent))


def trace_until(memory: Memory, cycle: int) -> list[Numbers]:
    """For each reading port what its firings up to a cycle give, as times and ports of writes
    (-1 where nothing was written); ports have one controller each.
    """
    import numpy as np

    early = beginning(memory, cycle)
    count = len(early.writes)
    writes = [firings(port).cycles * count + k for k, port in enumerate(early.writes)]
    written = np.append(np.concatenate(writes), -1)
    given = trace_reads(early)
    times = [firings(port).cycles for port in early.reads]
    return [written[g[t <= cycle]] for g, t in zip(given, times, strict=True)]


def fetched_from(memory: Memory, port: int, cycle: int) -> Numbers:
    """For each firing of a reading port of a wide tile up to a cycle from which word of the SRAM
    what it gives was fetched, -1 where nothing was; one controller for each port, no modulo.
    """
    import numpy as np

    early = beginning(memory, cycle)
    read, move = firings(early.reads[port]), firings(early.from_sram[port])
    place = read.address % (FETCH * HALVES)
    last = _last_before(move.second % HALVES, move.cycles, place // FETCH, read.cycles)
    words = np.where(last < 0, -1, move.address[last] * FETCH + place % FETCH)
    return words[read.cycles <= cycle]


def count_alive(memory: Memory, given: Sequence[Numbers]) -> int:
    """The most words that wait for a reading in a later cycle; ``given`` as of ``trace_reads``."""
    import numpy as np

    born = np.concatenate([firings(port).cycles for port in memory.writes])
    last = np.full(born.size, -1, np.int64)
    for port, numbers in zip(memory.reads, given, strict=True):
        known = numbers >= 0
        np.maximum.at(last, numbers[known], firings(port).cycles[known])
    alive = last > born
    births, deaths = np.sort(born[alive]), np.sort(last[alive])
    gone = np.searchsorted(deaths, births, side="right")
    return int((np.arange(1, births.size + 1) - gone).max(initial=0))


def _trace_queue(memory: Memory) -> list[Numbers]:
    import numpy as np

    cycles = np.concatenate([firings(port).cycles for port in memory.writes])
    order = np.argsort(cycles, kind="stable")
    found = []
    for port in memory.reads:
        read = firings(port).cycles
        place = np.argsort(np.argsort(read, kind="stable"), kind="stable")
        known = place < order.size
        numbers = np.full(read.size, -1)
        numbers[known] = order[place[known]]
        late = known & (cycles[numbers] >= read)
        numbers[late] = -1
        found.append(numbers)
    return found


def _trace_wide(memory: Memory) -> list[Numbers]:
    """As ``trace_reads``, by way of aggregators, SRAM and transpose buffers."""
    import numpy as np

    size = (memory.capacity if memory.modulo is None else memory.modulo) // FETCH
    size = max(size, 1)
    words, moved, places = [], [], []
    base = 0
    for port, moves in zip(memory.writes, memory.to_sram, strict=True):
        write, move = firings(port), firings(moves)
        slots = (move.second % HALVES)[:, None] * FETCH + np.arange(FETCH)
        found = _last_before(
            write.address % (FETCH * HALVES),
            write.cycles,
            slots.ravel(),
            np.repeat(move.cycles, FETCH),
        )
        words.append(np.where(found < 0, -1, found + base).reshape(-1, FETCH))
        moved.append(move.cycles)
        places.append(move.address % size)
        base += write.cycles.size
    fetched, cycles, keys = np.concatenate(words), np.concatenate(moved), np.concatenate(places)
    given = []
    for port, moves in zip(memory.reads, memory.from_sram, strict=True):
        read, move = firings(port), firings(moves)
        source = _last_before(keys, cycles, move.address % size, move.cycles)
        place = read.address % (FETCH * HALVES)
        last = _last_before(move.second % HALVES, move.cycles, place // FETCH, read.cycles)
        fetch = np.where(last < 0, -1, source[last])
        given.append(np.where(fetch < 0, -1, fetched[fetch, place % FETCH]))
    return given


def _merged(ports: Sequence[Firings], size: int) -> tuple[Numbers, Numbers]:
    import numpy as np

    keys = np.concatenate([port.address % size for port in ports])
    return keys, np.concatenate([port.cycles for port in ports])


def _last_before(keys: Numbers, cycles: Numbers, wanted: Numbers, when: Numbers) -> Numbers:
    """The place of the last event with a key before a cycle, -1 where there is none."""
    import numpy as np

    if keys.size == 0:
        return np.full(wanted.size, -1)
    span = int(max(cycles.max(), when.max(initial=0))) + 2
    order = np.argsort(keys * span + cycles, kind="stable")
    sorted_keys = (keys * span + cycles)[order]
    place = np.searchsorted(sorted_keys, wanted * span + when, side="left") - 1
    found = order[np.maximum(place, 0)]
    return np.where((place >= 0) & (keys[found] == wanted), found, -1)


def find_conflict(memory: Memory, words: int) -> str | None:
    """Why tiles of so many words cannot do what their controllers ask for; None where they can."""
    words *= memory.tiles
    size = memory.capacity if memory.modulo is None else max(memory.modulo, memory.capacity)
    if memory.mode != "register_file" and size > words:
        return f"{size} words, a tile has {words}"
    groups = [*memory.writes, *memory.reads, *memory.to_sram, *memory.from_sram]
    if any(len(each.extent) > LOOPS for group in groups for each in group):
        return f"more than {LOOPS} loops"
    if any(each.start < 0 for group in groups for each in group):
        return "a cycle before the first"
    for group in groups:
        if _twice([group]):
            return "a port is used twice in a cycle"
    if memory.mode == "dual_port" and (_twice(memory.writes) or _twice(memory.reads)):
        return "two words are written or read in a cycle"
    if memory.mode == "sram" and _twice([*memory.to_sram, *memory.from_sram]):
        return "the SRAM is used twice in a cycle"
    if memory.modulo is None:
        return _outside(memory)
    return None


def _twice(groups: Sequence[Sequence[Controller]]) -> bool:
    import numpy as np

    if not groups or (len(groups) == 1 and len(groups[0]) == 1 and _increasing(groups[0][0])):
        return False
    cycles = np.sort(np.concatenate([firings(group).cycles for group in groups]))
    return bool(np.any(cycles[1:] == cycles[:-1]))


def _increasing(controller: Controller) -> bool:
    """Whether each iteration comes after those before it, by the strides alone."""
    span = 0
    for extent, stride in zip(controller.extent, controller.stride, strict=True):
        if extent > 1 and stride <= span:
            return False
        span += (extent - 1) * stride
    return True


def _outside(memory: Memory) -> str | None:
    wide = memory.mode == "sram"
    size = -(-memory.capacity // FETCH) if wide else memory.capacity
    if memory.mode == "fifo":
        return None
    moving = (*memory.to_sram, *memory.from_sram) if wide else (*memory.writes, *memory.reads)
    for group in moving:
        address = firings(group).address
        if address.size and (address.min() < 0 or address.max() >= size):
            return f"addresses from {address.min()} to {address.max()}, there are {size}"
    return None
