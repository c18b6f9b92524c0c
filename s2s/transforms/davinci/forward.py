"""Forward pooling: a maximum or a sum over windows, in one of six ways.

``standard``, ``im2col``, ``expansion`` and ``xy`` are those of Rohwedder, de Carvalho, Amaral,
Araujo, Colmenares, Wang: Pooling Acceleration in the DaVinci Architecture Using Im2col and Col2im
Instructions (sections V-A and VI-B). ``block-stride`` and ``xy-block-stride`` are not in the paper:
a vector instruction reads 8 windows at once where its blocks are a window's stride apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from s2s.scop.cce import Argument, Buffer, Call, Program
from s2s.scop.pooling import Kind, Mask, Pooling
from s2s.transforms.davinci.errors import Unmappable
from s2s.transforms.davinci.masks import Source, add_masks, mask_buffers, prepare_masks, store_masks
from s2s.transforms.davinci.parts import fit_parts, forward_parts
from s2s.transforms.davinci.planes import (
    Body,
    Here,
    add_tiles,
    finish,
    load_counts,
    load_lines,
    program,
    transfer,
)
from s2s.transforms.davinci.single import prepare_divisor, reduce_single, single_buffers
from s2s.transforms.davinci.strips import Needs, fit_strips, forward_strips, words_of
from s2s.transforms.davinci.tiles import SIZES, Tile
from s2s.transforms.davinci.vectors import (
    C0,
    LOWEST,
    LOWEST_BITS,
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
PAPER = ("standard", "im2col", "expansion", "xy")
OURS = ("block-stride", "xy-block-stride")


@dataclass(frozen=True)
class Way:
    """How a tile is reduced: what it needs, how it comes in, and the reduction itself.

    ``source`` says where the point (ky, kx) of each window is afterwards, for masks.
    """

    needs: Callable[[Pooling, Tile], list[tuple[str, str, int]]]
    load: Callable[[Code, Here], None]
    reduce: Callable[[Code, Here], None]
    source: Callable[[Pooling, Tile], Source]


def make_forward(
    pooling: Pooling, variant: str, ub: int = SIZES["ub"], *, single: bool = False
) -> Program:
    """The program of a variant; sums are ``single`` precision. Raises Unmappable."""
    way = WAYS[variant]
    _check(pooling, variant)
    single = single and pooling.kind is not Kind.MAX
    if single and way.reduce is not _reduce_planes:
        raise Unmappable("sums in single precision are of planes: im2col and expansion have them")
    masked = pooling.mask is not Mask.NONE
    divided = pooling.kind is Kind.AVERAGE

    def needs(part: Pooling, tile: Tile) -> list[tuple[str, str, int]]:
        found = [*way.needs(part, tile), ("out_ub", "ub", tile.rows * part.x.count * POINT)]
        if divided and not pooling.divides_evenly:
            found.append(("counts_ub", "ub", tile.rows * part.x.count * POINT))
        elif divided and not single:
            found.append(("divisor", "ub", 256))
        if single:
            found += single_buffers(part, tile)
        if masked:
            found += mask_buffers(part, tile, way.source(part, tile))
        return found

    def before(code: Code) -> None:
        if single:
            prepare_divisor(code, pooling)
        elif divided and pooling.divides_evenly:
            code.fill(at("divisor"), 128, f"(half)({float(pooling.count(0, 0))}f)")
            code.barrier()
        if masked:
            prepare_masks(code, pooling)

    def body(code: Code, here: Here) -> None:
        source = way.source(here.pooling, here.tile)
        way.load(code, here)
        if single:
            reduce_single(code, here, _plane_points(here.pooling, here.tile))
        else:
            way.reduce(code, here)
        if here.ends:
            if not single:
                _divide(code, here)
            if masked:
                add_masks(code, here, source)
            _store(code, here)
            if masked:
                store_masks(code, here, source)
        finish(code)

    cut, buffers, pieces = _cut(pooling, needs, body, ub)
    about = _about(variant, f"{cut}, sums in single precision" if single else cut)
    return program(pooling, _arguments(pooling), buffers, pieces, about, before)


def _cut(
    pooling: Pooling, needs: Needs, body: Body, ub: int
) -> tuple[str, tuple[Buffer, ...], Callable[[Code], None]]:
    """What a plane is cut into, in words and as what adds it, and the buffers."""
    try:
        strips, tiles, buffers = fit_strips(pooling, forward_strips, needs, ub)
    except Unmappable:
        if pooling.mask is not Mask.NONE:
            raise
        parts, buffers = fit_parts(pooling, forward_parts, needs, ub)

        def add_parts(code: Code) -> None:
            for part in parts:
                here = Here(part.strip, part.tile, starts=part.starts, ends=part.ends)
                body(code, here)

        return "parts of windows", buffers, add_parts

    def add_strips(code: Code) -> None:
        for strip in strips:
            add_tiles(code, strip, tiles, body)

    return words_of(strips, tiles), buffers, add_strips


def _check(pooling: Pooling, variant: str) -> None:
    y, x = pooling.y, pooling.x
    if pooling.mask is not Mask.NONE and pooling.kind is not Kind.MAX:
        raise Unmappable("a mask belongs to a maximum")
    if variant == "im2col":
        if max(y.kernel, x.kernel, y.dilation, x.dilation) > 255 or max(y.stride, x.stride) > 63:
            raise Unmappable("Im2col takes kernels up to 255 and strides up to 63")
        if max(y.before, x.before, y.after, x.after) > 255:
            raise Unmappable("Im2col takes up to 255 points of padding")
    if variant.endswith("block-stride") and 8 * x.stride > REPEATS:
        raise Unmappable(f"8 windows at a stride of {x.stride} points are too far apart")


def _about(variant: str, cut: str) -> tuple[str, ...]:
    where = "section V-A and VI-B of the paper" if variant in PAPER else "not in the paper"
    return (f"variant {variant} ({where}), {cut}",)


def _arguments(pooling: Pooling) -> tuple[Argument, ...]:
    y, x, planes = pooling.y, pooling.x, pooling.planes
    found = [
        Argument(pooling.input, (planes, y.size, x.size, C0), False),
        Argument(pooling.output, (planes, y.count, x.count, C0), True),
    ]
    if pooling.kind is Kind.AVERAGE and not pooling.divides_evenly:
        found.insert(1, Argument("counts", (y.count, x.count, C0), False))
    if pooling.mask is not Mask.NONE:
        extents = (planes, y.kernel, x.kernel, y.count, x.count, C0)
        found.append(Argument(pooling.mask_name, extents, True))
    return tuple(found)


def operation(pooling: Pooling) -> str:
    """The instruction that reduces."""
    return "vmax" if pooling.kind is Kind.MAX else "vadd"


def neutral(pooling: Pooling) -> str:
    """What a reduction begins with, and what the padding is."""
    return LOWEST if pooling.kind is Kind.MAX else "(half)(0.0f)"


def _start(code: Code, here: Here) -> None:
    if not here.starts:
        return
    code.fill(at("out_ub"), here.tile.rows * here.pooling.x.count * C0, neutral(here.pooling))
    code.barrier()


def _divide(code: Code, here: Here) -> None:
    """The sum by the number of points, rounded once."""
    pooling, tile = here.pooling, here.tile
    if pooling.kind is not Kind.AVERAGE:
        return
    elements = tile.rows * pooling.x.count * C0
    code.barrier()
    if here.whole.divides_evenly:
        for start, repeat, lanes in pieces(elements):
            code.mask(lanes)
            place = after(at("out_ub"), start)
            code.add(call("vdiv", place, place, at("divisor"), repeat, 1, 1, 1, 8, 8, 0))
        return
    load_counts(code, here)
    code.flag("MTE2", "V", 3)
    code.dense("vdiv", at("out_ub"), at("out_ub"), at("counts_ub"), elements)


def _store(code: Code, here: Here) -> None:
    code.flag("V", "MTE3")
    target, points = here.row(here.pooling.output), here.pooling.x.count
    gaps = 0, here.whole.x.count - points
    transfer(code, "copy_ubuf_to_gm", target, at("out_ub"), here.tile.rows, points, gaps)


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


def _plane_points(pooling: Pooling, tile: Tile) -> int:
    """Windows of a plane, in whole fractals of 16."""
    return -(-tile.rows * pooling.x.count // 16) * 16


def _plane_needs(pooling: Pooling, tile: Tile) -> list[tuple[str, str, int]]:
    points = pooling.y.kernel * pooling.x.kernel * _plane_points(pooling, tile)
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
        code.fill(at("points"), planes * _plane_points(pooling, tile) * C0, neutral(pooling))
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
    points = _plane_points(pooling, tile)
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
    points = _plane_points(pooling, tile)
    _start(code, here)
    for k in range(pooling.y.kernel * pooling.x.kernel):
        code.dense(
            operation(pooling), at("out_ub"), at("points", k * points * C0), at("out_ub"), elements
        )
        code.barrier()


def _plane_source(pooling: Pooling, tile: Tile) -> Source:
    points, x = _plane_points(pooling, tile), pooling.x
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
    points = _plane_points(pooling, tile)
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
    "im2col": Way(_im2col_needs, _load_im2col, _reduce_planes, _plane_source),
    "expansion": Way(_expansion_needs, _load_expansion, _reduce_planes, _plane_source),
    "xy": Way(_xy_needs, _load_direct, _reduce_xy, _direct_source),
    "block-stride": Way(_direct_needs, _load_direct, _reduce_blocks, _direct_source),
    "xy-block-stride": Way(_xy_needs, _load_direct, _reduce_xy_blocks, _direct_source),
}
