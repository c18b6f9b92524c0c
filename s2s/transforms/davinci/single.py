"""Sums in single precision: the points of windows are converted, added, divided, rounded once.

A sum in half precision rounds after every addition; of 49 points that may lose two digits. Vector
instructions have 64 lanes of 4 bytes, half as many, and each plane of points is converted first.
"""

from __future__ import annotations

from collections.abc import Iterator

from s2s.scop.cce import Place
from s2s.scop.pooling import Kind, Pooling
from s2s.transforms.davinci.planes import Here, load_counts
from s2s.transforms.davinci.tiles import Tile
from s2s.transforms.davinci.vectors import C0, LANES, REPEATS, Code, after, at, call

WIDE = LANES // 2
"""Lanes of single precision."""
SUMS, POINTS, DIVISOR = "sums_f32", "points_f32", "divisor_f32"


def single_buffers(pooling: Pooling, tile: Tile) -> list[tuple[str, str, int]]:
    """What such sums need besides."""
    size = 4 * tile.rows * pooling.x.count * C0
    return [(SUMS, "ub", size), (POINTS, "ub", size), (DIVISOR, "ub", 256)]


def prepare_divisor(code: Code, pooling: Pooling) -> None:
    """The number by which all windows are divided."""
    if pooling.kind is Kind.AVERAGE and pooling.divides_evenly:
        _fill(code, at(DIVISOR), WIDE, f"{float(pooling.count(0, 0))}f")
        code.barrier()


def reduce_single(code: Code, here: Here, plane: int) -> None:
    """Add the planes of ``plane`` windows each to the sums, and round them at the end."""
    pooling = here.pooling
    elements = here.tile.rows * pooling.x.count * C0
    if here.starts:
        _fill(code, at(SUMS), elements, "0.0f")
        code.barrier()
    for k in range(pooling.y.kernel * pooling.x.kernel):
        _convert(code, "vconv_f162f32", at(POINTS), at("points", k * plane * C0), elements)
        code.barrier()
        _binary(code, "vadd", (at(SUMS), at(POINTS), at(SUMS)), elements, 8)
        code.barrier()
    if here.ends:
        _divide(code, here, elements)
        _convert(code, "vconv_f322f16", at("out_ub"), at(SUMS), elements)


def _divide(code: Code, here: Here, elements: int) -> None:
    if here.whole.kind is not Kind.AVERAGE:
        return
    if here.whole.divides_evenly:
        _binary(code, "vdiv", (at(SUMS), at(SUMS), at(DIVISOR)), elements, 0)
    else:
        load_counts(code, here)
        code.flag("MTE2", "V", 3)
        _convert(code, "vconv_f162f32", at(POINTS), at("counts_ub"), elements)
        code.barrier()
        _binary(code, "vdiv", (at(SUMS), at(SUMS), at(POINTS)), elements, 8)
    code.barrier()


def _pieces(elements: int) -> Iterator[tuple[int, int, int]]:
    """First element, repeats and lanes of the instructions for so many elements."""
    start, full = 0, elements // WIDE
    while full:
        repeat = min(full, REPEATS)
        yield start, repeat, WIDE
        start, full = start + repeat * WIDE, full - repeat
    if elements > start:
        yield start, 1, elements - start


def _fill(code: Code, to: Place, elements: int, value: str) -> None:
    for start, repeat, lanes in _pieces(elements):
        code.mask(lanes)
        code.add(call("vector_dup", after(to, start), value, repeat, 1, 1, 8, 8))


def _convert(code: Code, name: str, to: Place, of: Place, elements: int) -> None:
    """Between half (4 blocks a repeat) and single precision (8 blocks)."""
    steps = (8, 4) if name == "vconv_f162f32" else (4, 8)
    for start, repeat, lanes in _pieces(elements):
        code.mask(lanes)
        code.add(call(name, after(to, start), after(of, start), repeat, 1, 1, *steps))


def _binary(
    code: Code, name: str, operands: tuple[Place, Place, Place], elements: int, step: int
) -> None:
    """``step``: blocks from a repeat to the next of the last operand."""
    for start, repeat, lanes in _pieces(elements):
        code.mask(lanes)
        to, first = (after(place, start) for place in operands[:2])
        second = after(operands[2], start) if step else operands[2]
        code.add(call(name, to, first, second, repeat, 1, 1, 1, 8, 8, step))
