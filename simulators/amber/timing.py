"""The longest combinational path of a configuration, by the delays of its array (assumed)."""

from __future__ import annotations

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

from s2s.simulators.amber.configuration import Configuration, Tile


def longest_path(found: Configuration) -> tuple[int, str]:
    """Picoseconds from a register to the next one, and the part that it ends at or leaves.

    Words leave memories and streams ``memory_ps`` and ``io_ps`` after the clock; elements take
    ``pe_ps`` (tables ``memory_ps``), each track ``hop_ps``; registers want ``setup_ps``. Raises
    UserError where elements are in a circle without a register.
    """
    return max(_ends(found, _ready(found)), default=(0, ""))


def _ready(found: Configuration) -> dict[str, int]:
    """When the word of each part is there, those before it first."""
    graph = {name: list(_before(found, tile)) for name, tile in found.by_part.items()}
    known: dict[str, int] = {}
    try:
        for name in TopologicalSorter(graph).static_order():
            known[name] = _leaves(found, found.by_part[name], known)
    except CycleError as error:
        place = found.by_part[error.args[1][0]].place
        raise found.wrong(place, "is in a circle without a register") from None
    return known


def _combinational(tile: Tile) -> bool:
    return tile.element is not None and tile.element["op"] != "counter"


def _before(found: Configuration, tile: Tile) -> Iterator[str]:
    """Parts whose words a tile takes in the cycle in which they leave."""
    for port in tile.inputs if _combinational(tile) else ():
        way = found.ways[tile.part, port]
        if not way.cut:
            yield way.tile.part


def _arrives(found: Configuration, tile: Tile, port: str, known: dict[str, int]) -> int:
    """When a port's word is there, from the last register on."""
    way = found.ways[tile.part, port]
    if tile.inputs[port][1]:
        return 0
    start = 0 if way.cut else known[way.tile.part]
    return start + way.tracks * found.numbers["hop_ps"]


def _leaves(found: Configuration, tile: Tile, known: dict[str, int]) -> int:
    ports = tile.inputs if _combinational(tile) else {}
    last = max((_arrives(found, tile, port, known) for port in ports), default=0)
    return last + found.numbers[f"{tile.kind}_ps"]


def _ends(found: Configuration, known: dict[str, int]) -> Iterator[tuple[int, str]]:
    """Paths into memories, streams and registers."""
    setup = found.numbers["setup_ps"]
    for tile in found.tiles.values():
        for port, (_, registered) in tile.inputs.items():
            if not _combinational(tile) and not registered:
                yield _arrives(found, tile, port, known) + setup, tile.part
    for (place, layer, _), (driver, registered) in found.switches.items():
        if registered:
            yield _until(found, place, layer, driver, known) + setup, found.tiles[place].part
    for tile in found.tiles.values():
        for port, (arrival, registered) in tile.inputs.items():
            if registered:
                layer = "bit" if port.startswith("bit") else "word"
                yield _until(found, tile.place, layer, arrival, known) + setup, tile.part


def _until(
    found: Configuration,
    place: tuple[int, int],
    layer: str,
    driver: str,
    known: dict[str, int],
) -> int:
    """When the word is there that drives a track, or comes in at a tile."""
    hops = 0
    while True:
        before = found.neighbour(place, driver)
        if before is None:
            return known[found.tiles[place].part] + hops * found.numbers["hop_ps"]
        place, track = before
        driver, registered = found.switches[place, layer, track]
        hops += 1
        if registered:
            return hops * found.numbers["hop_ps"]
