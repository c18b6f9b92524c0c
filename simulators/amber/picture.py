"""A run of a design to look at: ports over time, buffers, where parts lie on the array."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from s2s.simulators.amber.netlist import Netlist
from s2s.source.pictures import Bars, Grid, Part, Picture, Slice, Table, Timeline

if TYPE_CHECKING:
    from s2s.simulators.amber.configuration import Configuration
    from s2s.simulators.amber.execute import Execution

LIMIT = 100_000
"""Stretches of time that are kept, at most."""
_KINDS = {"pe": 1.0, "memory": 2.0, "io": 3.0}


def draw(
    netlist: Netlist, execution: Execution, found: Mapping[str, Any], placed: Configuration | None
) -> Picture:
    """The picture of a run; ``found`` is its record."""
    occupancy = found["compute_occupancy"]
    numbers = (
        (f"{found['cycles']:,}", "cycles"),
        (str(found["pes"]), "PEs"),
        (str(found["memory_tiles"]), "memory tiles"),
        (str(found["registers"]), "registers"),
        *(((f"{100 * occupancy:.1f} %", "compute occupancy"),) if occupancy else ()),
    )
    memories = [row for row in found["instances"] if row["type"] == "memory"]
    views: list[tuple[str, tuple[Part, ...]]] = [("Time", (_timeline(netlist, execution, found),))]
    if memories:
        views.append(("Buffers", tuple(_buffers(memories))))
    if placed is not None:
        views.append(("Placement", (_placement(placed),)))
    views += [("Parts", (_parts(found),)), ("Numbers", (_numbers(found["numbers"]),))]
    return Picture(f"{found['design']} on {found['machine']}", found["machine"], numbers,
                   tuple(views))  # fmt: skip


def _timeline(netlist: Netlist, execution: Execution, found: Mapping[str, Any]) -> Timeline:
    """A track for each stream, operation and port of a memory, with a slice while it fires."""
    rows: dict[int, list[str]] = {}
    for row, controller in _rows(netlist):
        rows.setdefault(controller, []).append(row)
    names = tuple(sorted({r for some in rows.values() for r in some}))
    places = {name: place for place, name in enumerate(names)}
    kept = execution.counted["trace"]
    slices = tuple(
        Slice(places[row], first, last - first + 1, row.rsplit(" ", 1)[-1])
        for controller, first, last in kept
        for row in rows.get(controller, ())
    )
    is_cut = len(kept) >= LIMIT
    end = kept[-1][2] if is_cut else found["cycles"]
    note = f"Only the first {LIMIT:,} stretches." if is_cut else ""
    return Timeline("Streams, operations and ports over time", names, slices, end, note)


def _rows(netlist: Netlist) -> Iterator[tuple[str, int]]:
    """Names of rows with the controllers whose times stand in them."""
    for one in netlist.design.instances.values():
        for operation, controller in one.uses:
            yield f"{one.name} {operation}", netlist.controllers[controller]
        for field, ports in one.controllers.items():
            for k, port in enumerate(ports):
                label = one.name if field == "controller" else f"{one.name} {field}{k}"
                for controller in port:
                    yield label, netlist.controllers[controller]


def _buffers(memories: list[dict[str, Any]]) -> Iterator[Part]:
    rows = tuple((row["name"], (float(row["capacity"]), float(row["live"]))) for row in memories)
    note = "A count of live words that is not exact is at least that many."
    yield Bars("Words of memories", "words", ("capacity", "live at once"), rows, note)
    shown = tuple(
        (row["name"], row["buffer"], row["mode"], row["capacity"], row["live"], port, uses)
        for row in memories
        for port, uses in row["ports"].items()
    )
    columns = ("memory", "buffer", "mode", "capacity", "live", "port", "uses")
    yield Table("Ports of memories", columns, shown)


def _placement(placed: Configuration) -> Grid:
    """The array's tiles, those in use with the part that is on them."""
    width = 1 + max(x for x, _ in placed.tiles)
    height = 1 + max(y for _, y in placed.tiles)
    values = [[0.0] * width for _ in range(height)]
    labels = [[""] * width for _ in range(height)]
    for (x, y), tile in placed.tiles.items():
        if tile.part:
            values[y][x] = _KINDS.get(tile.kind, 1.0)
            labels[y][x] = f"{tile.kind}: {tile.part}"
        elif tile.switches:
            labels[y][x] = "wires only"
            values[y][x] = 0.3
    return Grid(
        "Tiles of the array", tuple(map(str, range(height))), tuple(map(str, range(width))),
        tuple(map(tuple, values)), tuple(map(tuple, labels)),
        "Lightest to darkest: wires only, processing elements, memories, streams.",
    )  # fmt: skip


def _parts(found: Mapping[str, Any]) -> Table:
    rows = tuple(
        (row["name"], row["type"], row.get("buffer", ""), row.get("pes"), row.get("fires"),
         row.get("registers"))
        for row in found["instances"]
    )  # fmt: skip
    return Table("Instances", ("name", "type", "buffer", "PEs", "fires", "registers"), rows)


def _numbers(found: Mapping[str, Mapping[str, Any]]) -> Table:
    rows = tuple((n, one["value"], one["status"], one["source"]) for n, one in found.items())
    return Table("Numbers of the machine", ("name", "value", "status", "source"), rows)
