"""Backward pooling: gradients of windows added to the points of the image, in one of three ways.

``standard`` and ``col2im`` are those of Rohwedder et al. (section V-B); ``block-stride``, which is
not in the paper, adds to 8 windows at once. Lines that windows of the next tile reach, too, stay in
the buffer and move to its top.
"""

from __future__ import annotations

from collections.abc import Callable

from s2s.scop.cce import Argument, Call, Program
from s2s.scop.pooling import Axis, Kind, Pooling
from s2s.transforms.davinci.errors import Unmappable
from s2s.transforms.davinci.planes import Here, finish, program
from s2s.transforms.davinci.tiles import SIZES, Tile, fit
from s2s.transforms.davinci.vectors import (
    C0,
    REPEATS,
    Code,
    Rows,
    after,
    at,
    call,
    pieces,
    sum_of,
)

POINT = 2 * C0
PAPER = ("standard", "col2im")
OURS = ("block-stride",)


def make_backward(pooling: Pooling, variant: str, ub: int = SIZES["ub"]) -> Program:
    """The program of a variant. Raises Unmappable."""
    merge = MERGES[variant]
    width = _width(pooling, variant)
    planes = pooling.y.kernel * pooling.x.kernel if pooling.kind is Kind.MAX else 0

    def needs(tile: Tile) -> list[tuple[str, str, int]]:
        points = _points(pooling, tile)
        found = [
            ("image_ub", "ub", _lines(pooling, tile) * width * POINT),
            ("gradients_ub", "ub", points * POINT),
        ]
        if planes:
            found.append(("masks_ub", "ub", planes * points * POINT))
        elif pooling.kind is Kind.AVERAGE and not pooling.divides_evenly:
            found.append(("counts_ub", "ub", points * POINT))
        elif pooling.kind is Kind.AVERAGE:
            found.append(("divisor", "ub", 256))
        return found

    tiles, buffers = fit(pooling, needs, ub, cut)
    lines = max(_lines(pooling, tile) for tile in tiles)

    def before(code: Code) -> None:
        if pooling.kind is Kind.AVERAGE and pooling.divides_evenly:
            code.fill(at("divisor"), 128, f"(half)({float(pooling.count(0, 0))}f)")
            code.barrier()

    def begin(code: Code) -> None:
        code.fill(at("image_ub"), lines * width * C0, "(half)(0.0f)")
        code.barrier()

    def body(code: Code, here: Here) -> None:
        _load(code, here, planes)
        merge(code, here, width)
        _store(code, here, width)
        _carry(code, here, width, lines)
        finish(code)

    where = "section V-B of the paper" if variant in PAPER else "not in the paper"
    about = (f"variant {variant} ({where}), tiles of {tiles[0].rows} rows of windows",)
    return program(pooling, _arguments(pooling), buffers, tiles, body, about, before, begin)


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
    windows, points = tile.rows * pooling.x.count, _points(pooling, tile)
    elements = windows * C0
    source = here.row(pooling.input)
    code.add(call("copy_gm_to_ubuf", at("gradients_ub"), source, 0, 1, windows, 0, 0))
    if planes:
        gap = (pooling.y.count - tile.rows) * pooling.x.count
        masks = here.row(pooling.mask_name, planes)
        code.add(
            call(
                "copy_gm_to_ubuf", at("masks_ub"), masks, 0, planes, windows, gap, points - windows
            )
        )
    elif pooling.kind is Kind.AVERAGE and not pooling.divides_evenly:
        steps = [] if here.number is None else [(here.number, elements)]
        counts = at("counts", sum_of(tile.first * pooling.x.count * C0, steps))
        code.add(call("copy_gm_to_ubuf", at("counts_ub"), counts, 0, 1, windows, 0, 0))
    code.flag("MTE2", "V")
    for k in range(planes):
        place = at("masks_ub", k * points * C0)
        code.dense("vmul", place, place, at("gradients_ub"), elements)
    if pooling.kind is Kind.AVERAGE and pooling.divides_evenly:
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
    y, x = pooling.y, pooling.x
    code.flag("V", "MTE3")
    if tile.lines == 0:
        return
    target = here.line(pooling.output, y.size, x.size)
    source = at("image_ub", (tile.above * width + x.before) * C0)
    gap = width - x.size
    bursts = (1, tile.lines * x.size, 0) if gap == 0 else (tile.lines, x.size, gap)
    code.add(call("copy_ubuf_to_gm", target, source, 0, *bursts, 0))


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
