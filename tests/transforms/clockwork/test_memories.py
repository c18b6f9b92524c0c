"""Memories of each kind give the words of the memory with addresses that they stand for.

What a tile does is executed here cycle by cycle, with one dictionary for each of its parts.
"""

from __future__ import annotations

from collections import deque

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s.analyses.memory_tiles import count_alive, find_conflict, trace_reads, trace_until
from s2s.scop.netlist import Controller, Memory
from s2s.transforms.clockwork import wide_ports
from s2s.transforms.clockwork.errors import MappingError
from s2s.transforms.clockwork.fit_memories import KINDS, fit_memory
from s2s.transforms.clockwork.pack_tiles import _combined, _places
from s2s.transforms.clockwork.wide_fetch import comes_too_late
from tests.transforms.clockwork.netlists import firings


def execute(memory: Memory) -> list[list[int]]:
    """For each reading port the numbers of the writes whose words it gives, in its order."""
    numbers: dict[tuple[int, int], int] = {}
    for port, controllers in enumerate(memory.writes):
        for at, _, _ in firings(controllers):
            numbers[port, at] = len(numbers)
    groups = {
        "in": memory.writes, "out": memory.reads, "to": memory.to_sram, "from": memory.from_sram,
    }  # fmt: skip
    events: dict[int, list[tuple[str, int, int, int]]] = {}
    for kind, ports in groups.items():
        for port, controllers in enumerate(ports):
            for at, address, second in firings(controllers):
                events.setdefault(at, []).append((kind, port, address, second))
    tile = _Tile(memory)
    for at in sorted(events):
        tile.step(at, events[at], numbers)
    found = []
    for port, controllers in enumerate(memory.reads):
        found.append([tile.given[port, at] for at, _, _ in firings(controllers)])
    return found


