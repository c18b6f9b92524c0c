"""An array of tiles, a design as parts that are each as large as a tile, and where they go.

Tiles are ``(column, row)``; row -1 are the tiles for input and output above the array. A *part*
is a processing element with one operation, a memory tile or a stream. Parts are joined by
*links*; those from one port are a *net*. Wires are *tracks*: a track begins at a side of a tile,
where the switch box selects what drives it and whether by way of a register, and ends in the
neighbour at that side.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from s2s.scop.cycles import Term
from s2s.scop.expressions import BOOL, Type
from s2s.scop.netlist import Controller
from s2s.source.records import dataclass

Tile = tuple[int, int]
Port = tuple[str, str]
"""A part and its port."""

LAYERS = ("word", "bit")
"""Tracks of words, and tracks of truth values."""
SIDES = ("north", "east", "south", "west")
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""Where the neighbour at each side is."""


@dataclass(frozen=True)
class Number:
    """A number of the array; ``status`` is documented or assumed, ``source`` says why."""

    value: int
    status: str
    source: str


@dataclass(frozen=True)
class Array:
    """The numbers of an array by name."""

    name: str
    numbers: Mapping[str, Number]

    def __getitem__(self, name: str) -> int:
        return self.numbers[name].value

    def kind(self, tile: Tile) -> str:
        """What a tile is: "pe", "memory" or "io"."""
        if tile[1] < 0:
            return "io"
        every = self["memory_column_every"]
        return "memory" if tile[0] % every == every - 1 else "pe"

    def tiles(self, kind: str) -> tuple[Tile, ...]:
        """All tiles of a kind, row by row."""
        if kind == "io":
            return tuple((x, -1) for x in range(self["io_tiles"]))
        every = ((x, y) for y in range(self["rows"]) for x in range(self["columns"]))
        return tuple(tile for tile in every if self.kind(tile) == kind)

    def tracks(self, layer: str) -> int:
        """Tracks of a layer at each side, in each direction."""
        return self[f"{layer}_tracks"]


@dataclass(frozen=True)
class Operand:
    """What an element computes with: a word at ``port``, or a ``value``.

    ``type`` is that of the word, ``conversions`` are applied to it in turn: types, with
    "reinterpret" before one whose bits are taken as they are. ``load`` is the kernel's port whose
    word it is, None for a word from the kernel's own elements.
    """

    type: Type
    port: str = ""
    value: int | float | None = None
    conversions: tuple[str, ...] = ()
    load: int | None = None


@dataclass(frozen=True)
class Element:
    """An operation of a processing element, of a multiplexer or of a table.

    ``op`` is an operator of expressions, the name of a call, "select", "constant", "mux" (its
    second operand where one of ``select`` fires, else its first), "table" (its operand is the
    place in ``table``) or "counter" (the value of loop ``index``, which the operation
    counts as ``select`` does). ``conversions`` are those of the kernel's value.
    """

    op: str
    type: Type
    operands: tuple[Operand, ...]
    conversions: tuple[str, ...] = ()
    select: tuple[Controller, ...] = ()
    table: tuple[int | float, ...] = ()
    index: str = ""


@dataclass(frozen=True)
class Part:
    """``kind`` is that of the tile that it takes. ``instance`` is the netlist's.

    ``element`` is None for memories and streams.
    """

    name: str
    kind: str
    instance: str
    element: Element | None = None

    @property
    def registered(self) -> bool:
        """Whether its inputs have registers that can be used: not those of memories, streams."""
        return self.element is not None


@dataclass(frozen=True)
class Link:
    """From one port to another. ``cycles`` are those between the word's cycles in the netlist:
    registers, and latencies of kernels on the way; stages come to that (``Fabric.delay``).

    ``after`` is the last kernel on the way, whose latency makes the link longer ("": none).
    """

    source: Port
    target: Port
    layer: str
    cycles: int
    after: str = ""


@dataclass(frozen=True)
class Fabric:
    """A design as parts and links. ``stages``: when an element computes, in cycles from that in
    which its kernel's operands are there (0 if not given).
    """

    name: str
    parts: Mapping[str, Part]
    links: tuple[Link, ...]
    stages: Mapping[str, int] = field(default_factory=dict)

    def delay(self, link: Link) -> int:
        """Registers that a link has."""
        before, after = link.source[0], link.target[0]
        return link.cycles + self.stages.get(after, 0) - self.stages.get(before, 0)

    def count(self, kind: str) -> int:
        """How many tiles of a kind it needs."""
        return sum(part.kind == kind for part in self.parts.values())


@dataclass(frozen=True)
class Track:
    """The track that begins at a side of a tile."""

    tile: Tile
    side: int
    number: int
    layer: str

    @property
    def end(self) -> Tile:
        """The tile that it leads to."""
        return self.tile[0] + STEPS[self.side][0], self.tile[1] + STEPS[self.side][1]


@dataclass(frozen=True)
class Branch:
    """What drives a track: another one, or the net's source (None); ``registered`` or not."""

    driver: Track | None
    registered: bool


@dataclass(frozen=True)
class Net:
    """A routed net: the branches of its tree, and for each target the track that it takes.

    The second of a target: whether by way of the register at that input.
    """

    source: Port
    layer: str
    branches: Mapping[Track, Branch]
    targets: Mapping[Port, tuple[Track, bool]]


@dataclass(frozen=True)
class Configuration:
    """A design placed and routed. ``path`` is the longest combinational path in picoseconds and
    the parts that it goes through, ``terms`` those of the latency.
    """

    array: Array
    fabric: Fabric
    places: Mapping[str, Tile]
    nets: tuple[Net, ...]
    path: int
    through: tuple[str, ...] = ()
    terms: tuple[Term, ...] = ()


def layer_of(type_: Type) -> str:
    """The layer of values of a type."""
    return "bit" if type_ == BOOL else "word"


def turn(arrived: int, leave: int, track: int, tracks: int) -> int:
    """The track on which a switch box goes on: straight on the same one, else the next or the one
    before. ``arrived`` is the side of the tile at which the track came in.
    """
    way = (leave - arrived) % 4
    return (track + {1: 1, 2: 0, 3: -1}[way]) % tracks
