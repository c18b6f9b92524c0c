"""What pooling computes, by numpy in half precision, in the order in which programs compute it."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2s.emitters.davinci.kernel import print_program
from s2s.scop.cce import Program
from s2s.scop.pooling import Axis, Kind, Mask, Pooling
from s2s.simulators.davinci.core.execute import Execution, Given, execute
from s2s.simulators.davinci.machine import load
from s2s.simulators.davinci.source import read
from s2s.simulators.davinci.translate import translate

Values = np.ndarray[Any, Any]
LOWEST = np.float16(-65504)


def counts(pooling: Pooling) -> Values:
    rows, columns = range(pooling.y.count), range(pooling.x.count)
    return np.array([[pooling.count(y, x) for x in columns] for y in rows], np.float16)


def _padded(pooling: Pooling, image: Values, fill: Any) -> Values:
    """With its padding, in the image's type."""
    y, x = pooling.y, pooling.x
    height = max(y.before + y.size, (y.count - 1) * y.stride + y.reach)
    width = max(x.before + x.size, (x.count - 1) * x.stride + x.reach)
    found = np.full((len(image), height, width, 16), fill, image.dtype)
    found[:, y.before : y.before + y.size, x.before : x.before + x.size] = image
    return found


def _along(axis: Axis, k: int, first: int, rows: int) -> slice:
    start = first * axis.stride + k * axis.dilation
    return slice(start, start + (rows - 1) * axis.stride + 1, axis.stride)


def forward(pooling: Pooling, image: Values, order: str = "yx") -> tuple[Values, Values]:
    """Outputs and masks (planes, window's points, rows, windows, 16), in the image's type."""
    y, x = pooling.y, pooling.x
    padded = _padded(pooling, image, LOWEST if pooling.kind is Kind.MAX else 0)
    points = [
        padded[:, _along(y, ky, 0, y.count), _along(x, kx, 0, x.count)]
        for ky in range(y.kernel)
        for kx in range(x.kernel)
    ]
    if pooling.kind is Kind.MAX:
        out = np.full_like(points[0], pooling.least)
        for point in points:
            out = np.maximum(point, out)
        left, masks = np.ones_like(out), []
        for point in points:
            mask = (point == out) & ((left == 1) | (pooling.mask is Mask.ALL))
            left = np.where(mask, np.float16(0), left)
            masks.append(mask.astype(np.float16))
        return out, np.stack(masks, 1)
    out = _sum_rows(pooling, points) if order == "xy" else np.zeros_like(points[0])
    if order == "yx":
        for point in points:
            out = point + out
    if pooling.kind is Kind.AVERAGE:
        out = out / counts(pooling)[None, :, :, None]
    return out.astype(image.dtype), np.zeros(0)


def _sum_rows(pooling: Pooling, points: list[Values]) -> Values:
    """Each row of a window first."""
    total = np.zeros_like(points[0])
    width = pooling.x.kernel
    for ky in range(pooling.y.kernel):
        row = np.zeros_like(total)
        for point in points[ky * width : (ky + 1) * width]:
            row = point + row
        total = row + total
    return total


def backward(pooling: Pooling, gradients: Values, masks: Values | None, rows: int) -> Values:
    """Gradients of the image, tiles of ``rows`` rows of windows one after another.

    They have the type of those of the windows.
    """
    y, x, kind = pooling.y, pooling.x, gradients.dtype
    found = _padded(pooling, np.zeros((len(gradients), y.size, x.size, 16), kind), 0)
    if pooling.kind is Kind.AVERAGE:
        gradients = (gradients / counts(pooling)[None, :, :, None]).astype(kind)
    for first in range(0, y.count, rows):
        count = min(rows, y.count - first)
        for ky in range(y.kernel):
            for kx in range(x.kernel):
                value = gradients[:, first : first + count]
                if masks is not None:
                    value = value * masks[:, ky * x.kernel + kx, first : first + count]
                to = (slice(None), _along(y, ky, first, count), _along(x, kx, 0, x.count))
                found[to] = found[to] + value
    return found[:, y.before : y.before + y.size, x.before : x.before + x.size]


def within(pooling: Pooling, found: Values, wanted: Values, absolute: Values) -> bool:
    """Whether half precision is as near to single precision as ``docs/davinci.md`` says.

    ``absolute``: what the sums would be if no number were negative. A sum of n numbers is rounded
    n - 1 times and an average once more, each time by at most 2**-11 of what it is, or by half of
    the smallest number.
    """
    rounded = (pooling.y.kernel * pooling.x.kernel + 1) * 2.0**-11
    bound = rounded / (1 - rounded) * absolute.astype(np.float64) + 2.0**-25
    return bool((np.abs(found.astype(np.float64) - wanted) <= bound).all())


def run(
    program: Program, arrays: dict[str, Values], *, deep: bool = True, machine: str = "documented"
) -> Execution:
    """The program's text on the simulator; arrays that are not given are zeros."""
    kernel = translate(read(print_program(program), "kernel.cce.c"))
    given = {a.name: arrays.get(a.name, np.zeros(a.extents, np.float16)) for a in program.arguments}
    chip = load(f"ascend910-{machine}")
    return execute(kernel, chip, Given(given, {}, blocks=program.blocks, deep=deep))


def result(execution: Execution, name: str, shape: tuple[int, ...]) -> Values:
    """An array afterwards."""
    return next(a for a in execution.arrays if a.name == name).values().reshape(shape)


def outputs(execution: Execution, program: Program) -> dict[str, Values]:
    """All output arrays afterwards, flat."""
    names = {a.name for a in program.arguments if a.is_output}
    return {a.name: a.values() for a in execution.arrays if a.name in names}
