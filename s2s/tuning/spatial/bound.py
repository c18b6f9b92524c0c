"""What no mapping can beat: the roofline, and what whole elements and whole tiles leave of it."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import nsmallest

from s2s.simulators.spatial.machine import Machine
from s2s.source.spatial.layers import Layer
from s2s.tuning.spatial.candidate import Problem, footprints
from s2s.tuning.spatial.fixed import Fixed


def roofline(layer: Layer, machine: Machine) -> float:
    """Cycles in which all elements multiply, or the network brings each tensor once."""
    problem = Problem(layer, machine)
    moved = sum(footprints(problem, problem.sizes))
    return max(layer.macs / machine.elements, moved / machine.noc_bandwidth)


def moving(problem: Problem) -> int:
    """The least that the network needs: each element of each tensor once, in one direction."""
    moved = sum(footprints(problem, problem.sizes))
    return -(-moved // problem.machine.noc_bandwidth)


def grids(
    problem: Problem, count: int, divide: bool = False, fixed: Fixed | None = None
) -> list[tuple[int, tuple[int, ...]]]:
    """Units along each dimension, the ``count`` best: those with the least multiplications.

    Each with its lower bound of cycles. ``divide``: units divide the sizes. None where what is
    ``fixed`` needs more units than there are.
    """
    return nsmallest(count, _grids(problem, divide, fixed or Fixed()))


def _grids(problem: Problem, divide: bool, fixed: Fixed) -> Iterator[tuple[int, tuple[int, ...]]]:
    choices = [
        fixed.choices(dim, useful_units(size, problem.machine.elements, divide))
        for dim, size in problem.layer.loops.items()
    ]

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


def lower_bound(problem: Problem, divide: bool = False, fixed: Fixed | None = None) -> int:
    """Cycles, by the exact model, that no mapping of this space beats.

    DRAM brings a block of each operand, then the network an element, before the first step. From
    then on the busiest element multiplies all that it has, the network moves each element of each
    tensor once, and DRAM the blocks that they fill, of which one at least leaves after the first
    step. 0 where there is no mapping at all.
    """
    found = grids(problem, 1, divide, fixed)
    if not found:
        return 0
    machine, operands = problem.machine, len(problem.layer.computation.operands)
    first = -(-operands * machine.dram_block // machine.dram_bandwidth)
    leaves = -(-machine.dram_block // machine.dram_bandwidth)
    computed = max(found[0][0], leaves) + -(-operands // machine.noc_bandwidth)
    blocks = -(-_blocks(problem) * machine.dram_block // machine.dram_bandwidth)
    moved = moving(problem)
    if machine.l3:  # it moves each element, too, and first one of each operand
        first += -(-operands // machine.l3_bandwidth)
        blocks = max(blocks, -(-sum(footprints(problem, problem.sizes)) // machine.l3_bandwidth))
    return max(first + max(computed, moved), blocks)


def energy_bound(problem: Problem, model: str = "exact") -> float:
    """Multiply-accumulates of energy, by a model, that no mapping beats.

    Each element of each tensor goes once through DRAM, L2, the network and an L1. MAESTRO's models
    have no DRAM, and may forget what the network brings.
    """
    machine, computation = problem.machine, problem.layer.computation
    macs, sizes = problem.layer.macs, footprints(problem, problem.sizes)
    multiplied = (len(computation.operands) + 2) * macs
    least = machine.energy_mac * macs + machine.energy_l1 * multiplied
    if model != "exact":
        return least + machine.energy_l2 * sum(sizes[:-1])
    moved, block = sum(sizes), machine.dram_block * machine.element_bytes
    deep = machine.energy_l3 * 2 * moved if machine.l3 else 0.0
    shared = machine.energy_l1 * moved + machine.energy_l2 * 2 * moved + deep
    return least + shared + machine.energy_dram * block * _blocks(problem)


def _blocks(problem: Problem) -> int:
    """The least blocks of DRAM that all tensors fill."""
    block = problem.machine.dram_block
    return sum(-(-elements // block) for elements in footprints(problem, problem.sizes))
