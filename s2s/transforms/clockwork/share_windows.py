"""Loads of a window from memories with addresses: one memory for a row of it, and registers.

::

    memory a[x], memory a[x + 1], memory a[x + 2]
    ->
    memory a[x + 2], which begins two words earlier; a register for a[x + 1], one more for a[x]

Streams with a constant delay have that anyway; this is for windows of values that are loaded in
another order, or at other intervals, than they are made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from s2s.analyses.memory_tiles import count_alive, firings, trace_reads
from s2s.scop.netlist import Controller, Delay, Memory, Netlist
from s2s.source.records import dataclass
from s2s.transforms.clockwork.netlist_edits import drivers, fresh, rewire, with_instances

if TYPE_CHECKING:
    from s2s.analyses.memory_tiles import Numbers

_REGISTERS = 10
"""Registers that take the place of a memory."""
_GAP = 2
"""Iterations between neighbours of a window."""


@dataclass(frozen=True)
class _Window:
    """Memories whose reads are ``steps`` iterations of the innermost loop ahead of the first's."""

    names: tuple[str, ...]
    steps: tuple[int, ...]


def share_windows(netlist: Netlist) -> Netlist:
    """The design with one memory for the words that a window has from each row."""
    for window in list(_windows(netlist)):
        memory = _read_ahead(netlist, window)
        if memory is not None:
            netlist = _replaced(netlist, window, memory)
    return netlist


def _windows(netlist: Netlist) -> Iterator[_Window]:
    """Memories of the same words whose reads differ by iterations of the innermost loop."""
    sources = drivers(netlist)
    groups: dict[object, list[tuple[int, str]]] = {}
    for name, each in netlist.instances.items():
        if isinstance(each, Memory) and _is_plain(each):
            (read,), (write,) = each.reads[0], each.writes[0]
            start, strides = read.address or (0, ())
            if read.extent and read.extent[0] > 1 and strides[0] > 0:
                alike = replace(read, address=(start % strides[0], strides))
                steps = write.stride, write.address and write.address[1]
                key = sources[f"{name}.in0"], steps, alike
                groups.setdefault(key, []).append((start // strides[0], name))
    for group in groups.values():
        yield from _rows(netlist, sorted(group))


def _is_plain(memory: Memory) -> bool:
    """Whether it has one port for writing, one for reading, and one controller for each."""
    if (
        memory.addressed
        or memory.mode != "dual_port"
        or len(memory.reads) != 1
        or len(memory.writes) != 1
    ):
        return False
    return len(memory.writes[0]) == len(memory.reads[0]) == 1


def _rows(netlist: Netlist, group: Sequence[tuple[int, str]]) -> Iterator[_Window]:
    """Neighbours that registers can bridge."""
    row: list[tuple[int, str]] = []
    for place, name in group:
        memory = netlist.instances[name]
        assert isinstance(memory, Memory)
        reach = _REGISTERS // memory.reads[0][0].stride[0]
        if row and (place - row[0][0] > reach or place - row[-1][0] > _GAP):
            yield _window(row)
            row = []
        row.append((place, name))
    yield _window(row)


def _window(row: Sequence[tuple[int, str]]) -> _Window:
    places, names = zip(*row, strict=True)
    return _Window(names, tuple(place - places[0] for place in places))


def _read_ahead(netlist: Netlist, window: _Window) -> Memory | None:
    """A memory that reads the row's last word, and early enough for registers to have the others.

    None where it would have to begin a row before it has ended the one before, or does not give
    the same words.
    """
    import numpy as np

    ahead = window.steps[-1]
    memories = [m for name in window.names if isinstance(m := netlist.instances[name], Memory)]
    read = _longer(memories[0].reads[0][0], ahead)
    write = _union([memory.writes[0][0] for memory in memories])
    if ahead == 0 or read is None or write is None:
        return None
    span = 1 + max(int(firings([c]).address.max()) for c in (read, write))
    wanted = [_born(memory, trace_reads(memory)[0]) for memory in memories]
    count = read.extent[0] - ahead
    for modulo in (max(memory.modulo or memory.capacity for memory in memories), span):
        found = replace(memories[0], writes=((write,),), reads=((read,),), modulo=modulo)
        given = trace_reads(found)[0]
        born = _born(found, given).reshape(-1, read.extent[0])
        parts = [born[:, step : step + count].ravel() for step in window.steps]
        if all(np.array_equal(a, b) for a, b in zip(parts, wanted, strict=True)):
            return replace(found, capacity=max(1, count_alive(found, [given])))
    return None


def _born(memory: Memory, given: Numbers) -> Numbers:
    """The cycles in which words that are given were written, -1 where none was."""
    import numpy as np

    cycles = firings(memory.writes[0]).cycles
    return np.where(given < 0, -1, cycles[given])


def _union(writes: Sequence[Controller]) -> Controller | None:
    """All firings of controllers with equal strides, as one; None where they have no such."""
    first = min(writes, key=lambda each: each.start)
    base = first.address[0] if first.address else 0
    extent = list(first.extent)
    for each in writes:
        offset, places = each.start - first.start, each.address
        assert places is not None
        address = places[0] - base
        for k in reversed(range(len(extent))):
            step, offset = divmod(offset, each.stride[k])
            address -= step * places[1][k]
            extent[k] = max(extent[k], step + each.extent[k])
        if offset or address:
            return None
    span = 0
    for count, stride in zip(extent, first.stride, strict=True):
        if stride <= span:
            return None
        span += (count - 1) * stride
    return replace(first, extent=tuple(extent))


def _longer(read: Controller, ahead: int) -> Controller | None:
    """The same reads after so many more iterations of the innermost loop."""
    start = read.start - ahead * read.stride[0]
    extent = read.extent[0] + ahead
    inner = (extent - 1) * read.stride[0]
    if start < 0 or (len(read.stride) > 1 and read.stride[1] <= inner):
        return None
    return replace(read, start=start, extent=(extent, *read.extent[1:]))


def _replaced(netlist: Netlist, window: _Window, memory: Memory) -> Netlist:
    name, *others = window.names
    (read,) = memory.reads[0]
    source, before = f"{name}.out0", 0
    taps: dict[str, str] = {}
    links = []
    instances: dict[str, Memory | Delay] = {name: memory}
    for other, step in zip(reversed(window.names), reversed(window.steps), strict=True):
        while before < (window.steps[-1] - step) * read.stride[0]:
            register = fresh(netlist, f"{memory.buffer}_reg")
            netlist = with_instances(netlist, {register: Delay(memory.buffer)})
            links.append((source, f"{register}.in"))
            source, before = f"{register}.out", before + 1
        taps[other] = source
    # What took the first one's word takes it from a register now, and this from that memory.
    netlist = rewire(netlist, {f"{n}.out0": f"{n}/tap" for n in window.names})
    netlist = rewire(netlist, {f"{n}/tap": taps[n] for n in window.names})
    return with_instances(netlist, instances, links, others)
