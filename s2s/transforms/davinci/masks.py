"""Which point of its window had the maximum: a comparison and a selection for 128 lanes.

On this core ``vsel`` takes the same 128 bits in every repeat, so that it cannot repeat over
windows. A mask has 1 where a point equals its window's maximum and 0 elsewhere; with ``Mask.FIRST``
only the first one in the order of rows.
"""

from __future__ import annotations

from collections.abc import Callable

from s2s.scop.pooling import Mask, Pooling
from s2s.source.records import dataclass
from s2s.transforms.davinci.planes import Here, transfer
from s2s.transforms.davinci.tiles import Tile
from s2s.transforms.davinci.vectors import C0, LANES, POINT, Code, at, call, sum_of


@dataclass(frozen=True)
class Source:
    """Where the points of windows are: ``offset(ky, kx)`` of the first one's, ``line`` elements
    from a row of windows to the next, ``stride`` points from a window to the next.

    ``in_place``: masks may take the place of the points, planes of ``plane`` windows. ``single``:
    a window at a time, as AKG does (section V-A).
    """

    buffer: str
    offset: Callable[[int, int], int]
    line: int
    stride: int
    in_place: bool
    single: bool
    plane: int = 0


def mask_buffers(pooling: Pooling, tile: Tile, source: Source) -> list[tuple[str, str, int]]:
    """What masks need besides."""
    windows = tile.rows * pooling.x.count
    found = [("zeros", "ub", 256), ("ones", "ub", 256)]
    if pooling.mask is Mask.FIRST:
        found.append(("left", "ub", windows * POINT))
    if not source.in_place:
        found.append(("masks_ub", "ub", pooling.y.kernel * pooling.x.kernel * windows * POINT))
    return found


def prepare_masks(code: Code, pooling: Pooling) -> None:
    """The two constants."""
    code.fill(at("zeros"), LANES, "(half)(0.0f)")
    code.fill(at("ones"), LANES, "(half)(1.0f)")
    code.barrier()


def _place(pooling: Pooling, tile: Tile, source: Source) -> tuple[str, int]:
    """The buffer of masks, and the windows from one plane of it to the next."""
    if source.in_place:
        return source.buffer, source.plane
    return "masks_ub", tile.rows * pooling.x.count


def add_masks(code: Code, here: Here, source: Source) -> None:
    """A plane of masks for each point of a window."""
    pooling, tile = here.pooling, here.tile
    windows = tile.rows * pooling.x.count
    code.barrier()
    if pooling.mask is Mask.FIRST:
        code.fill(at("left"), windows * C0, "(half)(1.0f)")
        code.barrier()
    buffer, plane = _place(pooling, tile, source)
    for ky in range(pooling.y.kernel):
        for kx in range(pooling.x.kernel):
            to = (ky * pooling.x.kernel + kx) * plane * C0
            _add_plane(code, here, source, source.offset(ky, kx), buffer, to)
            if pooling.mask is Mask.FIRST:
                code.barrier()
                code.dense("vsub", at("left"), at("left"), at(buffer, to), windows * C0)
                code.barrier()


def _add_plane(code: Code, here: Here, source: Source, of: int, buffer: str, to: int) -> None:
    pooling, tile = here.pooling, here.tile
    count = pooling.x.count
    if source.in_place:
        _chunks(code, pooling, source, of, buffer, to, tile.rows * count, None)
        return
    inner = code.inner()
    if source.single:
        code.mask(C0)
        each = code.inner()
        each.lanes = inner.lanes = C0
        steps_in = [("oy", source.line), ("ox", source.stride * C0)]
        _compare(
            each, pooling, source, of, buffer, to, steps_in, [("oy", count * C0), ("ox", C0)]
        )  # fmt: skip
        inner.loop("ox", count, each)
    else:
        _chunks(inner, pooling, source, of, buffer, to, count, count)
    code.loop("oy", tile.rows, inner)


def _chunks(
    code: Code, pooling: Pooling, source: Source, of: int, buffer: str, to: int, windows: int,
    row: int | None,
) -> None:  # fmt: skip
    """Windows one after another, 8 at a time; ``row``: there is a loop over rows of so many."""
    outer_in = [] if row is None else [("oy", source.line)]
    outer = [] if row is None else [("oy", row * C0)]
    full, rest = divmod(windows, 8)
    if full:
        code.mask(LANES)
        each = code.inner()
        each.lanes = LANES
        steps_in = [*outer_in, ("chunk", 8 * source.stride * C0)]
        _compare(each, pooling, source, of, buffer, to, steps_in, [*outer, ("chunk", LANES)])
        code.loop("chunk", full, each)
    if rest:
        code.mask(rest * C0)
        shift = full * 8
        _compare(
            code, pooling, source, of + shift * source.stride * C0, buffer, to + shift * C0,
            outer_in, outer, shift * C0,
        )  # fmt: skip


def _compare(
    code: Code, pooling: Pooling, source: Source, of: int, buffer: str, to: int,
    steps_in: list[tuple[str, int]], steps: list[tuple[str, int]], shift: int = 0,
) -> None:  # fmt: skip
    point = at(source.buffer, sum_of(of, steps_in))
    largest = at("out_ub", sum_of(shift, steps))
    chosen = at("left", sum_of(shift, steps)) if pooling.mask is Mask.FIRST else at("ones")
    stride = source.stride if not source.single else 1
    code.add(
        call("vcmp_eq", point, largest, 1, 1, stride, 1, 8, 8, 8),
        call("vsel", at(buffer, sum_of(to, steps)), chosen, at("zeros"), 1, 1, 1, 1, 8, 8, 8),
    )


def store_masks(code: Code, here: Here, source: Source) -> None:
    """All planes of masks of a tile."""
    pooling, tile, whole = here.pooling, here.tile, here.whole
    windows, planes = tile.rows * pooling.x.count, pooling.y.kernel * pooling.x.kernel
    buffer, plane = _place(pooling, tile, source)
    name = pooling.mask_name
    if pooling.x.count == whole.x.count:
        gaps = plane - windows, (pooling.y.count - tile.rows) * pooling.x.count
        transfer(code, "copy_ubuf_to_gm", here.row(name, planes), at(buffer), planes, windows, gaps)
        return
    for k in range(planes):
        of, to = at(buffer, k * plane * C0), here.row(name, planes, k)
        gaps = 0, whole.x.count - pooling.x.count
        transfer(code, "copy_ubuf_to_gm", to, of, tile.rows, pooling.x.count, gaps)
