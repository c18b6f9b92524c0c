"""A graph after its constructor ran: kernels on tiles, ports of the array, what connects them.

::

    Graph  := Kernel*  Outside*  Link*
    Link   := stream | cascade | parameter, from a port to a port
    Port   := (name of a kernel or an outside port, "in" or "out", number)
"""

from __future__ import annotations

from dataclasses import field

from s2s.source.records import dataclass

Port = tuple[str, str, int]


@dataclass
class Kernel:
    """``function`` of the file ``source`` on the tile ``at`` (column, row; None: anywhere)."""

    name: str
    function: str = ""
    source: str = ""
    at: tuple[int, int] | None = None
    line: int = 0


@dataclass
class Outside:
    """A port of the array: a file of words of ``bits``, ``megahertz`` times a microsecond."""

    name: str
    is_input: bool
    file: str = ""
    bits: int = 32
    megahertz: float = 0.0
    line: int = 0


@dataclass(frozen=True)
class Link:
    """``kind``: stream (through memory at ports that are buffers), cascade or parameter."""

    kind: str
    source: Port
    target: Port
    line: int = 0


@dataclass
class Graph:
    """``elements`` of buffers, ``places`` of their copies, and single buffers, by port."""

    name: str = ""
    kernels: dict[str, Kernel] = field(default_factory=dict)
    outside: dict[str, Outside] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)
    elements: dict[Port, int] = field(default_factory=dict)
    places: dict[Port, tuple[int, ...]] = field(default_factory=dict)
    single: set[Port] = field(default_factory=set)
    updates: list[tuple[str, str]] = field(default_factory=list)
    """Run-time parameters: the graph's port, and the file that has its elements."""
    iterations: int = 1

    def feeding(self, port: Port) -> Link | None:
        """The link that ends at a port."""
        return next((link for link in self.links if link.target == port), None)

    def leaving(self, port: Port) -> list[Link]:
        """The links that begin at a port."""
        return [link for link in self.links if link.source == port]
