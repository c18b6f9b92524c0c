"""Memory that is filled when it is read.

Every object that comes from outside lies in a segment of its own, unbounded in both directions, so
that no extents have to be known. A cell is an address with the scalar that lies there; one that is
read before it is written gets a value which depends on its segment and place only: the program
that is looked at second finds the same as the first.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterable
from functools import lru_cache
from zlib import crc32

from s2s.net.errors import NotExecuted, Undefined
from s2s.net.shapes import Shape
from s2s.source.records import dataclass

Value = int | float | None
SHIFT = 40
_MIDDLE = 1 << 39
_DRAWN = 61
_ROW = 16
# Bytes of an integer that may be a size; how many values sizes of one input have.
_SIZE, _NEAR = 4, 4
LOCALS = 1 << 20
"""Number of the first segment for objects that the program itself makes."""


@dataclass(frozen=True)
class Contents:
    """What memory is filled with.

    With ``every`` most values are equal, as searches that go on for long need it, and each
    ``every``-th is more than all before it, or less with ``falling``. ``signed`` lets integers be
    negative where they are no subscripts, ``special`` makes some numbers infinite or none;
    ``exact`` keeps sums of numbers exact. ``pool`` are integers that the program compares with.
    """

    seed: int = 0
    every: int = 0
    falling: bool = False
    signed: bool = False
    special: bool = False
    exact: bool = False
    pool: tuple[int, ...] = ()

    def number(self, drawn: int, shape: Shape) -> float:
        """One value of floating-point type."""
        return _number(drawn, shape, self.exact)

    def table(self, shape: Shape, role: str) -> list[Value]:
        """Values of a scalar type, of which one is drawn for each place."""
        if shape.kind == "float":
            found: list[Value] = [_number(i * 29, shape, self.exact) for i in range(_DRAWN)]
            return [*_SPECIAL, *found[len(_SPECIAL) :]] if self.special else found
        if shape.boolean:
            return [i % 2 for i in range(_DRAWN)]
        if shape.size == 1 and role != "index":
            most = 256 if not shape.signed else 128
            return [0 if i % 6 == 0 else i * 37 % most for i in range(_DRAWN)]
        if role == "index":
            return [i * 5 % 14 for i in range(_DRAWN)]
        return [self._integer(i, shape) for i in range(_DRAWN)]

    def _integer(self, drawn: int, shape: Shape) -> int:
        if self.pool and drawn % 4 == 0:
            return max(shape.least, min(shape.most, self.pool[drawn // 4 % len(self.pool)]))
        return drawn * 7 % 41 - 20 if self.signed and shape.signed else drawn * 5 % 14

    def usual(self, shape: Shape) -> int | float:
        """What lies at most places where values are equal."""
        return -1.5 if shape.kind == "float" else 5

    def event(self, index: int, shape: Shape) -> Value:
        """What lies at a place where they are not."""
        more = 2 + abs(index) * 0.25 if shape.kind == "float" else 1 + abs(index) % 100
        return self.usual(shape) - more if self.falling else self.usual(shape) + more


_SPECIAL: tuple[Value, ...] = (math.nan, math.inf, -math.inf, -0.0, 0.0)


def _number(drawn: int, shape: Shape, exact: bool) -> float:
    value = (drawn % 61 - 30) * (0.25 if exact else 0.37) + 0.125
    return ctypes.c_float(value).value if shape.size == 4 else value


@dataclass
class Segment:
    """An object from outside: ``extent`` in bytes where that is known; ``initial`` its values."""

    name: str
    base: int
    unit: Shape
    role: str = ""
    extent: int | None = None
    initial: dict[int, Value] | None = None


Filler = Callable[[int], Value]
Row = Callable[[range], list[Value]]
"""The values of elements that lie together, by their numbers."""


class World:
    """The segments, shared by the programs that are compared.

    Integers of records with ``sizes`` are about ``size``, each another one.
    """

    def __init__(
        self, contents: Contents, roles: dict[str, str], distance: int | None = None, size: int = 0
    ) -> None:
        self.contents = contents
        self.size = size
        self.distance = distance
        self.arrays: dict[str, list[int]] = {}
        self._first: dict[Shape, str] = {}
        self.roles = roles
        self.segments: dict[int, Segment] = {}
        self.bases: dict[str, int] = {}
        self.filled: dict[int, Value] = {}
        self._fillers: dict[int, Filler] = {}
        self._rows: dict[int, tuple[int, int, Row]] = {}

    def place(self, name: str, unit: Shape, extent: int | None = None) -> int:
        """The address of the object of this name; a pointer's target, or a variable itself."""
        if name not in self.bases:
            number = len(self.segments) + 1
            role = self.roles.get(name.partition("/")[0], "")
            base = (number << SHIFT) + (0 if extent is not None else _MIDDLE)
            segment = Segment(name, base, unit.innermost(), role, extent)
            self.segments[number] = segment
            listed = self.arrays.get(name.removeprefix("&"))
            if listed is not None and segment.unit.kind == "int":
                segment.initial = {i * segment.unit.size: v for i, v in enumerate(listed)}
            self.bases[name] = base
        return self.bases[name]

    def target(self, name: str, unit: Shape, *, alone: bool) -> int:
        """The address that a pointer argument has.

        Those that are not ``alone`` overlap by ``distance`` elements where that is given.
        """
        if self.distance is None or alone or name in self.bases or not unit.size:
            return self.place(name, unit)
        other = self._first.setdefault(unit, name)
        if other == name:
            return self.place(name, unit)
        self.bases[name] = self.place(other, unit) + self.distance * unit.innermost().size
        return self.bases[name]

    def segment(self, address: int) -> Segment | None:
        return self.segments.get(address >> SHIFT)

    def fill(self, address: int) -> Value:
        """The value that lies at an address from the beginning."""
        filler = self._fillers.get(address >> SHIFT)
        if filler is None:
            filler = self._fillers[address >> SHIFT] = self._filler(address)
        value = self.filled[address] = filler(address)
        return value

    def fill_all(self, places: range) -> list[Value] | None:
        """The values at many addresses, where they are elements of one unbounded array."""
        number = places[0] >> SHIFT
        if number not in self._fillers:
            self._fillers[number] = self._filler(places[0])
        if number not in self._rows or places[-1] >> SHIFT != number:
            return None
        base, size, values = self._rows[number]
        first, inner = divmod(places[0] - base, size)
        if inner or places.step != size:
            return None
        return values(range(first, first + len(places)))

    def _filler(self, address: int) -> Filler:
        segment = self.segments.get(address >> SHIFT)
        if segment is None:
            raise Undefined("a pointer to nowhere")
        if not segment.unit.size:
            raise NotExecuted(f"what '{segment.name}' leads to has no known type")
        free = segment.extent is None and segment.initial is None
        if not segment.unit.is_scalar:
            scalar = self._record(segment)
        elif segment.unit.kind == "pointer" or segment.role == "ends":
            scalar = self._single(segment)
        else:
            values = self._values(segment)
            scalar = self._row(segment, values)
            if free:
                self._rows[address >> SHIFT] = segment.base, segment.unit.size, values
        return scalar if free else self._bounded(segment, scalar)

    def _bounded(self, segment: Segment, scalar: Filler) -> Filler:
        def fill(address: int) -> Value:
            offset = address - segment.base
            if segment.extent is not None and not 0 <= offset < segment.extent:
                raise Undefined(f"outside of '{segment.name}'")
            return segment.initial.get(offset, 0) if segment.initial else scalar(address)

        return fill

    def _record(self, segment: Segment) -> Filler:
        size, scalars = segment.unit.size, dict(segment.unit.leaves)

        def fill(address: int) -> Value:
            index, inner = divmod(address - segment.base, size)
            leaf = scalars.get(inner)
            if leaf is None:
                raise NotExecuted(f"'{segment.name}' is read as another type")
            return self._value(segment, index, inner, leaf)

        return fill

    def _single(self, segment: Segment) -> Filler:
        """The same as for records, for arrays of pointers and of loops' ends."""
        unit, base, size = segment.unit, segment.base, segment.unit.size
        return lambda address: self._value(segment, *divmod(address - base, size), unit)

    def _row(self, segment: Segment, values: Row) -> Filler:
        """The same for arrays of scalars, of which some that lie together are filled at once."""
        base, size, filled = segment.base, segment.unit.size, self.filled
        end = _MIDDLE if segment.extent is None else segment.extent // size

        def fill(address: int) -> Value:
            index, inner = divmod(address - base, size)
            if inner:
                raise NotExecuted(f"'{segment.name}' is read as another type")
            first = index - index % _ROW
            row = values(range(first, min(first + _ROW, end)))
            begin = base + first * size
            filled.update(zip(range(begin, begin + len(row) * size, size), row, strict=True))
            return row[index - first]

        return fill

    def _values(self, segment: Segment) -> Row:
        unit = segment.unit
        start = crc32(segment.name.encode()) ^ self.contents.seed * 97
        table, contents = _table(self.contents, unit, segment.role), self.contents
        every = contents.every if not segment.role and not unit.boolean else 0
        usual, seed = contents.usual(unit), contents.seed

        def values(places: range) -> list[Value]:
            if not every:
                return [  # as _mixed does, without a call for each
                    table[((v ^ v >> 15) >> 9) % _DRAWN]
                    for i in places
                    for u in ((start ^ i * 2654435761) & 0xFFFFFFFF,)
                    for v in ((u ^ u >> 16) * 0x45D9F3B & 0xFFFFFFFF,)
                ]
            row: list[Value] = [usual] * len(places)
            for i in range(places.start + -(places.start + seed) % every, places.stop, every):
                row[i - places.start] = contents.event(i, unit)
            return row

        return values

    def _value(self, segment: Segment, index: int, inner: int, leaf: Shape) -> Value:
        if leaf.kind == "pointer":
            name = f"{segment.name}/{index}.{inner}"
            return self.place(name, leaf.target) if leaf.element else 0
        mixed = _mixed(crc32(segment.name.encode()) ^ inner * 40503 ^ self.contents.seed, index)
        if segment.role == "ends" and leaf.kind == "int":
            return max(0, index + mixed % 2)
        if segment.role == "sizes" and leaf.kind == "int" and leaf.size >= _SIZE:
            return max(leaf.least, min(leaf.most, self.size + (mixed >> 9) % _NEAR))
        return _table(self.contents, leaf, segment.role)[(mixed >> 9) % _DRAWN]