class _Tile:
    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.size = memory.modulo or memory.capacity
        self.words: dict[int, int] = {}
        self.aggregator: dict[tuple[int, int], int] = {}
        self.transpose: dict[tuple[int, int], int] = {}
        self.queue: deque[int] = deque()
        self.given: dict[tuple[int, int], int] = {}

    def step(
        self,
        at: int,
        events: list[tuple[str, int, int, int]],
        numbers: dict[tuple[int, int], int],
    ) -> None:
        """Words come out, then move, those furthest on first."""
        order = {"out": 0, "from": 1, "to": 2, "in": 3}
        moving = [kind for kind, *_ in events if kind in ("from", "to")]
        assert len(moving) < 2, f"the SRAM is used twice in {at}"
        for kind, port, address, second in sorted(events, key=lambda event: order[event[0]]):
            if kind == "out":
                self.given[port, at] = self.read(port, address)
            elif kind == "in":
                self.write(port, address, numbers[port, at])
            else:
                self.move(kind, port, address % (self.size // 4), second % 2)

    def read(self, port: int, address: int) -> int:
        if self.memory.mode == "fifo":
            return self.queue.popleft() if self.queue else -1
        if self.memory.mode == "sram":
            return self.transpose.get((port, address % 8), -1)
        return self.words.get(address % self.size, -1)

    def write(self, port: int, address: int, number: int) -> None:
        if self.memory.mode == "fifo":
            self.queue.append(number)
            assert len(self.queue) <= self.memory.capacity
        elif self.memory.mode == "sram":
            self.aggregator[port, address % 8] = number
        else:
            self.words[address % self.size] = number

    def move(self, kind: str, port: int, fetch: int, half: int) -> None:
        for word in range(4):
            sram, buffered = 4 * fetch + word, (port, 4 * half + word)
            if kind == "to":
                self.words[sram] = self.aggregator.get(buffered, -1)
            else:
                self.transpose[buffered] = self.words.get(sram, -1)


def memory(writes: Controller, *reads: Controller, modulo: int = 128) -> Memory:
    return Memory("b", "dual_port", modulo, ((writes,),), tuple((r,) for r in reads), modulo)


ROWS = Controller((16, 8), (1, 16), 0, (0, (1, 16)))


@pytest.mark.parametrize(
    ("read", "mode"),
    [
        (Controller((16, 8), (1, 16), 20, (0, (1, 16))), "sram"),  # a row later
        (Controller((2, 16, 8), (1, 2, 32), 200, (0, (0, 1, 16))), "sram"),  # each word twice
        (Controller((16, 2, 8), (1, 16, 32), 200, (0, (1, 0, 16))), "sram"),  # each row twice
        (Controller((8, 8), (2, 16), 200, (1, (2, 16))), "sram"),  # each second word
        (Controller((8, 16), (2, 16), 200, (0, (16, 1))), "sram"),  # columns
        (Controller((16, 4), (1, 16), 200, (0, (1, 32))), "sram"),  # each second row
        (Controller((16, 8), (1, 16), 2, (0, (1, 16))), "dual_port"),  # too early for a fetch
        (Controller((3, 14, 8), (1, 3, 42), 200, (0, (1, 1, 16))), "dual_port"),  # windows
    ],
)  # fmt: skip
def test_wide_fetches_for_ways_to_read(read: Controller, mode: str) -> None:
    one = memory(ROWS, read)
    fitted = fit_memory(one, KINDS["wide-fetch"])
    assert fitted.mode == mode
    assert execute(fitted) == execute(one)


@st.composite
def nests(draw: st.DrawFn) -> Memory:
    """Words written row by row or column by column, now and then with gaps, and read otherwise."""
    rank = draw(st.integers(1, 4))
    sizes = [draw(st.integers(1, 6)) for _ in range(rank - 1)] + [draw(st.integers(2, 9))]
    places = [1]
    for size in reversed(sizes[1:]):
        places.insert(0, places[0] * size)
    write = draw(_walks(sizes, places, draw(st.permutations(range(rank))), 0))
    last = write.start + sum(s * (e - 1) for s, e in zip(write.stride, write.extent, strict=True))
    reads = []
    for _ in range(draw(st.integers(1, 2))):
        order = draw(st.one_of(st.just(list(range(rank))), st.permutations(range(rank))))
        again = draw(st.integers(0, rank)) if draw(st.booleans()) else None
        start = draw(st.integers(1, last + 12))
        reads.append(draw(_walks(sizes, places, order, start, again)))
    span = places[0] * sizes[0]
    return memory(write, *reads, modulo=span)


@st.composite
def _walks(
    draw: st.DrawFn,
    sizes: list[int],
    places: list[int],
    order: list[int],
    start: int,
    again: int | None = None,
) -> Controller:
    """Loops over all dimensions, outermost first in ``order``; ``again``: one more that repeats."""
    loops = [(sizes[d], places[d]) for d in order]
    if again is not None:
        loops.insert(again, (2, 0))
    step = draw(st.sampled_from([1, 1, 2, 3]))
    extents, strides, addresses = [], [], []
    for extent, place in reversed(loops):
        extents.append(extent)
        strides.append(step)
        addresses.append(place)
        step = step * extent + draw(st.sampled_from([0, 0, 1, 4]))
    return Controller(tuple(extents), tuple(strides), start, (0, tuple(addresses)))


@settings(max_examples=50, deadline=None)
@given(nests(), st.sampled_from(sorted(KINDS)))
def test_random_memories_of_each_kind(one: Memory, kind: str) -> None:
    wanted = execute(one)
    assert [numbers.tolist() for numbers in trace_reads(one)] == wanted
    if not KINDS[kind].wide and len(one.reads) > 1:
        one = memory(one.writes[0][0], one.reads[0][0], modulo=one.modulo or 0)
        wanted = execute(one)
    try:
        fitted = fit_memory(one, KINDS[kind])
    except MappingError:
        # Two words at a time of a memory with one port for reading.
        assert len(one.reads) > 1
        return
    assert find_conflict(fitted, KINDS[kind].words) is None
    assert execute(fitted) == wanted


@settings(max_examples=40, deadline=None)
@given(nests())
def test_words_that_come_too_late_have_no_tile(one: Memory) -> None:
    """What is left out of the search for the times of fetches would not have been found."""
    wanted = trace_reads(one)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wide_ports, "comes_too_late", lambda *_: False)
        found = wide_ports.widen(one, wanted, 2048)
    assert found is None or not comes_too_late(one, wanted)


@settings(max_examples=40, deadline=None)
@given(nests(), st.integers(0, 200))
def test_what_is_read_until_a_cycle_is_what_the_whole_run_gives(one: Memory, cycle: int) -> None:
    times = [at for at, _, _ in firings(one.writes[0])]
    for port, early, numbers in zip(one.reads, trace_until(one, cycle), execute(one), strict=True):
        given_ = [n for n, (at, _, _) in zip(numbers, firings(port), strict=True) if at <= cycle]
        assert early.tolist() == [times[n] if n >= 0 else -1 for n in given_]


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 5), st.integers(2, 5), st.integers(0, 9), st.booleans())
def test_two_buffers_in_a_tile(rows: int, fetches: int, wait: int, joined: bool) -> None:
    """Rows that take turns, as those of a kernel shared by lines, or run at one time."""
    count = 4 * fetches
    period = 2 * count + 12

    def rows_of(start: int) -> Memory:
        write = Controller((count, rows), (1, period), start, (0, (1, count)))
        read = Controller((count, rows), (1, period), start + period, (0, (1, count)))
        return fit_memory(memory(write, read, modulo=2 * count), KINDS["wide-fetch"])

    first, second = rows_of(0), rows_of(count + wait if joined else wait)
    places = _places(first, second, {0: 0} if joined else {})
    tile = next(_combined(first, second, places, 2048), None)
    if tile is None:
        assert not joined or wait > 8
        return
    total = sum(len(firings(port)) for port in first.writes)
    moved = [[-1 if n < 0 else n + total for n in port] for port in execute(second)]
    wanted = execute(first)
    given_ = [wanted[0] + moved[0]] if joined else [wanted[0], moved[0]]
    assert execute(tile) == given_


def test_words_alive_are_those_that_wait_for_a_reading() -> None:
    one = memory(ROWS, Controller((16, 8), (1, 16), 20, (0, (1, 16))))
    assert count_alive(one, trace_reads(one)) == 20


def test_conflicts_have_reasons() -> None:
    late = Controller((16,), (1,), 40, (0, (1,)))
    both = memory(ROWS, late, late)
    assert find_conflict(both, 2048) == "two words are written or read in a cycle"
    assert find_conflict(memory(ROWS, late), 64) == "128 words, a tile has 64"
    with pytest.raises(MappingError, match="buffer b: two words are written or read in a cycle"):
        fit_memory(both, KINDS["dual-port"])


def test_loops_of_controllers_in_a_tile_are_counted() -> None:
    deep = Controller(
        (2,) * 7, tuple(2**k for k in range(7)), 0, (0, tuple(2**k for k in range(7)))
    )
    assert find_conflict(memory(ROWS, deep, modulo=128), 2048) == "more than 6 loops"
