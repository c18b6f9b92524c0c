"""Unified buffers: what operations write to a buffer and read from it, and in which cycles.

The abstraction between a program and memories that push data (section 4.2 of Setter's
dissertation): a port for each load and store, with an iteration domain, an access map and a
schedule. Where words lie, and in which kind of memory, is left open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from s2s.source.records import dataclass

if TYPE_CHECKING:
    import islpy as isl


@dataclass(frozen=True)
class Port:
    """A stream of words: ``direction`` is "in" (the operation stores) or "out" (it loads).

    ``domain`` are the operation's iterations, ``access`` leads to elements of the buffer,
    outermost dimension first, ``schedule`` to the cycle in which the word is at the port.
    ``number`` is the place among the operation's loads.
    """

    operation: str
    direction: str
    number: int
    domain: isl.Set
    access: isl.Map
    schedule: isl.Map


@dataclass(frozen=True)
class UnifiedBuffer:
    """``capacity``: the most words that are alive at a time, from the cycle in which they are
    written to the one in which they are last read. 0: the buffer is wires.
    """

    name: str
    ports: tuple[Port, ...]
    capacity: int

    @property
    def inputs(self) -> tuple[Port, ...]:
        return tuple(p for p in self.ports if p.direction == "in")

    @property
    def outputs(self) -> tuple[Port, ...]:
        return tuple(p for p in self.ports if p.direction == "out")
