"""Many candidates at once: about what the exact model says, with tiles of average size.

Used to choose what the exact model looks at; what comes out of the search is always exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from s2s.tuning.spatial.candidate import Problem

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, np.dtype[np.float64]]


def estimate(
    problem: Problem,
    units: Sequence[int] | Numbers,
    tiles: Numbers,
    order: Sequence[int],
    whole: Sequence[int] = (),
) -> tuple[Numbers, Numbers]:
    """Cycles, and elements over the network, for rows of tiles (and of units, or all the same).

    L2 holds the iterations of ``whole`` (all, where it is not said).
    """
    import numpy as np

    sizes = np.array(whole or problem.sizes, dtype=np.float64)
    array = np.minimum(tiles * np.array(units, dtype=np.float64), sizes)
    steps = np.ceil(sizes / array)
    mean = sizes / steps
    last = np.minimum(tiles, sizes - (steps - 1) * array)
    compute = np.prod(((steps - 1) * tiles + last) / steps, axis=1)
    moves = _Moves(problem, mean)
    rate = problem.machine.noc_bandwidth
    first = sum(moves.volumes[:-1]) / rate
    cycles, moved = first + compute, sum(moves.volumes)
    outside = np.ones(len(tiles))
    several = steps > 1
    for place, d in enumerate(order):
        times = outside * (steps[:, d] - 1)
        bus = moves.at(d, [(one, several[:, one]) for one in order[place + 1 :]])
        cycles = cycles + times * np.maximum(compute, bus / rate)
        moved = moved + times * bus
        outside = outside * steps[:, d]
    return cycles, moved


class _Moves:
    """What the network moves when a loop goes on."""

    def __init__(self, problem: Problem, mean: Numbers) -> None:
        self.tensors = problem.layer.computation.tensors
        self.dims = problem.dims
        self.mean = mean
        self.volumes = [self._volume(tensor, None) for tensor in self.tensors]

    def _volume(self, tensor: Any, fresh: int | None) -> Any:
        import numpy as np

        found = np.ones(len(self.mean))
        for axis in tensor.axes:
            if not axis.terms:
                continue
            parts = [(self.dims.index(dim), abs(f)) for dim, f in axis.terms]
            if len(parts) == 1:
                found = found * self.mean[:, parts[0][0]]
                continue
            width = 1 + sum(f * (self.mean[:, d] - 1) for d, f in parts)
            points = np.prod([self.mean[:, d] for d, _ in parts], axis=0)
            if fresh in [d for d, _ in parts]:
                step = next(f for d, f in parts if d == fresh)
                dense = points >= width  # else what comes lies between what is there
                part = np.minimum(width, step * self.mean[:, fresh])
                width = np.where(dense, part, np.minimum(width, points))
            found = found * np.minimum(width, points)
        return found

    def at(self, d: int, inside: Sequence[tuple[int, Any]]) -> Any:
        import numpy as np

        total = np.zeros(len(self.mean))
        for tensor, volume in zip(self.tensors, self.volumes, strict=True):
            restarted = np.zeros(len(self.mean), dtype=bool)
            for one, several in inside:
                if self.dims[one] in tensor.dims:
                    restarted = restarted | several
            if self.dims[d] in tensor.dims:
                part = self._volume(tensor, d) if _slides(tensor, self.dims[d]) else volume
                total = total + np.where(restarted, volume, part)
            else:
                total = total + np.where(restarted, volume, 0.0)
        return total


def _slides(tensor: Any, dim: str) -> bool:
    return any(len(axis.terms) > 1 and dim in dict(axis.terms) for axis in tensor.axes)
