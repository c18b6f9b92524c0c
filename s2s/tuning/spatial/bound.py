"""What no mapping can beat: the roofline, and what whole elements and whole tiles leave of it."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import nsmallest

from s2s.simulators.spatial.machine import Machine
from s2s.source.spatial.layers import Layer
from s2s.tuning.spatial.candidate import Problem, footprints


def roofline(layer: Layer, machine: Machine) -> float:
    """Cycles in which all elements multiply, or the network brings each tensor once."""
    problem = Problem(layer, machine)
    moved = sum(footprints(problem, problem.sizes))
    return max(layer.macs / machine.elements, moved / machine.noc_bandwidth)


def moving(problem: Problem) -> int:
    """The least that the network needs: each element of each tensor once, in one direction."""
    moved = sum(footprints(problem, problem.sizes))
    return -(-moved // problem.machine.noc_bandwidth)


def grids(problem: Problem, count: int, divide: bool = False) -> list[tuple[int, tuple[int, ...]]]:
    """Units along each dimension, the ``count`` best: those with the least multiplications.

    Each with its lower bound of cycles. ``divide``: units divide the sizes.
    """
    return nsmallest(count, _grids(problem, divide))


def _grids(problem: Problem, divide: bool) -> Iterator[tuple[int, tuple[int, ...]]]:
    choices = [useful_units(size, problem.machine.elements, divide) for size in problem.sizes]

    def descend(
        place: int, left: int, units: tuple[int, ...], cost: int
    ) -> Iterator[tuple[int, tuple[int, ...]]]:
        if place == len(choices):
            yield cost, units
            return
        for unit in choices[place]:
            if unit > left:
                break
            more = -(-problem.sizes[place] // unit)
            yield from descend(place + 1, left // unit, (*units, unit), cost * more)

    yield from descend(0, problem.machine.elements, (), 1)


def useful_units(size: int, most: int, divide: bool) -> list[int]:
    """Numbers of units that are the least for what each of them has."""
    if divide:
        return [unit for unit in range(1, min(size, most) + 1) if size % unit == 0]
    return [u for u in range(1, min(size, most) + 1) if u == -(-size // -(-size // u))]


def lower_bound(problem: Problem, divide: bool = False) -> int:
    """Cycles that no mapping of this space beats."""
    best, _ = grids(problem, 1, divide)[0]
    return max(best, moving(problem))
