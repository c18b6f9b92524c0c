"""``NAME.place.json``: what tiles do, and what their switch boxes select, track by track."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import cached_property
from typing import Any

from s2s.simulators.amber.machine import Array
from s2s.simulators.amber.problems import problem
from s2s.source.diagnostics import UserError
from s2s.source.reading import read_source
from s2s.source.records import dataclass

SIDES = ("north", "east", "south", "west")
STEPS = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}
OPPOSITE = {"north": "south", "south": "north", "east": "west", "west": "east"}
LAYERS = ("word", "bit")

Place = tuple[int, int]


@dataclass(frozen=True)
class Tile:
    """A tile by its fields. ``inputs``: for each port the side and track that it takes, and whether
    by way of its register. ``switches``: for each layer and each track out what drives it.
    """

    place: Place
    fields: Mapping[str, Any]

    @property
    def kind(self) -> str:
        return str(self.fields.get("kind", ""))

    @property
    def part(self) -> str:
        return str(self.fields.get("part", ""))

    @property
    def instance(self) -> str:
        return str(self.fields.get("instance", ""))

    @property
    def element(self) -> Mapping[str, Any] | None:
        """The operation of a processing element, of a table or a counter."""
        found: Mapping[str, Any] | None = self.fields.get("element")
        return found

    @property
    def stage(self) -> int:
        return int(self.fields.get("stage", 0))

    @property
    def inputs(self) -> Mapping[str, tuple[str, int]]:
        return {port: (str(at), int(reg)) for port, (at, reg) in self._table("inputs").items()}

    @property
    def switches(self) -> Iterator[tuple[str, str, str, int]]:
        """Layer, track out, driver, register."""
        for layer, boxes in self._table("switches").items():
            for track, (driver, registered) in boxes.items():
                yield str(layer), str(track), str(driver), int(registered)

    def _table(self, name: str) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.fields.get(name, {})
        return found


@dataclass(frozen=True)
class Way:
    """How a port gets its word: ``tile`` and ``port`` that it is from, its registers, and tracks
    from the last register on (``cut``: whether there is one).
    """

    tile: Tile
    port: str
    registers: int
    tracks: int
    cut: bool


@dataclass
class Configuration:
    """The tiles of a file; ``numbers`` are those of its array."""

    path: str
    name: str
    numbers: Mapping[str, int]
    status: Mapping[str, str]
    tiles: Mapping[Place, Tile]
    used: set[tuple[Place, str, str]] = field(default_factory=set)
    """Tracks (tile, layer, side and number) on the way to a port."""

    @cached_property
    def switches(self) -> dict[tuple[Place, str, str], tuple[str, int]]:
        return {
            (tile.place, layer, track): (driver, registered)
            for tile in self.tiles.values()
            for layer, track, driver, registered in tile.switches
        }

    @cached_property
    def by_part(self) -> dict[str, Tile]:
        return {tile.part: tile for tile in self.tiles.values() if tile.part}

    @cached_property
    def ways(self) -> dict[tuple[str, str], Way]:
        """For each part and input port where its word comes from. Raises UserError."""
        found = {}
        for tile in self.tiles.values():
            for port, (arrival, registered) in tile.inputs.items():
                found[tile.part, port] = self.follow(tile, port, arrival, registered)
        left = [key for key in self.switches if key not in self.used]
        if left:
            place, layer, track = left[0]
            raise self.wrong(place, f"{layer} track {track} leads to no port")
        return found

    def follow(self, tile: Tile, port: str, arrival: str, registered: int) -> Way:
        """From a port back to what drives it."""
        layer = "bit" if port.startswith("bit") else "word"
        place, registers, tracks = tile.place, registered, 0
        cut, after = bool(registered), ""
        for _ in range(len(self.switches) + 1):
            side, number = self.track(place, layer, arrival)
            step = STEPS[side]
            before = place[0] + step[0], place[1] + step[1]
            key = before, layer, f"{OPPOSITE[side]}{number}"
            if key not in self.switches:
                raise self.wrong(place, f"nothing drives {layer} track {arrival}")
            if after:
                self.check_turn(place, layer, (side, number), after)
            self.used.add(key)
            driver, own = self.switches[key]
            registers += own
            tracks += not cut
            cut = cut or bool(own)
            if not driver.startswith(SIDES):
                source = self.tiles.get(before)
                if source is None or not source.part:
                    raise self.wrong(before, f"'{driver}' is a port of an empty tile")
                return Way(source, driver, registers, tracks, cut)
            if before[1] < 0:
                raise self.wrong(before, "a stream's tile has no switch box")
            place, arrival, after = before, driver, key[2]
        raise self.wrong(tile.place, f"port '{port}' is driven by a circle of tracks")

    def neighbour(self, place: Place, arrival: str) -> tuple[Place, str] | None:
        """The track that comes in at a side: its tile and its side there. None: a tile's port."""
        side = next((side for side in SIDES if arrival.startswith(side)), None)
        if side is None:
            return None
        step = STEPS[side]
        return (place[0] + step[0], place[1] + step[1]), OPPOSITE[side] + arrival[len(side) :]

    def track(self, place: Place, layer: str, text: str) -> tuple[str, int]:
        """Side and number of a track."""
        for side in SIDES:
            number = text.removeprefix(side)
            if (
                number != text
                and number.isdigit()
                and int(number) < self.numbers[f"{layer}_tracks"]
            ):
                return side, int(number)
        raise self.wrong(place, f"there is no {layer} track '{text}'")

    def check_turn(self, place: Place, layer: str, came: tuple[str, int], leaves: str) -> None:
        """A switch box goes straight on the same track, else on the next one or the one before."""
        side, number = self.track(place, layer, leaves)
        way = (SIDES.index(side) - SIDES.index(came[0])) % 4
        step = {1: 1, 2: 0, 3: -1}.get(way)
        if step is None or (came[1] + step) % self.numbers[f"{layer}_tracks"] != number:
            raise self.wrong(
                place, f"{layer} track {leaves} cannot be driven by {came[0]}{came[1]}"
            )

    def wrong(self, place: Place, text: str) -> UserError:
        return problem(f"{self.path}: tile {place[0]},{place[1]}: {text}")

    def kind(self, place: Place) -> str:
        """What a tile of the array is, "" outside of it."""
        x, y = place
        if y == -1:
            return "io" if 0 <= x < self.numbers["io_tiles"] else ""
        if not (0 <= x < self.numbers["columns"] and 0 <= y < self.numbers["rows"]):
            return ""
        every = self.numbers["memory_column_every"]
        return "memory" if x % every == every - 1 else "pe"

    @cached_property
    def capacity(self) -> dict[str, int]:
        """Tiles of each kind and tracks of each layer that the array has."""
        columns, rows = self.numbers["columns"], self.numbers["rows"]
        places = [(x, y) for x in range(max(columns, self.numbers["io_tiles"]))
                  for y in range(-1, rows)]  # fmt: skip
        found = {kind: sum(self.kind(p) == kind for p in places) for kind in ("pe", "memory", "io")}
        sides = 0
        for x, y in places:
            for side, (dx, dy) in STEPS.items():
                inner = self.kind((x, y)) and self.kind((x + dx, y + dy))
                sides += bool(inner) and (y >= 0 or side == "south")
        return found | {layer: sides * self.numbers[f"{layer}_tracks"] for layer in LAYERS}


