"""What a memory file says: loops around operations, each with the elements it loads and stores.

Elements of all buffers have one numbering: those of the input streams come first, then those of the
output streams, then the others; within a buffer in row-major order of its box, the smallest one
that has all elements which operations name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from math import prod

from s2s.source.clockwork.indices import Element, Index, Range, range_of, walk
from s2s.source.clockwork.problems import problem
from s2s.source.diagnostics import Location
from s2s.source.records import dataclass

WIDTH = 32
"""Bits of a buffer of which the file does not say how many it has."""


@dataclass(frozen=True)
class Piece:
    """The subscripts where a condition holds (None: always)."""

    condition: Index | None
    subscripts: tuple[Index, ...]


@dataclass(frozen=True)
class Access:
    """An element: the subscripts, outermost dimension first, of the first piece that holds.

    ``dynamic``: subscripts may lie in buffers.
    """

    buffer: str
    pieces: tuple[Piece, ...]
    at: Location
    dynamic: bool = False

    @property
    def line(self) -> int:
        return self.at.line

    @property
    def subscripts(self) -> tuple[Index, ...]:
        """The subscripts of an access in one piece."""
        return self.pieces[0].subscripts

    @property
    def is_plain(self) -> bool:
        """Whether there is one piece, without a condition, whose subscripts lie in no buffer."""
        return (
            len(self.pieces) == 1
            and self.pieces[0].condition is None
            and not any(True for _ in self.elements)
        )

    @property
    def elements(self) -> Iterator[Element]:
        """Elements in which subscripts lie."""
        for piece in self.pieces:
            for index in piece.subscripts:
                yield from (part for part in walk(index) if isinstance(part, Element))


@dataclass(frozen=True)
class Operation:
    """``store = function(loads, indices)`` where all ``conditions`` hold.

    Without a function (an empty name) it copies its only load. ``latency`` is what the file says,
    None where it says nothing.
    """

    name: str
    function: str
    loads: tuple[Access, ...]
    store: Access
    indices: tuple[str, ...]
    at: Location
    latency: int | None = None
    conditions: tuple[Index, ...] = ()

    @property
    def line(self) -> int:
        return self.at.line

    @property
    def accesses(self) -> tuple[Access, ...]:
        """The loads in their order, then the store."""
        return (*self.loads, self.store)

    def place_of(self, element: Element) -> int | None:
        """Which of its loads is a buffer's element in which a subscript lies; None: no one."""
        for place, load in enumerate(self.loads):
            if load.is_plain and (load.buffer, load.subscripts) == (
                element.buffer,
                element.subscripts,
            ):
                return place
        return None

    @property
    def buffers(self) -> tuple[str, ...]:
        """Buffers that it loads from, each once, in the order of the arguments of its function."""
        return tuple(dict.fromkeys(load.buffer for load in self.loads))


@dataclass(frozen=True)
class Loop:
    """A loop with constant bounds around loops and operations.

    ``coarse``: its iterations are pipelined as a whole.
    """

    name: str
    minimum: int
    extent: int
    body: tuple[Loop | Operation, ...]
    at: Location
    coarse: bool = False


