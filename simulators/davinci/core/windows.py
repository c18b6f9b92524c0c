"""img2col, which loads windows of an image, and col2img, which adds them to one.

A fractal is 16 windows times the 32 bytes of a point's channels. Windows go along a row of the
padded image, then to the next one. What the machine writes for windows after the last one of an
image is not documented: those rows have no value afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from s2s.simulators.davinci.core.operands import pointer, takes
from s2s.simulators.davinci.core.state import Core, Stop, Window, window
from s2s.simulators.davinci.kinds import Pointer, Type
from s2s.source.records import dataclass

Run = Callable[..., None]
ROWS = 16
FRACTAL = 512


@dataclass(frozen=True)
class Load:
    """Which point of which windows: of both instructions."""

    kernel_x: int
    kernel_y: int
    left: int
    top: int
    channel: int
    stride_x: int
    stride_y: int
    width: int
    height: int
    dilation_x: int
    dilation_y: int
    jump: int
    mode: int
    repeat: int


def unpack(first: int, second: int) -> Load:
    """Fields of the packed registers Xm and Xt."""

    def signed(value: int) -> int:
        return value - 65536 if value & 0x8000 else value

    return Load(
        first >> 16 & 0xFF, first >> 24 & 0xFF,
        signed(first >> 32 & 0xFFFF), signed(first >> 48 & 0xFFFF), first & 0xFFF,
        second & 0x3F, second >> 6 & 0x3F, second >> 12 & 0xFF, second >> 20 & 0xFF,
        second >> 28 & 0xFF, second >> 36 & 0xFF,
        second >> 44 & 0x7F or 1, second >> 52 & 1, second >> 56 & 0xFF,
    )  # fmt: skip


@lru_cache(maxsize=1024)
def _corners(
    image: Window, step: tuple[int, int], reach: tuple[int, int], at: tuple[int, int], count: int
) -> tuple[Any, Any, Any]:
    """Top left points of ``count`` windows from one on, and which of them the image has."""
    xs, ys, real = [], [], []
    x, y = at
    right, bottom = image.width + image.right, image.height + image.bottom
    for _ in range(count):
        xs.append(x)
        ys.append(y)
        real.append(x + reach[0] <= right and y + reach[1] <= bottom)
        x += step[0]
        if x + reach[0] > right:
            x, y = -image.left, y + step[1]
    return np.array(xs), np.array(ys), np.array(real)


def _points(load: Load, image: Window, at: tuple[int, int], count: int) -> tuple[Any, Any, Any]:
    reach = (
        (load.width - 1) * load.dilation_x + 1,
        (load.height - 1) * load.dilation_y + 1,
    )
    return _corners(image, (load.stride_x, load.stride_y), reach, at, count)


def _check(core: Core, load: Load, name: str, line: int) -> None:
    limits = (
        ("repeat", load.repeat, 0, 255), ("stride", load.stride_x, 1, 63),
        ("stride", load.stride_y, 1, 63), ("kernel", load.width, 1, 255),
        ("kernel", load.height, 1, 255), ("dilation", load.dilation_x, 1, 255),
        ("dilation", load.dilation_y, 1, 255), ("jump", load.jump, 1, 127),
    )  # fmt: skip
    for what, value, low, high in limits:
        if not low <= value <= high:
            kind = "repeat" if what == "repeat" else "window"
            core.findings.say(
                kind, line, f"'{name}' with {what} {value}; {low} to {high} are possible"
            )
            raise Stop
    if load.kernel_x >= load.width or load.kernel_y >= load.height:
        core.findings.say(
            "window", line,
            f"point ({load.kernel_x}, {load.kernel_y}) is outside of the window of "
            f"{load.width} x {load.height} (width x height)",
        )  # fmt: skip
        raise Stop


def img2col(core: Core, name: str, types: tuple[Type, ...]) -> Run:
    """``img2col_cbuf_to_ub``: 17 arguments, or (dst, src[, fmatrix], Xm, Xt, csize)."""
    if len(types) not in (5, 6, 17):
        raise TypeError(f"'{name}' takes 5, 6 or 17 arguments, {len(types)} are given")
    space = {"ub": "ub", "ca": "l0a", "cb": "l0b"}[name.rsplit("_", 1)[1]]
    element = pointer(name, types, 0, space, ("half", "int8_t", "uint8_t"))
    pointer(name, types, 1, "l1", (element.name,))
    per, fixed = core.chip["img2col_fractal"], core.chip["img2col_fixed"]

    def run(line: int, dst: int, src: int, *given: int) -> None:
        if len(given) == 15:
            load = Load(*given[:14])
            image = core.image
        else:
            load = unpack(*given[-3:-1])
            image = window(given[0]) if len(given) == 4 else core.image
        if image is None or image.width == 0 or image.height == 0:
            core.findings.say(
                "window", line, f"'{name}' before 'set_fmatrix' said how large the image is"
            )
            raise Stop
        _check(core, load, name, line)
        _load(core, load, image, space, dst, src, line, element.bytes)
        core.count_bytes("l1 to " + space, load.repeat * FRACTAL)
        core.clock.run("MTE1", line, fixed + per * load.repeat, 0.0, 0.0)

    return run


def _load(
    core: Core, load: Load, image: Window, space: str, dst: int, src: int, line: int, size: int
) -> None:
    if load.mode == 1:
        xs, ys, real = _points(load, image, (load.left, load.top), ROWS * load.repeat)
        _fractals(core, load, image, space, dst, src, line, (xs, ys, real),
                  (load.kernel_x, load.kernel_y, load.channel), load.jump, size)  # fmt: skip
        return
    corners = _points(load, image, (load.left, load.top), ROWS)
    kx, ky, channel = load.kernel_x, load.kernel_y, load.channel
    for k in range(load.repeat):
        at = dst + k * FRACTAL
        _fractals(core, load, image, space, at, src, line, corners, (kx, ky, channel), 1, size)
        kx += 1
        if kx == load.width:
            kx, ky = 0, ky + 1
        if ky == load.height:
            ky, channel = 0, channel + 1


def _fractals(
    core: Core, load: Load, image: Window, space: str, dst: int, src: int, line: int,
    corners: tuple[Any, Any, Any], point: tuple[int, int, int], jump: int, size: int,
) -> None:  # fmt: skip
    """Load the same point of all windows."""
    xs, ys, real = corners
    x = xs + point[0] * load.dilation_x
    y = ys + point[1] * load.dilation_y
    inside = real & (x >= 0) & (x < image.width) & (y >= 0) & (y < image.height)
    source = core.memories["l1"]
    blocks = (point[2] * image.height + y[inside]) * image.width + x[inside]
    if blocks.size:
        low, high = src + int(blocks.min()) * 32, src + (int(blocks.max()) + 1) * 32
        core.inside("l1", src, low - src, high - src, line)
        if not source.spans.covers(low, high):
            halves = ((src // 32 + blocks)[:, None] * 16 + np.arange(16)).ravel()
            if not source.defined[halves].all():
                core.findings.say("undefined", line, "a point of the image in L1 has no value")
        core.hazards.touch("MTE1", "l1", low, high, False, line, src // 32, np.unique(blocks))
    rows = np.zeros((len(xs), 16), np.uint16)
    if core.padding:
        rows[:] = core.padding if size == 2 else (core.padding & 0xFF) * 257
    rows[inside] = source.bytes.view(np.uint16).reshape(-1, 16)[src // 32 + blocks]
    target = core.memories[space]
    count = len(xs) // ROWS
    end = ((count - 1) * jump + 1) * FRACTAL
    core.inside(space, dst, 0, end, line, align=32 if space == "ub" else 512)
    places = dst // 32 + (np.arange(count)[:, None] * (jump * ROWS) + np.arange(ROWS)).ravel()
    core.hazards.touch("MTE1", space, dst, dst + end, True, line, 0, None if jump == 1 else places)
    target.bytes.view(np.uint16).reshape(-1, 16)[places] = rows
    if jump == 1:
        target.define(dst, dst + end)
    else:
        for k in range(count):
            target.define(dst + k * jump * FRACTAL, dst + k * jump * FRACTAL + FRACTAL)
    for k in np.flatnonzero(~real).tolist():
        target.poison(int(places[k]) * 32, int(places[k]) * 32 + 32)


def col2img(core: Core, name: str, types: tuple[Type, ...]) -> Run:
    """``col2img(dst, src, Xm, Xt)``: add fractals to the points of an image in the buffer."""
    takes(name, types, 4)
    element = pointer(name, types, 0, "ub", ("half", "float"))
    pointer(name, types, 1, "ub", (element.name,))
    size = element.bytes
    view, point = core.ub.view(element.name), 16 * size
    per = core.chip["col2img_fractal"] * (size // 2)
    start, head, tail = (core.chip[f"vector_{n}"] for n in ("start", "head", "tail"))

    def run(line: int, dst: int, src: int, first: int, second: int) -> None:
        load, image = unpack(first, second), core.output
        if image is None or image.width == 0 or image.height == 0:
            core.findings.say(
                "window", line, "'col2img' before 'set_fcol2img' said how large the image is"
            )
            raise Stop
        _check(core, load, name, line)
        xs, ys, real = _points(load, image, (load.left, load.top), ROWS * load.repeat)
        x, y = xs + load.kernel_x * load.dilation_x, ys + load.kernel_y * load.dilation_y
        inside = real & (x >= 0) & (x < image.width) & (y >= 0) & (y < image.height)
        points = (y[inside] + load.channel * image.height) * image.width + x[inside]
        rows = np.flatnonzero(inside)
        core.inside("ub", src, 0, load.repeat * ROWS * point, line)
        if points.size:
            _add(core, view, line, dst, src, points, rows, size)
        core.lanes_used += 16 * len(rows)
        core.lanes_all += 16 * len(xs)
        core.clock.run("V", line, start + per * load.repeat, head, tail)

    return run


def _add(
    core: Core, view: Any, line: int, dst: int, src: int, points: Any, rows: Any, size: int
) -> None:
    ub, point = core.ub, 16 * size
    low, high = int(points.min()) * point, (int(points.max()) + 1) * point
    core.inside("ub", dst, low, high, line)
    for name, address, places in (("the image", dst, points), ("a row", src, rows)):
        first, last = address + int(places.min()) * point, address + (int(places.max()) + 1) * point
        if not ub.spans.covers(first, last):
            halves = ((places[:, None] * point + address) // 2 + np.arange(point // 2)).ravel()
            if not ub.defined[halves].all():
                core.findings.say(
                    "undefined", line,
                    f"'col2img' adds to {name} where it has no value"
                    if name == "the image" else "'col2img' adds a row that has no value",
                )  # fmt: skip
                ub.defined[halves] = True  # said once, not of the sums as well
        wide = point // 32
        blocks = (places[:, None] * wide + np.arange(wide)).ravel()
        core.hazards.touch("V", "ub", first, last, address == dst, line, address // 32, blocks)
        if core.deep:
            core.late(blocks + address // 32, line, name)
    to = (points[:, None] * 16 + np.arange(16)) + dst // size
    view[to] = view[to] + view[(rows[:, None] * 16 + np.arange(16)) + src // size]
    if core.deep:
        wide = point // 32
        blocks = (points[:, None] * wide + np.arange(wide)).ravel() + dst // 32
        core.mark(blocks, line)


def set_window(core: Core, name: str, types: tuple[Type, ...]) -> Run:
    """``set_fmatrix`` (img2col) and ``set_fcol2img``."""
    takes(name, types, 1)

    def run(line: int, bits: int) -> None:
        if name == "set_fmatrix":
            core.image = window(bits)
        else:
            core.output = window(bits)
        core.clock.work(line, core.clock.issue)

    return run


def set_padding(core: Core, name: str, types: tuple[Type, ...]) -> Run:
    """``set_padding(bits)``: of points outside of an image; fp16 as bits."""
    takes(name, types, 1)
    if isinstance(types[0], Pointer) or getattr(types[0], "is_float", False):
        raise TypeError("'set_padding' takes the bits of a value, as an integer")

    def run(line: int, bits: int) -> None:
        core.padding = bits & 0xFFFF
        core.clock.work(line, core.clock.issue)

    return run