def read_configuration(path: str, array: Array) -> Configuration:
    """The configuration of a file. Raises UserError for one that is none, or of another array."""
    try:
        table = json.loads(read_source(path), object_pairs_hook=_once)
        if table["format"] != 1:
            raise problem(f"{path}: is no configuration of format 1")
        numbers = {name: int(one["value"]) for name, one in table["array"].items()}
        status = {name: str(one["status"]) for name, one in table["array"].items()}
        tiles = {}
        for text, fields in table["tiles"].items():
            x, _, y = text.partition(",")
            tiles[int(x), int(y)] = Tile((int(x), int(y)), fields)
        found = Configuration(path, str(table["name"]), numbers, status, tiles)
        _check_array(found, array)
        found.switches, found.ways  # noqa: B018
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise problem(f"{path}: is no configuration: {error}") from None
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(name for k, (name, _) in enumerate(pairs) if name in dict(pairs[:k]))
        raise ValueError(f"'{twice}' is configured twice")
    return found


def _check_array(found: Configuration, array: Array) -> None:
    """Tiles are where there are such tiles, and the array has no more than this machine's."""
    for kind, name in (("pe", "pes"), ("memory", "memory_tiles"), ("io", "io_tiles")):
        if found.capacity[kind] > array[name]:
            raise problem(
                f"{found.path}: is for an array with {found.capacity[kind]} {name}, this one has"
                f" {array[name]}"
            )
    names: dict[str, Place] = {}
    for place, tile in found.tiles.items():
        kind = found.kind(place)
        if not kind or (tile.part and tile.kind != kind):
            raise found.wrong(place, f"there is no {tile.kind or 'such'} tile")
        if tile.part and names.setdefault(tile.part, place) != place:
            raise found.wrong(place, f"'{tile.part}' is on another tile, too")
