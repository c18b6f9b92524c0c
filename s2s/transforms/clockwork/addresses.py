"""Controllers with addresses for loads and stores whose subscripts are affine, or rounded."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from s2s.scop.netlist import Controller
from s2s.transforms.clockwork.accesses import Access
from s2s.transforms.clockwork.controllers import Box, coalesce
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
    found = []
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
        found += coalesce(plain)
    return tuple(found)


def _corner(access: Access, box: Box) -> int:
    import numpy as np

    counters = {k: np.asarray(first) for k, first in enumerate(box.first)}
    return int(np.asarray(access.cells(counters)))


def _contributions(access: Access, box: Box) -> list[Numbers]:
    """What each loop adds to the element's number, for each of its iterations in the box."""
    import numpy as np

    depth = len(box.count)
    ranges = [
        first + step * np.arange(count)
        for first, step, count in zip(box.first, box.step, box.count, strict=True)
    ]
    corner = _corner(access, box)
    axes = []
    for k in range(depth):
        counters = {j: ranges[j] if j == k else np.asarray(box.first[j]) for j in range(depth)}
        cells = np.broadcast_to(access.cells(counters), (box.count[k],))
        axes.append(cells - corner)
    relevant = access.relevant
    sparse = np.meshgrid(*(ranges[k] for k in relevant), indexing="ij", sparse=True)
    fixed = {j: np.asarray(box.first[j]) for j in range(depth)}
    every = access.cells({**fixed, **dict(zip(relevant, sparse, strict=True))})
    parts = np.meshgrid(*(axes[k] for k in relevant), indexing="ij", sparse=True)
    if not np.array_equal(every, sum(parts, np.asarray(corner))):
        name = access.operation.name
        raise MappingError(f"{name}: an address is no sum of what its loops contribute")
    return axes


def _parts(axis: Numbers) -> list[Part]:
    """A loop's contribution as loops whose steps are equal: one, or two of which the inner one
    has the least number of iterations that does, and the rest.
    """
    import numpy as np

    count = len(axis)
    for inner in range(1, count + 1):
        at = np.arange(count)
        outer = axis[inner] if inner < count else 0
        within = axis[1] if inner > 1 else 0
        if np.array_equal(axis, at // inner * outer + at % inner * within):
            whole, rest = divmod(count, inner)
            found: list[Part] = []
            if whole:
                found.append((0, ((whole, inner, int(outer)), (inner, 1, int(within)))))
            if rest:
                found.append((whole * inner, ((rest, 1, int(within)),)))
            return found
    raise MappingError("an address grows by irregular steps")