@dataclass(frozen=True)
class Box:
    """The elements of a buffer: minima and extents by dimension, the number of the first one."""

    minima: tuple[int, ...]
    extents: tuple[int, ...]
    first: int

    @property
    def size(self) -> int:
        return prod(self.extents)

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """How far apart neighbours of each dimension are."""
        return tuple(prod(self.extents[d + 1 :]) for d in range(len(self.extents)))

    def index(self, number: int) -> tuple[int, ...]:
        """The subscripts of an element by its number."""
        rest, found = number - self.first, []
        for minimum, step in zip(self.minima, self.steps, strict=True):
            found.append(minimum + rest // step)
            rest %= step
        return tuple(found)


@dataclass(frozen=True)
class Program:
    """A memory file at ``path``; ``widths`` are bits of buffers' words, ``bounds`` sizes of
    buffers where the file gives them. ``streams`` are the places of the boundary's buffers.

    ``streamed`` are ranges of subscripts of input streams that a design gives, loaded or not.
    """

    path: str
    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    widths: Mapping[str, int]
    body: tuple[Loop | Operation, ...]
    at: Location
    compute: str = ""
    bounds: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    streams: Mapping[str, Location] = field(default_factory=dict)
    streamed: Mapping[str, tuple[Range, ...]] = field(default_factory=dict)

    @cached_property
    def operations(self) -> tuple[tuple[Operation, tuple[Loop, ...]], ...]:
        """All operations with their loops, outermost first, in program order."""
        return tuple(_operations(self.body, ()))

    def width(self, buffer: str) -> int:
        return self.widths.get(buffer, WIDTH)

    @cached_property
    def boxes(self) -> dict[str, Box]:
        """The boxes of all buffers, streams first. Raises UserError."""
        ranges: dict[str, list[Range]] = {}
        for operation, loops in self.operations:
            for access in operation.accesses:
                for found in self._ranges(access, operation, loops):
                    ranges[access.buffer] = _union(ranges.get(access.buffer, found), found)
                if access.dynamic and access.buffer in self.bounds:
                    whole = [(0, size - 1) for size in self.bounds[access.buffer]]
                    ranges[access.buffer] = _union(ranges.get(access.buffer, whole), whole)
        self._check_known(ranges)
        for name, more in self.streamed.items():
            if len(ranges.get(name, ())) == len(more):
                ranges[name] = _union(ranges[name], more)
        return self._numbered(ranges)

    def _ranges(
        self, access: Access, operation: Operation, loops: tuple[Loop, ...]
    ) -> Iterator[list[Range]]:
        """What is known of the subscripts of each piece: those that lie in buffers may be anywhere
        in what others name.
        """
        within = {loop.name: (loop.minimum, loop.minimum + loop.extent - 1) for loop in loops}
        for piece in access.pieces:
            try:
                found = [range_of(index, within) for index in piece.subscripts]
            except ValueError as error:
                raise problem(f"{operation.name}: {error}", access.at) from None
            if None not in found:
                yield [one for one in found if one is not None]

    def _check_known(self, ranges: Mapping[str, object]) -> None:
        for operation, _ in self.operations:
            for access in operation.accesses:
                if access.buffer not in ranges:
                    text = f"{operation.name}: how large '{access.buffer}' is follows from no plain"
                    raise problem(f"{text} subscripts; buffer_bounds can say it", access.at)

    def _numbered(self, ranges: dict[str, list[Range]]) -> dict[str, Box]:
        boxes: dict[str, Box] = {}
        first = 0
        for name in sorted(ranges, key=self._rank):
            extents = tuple(high - low + 1 for low, high in ranges[name])
            boxes[name] = Box(tuple(low for low, _ in ranges[name]), extents, first)
            first += boxes[name].size
            if first >= 2**31:
                raise self._too_large(name, boxes[name])
        return boxes

    def _too_large(self, buffer: str, box: Box) -> Exception:
        for operation, _ in self.operations:
            for access in operation.accesses:
                if access.buffer == buffer:
                    sizes = "x".join(map(str, box.extents))
                    text = f"{operation.name}: '{buffer}' has {sizes} elements, with those of the"
                    return problem(f"{text} other buffers more than can be numbered", access.at)
        raise AssertionError(buffer)

    def _rank(self, name: str) -> tuple[int, int]:
        for rank, streams in enumerate((self.inputs, self.outputs)):
            if name in streams:
                return rank, streams.index(name)
        return 2, 0

    def count(self, buffers: tuple[str, ...]) -> int:
        """How many elements some streams have."""
        return sum(self.boxes[name].size for name in buffers if name in self.boxes)

    def element(self, number: int) -> str:
        """An element as it is shown: ``conv1[3, 4]``."""
        for name, box in self.boxes.items():
            if box.first <= number < box.first + box.size:
                return f"{name}[{', '.join(map(str, box.index(number)))}]"
        return f"element {number}"


def _union(a: Sequence[Range], b: Sequence[Range]) -> list[Range]:
    return [(min(p, r), max(q, s)) for (p, q), (r, s) in zip(a, b, strict=True)]


def _operations(
    body: tuple[Loop | Operation, ...], loops: tuple[Loop, ...]
) -> Iterator[tuple[Operation, tuple[Loop, ...]]]:
    for node in body:
        if isinstance(node, Operation):
            yield node, loops
        else:
            yield from _operations(node.body, (*loops, node))
