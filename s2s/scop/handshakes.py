"""A design without cycles: nodes that take and give words in turns, and queues between them.

Each node has turns in an order of its own; a turn takes some words and gives one, which is numbered
by it. A queue keeps words in the order in which they come, and its reader says by the number which
one it takes: it waits until that is there (valid), and the writer waits while there is no room
(ready). What no later turn of the reader takes is gone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from s2s.source.records import dataclass

Affine = tuple[int, tuple[int, ...]]
"""A start, and a stride for each loop, innermost first."""


@dataclass(frozen=True)
class Turns:
    """Turns of a node that count alike: loops, innermost first, with what each gives in them.

    ``takes``: for each port the node whose word it is, and the word's number; a port that is not
    there has none. ``index``: iterations of the operation's loops that have more than one;
    ``element``: subscripts of a stream's element, outermost first.
    """

    extent: tuple[int, ...]
    turn: Affine
    takes: Mapping[str, tuple[str, Affine]] = field(default_factory=dict)
    operation: str = ""
    index: tuple[Affine, ...] = ()
    element: tuple[Affine, ...] = ()


@dataclass(frozen=True)
class Node:
    """``kind``: input, output, kernel, or a memory's port: write, read. A word that a kernel gives
    is there ``latency`` cycles later.
    """

    kind: str
    buffer: str
    turns: tuple[Turns, ...]
    latency: int = 0


@dataclass(frozen=True)
class Queue:
    """From a node to another one's port. ``kind``: ``wire``, a word may be taken in the cycle in
    which it is given; ``registers`` and ``memory``, in a later one. ``capacity`` in words.
    """

    source: str
    target: str
    port: str
    kind: str
    capacity: int
    tiles: int = 0


@dataclass(frozen=True)
class Handshakes:
    """All of it; ``nodes`` by name."""

    name: str
    nodes: Mapping[str, Node]
    queues: tuple[Queue, ...]
