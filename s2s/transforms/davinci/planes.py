"""The frame of all programs: planes over the cores, tiles in a plane, what comes in and goes out.

A plane is one group of 16 channels of an image. The tiles of its strips are loaded, computed and
stored one after another, in one set of buffers.
"""

from __future__ import annotations

from collections.abc import Callable

from s2s.scop.cce import Argument, Buffer, Loop, Number, Place, Program, Statement
from s2s.scop.linear import Linear
from s2s.scop.pooling import Pooling
from s2s.source.records import dataclass
from s2s.transforms.davinci.strips import Strip
from s2s.transforms.davinci.tiles import Tile, runs
from s2s.transforms.davinci.vectors import C0, Code, after, at, call, sum_of

CORES = 32
MOST_BURSTS = 4095
LONGEST = 65535
"""Bursts of a transfer, and points (32 bytes each) of one or of a gap."""
PLANE = "plane"


@dataclass(frozen=True)
class Here:
    """A tile of a strip: ``tile`` is the first of a run, ``step`` how far on the others are.

    ``number`` is the loop's variable over the run, None where it has one tile. Of windows that are
    reduced in parts, it ``starts`` or ``ends`` with this one.
    """

    strip: Strip
    tile: Tile
    step: int = 0
    number: str | None = None
    starts: bool = True
    ends: bool = True

    @property
    def pooling(self) -> Pooling:
        """The pooling of the strip."""
        return self.strip.pooling

    @property
    def whole(self) -> Pooling:
        return self.strip.whole

    def line(self, array: str) -> Place:
        """The element of the images at which the tile's first line begins."""
        y, x = self.whole.y, self.whole.x
        place = self._at(array, y.size, x.size, 1, 0, self.tile.line, self.step)
        return after(place, self.strip.column * C0)

    def row(self, array: str, planes: int = 1, plane: int = 0) -> Place:
        """The same for an array of windows: the tile's first row of windows.

        ``planes`` of the array belong to a plane of the image, ``plane`` is meant.
        """
        y, x = self.whole.y, self.whole.x
        first, step = self.tile.first, self.tile.rows
        place = self._at(array, y.count, x.count, planes, plane, first, step)
        return after(place, self.strip.window * C0)

    def counts(self) -> Place:
        """The tile's first row in the array of counts, which all planes share."""
        x = self.whole.x
        steps = [] if self.number is None else [(self.number, self.tile.rows * x.count * C0)]
        first = (self.tile.first * x.count + self.strip.window) * C0
        return at("counts", sum_of(first, steps))

    def _at(
        self, array: str, lines: int, width: int, planes: int, plane: int, first: int, step: int
    ) -> Place:
        size = lines * width * C0
        terms = [(PLANE, planes * size)]
        if self.number is not None:
            terms.append((self.number, step * width * C0))
        return at(array, sum_of(plane * size + first * width * C0, terms))


Body = Callable[[Code, Here], None]
"""Adds the statements of a tile."""


def add_tiles(code: Code, strip: Strip, tiles: tuple[Tile, ...], body: Body) -> None:
    """The tiles of a strip, those of one shape in a loop."""
    for tile, count, step in runs(tiles):
        if count == 1:
            body(code, Here(strip, tile, step))
            continue
        inner = code.inner()
        body(inner, Here(strip, tile, step, "tile"))
        code.loop("tile", count, inner)


def program(
    pooling: Pooling,
    arguments: tuple[Argument, ...],
    buffers: tuple[Buffer, ...],
    pieces: Callable[[Code], None],
    about: tuple[str, ...],
    before: Callable[[Code], None],
) -> Program:
    """A program of a pooling. ``before``: once on each core; ``pieces``: all that a plane has."""
    blocks = min(CORES, pooling.planes)
    share = -(-pooling.planes // blocks)
    blocks = -(-pooling.planes // share)
    whole = Code()
    before(whole)
    inner = whole.inner()
    pieces(inner)
    first: Number = Linear({"block_idx": share})
    limit = "" if share * blocks == pooling.planes else str(pooling.planes)
    statements: list[Statement] = list(whole.body)
    statements.append(Loop(PLANE, share, tuple(inner.body), first, 1, limit))
    statements.append(call("pipe_barrier", "PIPE_ALL"))
    return Program(pooling.name, arguments, buffers, blocks, tuple(statements), about)


def transfer(
    code: Code, name: str, to: Place, of: Place, bursts: int, points: int, gaps: tuple[int, int],
    *words: str,
) -> None:  # fmt: skip
    """Copy bursts of points; ``gaps`` are the points between two of the source and the target.

    It takes several instructions where bursts are too many or gaps too long for one.
    """
    if gaps == (0, 0):
        bursts, points = 1, bursts * points
    most = 1 if max(gaps) > LONGEST else MOST_BURSTS
    for first in range(0, bursts, most):
        count = min(most, bursts - first)
        own = gaps if count > 1 else (0, 0)
        for start in range(0, points, LONGEST):
            length = min(LONGEST, points - start)
            assert count == 1 or length == points
            source = after(of, (first * (points + gaps[0]) + start) * C0)
            target = after(to, (first * (points + gaps[1]) + start) * C0)
            code.add(call(name, target, source, 0, count, length, *own, *words))


def load_lines(code: Code, here: Here, to: str, array: str, fill: str | None) -> None:
    """Bring a tile's lines of the image into a buffer whose lines have their padding around them.

    ``fill``: the value of the padding. The other pipes have done with the buffer.
    """
    pooling, tile = here.pooling, here.tile
    x = pooling.x
    width = x.before + x.size + x.after
    padded = width != x.size or tile.above or tile.below
    if padded and fill is not None:
        code.fill(at(to), tile.padded * width * C0, fill)
        code.flag("V", "MTE2", 1)
    if tile.lines and x.size:
        target = at(to, (tile.above * width + x.before) * C0)
        gaps = here.whole.x.size - x.size, x.before + x.after
        transfer(code, "copy_gm_to_ubuf", target, here.line(array), tile.lines, x.size, gaps)
    code.flag("MTE2", "V")


def load_counts(code: Code, here: Here) -> None:
    """By what the windows of a tile are divided."""
    points = here.pooling.x.count
    gaps = here.whole.x.count - points, 0
    transfer(code, "copy_gm_to_ubuf", at("counts_ub"), here.counts(), here.tile.rows, points, gaps)


def finish(code: Code) -> None:
    """The next tile may overwrite what this one has used."""
    code.flag("MTE3", "V", 1)
    code.flag("MTE3", "MTE2", 1)
    code.flag("V", "MTE2", 2)
