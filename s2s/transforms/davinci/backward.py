"""Backward pooling: gradients of windows added to the points of the image, in one of three ways.

``standard`` and ``col2im`` are those of Rohwedder et al. (section V-B); ``block-stride``, which is
not in the paper, adds to 8 windows at once. Lines that windows of the next tile reach, too, stay in
the buffer and move to its top.
"""

from __future__ import annotations

from collections.abc import Callable

from s2s.scop.cce import Argument, Buffer, Call, Program
from s2s.scop.pooling import Axis, Kind, Pooling
from s2s.transforms.davinci.errors import Unmappable
from s2s.transforms.davinci.parts import backward_parts, fit_parts
from s2s.transforms.davinci.planes import (
    Here,
    add_tiles,
    finish,
    load_counts,
    program,
    transfer,
)
from s2s.transforms.davinci.strips import Needs, backward_strips, fit_strips, words_of
from s2s.transforms.davinci.tiles import SIZES, Tile
from s2s.transforms.davinci.vectors import (
    C0,
    POINT,
    REPEATS,
    Code,
    Rows,
    after,
    at,
    call,
    pieces,
    sum_of,
)

PAPER = ("standard", "col2im")
OURS = ("block-stride",)


def make_backward(pooling: Pooling, variant: str, ub: int = SIZES["ub"]) -> Program:
    """The program of a variant. Raises Unmappable."""
    merge = MERGES[variant]
    planes = pooling.y.kernel * pooling.x.kernel if pooling.kind is Kind.MAX else 0
    divided = pooling.kind is Kind.AVERAGE

    def needs(part: Pooling, tile: Tile) -> list[tuple[str, str, int]]:
        points = _points(part, tile)
        found = [
            ("image_ub", "ub", _lines(part, tile) * _width(part, variant) * POINT),
            ("gradients_ub", "ub", points * POINT),
        ]
        if planes:
            found.append(("masks_ub", "ub", planes * points * POINT))
        elif divided and not pooling.divides_evenly:
            found.append(("counts_ub", "ub", points * POINT))
        elif divided:
            found.append(("divisor", "ub", 256))
        return found

    def before(code: Code) -> None:
        if divided and pooling.divides_evenly:
            code.fill(at("divisor"), 128, f"(half)({float(pooling.count(0, 0))}f)")
            code.barrier()

    def begin(code: Code, part: Pooling, lines: int) -> None:
        code.fill(at("image_ub"), lines * _width(part, variant) * C0, "(half)(0.0f)")
        code.barrier()

    def body(code: Code, here: Here, lines: int) -> None:
        width = _width(here.pooling, variant)
        _load(code, here, planes)
        merge(code, here, width)
        _store(code, here, width)
        if here.whole.y.kernel == here.pooling.y.kernel:
            _carry(code, here, width, lines)
        finish(code)

    words, buffers, pieces = _cut(pooling, needs, begin, body, ub)
    where = "section V-B of the paper" if variant in PAPER else "not in the paper"
    about = (f"variant {variant} ({where}), {words}",)
    return program(pooling, _arguments(pooling), buffers, pieces, about, before)


def _cut(
    pooling: Pooling,
    needs: Needs,
    begin: Callable[[Code, Pooling, int], None],
    body: Callable[[Code, Here, int], None],
    ub: int,
) -> tuple[str, tuple[Buffer, ...], Callable[[Code], None]]:
    """What a plane is cut into, in words and as what adds it, and the buffers."""
    try:
        strips, tiles, buffers = fit_strips(pooling, backward_strips, needs, ub, cut)
    except Unmappable:
        parts, buffers = fit_parts(pooling, backward_parts, needs, ub)

        def add_parts(code: Code) -> None:
            for part in parts:
                lines = _lines(part.strip.pooling, part.tile)
                begin(code, part.strip.pooling, lines)
                body(code, Here(part.strip, part.tile), lines)

        return "parts of windows", buffers, add_parts
    lines = max(_lines(pooling, tile) for tile in tiles)

    def add_strips(code: Code) -> None:
        for strip in strips:
            begin(code, strip.pooling, lines)
            add_tiles(code, strip, tiles, lambda code, here: body(code, here, lines))

    return words_of(strips, tiles), buffers, add_strips


def cut(axis: Axis, rows: int) -> tuple[Tile, ...]:
    """Windows in tiles; a tile writes the lines (``lines`` from ``line`` on) that no later one
    reaches. ``above``: lines of padding before them in the buffer; the last tile has all that is
    left.
    """
    found = []
    for first in range(0, axis.count, rows):
        count = min(rows, axis.count - first)
        start = first * axis.stride - axis.before
        last = first + count == axis.count
        end = axis.size if last else min(axis.size, start + count * axis.stride)
        low = min(max(0, start), axis.size)
        high = max(low, end)
        found.append(Tile(first, count, low, high - low, low - start, 0))
    return tuple(found)


