"""Forward pooling: a maximum or a sum over windows, in one of the ``WAYS``."""

from __future__ import annotations

from collections.abc import Callable

from s2s.scop.cce import Argument, Buffer, Program
from s2s.scop.pooling import Kind, Mask, Pooling
from s2s.transforms.davinci.errors import Unmappable
from s2s.transforms.davinci.masks import add_masks, mask_buffers, prepare_masks, store_masks
from s2s.transforms.davinci.parts import fit_parts, forward_parts
from s2s.transforms.davinci.planes import (
    Body,
    Here,
    add_tiles,
    finish,
    load_counts,
    program,
    transfer,
)
from s2s.transforms.davinci.single import prepare_divisor, reduce_single, single_buffers
from s2s.transforms.davinci.strips import Needs, fit_strips, forward_strips, words_of
from s2s.transforms.davinci.tiles import SIZES, Tile
from s2s.transforms.davinci.vectors import (
    C0,
    POINT,
    REPEATS,
    Code,
    after,
    at,
    call,
    pieces,
)
from s2s.transforms.davinci.ways import PAPER, WAYS, plane_points


def make_forward(
    pooling: Pooling, variant: str, ub: int = SIZES["ub"], *, single: bool = False
) -> Program:
    """The program of a variant; sums are ``single`` precision. Raises Unmappable."""
    way = WAYS[variant]
    _check(pooling, variant)
    single = single and pooling.kind is not Kind.MAX
    if single and not way.has_planes:
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
            reduce_single(code, here, plane_points(here.pooling, here.tile))
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
