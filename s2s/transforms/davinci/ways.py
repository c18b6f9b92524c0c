"""Six ways to reduce windows: how a tile comes in, and what is done with it.

``standard``, ``im2col``, ``expansion`` and ``xy`` are those of Rohwedder, de Carvalho, Amaral,
Araujo, Colmenares, Wang: Pooling Acceleration in the DaVinci Architecture Using Im2col and Col2im
Instructions (sections V-A and VI-B). ``block-stride`` and ``xy-block-stride`` are not in the paper:
a vector instruction reads 8 windows at once where its blocks are a window's stride apart.
"""

from __future__ import annotations

from collections.abc import Callable

from s2s.scop.cce import Call
from s2s.scop.pooling import Kind, Pooling
from s2s.source.records import dataclass
from s2s.transforms.davinci.errors import Unmappable
from s2s.transforms.davinci.masks import Source
from s2s.transforms.davinci.planes import Here, load_lines, transfer
from s2s.transforms.davinci.tiles import Tile
from s2s.transforms.davinci.vectors import (
    C0,
    LOWEST,
    LOWEST_BITS,
    POINT,
    REPEATS,
    Code,
    Rows,
    at,
    call,
    sum_of,
)

PAPER = ("standard", "im2col", "expansion", "xy")
OURS = ("block-stride", "xy-block-stride")


@dataclass(frozen=True)
class Way:
    """How a tile is reduced: what it needs, how it comes in, and the reduction itself.

    ``source`` says where the point (ky, kx) of each window is afterwards, for masks. It
    ``has_planes`` where there is a plane of all windows for each point.
    """

    needs: Callable[[Pooling, Tile], list[tuple[str, str, int]]]
    load: Callable[[Code, Here], None]
    reduce: Callable[[Code, Here], None]
    source: Callable[[Pooling, Tile], Source]
    has_planes: bool = False


def operation(pooling: Pooling) -> str:
    """The instruction that reduces."""
    return "vmax" if pooling.kind is Kind.MAX else "vadd"


def neutral(pooling: Pooling) -> str:
    """What changes no reduction: the padding."""
    return LOWEST if pooling.kind is Kind.MAX else "(half)(0.0f)"


def _start(code: Code, here: Here) -> None:
    if not here.starts:
        return
    pooling = here.pooling
    first = f"(half)({pooling.least}f)" if pooling.kind is Kind.MAX else neutral(pooling)
    code.fill(at("out_ub"), here.tile.rows * pooling.x.count * C0, first)
    code.barrier()


# ---- standard: 16 lanes, repeats along a window's row


def _width(pooling: Pooling) -> int:
    x = pooling.x
    return x.before + x.size + x.after


def _direct_needs(pooling: Pooling, tile: Tile) -> list[tuple[str, str, int]]:
    return [("in_ub", "ub", tile.padded * _width(pooling) * POINT)]


def _load_direct(code: Code, here: Here) -> None:
    load_lines(code, here, "in_ub", here.pooling.input, neutral(here.pooling))


def _reduce_standard(code: Code, here: Here) -> None:
    """``vmax`` over a row of a window for each window and row of it (section V-A).

    Where windows are one point apart, over all windows of a row instead (section VI-B).
    """
    pooling, tile = here.pooling, here.tile
    y, x, width = pooling.y, pooling.x, _width(pooling)
    _start(code, here)
    if x.stride == 1:
        _reduce_rows(code, here)
        return
    for ky in range(y.kernel):
        inner, each = code.inner(), code.inner()
        out = at("out_ub", sum_of(0, [("oy", x.count * C0), ("ox", C0)]))
        first = ky * y.dilation * width * C0
        line = sum_of(first, [("oy", y.stride * width * C0), ("ox", x.stride * C0)])
        code.mask(C0)
        for start in range(0, x.kernel, REPEATS):
            repeat = min(REPEATS, x.kernel - start)
            source = at("in_ub", line.shifted(start * x.dilation * C0))
            if start:
                each.barrier()
            each.add(call(operation(pooling), out, source, out, repeat, 1, 1, 1, 0, x.dilation, 0))
        each.lanes = inner.lanes = C0
        inner.loop("ox", x.count, each)
        code.loop("oy", tile.rows, inner)
        code.barrier()


def _reduce_rows(code: Code, here: Here) -> None:
    """All windows of a row at once, for each point of a window: ``block-stride``, too."""
    pooling, tile = here.pooling, here.tile
    y, x, width = pooling.y, pooling.x, _width(pooling)
    for ky in range(y.kernel):
        for kx in range(x.kernel):
            out = Rows(at("out_ub"), 1, x.count)
            first = (ky * y.dilation * width + kx * x.dilation) * C0
            source = Rows(at("in_ub", first), x.stride, y.stride * width)
            code.rows(operation(pooling), "oy", tile.rows, x.count, (out, source, out))
            code.barrier()