def _width(pooling: Pooling, variant: str) -> int:
    """Points of a line of the buffer. Raises Unmappable."""
    x = pooling.x
    windows = (x.count - 1) * x.stride + x.reach
    if variant != "col2im":
        if variant == "block-stride" and 8 * x.stride > REPEATS:
            raise Unmappable(f"8 windows at a stride of {x.stride} points are too far apart")
        return max(windows, x.before + x.size)
    y = pooling.y
    if max(y.kernel, x.kernel, y.dilation, x.dilation) > 255 or max(y.stride, x.stride) > 63:
        raise Unmappable("Col2im takes kernels up to 255 and strides up to 63")
    width = max(windows, min(x.before + x.size, windows + x.stride - 1))
    if width < x.before + x.size:
        raise Unmappable("Col2im: more windows would fit into a line than there are")
    return width


def _points(pooling: Pooling, tile: Tile) -> int:
    """Windows of a tile, in whole fractals."""
    return -(-tile.rows * pooling.x.count // 16) * 16


def _reached(pooling: Pooling, tile: Tile) -> int:
    """Lines of the buffer that the windows of a tile reach."""
    return (tile.rows - 1) * pooling.y.stride + pooling.y.reach


def _lines(pooling: Pooling, tile: Tile) -> int:
    """Lines of the buffer that a tile needs."""
    return max(_reached(pooling, tile), tile.above + tile.lines, tile.rows * pooling.y.stride)


def _arguments(pooling: Pooling) -> tuple[Argument, ...]:
    y, x, planes = pooling.y, pooling.x, pooling.planes
    found = [Argument(pooling.input, (planes, y.count, x.count, C0), False)]
    if pooling.kind is Kind.MAX:
        extents = (planes, y.kernel, x.kernel, y.count, x.count, C0)
        found.append(Argument(pooling.mask_name, extents, False))
    elif pooling.kind is Kind.AVERAGE and not pooling.divides_evenly:
        found.append(Argument("counts", (y.count, x.count, C0), False))
    return (*found, Argument(pooling.output, (planes, y.size, x.size, C0), True))


def _load(code: Code, here: Here, planes: int) -> None:
    """Gradients, and what they are multiplied with or divided by."""
    pooling, tile = here.pooling, here.tile
    count, whole = pooling.x.count, here.whole
    elements, points = tile.rows * count * C0, _points(pooling, tile)
    gaps = whole.x.count - count, 0
    to, of = at("gradients_ub"), here.row(pooling.input)
    transfer(code, "copy_gm_to_ubuf", to, of, tile.rows, count, gaps)
    if planes and count == whole.x.count:
        gaps = (pooling.y.count - tile.rows) * count, points - tile.rows * count
        to, of = at("masks_ub"), here.row(pooling.mask_name, planes)
        transfer(code, "copy_gm_to_ubuf", to, of, planes, tile.rows * count, gaps)
    elif planes:
        for k in range(planes):
            to, of = at("masks_ub", k * points * C0), here.row(pooling.mask_name, planes, k)
            transfer(code, "copy_gm_to_ubuf", to, of, tile.rows, count, gaps)
    elif pooling.kind is Kind.AVERAGE and not whole.divides_evenly:
        load_counts(code, here)
    code.flag("MTE2", "V")
    for k in range(planes):
        place = at("masks_ub", k * points * C0)
        code.dense("vmul", place, place, at("gradients_ub"), elements)
    if pooling.kind is Kind.AVERAGE and whole.divides_evenly:
        for start, repeat, lanes in pieces(elements):
            code.mask(lanes)
            place = after(at("gradients_ub"), start)
            code.add(call("vdiv", place, place, at("divisor"), repeat, 1, 1, 1, 8, 8, 0))
    elif pooling.kind is Kind.AVERAGE:
        code.dense("vdiv", at("gradients_ub"), at("gradients_ub"), at("counts_ub"), elements)
    code.barrier()


def _of(pooling: Pooling, tile: Tile, ky: int, kx: int) -> tuple[str, int]:
    """Where the gradients for a point of windows are."""
    if pooling.kind is not Kind.MAX:
        return "gradients_ub", 0
    return "masks_ub", (ky * pooling.x.kernel + kx) * _points(pooling, tile) * C0


def _merge_standard(code: Code, here: Here, width: int) -> None:
    """``vadd`` of 16 lanes for each point of each window, with a barrier after each.

    That no two of them meet is not seen by the dependence analysis of the paper's baseline.
    """
    pooling, tile = here.pooling, here.tile
    y, x = pooling.y, pooling.x
    code.mask(C0)
    for ky in range(y.kernel):
        for kx in range(x.kernel):
            inner, each = code.inner(), code.inner()
            inner.lanes = each.lanes = C0
            buffer, base = _of(pooling, tile, ky, kx)
            first = (ky * y.dilation * width + kx * x.dilation) * C0
            to = at(
                "image_ub", sum_of(first, [("oy", y.stride * width * C0), ("ox", x.stride * C0)])
            )
            of = at(buffer, sum_of(base, [("oy", x.count * C0), ("ox", C0)]))
            each.add(call("vadd", to, of, to, 1, 1, 1, 1, 8, 8, 8))
            each.barrier()
            inner.loop("ox", x.count, each)
            code.loop("oy", tile.rows, inner)


def _merge_blocks(code: Code, here: Here, width: int) -> None:
    """``vadd`` for 8 windows of a row at once."""
    pooling, tile = here.pooling, here.tile
    y, x = pooling.y, pooling.x
    for ky in range(y.kernel):
        for kx in range(x.kernel):
            buffer, base = _of(pooling, tile, ky, kx)
            first = (ky * y.dilation * width + kx * x.dilation) * C0
            to = Rows(at("image_ub", first), x.stride, y.stride * width)
            of = Rows(at(buffer, base), 1, x.count)
            code.rows("vadd", "oy", tile.rows, x.count, (to, of, to))
            code.barrier()


def _merge_col2im(code: Code, here: Here, width: int) -> None:
    """Col2im for each point of a window over all windows."""
    pooling, tile = here.pooling, here.tile
    y, x = pooling.y, pooling.x
    code.add(Call("set_fcol2img", (f"0x{width | _reached(pooling, tile) << 16:x}ull",)))
    points = _points(pooling, tile)
    for ky in range(y.kernel):
        for kx in range(x.kernel):
            buffer, base = _of(pooling, tile, ky, kx)
            for start in range(0, points // 16, REPEATS):
                repeat = min(REPEATS, points // 16 - start)
                window = start * 16
                left, top = window % x.count * x.stride, window // x.count * y.stride
                first = kx << 16 | ky << 24 | left << 32 | top << 48
                second = (
                    x.stride | y.stride << 6 | x.kernel << 12 | y.kernel << 20
                    | x.dilation << 28 | y.dilation << 36 | 1 << 44 | 1 << 52 | repeat << 56
                )  # fmt: skip
                of = at(buffer, base + window * C0)
                code.add(
                    Call("col2img", (at("image_ub"), of, f"0x{first:x}ull", f"0x{second:x}ull"))
                )
            code.barrier()


def _store(code: Code, here: Here, width: int) -> None:
    """Lines that no later tile reaches, without their padding."""
    pooling, tile = here.pooling, here.tile
    x = pooling.x
    code.flag("V", "MTE3")
    if tile.lines == 0:
        return
    of = at("image_ub", (tile.above * width + x.before) * C0)
    gaps = width - x.size, here.whole.x.size - x.size
    transfer(code, "copy_ubuf_to_gm", here.line(pooling.output), of, tile.lines, x.size, gaps)


def _carry(code: Code, here: Here, width: int, lines: int) -> None:
    """Lines that the next tile adds to, to the top; zeros below them."""
    pooling, tile = here.pooling, here.tile
    y = pooling.y
    if tile.first + tile.rows == y.count and here.number is None:
        return
    done = tile.rows * y.stride
    kept = max(0, _reached(pooling, tile) - done)
    code.flag("MTE3", "V", 2)
    if kept > done:
        inner = code.inner()
        lines_of = [("line", width * C0)]
        to, of = (
            at("image_ub", sum_of(0, lines_of)),
            at("image_ub", sum_of(done * width * C0, lines_of)),
        )
        inner.add(call("copy_ubuf_to_ubuf", to, of, 0, 1, width, 0, 0))
        inner.barrier()
        code.loop("line", kept, inner)
    elif kept:
        of = at("image_ub", done * width * C0)
        code.add(call("copy_ubuf_to_ubuf", at("image_ub"), of, 0, 1, kept * width, 0, 0))
        code.barrier()
    code.fill(at("image_ub", kept * width * C0), (lines - kept) * width * C0, "(half)(0.0f)")
    code.barrier()


MERGES: dict[str, Callable[[Code, Here, int], None]] = {
    "standard": _merge_standard,
    "col2im": _merge_col2im,
    "block-stride": _merge_blocks,
}
