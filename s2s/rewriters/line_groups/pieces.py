"""Which elements of a line's arrays are read before the line writes them, and which are written.

Accesses of one loop that differ in numbers only (``a[i][0][1]``, ``a[i][2][2]``) are a ``Piece``.
The loops of a line run one after the other: an element that one of them always writes is not read
from before the region by a later one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field

import islpy as isl

from s2s.frontends.c.isl_texts import read_set
from s2s.rewriters.line_groups.reading import Item, Loop, Run, runs
from s2s.rewriters.line_groups.region import LineArray, Region
from s2s.rewriters.line_groups.touches import Touch
from s2s.rewriters.line_groups.values import Parameter, Value, value_of
from s2s.source.records import dataclass

Numbers = tuple[int, ...]


@dataclass(eq=False)
class Piece:
    """Elements of an array: ``subscripts`` for the dimensions inside of a line.

    None is for a subscript that is one of ``numbers``, or all of a block's dimension.
    """

    array: LineArray
    loops: tuple[Loop, ...]
    subscripts: tuple[Value | None, ...]
    numbers: set[Numbers] = field(default_factory=set)

    @property
    def parameters(self) -> frozenset[Parameter]:
        values = [v for v in self.subscripts if v is not None]
        values += [v for loop in self.loops for v in (loop.counter.first, loop.counter.last)]
        return frozenset().union(*(v.parameters for v in values))

    def elements(self) -> isl.Set:
        """The elements of one line."""
        names = [f"e{d}" for d in range(len(self.subscripts))]
        conditions = [loop.counter.range for loop in self.loops]
        conditions += [
            f"{name} = {value.isl}"
            for name, value in zip(names, self.subscripts, strict=True) if value is not None
        ]  # fmt: skip
        open_ = [n for n, value in zip(names, self.subscripts, strict=True) if value is None]
        if open_:
            conditions.append(f"({_among(open_, self.numbers)})")
        parameters = ", ".join(sorted({p.name for p in self.parameters}))
        counters = ", ".join(loop.counter.isl for loop in self.loops)
        inside = " and ".join(conditions) or "true"
        inside = f"exists {counters} : {inside}" if counters else inside
        return read_set(f"[{parameters}] -> {{ [{', '.join(names)}] : {inside} }}")


def _among(names: Sequence[str], numbers: set[Numbers]) -> str:
    box = ranges(numbers)
    if box is not None:
        return " and ".join(f"{a} <= {n} <= {b}" for n, (a, b) in zip(names, box, strict=True))
    rows = (" and ".join(f"{n} = {v}" for n, v in zip(names, row, strict=True)) for row in numbers)
    return " or ".join(f"({row})" for row in rows)


def ranges(numbers: set[Numbers]) -> list[tuple[int, int]] | None:
    """The ranges that the rows of numbers are all combinations of, if they are that."""
    found = [(min(column), max(column)) for column in zip(*numbers, strict=True)]
    count = 1
    for low, high in found:
        count *= high - low + 1
    return found if count == len(numbers) else None


@dataclass
class Uses:
    """What one line of a region does to its arrays: ``reads`` come from before the region."""

    reads: dict[LineArray, isl.Set] = field(default_factory=dict)
    writes: dict[LineArray, isl.Set] = field(default_factory=dict)
    touched: list[Piece] = field(default_factory=list)


def uses_of(region: Region) -> Uses:
    """The elements that a line uses, found in its order."""
    uses = Uses()
    covered: dict[LineArray, isl.Set] = {}
    for item in region.items():
        read, written, always = _of_item(region, item)
        uses.touched += [*read, *written]
        for piece in read:
            known = covered.get(piece.array)
            elements = piece.elements()
            _add(uses.reads, piece, elements if known is None else elements.subtract(known))
        for piece in written:
            _add(uses.writes, piece, piece.elements())
        for piece in always:
            _add(covered, piece, piece.elements())
    return uses


def _add(sets: dict[LineArray, isl.Set], piece: Piece, elements: isl.Set) -> None:
    known = sets.get(piece.array)
    if not elements.is_empty():
        sets[piece.array] = elements if known is None else known.union(elements).coalesce()


def _of_item(region: Region, item: Item) -> tuple[list[Piece], list[Piece], list[Piece]]:
    """What a loop or run of a line reads, may write, and always writes."""
    read, written, always = _Pieces(region), _Pieces(region), _Pieces(region)
    for run in runs([item]):
        before: set[tuple[object, ...]] = set()
        for statement in region.statements(run):
            for touch in statement:
                array = region.arrays.get(touch.decl)
                if array is None:
                    continue
                values = _values(run, touch, array)
                place = (touch.decl, *(v if v is None else v.isl for v in values))
                if touch.reads and (touch.block or place not in before):
                    read.add(run, touch, array, values)
                if touch.writes:
                    written.add(run, touch, array, values)
                if touch.always:
                    always.add(run, touch, array, values)
                    before.add(place)
    return list(read), list(written), list(always)


def _values(run: Run, touch: Touch, array: LineArray) -> list[Value | None]:
    """The subscripts inside of a line; None for a block's dimensions."""
    given = len(touch.subscripts)
    return [
        value_of(touch.subscripts[d], run.known) if d < given else None for d in array.kept
    ]  # fmt: skip


class _Pieces(Iterable[Piece]):
    """Accesses put together."""

    def __init__(self, region: Region) -> None:
        self.region = region
        self.found: dict[tuple[object, ...], Piece] = {}

    def add(self, run: Run, touch: Touch, array: LineArray, values: list[Value | None]) -> None:
        loops = self.region.inside(run)
        fixed = tuple(v is not None and v.number is None for v in values)
        rest = tuple(v for v, keep in zip(values, fixed, strict=True) if keep and v is not None)
        key = (array.decl, loops, fixed, tuple(v.isl for v in rest))
        shown = tuple(v if keep else None for v, keep in zip(values, fixed, strict=True))
        piece = self.found.setdefault(key, Piece(array, loops, shown))
        rows: list[Numbers] = [()]
        for place, value in enumerate(values):
            if fixed[place]:
                continue
            number = None if value is None else value.number
            length = array.lengths[array.kept[place]]
            choices = range(length) if number is None else (number,)
            rows = [(*row, n) for row in rows for n in choices]
        piece.numbers.update(rows)

    def __iter__(self) -> Iterator[Piece]:
        return iter(self.found.values())
