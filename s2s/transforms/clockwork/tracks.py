"""The tracks of an array as numbers, for the router: what can drive what."""

from __future__ import annotations

from functools import cached_property

from s2s.scop.fabric import SIDES, STEPS, Array, Tile, Track, turn
from s2s.source.records import dataclass


@dataclass(frozen=True)
class Tracks:
    """The tracks of a layer. Track ``t`` at a side of a tile is ``(tile * 4 + side) * n + t``;
    tiles are counted row by row from the streams' row on.
    """

    array: Array
    layer: str

    @cached_property
    def width(self) -> int:
        return max(self.array["columns"], self.array["io_tiles"])

    @cached_property
    def each(self) -> int:
        return self.array.tracks(self.layer)

    @cached_property
    def count(self) -> int:
        return self.width * (self.array["rows"] + 1) * len(SIDES) * self.each

    def number(self, track: Track) -> int:
        return (self.tile(track.tile) * 4 + track.side) * self.each + track.number

    def track(self, number: int) -> Track:
        place, track = divmod(number, self.each)
        tile, side = divmod(place, 4)
        return Track((tile % self.width, tile // self.width - 1), side, track, self.layer)

    def tile(self, tile: Tile) -> int:
        return (tile[1] + 1) * self.width + tile[0]

    def exists(self, tile: Tile, side: int) -> bool:
        """Whether a tile has tracks out at a side."""
        x, y = tile[0] + STEPS[side][0], tile[1] + STEPS[side][1]
        rows, columns = self.array["rows"], self.array["columns"]
        if tile[1] < 0:
            return side == SIDES.index("south") and tile[0] < min(self.array["io_tiles"], columns)
        if y < 0:
            return x < self.array["io_tiles"]
        return y < rows and 0 <= x < columns

    @cached_property
    def ends(self) -> list[int]:
        """The tile at the end of each track, -1 where there is no such track."""
        found = []
        for number in range(self.count):
            track = self.track(number)
            there = self.exists(track.tile, track.side)
            found.append(self.tile(track.end) if there else -1)
        return found

    def starts(self, tile: Tile) -> list[int]:
        """The tracks that a tile's output can drive."""
        return [
            (self.tile(tile) * 4 + side) * self.each + track
            for side in range(4)
            if self.exists(tile, side)
            for track in range(self.each)
        ]

    @cached_property
    def next(self) -> list[tuple[int, ...]]:
        """For each track those that the switch box at its end can drive by it."""
        found: list[tuple[int, ...]] = []
        for number, end in enumerate(self.ends):
            track = self.track(number)
            if end < self.width:
                found.append(())
                continue
            arrived = (track.side + 2) % 4
            found.append(
                tuple(
                    (end * 4 + side) * self.each + turn(arrived, side, track.number, self.each)
                    for side in range(4)
                    if side != arrived and self.exists(track.end, side)
                )
            )
        return found