def _reduce_blocks(code: Code, here: Here) -> None:
    _start(code, here)
    _reduce_rows(code, here)


def _direct_source(pooling: Pooling, tile: Tile) -> Source:
    y, x, width = pooling.y, pooling.x, _width(pooling)
    return Source(
        "in_ub",
        lambda ky, kx: (ky * y.dilation * width + kx * x.dilation) * C0,
        y.stride * width * C0,
        x.stride,
        in_place=False,
        single=False,
    )


def _single_source(pooling: Pooling, tile: Tile) -> Source:
    """For the standard variant: a window at a time."""
    from dataclasses import replace

    return replace(_direct_source(pooling, tile), single=pooling.x.stride != 1)


# ---- im2col and expansion: a plane for each point of a window


def plane_points(pooling: Pooling, tile: Tile) -> int:
    """Windows of a plane, in whole fractals of 16."""
    return -(-tile.rows * pooling.x.count // 16) * 16


def _plane_needs(pooling: Pooling, tile: Tile) -> list[tuple[str, str, int]]:
    points = pooling.y.kernel * pooling.x.kernel * plane_points(pooling, tile)
    return [("points", "ub", points * POINT)]


def used_width(pooling: Pooling) -> int:
    """Points of a line that windows have: what Im2col is told that an image has."""
    x = pooling.x
    return max(0, min(x.size, (x.count - 1) * x.stride + x.reach - x.before))


def _im2col_needs(pooling: Pooling, tile: Tile) -> list[tuple[str, str, int]]:
    image = ("image_l1", "l1", tile.lines * used_width(pooling) * POINT)
    return [image, *_plane_needs(pooling, tile)]


def _load_im2col(code: Code, here: Here) -> None:
    """To L1, then to the unified buffer window by window (repeat mode 1)."""
    pooling, tile = here.pooling, here.tile
    y, x, width = pooling.y, pooling.x, used_width(pooling)
    if not tile.lines or not width:
        # An image without points is none; nothing but padding is in these windows.
        planes = y.kernel * x.kernel
        code.fill(at("points"), planes * plane_points(pooling, tile) * C0, neutral(pooling))
        code.barrier()
        return
    code.flag("MTE1", "MTE2")
    gaps = here.whole.x.size - width, 0
    source, to = here.line(pooling.input), at("image_l1")
    transfer(code, "copy_gm_to_cbuf", to, source, tile.lines, width, gaps, "PAD_NONE")
    code.flag("MTE2", "MTE1")
    bits = (
        width | tile.lines << 16 | x.before << 32 | x.after << 40
        | tile.above << 48 | tile.below << 56
    )  # fmt: skip
    code.add(Call("set_fmatrix", (f"0x{bits:x}ull",)))
    pad = LOWEST_BITS if pooling.kind is Kind.MAX else 0
    code.add(Call("set_padding", (f"0x{pad:x}",)))
    points = plane_points(pooling, tile)
    for ky in range(y.kernel):
        for kx in range(x.kernel):
            base = (ky * x.kernel + kx) * points
            for start in range(0, points // 16, REPEATS):
                repeat = min(REPEATS, points // 16 - start)
                window = start * 16
                left = window % x.count * x.stride - x.before
                top = window // x.count * y.stride - tile.above
                code.add(
                    call(
                        "img2col_cbuf_to_ub", at("points", (base + window) * C0), at("image_l1"),
                        kx, ky, left, top, 0, x.stride, y.stride, x.kernel, y.kernel,
                        x.dilation, y.dilation, 1, 1, repeat, 2,
                    )
                )  # fmt: skip
    code.flag("MTE1", "V")


def _reduce_planes(code: Code, here: Here) -> None:
    """One instruction for each point of a window over all windows (section V-A)."""
    pooling, tile = here.pooling, here.tile
    elements = tile.rows * pooling.x.count * C0
    points = plane_points(pooling, tile)
    _start(code, here)
    for k in range(pooling.y.kernel * pooling.x.kernel):
        code.dense(
            operation(pooling), at("out_ub"), at("points", k * points * C0), at("out_ub"), elements
        )
        code.barrier()


def _plane_source(pooling: Pooling, tile: Tile) -> Source:
    points, x = plane_points(pooling, tile), pooling.x
    return Source(
        "points",
        lambda ky, kx: (ky * x.kernel + kx) * points * C0,
        x.count * C0,
        1,
        in_place=True,
        single=False,
        plane=points,
    )


def _expansion_needs(pooling: Pooling, tile: Tile) -> list[tuple[str, str, int]]:
    return [*_direct_needs(pooling, tile), *_plane_needs(pooling, tile)]


def _load_expansion(code: Code, here: Here) -> None:
    """The shape of Im2col by vector instructions, a window in each repeat (section VI-B)."""
    pooling, tile = here.pooling, here.tile
    y, x, width = pooling.y, pooling.x, _width(pooling)
    if x.stride > REPEATS:
        raise Unmappable(f"windows {x.stride} points apart are too far for a repeat")
    _load_direct(code, here)
    points = plane_points(pooling, tile)
    code.mask(C0)
    for ky in range(y.kernel):
        for kx in range(x.kernel):
            inner = code.inner()
            inner.lanes = C0
            base = (ky * x.kernel + kx) * points * C0
            first = (ky * y.dilation * width + kx * x.dilation) * C0
            for start in range(0, x.count, REPEATS):
                repeat = min(REPEATS, x.count - start)
                to = at("points", sum_of(base + start * C0, [("oy", x.count * C0)]))
                line = sum_of(first + start * x.stride * C0, [("oy", y.stride * width * C0)])
                inner.add(
                    call("vmuls", to, at("in_ub", line), "(half)(1.0f)", repeat, 1, 1, 1, x.stride)
                )
            code.loop("oy", tile.rows, inner)
    code.barrier()


# ---- xy: along x first, then along y


def _xy_needs(pooling: Pooling, tile: Tile) -> list[tuple[str, str, int]]:
    return [
        *_direct_needs(pooling, tile),
        ("lines", "ub", tile.padded * pooling.x.count * POINT),
    ]


def _reduce_xy(code: Code, here: Here) -> None:
    """The width of windows, 16 lanes at a time, then their height over whole rows."""
    pooling, tile = here.pooling, here.tile
    x, width = pooling.x, _width(pooling)
    code.fill(at("lines"), tile.padded * x.count * C0, neutral(pooling))
    code.barrier()
    inner, each = code.inner(), code.inner()
    code.mask(C0)
    each.lanes = inner.lanes = C0
    line = at("lines", sum_of(0, [("iy", x.count * C0), ("ox", C0)]))
    source = sum_of(0, [("iy", width * C0), ("ox", x.stride * C0)])
    for start in range(0, x.kernel, REPEATS):
        repeat = min(REPEATS, x.kernel - start)
        of = at("in_ub", source.shifted(start * x.dilation * C0))
        if start:
            each.barrier()
        each.add(call(operation(pooling), line, of, line, repeat, 1, 1, 1, 0, x.dilation, 0))
    inner.loop("ox", x.count, each)
    code.loop("iy", tile.padded, inner)
    code.barrier()
    _reduce_lines(code, here)


def _reduce_xy_blocks(code: Code, here: Here) -> None:
    """The width of 8 windows at once, then their height."""
    pooling, tile = here.pooling, here.tile
    x, width = pooling.x, _width(pooling)
    line = Rows(at("lines"), 1, x.count)
    first = Rows(at("in_ub"), x.stride, width)
    if x.kernel == 1:
        code.fill(at("lines"), tile.padded * x.count * C0, neutral(pooling))
        code.barrier()
    for kx in range(min(1, x.kernel - 1), x.kernel):
        source = Rows(at("in_ub", kx * x.dilation * C0), x.stride, width)
        pair = (first, source) if x.kernel > 1 and kx == 1 else (source, line)
        code.rows(operation(pooling), "iy", tile.padded, x.count, (line, *pair))
        code.barrier()
    _reduce_lines(code, here)


def _reduce_lines(code: Code, here: Here) -> None:
    """Reduced lines to rows of windows."""
    pooling, tile = here.pooling, here.tile
    y, x = pooling.y, pooling.x
    _start(code, here)
    for ky in range(y.kernel):
        out = Rows(at("out_ub"), 1, x.count)
        source = Rows(at("lines", ky * y.dilation * x.count * C0), 1, y.stride * x.count)
        code.rows(operation(pooling), "oy", tile.rows, x.count, (out, source, out))
        code.barrier()


WAYS = {
    "standard": Way(_direct_needs, _load_direct, _reduce_standard, _single_source),
    "im2col": Way(_im2col_needs, _load_im2col, _reduce_planes, _plane_source, True),
    "expansion": Way(
        _expansion_needs, _load_expansion, _reduce_planes, _plane_source, has_planes=True
    ),
    "xy": Way(_xy_needs, _load_direct, _reduce_xy, _direct_source),
    "block-stride": Way(_direct_needs, _load_direct, _reduce_blocks, _direct_source),
    "xy-block-stride": Way(_xy_needs, _load_direct, _reduce_xy_blocks, _direct_source),
}
