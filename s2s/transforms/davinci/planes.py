"""The frame of all programs: planes over the cores, tiles in a plane, what comes in and goes out.

A plane is one group of 16 channels of an image. Its tiles are loaded, computed and stored one after
another, in one set of buffers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from s2s.scop.cce import Argument, Buffer, Loop, Number, Place, Program, Statement
from s2s.scop.linear import Linear
from s2s.scop.pooling import Pooling
from s2s.transforms.davinci.tiles import Tile, runs
from s2s.transforms.davinci.vectors import C0, Code, at, call, sum_of

CORES = 32
PLANE = "plane"


@dataclass(frozen=True)
class Here:
    """A tile of a plane: ``tile`` is the first of a run, ``steps`` how far on the others are.

    ``number`` is the loop's variable over the run, None where it has one tile.
    """

    pooling: Pooling
    tile: Tile
    step: int
    number: str | None

    def line(self, array: str, lines: int, width: int, planes: int = 1, plane: int = 0) -> Place:
        """The element of an array of planes of ``lines`` x ``width`` points at which the tile's
        first line of the image begins; ``planes`` of them belong to a plane, ``plane`` is meant.
        """
        return self._at(array, lines, width, planes, plane, self.tile.line, self.step)

    def row(self, array: str, planes: int = 1, plane: int = 0) -> Place:
        """The same for an array of windows: the tile's first row of windows."""
        y, x = self.pooling.y, self.pooling.x
        return self._at(array, y.count, x.count, planes, plane, self.tile.first, self.tile.rows)

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


def program(
    pooling: Pooling,
    arguments: tuple[Argument, ...],
    buffers: tuple[Buffer, ...],
    tiles: tuple[Tile, ...],
    body: Body,
    about: tuple[str, ...],
    before: Callable[[Code], None] | None = None,
    begin: Callable[[Code], None] | None = None,
) -> Program:
    """A program of a pooling. ``before``: once on each core; ``begin``: once for each plane."""
    blocks = min(CORES, pooling.planes)
    share = -(-pooling.planes // blocks)
    blocks = -(-pooling.planes // share)
    whole = Code()
    if before is not None:
        before(whole)
    inner = whole.inner()
    if begin is not None:
        begin(inner)
    for tile, count, step in runs(tiles):
        several = count > 1
        code = inner.inner() if several else inner
        body(code, Here(pooling, tile, step, "tile" if several else None))
        if several:
            inner.loop("tile", count, code)
    first: Number = Linear({"block_idx": share})
    limit = "" if share * blocks == pooling.planes else str(pooling.planes)
    statements: list[Statement] = list(whole.body)
    statements.append(Loop(PLANE, share, tuple(inner.body), first, 1, limit))
    statements.append(call("pipe_barrier", "PIPE_ALL"))
    return Program(pooling.name, arguments, buffers, blocks, tuple(statements), about)


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
    if tile.lines:
        source = here.line(array, pooling.y.size, x.size)
        target = at(to, (tile.above * width + x.before) * C0)
        gap = x.before + x.after
        if gap == 0:
            code.add(call("copy_gm_to_ubuf", target, source, 0, 1, tile.lines * x.size, 0, 0))
        else:
            code.add(call("copy_gm_to_ubuf", target, source, 0, tile.lines, x.size, 0, gap))
    code.flag("MTE2", "V")


def finish(code: Code) -> None:
    """The next tile may overwrite what this one has used."""
    code.flag("MTE3", "V", 1)
    code.flag("MTE3", "MTE2", 1)
    code.flag("V", "MTE2", 2)
