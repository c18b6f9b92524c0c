"""A candidate of the search: what a mapping is made of, apart from its text.

From DRAM to one element: tiles for L2 in an order of loops, inside of them what the array takes in
one step in another order, and of that a part for each of the elements along each dimension.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from math import prod

from s2s.simulators.spatial.cuts import Plan, footprint, plan
from s2s.simulators.spatial.machine import Machine
from s2s.source.records import dataclass
from s2s.source.spatial.layers import Layer
from s2s.source.spatial.tiles import TileLevel, TileLoop, directives


@dataclass(frozen=True)
class Problem:
    """A layer on a machine."""

    layer: Layer
    machine: Machine

    @cached_property
    def dims(self) -> tuple[str, ...]:
        """The dimensions of its loops."""
        return tuple(self.layer.loops)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Their iterations."""
        return tuple(self.layer.loops.values())

    @cached_property
    def classes(self) -> tuple[tuple[int, ...], ...]:
        """The dimensions with several iterations, together where the same tensors have them."""
        found: dict[tuple[bool, ...], list[int]] = {}
        for place, (dim, size) in enumerate(self.layer.loops.items()):
            if size > 1:
                has = tuple(dim in one.dims for one in self.layer.computation.tensors)
                found.setdefault(has, []).append(place)
        return tuple(tuple(one) for one in found.values())


@dataclass(frozen=True)
class Candidate:
    """By dimension: ``units``, the ``tile`` of one element, how many of what the array takes are
    in a tile of L2 (``holds``). Orders of the loops outside and inside of L2's tiles, outermost
    first, by number. On a machine with an L3: how many tiles of L2 are in one of it (``deep``), and
    the order of the loops outside of it (``top``).
    """

    units: tuple[int, ...]
    tile: tuple[int, ...]
    holds: tuple[int, ...]
    outer: tuple[int, ...]
    inner: tuple[int, ...]
    deep: tuple[int, ...] = ()
    top: tuple[int, ...] = ()

    def array(self, problem: Problem) -> tuple[int, ...]:
        """What the whole array takes at one step."""
        return tuple(
            min(size, unit * tile)
            for size, unit, tile in zip(problem.sizes, self.units, self.tile, strict=True)
        )

    def shared(self, problem: Problem) -> tuple[int, ...]:
        """The tile in L2."""
        return tuple(
            min(size, step * holds)
            for size, step, holds in zip(
                problem.sizes, self.array(problem), self.holds, strict=True
            )
        )

    def in_l3(self, problem: Problem) -> tuple[int, ...]:
        """The tile in L3; all there is where the machine has none."""
        if not self.deep:
            return problem.sizes
        return tuple(
            min(size, tile * many)
            for size, tile, many in zip(problem.sizes, self.shared(problem), self.deep, strict=True)
        )

    def levels(self, problem: Problem) -> tuple[TileLevel, ...]:
        """The mapping as loops, in as few levels as say the same.

        What elements are too many have no part of the last dimension. Innermost loops over what is
        added up are said inside of the array: the order is the same, and there MAESTRO's model,
        for which outputs leave at each step of a level, has them leave once.
        """
        dims, sizes = problem.dims, self.in_l3(problem)
        array, shared = self.array(problem), self.shared(problem)
        outer = [TileLoop(dims[d], shared[d], sizes[d]) for d in self.outer if shared[d] < sizes[d]]
        order = [d for d in self.inner if array[d] < shared[d]]
        inside = self._added_up(problem, order) if max(self.units) > 1 else 0
        loops = [TileLoop(dims[d], array[d], shared[d]) for d in order]
        inner, added = loops[: len(loops) - inside], loops[len(loops) - inside :]
        spread = self._spread(problem, array)
        found = [TileLevel(tuple(outer), 1)]
        if inner:
            found.append(TileLevel(tuple(inner), 1))
        elif len(spread) > 1 and self._is_first(problem, spread):
            first = spread.pop(0)
            whole = sizes[dims.index(first.loops[0].dim)]
            found = [_shared_out(outer, first, whole)]
        found += spread
        found[-1] = TileLevel((*found[-1].loops, *added), found[-1].units)
        return (*self._deep_level(problem), *found)

    def _deep_level(self, problem: Problem) -> list[TileLevel]:
        """The loops over tiles of L3, where there is one."""
        if not self.deep:
            return []
        tile, sizes = self.in_l3(problem), problem.sizes
        order = [d for d in self.top if tile[d] < sizes[d]]
        return [TileLevel(tuple(TileLoop(problem.dims[d], tile[d], sizes[d]) for d in order), 1)]

    def _spread(self, problem: Problem, array: Sequence[int]) -> list[TileLevel]:
        """A level for each dimension that is shared out; the last one has all that are left."""
        dims, left = problem.dims, problem.machine.elements
        spread = [d for d, units in enumerate(self.units) if units > 1] or [_most(problem.sizes)]
        found = []
        for place, d in enumerate(spread):
            units = left if place + 1 == len(spread) else self.units[d]
            left //= units
            found.append(TileLevel((TileLoop(dims[d], self.tile[d], array[d], True),), units))
        return found

    def _is_first(self, problem: Problem, spread: Sequence[TileLevel]) -> bool:
        """Whether the first of these has as many clusters as are left by the others."""
        others = prod(level.units or 1 for level in spread[1:])
        return problem.machine.elements // others == spread[0].units

    def _added_up(self, problem: Problem, order: Sequence[int]) -> int:
        """How many of the innermost loops are over what one element adds up."""
        output = problem.layer.computation.output.dims
        count = 0
        for d in reversed(order):
            if self.units[d] > 1 or problem.dims[d] in output:
                break
            count += 1
        return count

    def plan(self, problem: Problem) -> Plan:
        """The mapping as the models take it."""
        machine = problem.machine
        levels = self.levels(problem)
        return plan(problem.layer, levels, block=machine.dram_block, deep=bool(machine.l3))

    def mapped(self, problem: Problem) -> Layer:
        """The layer with the mapping as directives."""
        found = directives(problem.layer, self.levels(problem))
        return replace(problem.layer, mapping=found)

    def fits(self, problem: Problem) -> bool:
        """Whether all buffers have room for twice their tile."""
        machine = problem.machine
        if prod(self.units) > machine.elements:
            return False
        tile = [min(s, t) for s, t in zip(problem.sizes, self.tile, strict=True)]
        return (
            2 * _footprint(problem, tile) <= machine.l1
            and 2 * _footprint(problem, self.shared(problem)) <= machine.l2
            and (not self.deep or 2 * _footprint(problem, self.in_l3(problem)) <= machine.l3)
        )


def _shared_out(outer: Sequence[TileLoop], first: TileLevel, whole: int) -> TileLevel:
    """The loops over tiles of L2, of which one is shared out over clusters."""
    (part,) = first.loops
    own = TileLoop(part.dim, part.tile, whole, True)
    loops = [own if loop.dim == part.dim else loop for loop in outer]
    return TileLevel(tuple(loops if own in loops else [*loops, own]), first.units)


def _most(sizes: Sequence[int]) -> int:
    return max(range(len(sizes)), key=lambda d: sizes[d])


def _footprint(problem: Problem, tile: Sequence[int]) -> int:
    return sum(footprints(problem, tile))


def footprints(problem: Problem, tile: Sequence[int]) -> list[int]:
    """Elements of each tensor that a tile touches."""
    extents = dict(zip(problem.dims, tile, strict=True))
    return [footprint(tensor, extents) for tensor in problem.layer.computation.tensors]


def with_value(values: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    """The values with another one at a place."""
    return (*values[:place], value, *values[place + 1 :])
