"""Controllers with addresses for loads and stores whose subscripts are affine, or rounded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from math import gcd
from typing import TYPE_CHECKING

from s2s.scop.expressions import INT32, Expr, Variable
from s2s.scop.netlist import Controller
from s2s.transforms.clockwork.accesses import Access, affine, evaluate
from s2s.transforms.clockwork.controllers import Box, fit_loops
from s2s.transforms.clockwork.errors import MappingError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

Part = tuple[int, tuple[tuple[int, int, int], ...]]
"""A stretch of a loop: its first iteration, and loops (extent, step, address's step)."""


def addressed(access: Access, box: Box) -> tuple[Controller, ...]:
    """Controllers that give the number of the element for the iterations of a box.

    A subscript ``x/2`` makes two loops of the loop over ``x``; where they do not come out even
    there is a controller for the rest. Raises MappingError where elements are no sum of what
    the loops contribute.
    """
    axes = _contributions(access, box)
    found: list[Controller] = []
    for parts in product(*(_parts(axis) for axis in axes)):
        extent, stride, places = [], [], []
        start = access.start.offset + access.delay
        at = _corner(access, box)
        for k, (first, loops) in enumerate(parts):
            step = access.start.strides[k]
            start += step * (box.first[k] + first * box.step[k])
            at += int(axes[k][first])
            for count, steps, place in loops:
                extent.append(count)
                stride.append(step * box.step[k] * steps)
                places.append(place)
        plain = Controller(
            tuple(extent[::-1]), tuple(stride[::-1]), start, (at, tuple(places[::-1]))
        )
        found += fit_loops(plain)
    return tuple(found)


def _corner(access: Access, box: Box) -> int:
    import numpy as np

    counters = {k: np.asarray(first) for k, first in enumerate(box.first)}
    return int(np.asarray(access.cells(counters)))


def _contributions(access: Access, box: Box) -> list[Numbers]:
    """What each loop adds to the element's number, for each of its iterations in the box."""
    import numpy as np

    names = [loop.name for loop in access.operation.loops]
    axes = [np.zeros(count, np.int64) for count in box.count]
    weight = 1
    indices = [Variable(INT32, name) for name in access.memory.outer]
    dimensions = list(zip((*indices, *access.subscripts), access.memory.sizes, strict=True))
    for subscript, size in reversed(dimensions):
        linear = affine(subscript, frozenset(names))
        if linear is None:
            parts = _tabulated(access, subscript, box)
        else:
            parts = {
                k: np.arange(box.count[k]) * box.step[k] * linear.get(n, 0)
                for k, n in enumerate(names)
            }
        for k, part in parts.items():
            axes[k] += weight * part
        weight *= size
    return axes


def _tabulated(access: Access, subscript: Expr, box: Box) -> dict[int, Numbers]:
    """The same for a subscript that is not affine, if it is a sum of such contributions."""
    import numpy as np

    operation = access.operation
    used = [k for k, loop in enumerate(operation.loops) if loop.name in subscript.variables]
    ranges = [
        operation.minima[k] + box.first[k] + box.step[k] * np.arange(box.count[k]) for k in used
    ]
    corner = {operation.loops[k].name: r[0] for k, r in zip(used, ranges, strict=True)}
    first = evaluate(subscript, corner)
    parts = {}
    for k, values in zip(used, ranges, strict=True):
        axis = evaluate(subscript, {**corner, operation.loops[k].name: values}) - first
        parts[k] = np.broadcast_to(axis, (box.count[k],))
    grid = np.meshgrid(*ranges, indexing="ij", sparse=True)
    every = evaluate(
        subscript, {operation.loops[k].name: g for k, g in zip(used, grid, strict=True)}
    )
    sums = np.meshgrid(*parts.values(), indexing="ij", sparse=True)
    if not np.array_equal(np.broadcast_to(every, sum(sums, np.asarray(0)).shape), sum(sums, first)):
        name = operation.name
        raise MappingError(f"{name}: an address is no sum of what its loops contribute")
    return parts


def _parts(axis: Numbers) -> list[Part]:
    """A loop's contribution as loops whose steps are equal: one, or two, and the rest.

    What comes before a quotient's first whole stretch, as the first 0 of ``(x + 2)/3``, is apart.
    """
    for head in range(min(len(axis), _HEAD)):
        tail = _regular(axis[head:] - axis[head])
        before = _regular(axis[:head]) if head else []
        if tail is not None and before is not None:
            return [*before, *((head + first, loops) for first, loops in tail)]
    raise MappingError("an address grows by irregular steps")


_HEAD = 64
"""Iterations that may come before the first whole stretch."""


def _regular(axis: Numbers) -> list[Part] | None:
    """A contribution that begins with a whole stretch, if it is one: an inner loop with equal
    steps, as long as these go on, in an outer one; and the rest.
    """
    import numpy as np

    count, steps = len(axis), np.diff(axis)
    inner = 1 + (int(np.argmax(steps != steps[0])) if count > 1 else 0)
    outer = axis[inner] if inner < count else 0
    within = axis[1] if inner > 1 else 0
    at = np.arange(count)
    if not np.array_equal(axis, at // inner * outer + at % inner * within):
        return None
    whole, rest = divmod(count, inner)
    found: list[Part] = []
    if whole:
        found.append((0, ((whole, inner, int(outer)), (inner, 1, int(within)))))
    if rest:
        found.append((whole * inner, ((rest, 1, int(within)),)))
    return found


def common_step(controllers: Sequence[Controller]) -> int:
    """The greatest number that divides all differences between addresses."""
    known = [c.address for c in controllers if c.address is not None]
    first = known[0][0]
    return gcd(*(n for start, strides in known for n in (start - first, *strides))) or 1


def narrow(controller: Controller, step: int) -> Controller:
    """The controller with its addresses divided by a step."""
    if controller.address is None:
        return controller
    start, strides = controller.address
    return replace(controller, address=(start // step, tuple(s // step for s in strides)))
