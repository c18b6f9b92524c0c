"""Vector instructions over whole pieces of the unified buffer: masks set, repeats split.

An instruction repeats at most 255 times, 128 lanes of fp16 each; what is left over after full
repeats is done with a mask.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

from s2s.scop.cce import Call, Loop, Number, Operand, Place, Statement
from s2s.scop.linear import Linear
from s2s.source.records import dataclass

LANES = 128
C0 = 16
POINT = 2 * C0
"""Bytes of a point of a plane."""
BLOCKS = 8
REPEATS = 255
LOWEST = "(half)(-65504.0f)"
LOWEST_BITS = 0xFBFF


def number(value: int) -> Number:
    """A constant."""
    return Linear({}, value)


def at(array: str, offset: Number | int = 0) -> Place:
    """The address of an element."""
    return Place(array, number(offset) if isinstance(offset, int) else offset)


def after(place: Place, elements: int) -> Place:
    """The address so many elements later."""
    return Place(place.array, place.offset.shifted(elements))


def call(name: str, *operands: Operand | int) -> Call:
    """An intrinsic; integers stand for constants."""
    return Call(name, tuple(number(o) if isinstance(o, int) else o for o in operands))


def mask_text(lanes: int) -> tuple[str, str]:
    """Arguments of ``set_vector_mask`` for the first lanes."""
    bits = (1 << lanes) - 1
    parts = [bits >> 64, bits & ((1 << 64) - 1)]
    texts = ["(uint64_t)-1" if p == (1 << 64) - 1 else f"0x{p:x}" if p else "0" for p in parts]
    return texts[0], texts[1]


@dataclass
class Code:
    """Statements as they come; ``lanes`` is what the mask is set to."""

    body: list[Statement] = field(default_factory=list)
    lanes: int = 0

    def add(self, *statements: Statement) -> None:
        self.body += statements

    def mask(self, lanes: int) -> None:
        """Set the mask to the first lanes, where it is not."""
        if lanes != self.lanes:
            self.add(Call("set_vector_mask", mask_text(lanes)))
            self.lanes = lanes

    def barrier(self) -> None:
        self.add(Call("pipe_barrier", ("PIPE_V",)))

    def flag(self, source: str, target: str, event: int = 0) -> None:
        """What follows in a pipe waits for what another one has been given."""
        words = (f"PIPE_{source}", f"PIPE_{target}", f"EVENT_ID{event}")
        self.add(Call("set_flag", words), Call("wait_flag", words))

    def loop(self, variable: str, extent: int, inner: Code) -> None:
        """Loop over statements; a loop of one iteration stays one."""
        if extent > 0 and inner.body:
            self.add(Loop(variable, extent, tuple(inner.body)))
            self.lanes = inner.lanes

    def inner(self) -> Code:
        """The body of a loop, which begins as it ends: nothing is known of the mask."""
        return Code()

    # ---- dense pieces

    def fill(self, to: Place, elements: int, value: str) -> None:
        """Give elements one after another a value."""
        for start, repeat, lanes in pieces(elements):
            self.mask(lanes)
            self.add(call("vector_dup", after(to, start), value, repeat, 1, 1, 8, 8))

    def dense(self, name: str, to: Place, first: Place, second: Place, elements: int) -> None:
        """An operation on elements one after another."""
        for start, repeat, lanes in pieces(elements):
            self.mask(lanes)
            places = [after(place, start) for place in (to, first, second)]
            self.add(call(name, *places, repeat, 1, 1, 1, 8, 8, 8))

    def strided(
        self, name: str, to: Place, first: Place, second: Place, points: int,
        strides: tuple[int, int, int],
    ) -> None:  # fmt: skip
        """An operation on points (of 16 channels each) that lie some points apart.

        Raises ValueError where a repeat, 8 points, reaches further than a stride can say.
        """
        if any(8 * stride > REPEATS for stride in strides):
            raise ValueError(f"a repeat stride of {8 * max(strides)} blocks")
        for start, repeat, lanes in pieces(points * C0):
            self.mask(lanes)
            places = [
                after(place, start * stride)
                for place, stride in zip((to, first, second), strides, strict=True)
            ]
            self.add(call(name, *places, repeat, *strides, *(8 * s for s in strides)))

    def rows(
        self, name: str, variable: str, count: int, points: int,
        operands: tuple[Rows, Rows, Rows],
    ) -> None:  # fmt: skip
        """An operation on ``count`` rows of points.

        A repeat goes on along a row, in a loop over rows; or from row to row, in fewer
        instructions, where rows are so close that a repeat stride can say it.
        """
        along = count * len(list(pieces(points * C0)))
        chunks = -(-points // BLOCKS)
        close = all(rows.pitch <= REPEATS for rows in operands) and count <= REPEATS
        if not close or along <= chunks:
            inner = self.inner()
            places = [rows.at(variable) for rows in operands]
            inner.strided(
                name, places[0], places[1], places[2], points,
                (operands[0].stride, operands[1].stride, operands[2].stride),
            )  # fmt: skip
            self.loop(variable, count, inner)
            return
        if any(8 * rows.stride > REPEATS for rows in operands):
            raise ValueError("points are too far apart")
        for chunk in range(chunks):
            self.mask(min(BLOCKS, points - chunk * BLOCKS) * C0)
            places = [after(rows.start, chunk * BLOCKS * rows.stride * C0) for rows in operands]
            strides = [rows.stride for rows in operands]
            pitches = [rows.pitch for rows in operands]
            self.add(call(name, *places, count, *strides, *pitches))


@dataclass(frozen=True)
class Rows:
    """Rows of points: ``stride`` points from one to the next, ``pitch`` from row to row."""

    start: Place
    stride: int
    pitch: int

    def at(self, variable: str) -> Place:
        """The row of that number."""
        offset = sum_of(self.start.offset, [(variable, self.pitch * C0)])
        return Place(self.start.array, offset)


def pieces(elements: int, most: int = REPEATS) -> Iterator[tuple[int, int, int]]:
    """First element, repeats and lanes of the instructions for so many elements."""
    start = 0
    full = elements // LANES
    while full:
        repeat = min(full, most)
        yield start, repeat, LANES
        start, full = start + repeat * LANES, full - repeat
    if elements > start:
        yield start, 1, elements - start


def sum_of(base: Number | int, terms: Sequence[tuple[str, int]]) -> Number:
    """``base`` and multiples of variables."""
    found = number(base) if isinstance(base, int) else base
    for name, times in terms:
        if times:
            found = found.plus(Linear({name: times}))
    return found