@lru_cache(maxsize=1024)
def _table(contents: Contents, shape: Shape, role: str) -> list[Value]:
    """``Contents.table``, the same for all worlds."""
    return contents.table(shape, role)


def _mixed(start: int, index: int) -> int:
    value = (start ^ index * 2654435761) & 0xFFFFFFFF
    value = (value ^ value >> 16) * 0x45D9F3B & 0xFFFFFFFF
    return value ^ value >> 15


class Cells(dict[int, Value]):
    """The memory of one execution.

    ``written`` are the addresses of its single stores, ``spread`` those of stores to many places at
    once, which are inside of objects; ``earlier`` those of what was executed before, from where
    this memory goes on.
    """

    def __init__(self, world: World) -> None:
        super().__init__()
        self.world = world
        self.written: set[int] = set()
        self.spread: set[int] = set()
        self.earlier: set[int] = set()
        self._next = LOCALS << SHIFT
        self.extents: dict[int, int] = {}
        self.zeroed: set[int] = set()

    def __missing__(self, address: int) -> Value:
        if address >> SHIFT >= LOCALS:
            return self._own(address)
        try:
            value = self[address] = self.world.filled[address]
        except KeyError:
            value = self[address] = self.world.fill(address)
        return value

    def _own(self, address: int) -> Value:
        offset = address & ((1 << SHIFT) - 1)
        if offset >= self.extents.get(address >> SHIFT, 0):
            raise Undefined("outside of a local array")
        return 0 if address >> SHIFT in self.zeroed else None

    def load(self, places: range) -> list[Value]:
        """The values at many places at once."""
        outside = not places or max(places[0], places[-1]) >> SHIFT < LOCALS
        if outside and self.keys().isdisjoint(places):
            known = self.world.fill_all(places) if len(places) > _ROW else None
            if known is not None:
                return known
            filled, fill = self.world.filled, self.world.fill
            return [filled[place] if place in filled else fill(place) for place in places]
        return [self[place] for place in places]

    def store(self, places: range, values: Iterable[Value]) -> None:
        """Write many places at once."""
        self.update(zip(places, values, strict=True))
        mask = (1 << SHIFT) - 1
        number, last = places.start >> SHIFT, max(places, default=0)
        inside = last >> SHIFT == number and last & mask < self._end(number)
        (self.spread if inside else self.written).update(places)

    def stores(self) -> set[int]:
        """The addresses of all stores of this execution."""
        return self.written | self.spread if self.written else self.spread

    def allocate(self, size: int) -> int:
        """The address of a new object of the program's own."""
        address = self._next
        self._next += 1 << SHIFT
        self.extents[address >> SHIFT] = size
        return address

    def allocate_zeros(self, size: int) -> int:
        """The same, all zero."""
        address = self.allocate(size)
        self.zeroed.add(address >> SHIFT)
        return address

    def go_on(self) -> tuple[Cells, Cells]:
        """Two memories that go on from here, one of them this one."""
        self.earlier = self.earlier | self.stores() if self.earlier else self.stores()
        self.written, self.spread = set(), set()
        return self._copied(), self

    def _copied(self) -> Cells:
        other = Cells(self.world)
        other.update(self)
        other.earlier = self.earlier
        other._next, other.extents = self._next, dict(self.extents)
        other.zeroed = set(self.zeroed)
        return other

    def outside(self) -> int | None:
        """A written address after the end of its object; -1 for one that nothing has set."""
        mask = (1 << SHIFT) - 1
        ends: dict[int, int] = {}
        for address in self.written:
            if address is None:  # a pointer that the program has not set
                return -1
            number = address >> SHIFT
            if number not in ends:
                ends[number] = self._end(number)
            if address & mask >= ends[number]:
                return address
        return None

    def _end(self, number: int) -> int:
        """How long the object of a segment is, more than anything where that is not known."""
        if number >= LOCALS:
            return self.extents.get(number, 0)
        segment = self.world.segments.get(number)
        if segment is None:
            return 0
        return 1 << SHIFT if segment.extent is None else segment.extent


def is_own(address: int) -> bool:
    """Whether an address is that of an object which the program has made."""
    return address >> SHIFT >= LOCALS
