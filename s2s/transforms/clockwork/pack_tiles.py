"""Several buffers in one memory tile (memory sharing, section 5.3 of Setter's dissertation).

Each buffer has its own words of the SRAM. Ports of two tiles of which one passes on the other's
words become one; others stay apart, as far as a tile has so many. When fetches move is searched
again, and what the ports give is proved to be what they gave before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, islice, product
from typing import TYPE_CHECKING

from s2s.analyses.memory_tiles import FETCH, find_conflict, firings, trace_reads
from s2s.scop.netlist import Controller, Memory, Netlist
from s2s.source.records import dataclass
from s2s.transforms.clockwork.netlist_edits import drivers, owner, rewire, with_instances

if TYPE_CHECKING:
    from s2s.analyses.memory_tiles import Numbers

    Ports = tuple[tuple[Controller, ...], ...]

_INPUTS = _OUTPUTS = 2
_TRIES = 64
"""Combinations of times that are tried."""
_STEP = 64
"""Fetches between places at which a second buffer may begin."""


def pack_tiles(netlist: Netlist, words: int, *, all_tiles: bool = False) -> Netlist:
    """The design with fewer tiles, of so many words each.

    Tiles that pass on each other's words are tried together; ``all_tiles``: all others, too.
    """
    waiting = [n for n, i in netlist.instances.items() if _is_tile(i)]
    chains = _chains(netlist)
    while waiting:
        first = waiting.pop(0)
        for second in list(waiting):
            links = _links(chains.get(frozenset((first, second)), ()), second)
            if links or all_tiles:
                packed = _packed(netlist, first, second, links, words)
                if packed is not None:
                    netlist = packed
                    chains = _chains(netlist)
                    waiting.remove(second)
    return netlist


def _is_tile(instance: object) -> bool:
    return isinstance(instance, Memory) and instance.mode == "sram" and instance.tiles == 1


@dataclass(frozen=True)
class _Link:
    """Port ``giver`` of one tile goes to the chain of port ``taker`` of the other."""

    giver: int
    taker: int
    back: bool


def _chains(netlist: Netlist) -> dict[frozenset[str], list[tuple[str, str]]]:
    """Connections that pass on words of one instance through another, by the two."""
    found: dict[frozenset[str], list[tuple[str, str]]] = {}
    for source, target in netlist.connections:
        instance, _, port = target.rpartition(".")
        if port.startswith("chain"):
            found.setdefault(frozenset((owner(source), instance)), []).append((source, port))
    return found


def _links(chains: Sequence[tuple[str, str]], second: str) -> list[_Link]:
    found = []
    for source, port in chains:
        giver, taker = int(source.rpartition("out")[2]), int(port.removeprefix("chain"))
        found.append(_Link(giver, taker, owner(source) == second))
    return found


def _packed(
    netlist: Netlist, first: str, second: str, links: Sequence[_Link], words: int
) -> Netlist | None:
    one, other = netlist.instances[first], netlist.instances[second]
    assert isinstance(one, Memory) and isinstance(other, Memory)
    joined = {
        (link.taker if link.back else link.giver): (link.giver if link.back else link.taker)
        for link in links
    }
    free = len(other.reads) - len(joined)
    if len(one.writes) + len(other.writes) > _INPUTS or len(one.reads) + free > _OUTPUTS:
        return None
    if len(set(joined.values())) < len(links):
        return None
    places = _places(one, other, joined)
    tile = next(_combined(one, other, places, words), None)
    if tile is None:
        return None
    return _replaced(netlist, first, second, tile, places)


def _places(one: Memory, other: Memory, joined: Mapping[int, int]) -> dict[int, int]:
    """Which port of the common tile each reading port of the second one becomes."""
    found = {theirs: own for own, theirs in joined.items()}
    free = iter(range(len(one.reads), _OUTPUTS))
    for port in range(len(other.reads)):
        if port not in found:
            found[port] = next(free)
    return found


def _combined(
    one: Memory, other: Memory, places: Mapping[int, int], words: int
) -> Iterator[Memory]:
    """Common tiles that give the same words."""
    import numpy as np

    wanted = _wanted(one, other, places)
    for first, second in islice(_retimed(one, other), _TRIES):
        if find_conflict(_union(first, second, places, words), words) is not None:
            continue
        for halves in product((0, 1), repeat=len(other.reads)):
            for base in range(0, words // FETCH, _STEP):
                tile = _union(first, _moved(second, base, halves), places, words)
                given = trace_reads(tile)
                if all(np.array_equal(a, b) for a, b in zip(given, wanted, strict=True)):
                    yield tile


def _retimed(one: Memory, other: Memory) -> Iterator[tuple[Memory, Memory]]:
    """With fetches that go to the SRAM some cycles later, or leave it earlier, no two in a cycle.

    The second tile's are moved first.
    """
    ports = [
        *((port, 1) for port in other.to_sram),
        *((port, -1) for port in other.from_sram),
        *((port, 1) for port in one.to_sram),
        *((port, -1) for port in one.from_sram),
    ]
    times = [firings(port).cycles for port, _ in ports]
    apart = {
        (i, j): _differences(times[i], times[j]) for i, j in combinations(range(len(ports)), 2)
    }
    for waits in product(range(FETCH), repeat=len(ports)):
        cycles = [wait * sign for wait, (_, sign) in zip(reversed(waits), ports, strict=True)]
        if all(cycles[j] - cycles[i] not in found for (i, j), found in apart.items()):
            count = len(other.to_sram) + len(other.from_sram)
            yield _later(one, cycles[count:]), _later(other, cycles[:count])


def _differences(first: Numbers, second: Numbers) -> frozenset[int]:
    """By how many cycles the second port must not be moved against the first."""
    import numpy as np

    most = range(-2 * FETCH, 2 * FETCH + 1)
    return frozenset(d for d in most if np.isin(first, second + d, assume_unique=True).any())


def _later(memory: Memory, cycles: Sequence[int]) -> Memory:
    """With the fetches of each port so many cycles later."""

    def shift(ports: Ports, waits: Sequence[int]) -> Ports:
        return tuple(
            tuple(replace(c, start=c.start + wait) for c in port)
            for port, wait in zip(ports, waits, strict=True)
        )

    count = len(memory.to_sram)
    return replace(
        memory,
        to_sram=shift(memory.to_sram, cycles[:count]),
        from_sram=shift(memory.from_sram, cycles[count:]),
    )


def _wanted(one: Memory, other: Memory, places: Mapping[int, int]) -> list[Numbers]:
    import numpy as np

    before = sum(firings(port).cycles.size for port in one.writes)
    found = {port: [numbers] for port, numbers in enumerate(trace_reads(one))}
    for port, numbers in enumerate(trace_reads(other)):
        numbers = np.where(numbers < 0, -1, numbers + before)
        found.setdefault(places[port], []).append(numbers)
    return [np.concatenate(found[port]) for port in sorted(found)]


def _moved(memory: Memory, base: int, halves: Sequence[int]) -> Memory:
    """With its words from a fetch on, and other halves of the transpose buffers."""

    def shift(each: Controller, first: int, second: int) -> Controller:
        address, more = each.address, each.second
        return replace(
            each,
            address=None if address is None else (address[0] + first, address[1]),
            second=None if more is None else (more[0] + second, more[1]),
        )

    out = list(zip(memory.reads, memory.from_sram, halves, strict=True))
    return replace(
        memory,
        to_sram=tuple(tuple(shift(c, base, 0) for c in port) for port in memory.to_sram),
        from_sram=tuple(tuple(shift(c, base, half) for c in port) for _, port, half in out),
        reads=tuple(tuple(shift(c, FETCH * half, 0) for c in port) for port, _, half in out),
    )


def _union(one: Memory, other: Memory, places: Mapping[int, int], words: int) -> Memory:
    def joined(first: Ports, second: Ports) -> Ports:
        found = dict(enumerate(first))
        for port, controllers in enumerate(second):
            found[places[port]] = (*found.get(places[port], ()), *controllers)
        return tuple(found[port] for port in sorted(found))

    buffers = dict.fromkeys([*one.buffer.split("+"), *other.buffer.split("+")])
    return Memory(
        "+".join(buffers),
        "sram",
        one.capacity + other.capacity,
        (*one.writes, *other.writes),
        joined(one.reads, other.reads),
        words,
        (*one.to_sram, *other.to_sram),
        joined(one.from_sram, other.from_sram),
    )


def _replaced(
    netlist: Netlist, first: str, second: str, tile: Memory, places: Mapping[int, int]
) -> Netlist:
    """The common tile in the place of the first; chains between the two are gone."""
    one = netlist.instances[first]
    assert isinstance(one, Memory)
    sources = drivers(netlist)
    moved = {f"{second}.out{port}": f"{first}.out{place}" for port, place in places.items()}
    links = [
        (sources[f"{second}.in{port}"], f"{first}.in{len(one.writes) + port}")
        for port in range(len(tile.writes) - len(one.writes))
    ]
    for port, place in places.items():
        source = sources.get(f"{second}.chain{port}")
        if source is not None and owner(source) != first:
            links.append((source, f"{first}.chain{place}"))
    kept = tuple(
        (source, target)
        for source, target in netlist.connections
        if not (owner(source) == second and target.startswith(f"{first}.chain"))
        and owner(target) != second
    )
    netlist = replace(netlist, connections=(*kept, *links))
    return with_instances(rewire(netlist, moved), {first: tile}, removed=[second])
