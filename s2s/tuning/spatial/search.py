"""Branch and bound over mappings: by units, then tiles of one element, orders, tiles of L2.

A branch is a number of units along each dimension; its lower bound is what the busiest of them
multiplies, or what the network has to bring at least. Branches are taken by their bounds. In each
the tiles of an element and the order of loops are ranked by an estimate; what promises most is
given tiles of L2 and evaluated by the exact model, and the best of all are improved step by step.
A branch whose bound is no better than what was found is not looked at: with what is left open the
search says how far from the best its result can be. Work is counted in evaluations, so that the
same effort finds the same on every machine. It ends early where the best is so near to the lower
bound that nothing is left to win.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from itertools import permutations
from math import prod

from s2s.simulators.spatial.costs.models import MODELS
from s2s.source.records import dataclass
from s2s.tuning.spatial.bound import energy_bound, grids, lower_bound
from s2s.tuning.spatial.branches import Branch, branches
from s2s.tuning.spatial.candidate import Candidate, Problem, with_value
from s2s.tuning.spatial.fixed import Fixed
from s2s.tuning.spatial.found import Found, cost_of, rank_of
from s2s.tuning.spatial.tiles import near_holds, tile_rows, tile_values

EFFORT = 1200
"""Evaluations for one layer."""
NEAR = 1.005
"""Times the lower bound: what is as near to it ends the search."""
_STARTS = 24
_AS_ESTIMATED = 1.05


@dataclass
class Search:
    """The search of one layer; ``evaluated`` grows. ``model`` is one of ``MODELS``; ``starts`` are
    looked at first.
    """

    problem: Problem
    objective: str = "runtime"
    effort: int = EFFORT
    divide: bool = False
    fixed: Fixed = field(default_factory=Fixed)
    model: str = "exact"
    starts: tuple[Candidate, ...] = ()
    evaluated: dict[Candidate, Found] = field(default_factory=dict)
    branches: list[Branch] = field(default_factory=list)
    considered: int = 0
    least: float = float("inf")

    def run(self) -> Found | None:
        """The best mapping that was found; None where nothing fits."""
        for one in self.starts:
            self._evaluate(one)
        self.branches = branches(self.problem, self.divide, self.fixed, self.model)
        seeds = self._seeds()
        self._evaluate_seeds(seeds)
        for start in self._starts():
            self._improve(start)
        return min(self.evaluated.values(), key=rank_of, default=None)

    @cached_property
    def bound(self) -> int:
        """Cycles that no mapping beats; MAESTRO's model may forget what the network brings."""
        if self.model == "exact":
            return lower_bound(self.problem, self.divide, self.fixed)
        found = grids(self.problem, 1, self.divide, self.fixed)
        return found[0][0] if found else 0

    @cached_property
    def cost_bound(self) -> float:
        """What the objective is at least."""
        energy = energy_bound(self.problem, self.model)
        return {
            "runtime": float(self.bound), "energy": energy, "edp": self.bound * energy
        }[self.objective]  # fmt: skip

    def front(self) -> list[Found]:
        """Those that no other one beats both in cycles and in energy."""
        machine = self.problem.machine
        kept: list[Found] = []
        least = float("inf")
        for one in sorted(
            self.evaluated.values(), key=lambda f: (f.figures.cycles, f.figures.energy(machine))
        ):
            energy = one.figures.energy(machine)
            if energy < least:
                least = energy
                kept.append(one)
        return kept

    # ------------------------------------------------------------------------------ seeds

    def _seeds(self) -> list[tuple[float, Candidate]]:
        """What promises most, by the estimate, of each branch."""
        found: list[tuple[float, Candidate]] = []
        for bound, units in self.branches:
            if self.objective == "runtime" and found:
                least = sorted(cost for cost, _ in found)[:40][-1]
                if len(found) >= 40 and bound > least:
                    break
            found += self._branch(units)
        return sorted(found, key=lambda one: (one[0], one[1].units, one[1].tile, one[1].inner))

    def _branch(self, units: tuple[int, ...]) -> list[tuple[float, Candidate]]:
        import numpy as np

        from s2s.tuning.spatial.estimate import estimate

        rows = tile_rows(self.problem, units, self.fixed, self.divide)
        if not len(rows):
            return []
        found: list[tuple[float, Candidate]] = []
        for order in self._orders():
            inner = self.fixed.sorted_inside(order, self.problem.dims)
            cycles, moved = estimate(self.problem, units, rows, inner)
            self.considered += len(rows)
            cost = {"runtime": cycles, "energy": moved, "edp": cycles * moved}[self.objective]
            for row in np.argsort(cost, kind="stable")[:2]:
                tile = tuple(int(value) for value in rows[row])
                ones = (1,) * len(tile)
                one = Candidate(units, tile, ones, order, inner, *self._deep(ones, order))
                found.append((float(cost[row]), one))
        found.sort(key=lambda one: (one[0], one[1].tile, one[1].inner))
        return found[:4]

    def _deep(self, ones: tuple[int, ...], order: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
        """What a candidate has of L3, before it is grown."""
        return (ones, order) if self.problem.machine.l3 else ()

    def _orders(self) -> list[tuple[int, ...]]:
        """Orders of loops, outermost first: dimensions of the same tensors are together."""
        if self.fixed.order:
            return [self.fixed.full_order(self.problem.dims)]
        classes = sorted(
            self.problem.classes, key=lambda c: -prod(self.problem.sizes[d] for d in c)
        )
        few, rest = classes[:3], [d for one in classes[3:] for d in one]
        ones = [d for d, size in enumerate(self.problem.sizes) if size == 1]
        return [(*ones, *rest, *(d for one in order for d in one)) for order in permutations(few)]

    # -------------------------------------------------------------------------- tiles of L2

    def _evaluate_seeds(self, seeds: Sequence[tuple[float, Candidate]]) -> None:
        part = self.effort // 2
        if self.model != "exact":
            seeds = self._ranked(seeds)
        for cost, seed in seeds:
            if len(self.evaluated) >= part or self._is_near:
                return
            if self._is_hopeless(cost):
                return
            self._evaluate_shared_tiles(cost, seed)

    def _ranked(self, seeds: Sequence[tuple[float, Candidate]]) -> list[tuple[float, Candidate]]:
        """The seeds by what their mappings with the largest tiles of L2 cost: the estimate is not
        near to MAESTRO's model, which counts fills and outputs of each level.
        """
        found = []
        for _, seed in seeds[: self.effort // 4]:
            if self._is_near:
                break
            grown = self._grow(seed, seed.outer[::-1])
            one = None if grown is None else self._evaluate(grown)
            if one is not None:
                found.append((one.cost, seed))
        return sorted(found, key=lambda one: one[0])

    def _is_hopeless(self, cost: float) -> bool:
        """Whether the estimate is worse than what was found: it is near to the exact model's."""
        estimated = self.objective == "runtime" and self.model == "exact"
        return estimated and cost > self.least * 1.02 and len(self.evaluated) > 30

    def _evaluate_shared_tiles(self, cost: float, seed: Candidate) -> None:
        """Tiles of L2 in several orders of its loops.

        They are grown as far as there is room, along all dimensions; where that is far from the
        estimate, along fewer: what L2 does not hold is not gone through again inside of it.
        """
        classes = len(self.problem.classes)
        for grown in range(classes, -1, -1):
            best = float("inf")
            for order in self._orders():
                dims = order[::-1][: sum(map(len, self._classes_of(order)[:grown]))]
                one = self._grow(replace(seed, outer=order), dims)
                found = None if one is None else self._evaluate(one)
                best = min(best, found.cost if found is not None else best)
            if best <= cost * _AS_ESTIMATED:
                return

    def _classes_of(self, order: Sequence[int]) -> list[list[int]]:
        """The dimensions of an order, innermost first, in their classes."""
        found: list[list[int]] = []
        last: tuple[int, ...] | None = None
        for d in reversed(order):
            own = next((one for one in self.problem.classes if d in one), None)
            if own is None or own is not last:
                found.append([])
            found[-1].append(d)
            last = own
        return found

    def _grow(self, seed: Candidate, order: Sequence[int]) -> Candidate | None:
        if not seed.fits(self.problem):
            return None
        found = self._grown(seed, order, "holds", seed.array(self.problem), self.fixed.shared)
        if found.deep:
            shared = found.shared(self.problem)
            found = self._grown(found, found.top[::-1], "deep", shared, self.fixed.deep)
        return found if found.fits(self.problem) else None

    def _grown(
        self, seed: Candidate, order: Sequence[int], name: str, tile: Sequence[int],
        said: Mapping[str, int],
    ) -> Candidate:  # fmt: skip
        """With as many of a ``tile`` in a buffer as there is room for, in an order of dimensions;
        ``said`` are sizes that a user has decided.
        """
        found = seed
        for d in order:
            fixed = said.get(self.problem.dims[d])
            steps = -(-self.problem.sizes[d] // tile[d])
            many = getattr(found, name)
            if fixed is not None:
                found = replace(found, **{name: with_value(many, d, max(1, fixed // tile[d]))})
                continue
            low, high = 1, steps
            while low < high:
                middle = (low + high + 1) // 2
                if replace(found, **{name: with_value(many, d, middle)}).fits(self.problem):
                    low = middle
                else:
                    high = middle - 1
            parts = -(-steps // low)
            most = self._divisor(steps, low) if self.divide else -(-steps // parts)
            found = replace(found, **{name: with_value(many, d, most)})
        return found

    def _divisor(self, steps: int, most: int) -> int:
        return max(d for d in range(1, most + 1) if steps % d == 0)

    # ----------------------------------------------------------------------- step by step

    def _starts(self) -> list[Found]:
        """The best, and the best of other branches."""
        found: dict[tuple[int, ...], Found] = {}
        for one in sorted(self.evaluated.values(), key=rank_of):
            found.setdefault(one.candidate.units, one)
        return list(found.values())[:_STARTS]

    def _improve(self, start: Found) -> None:
        """The best neighbour, then its neighbours, until there is none."""
        best = start
        while len(self.evaluated) < self.effort:
            better = None
            for one in self._neighbours(best.candidate):
                if len(self.evaluated) >= self.effort or self._is_near:
                    return
                found = self._evaluate(one)
                if found is not None and found.cost < best.cost:
                    better = found
                    break
            if better is None:
                return
            best = better

    def _neighbours(self, one: Candidate) -> Iterator[Candidate]:
        sizes = self.problem.sizes
        array = one.array(self.problem)
        for d, size in enumerate(sizes):
            steps = -(-size // array[d])
            for holds in near_holds(one.holds[d], steps, self.divide):
                if self.problem.dims[d] not in self.fixed.shared:
                    yield replace(one, holds=with_value(one.holds, d, holds))
        if one.deep:
            shared = one.shared(self.problem)
            for d, size in enumerate(sizes):
                for many in near_holds(one.deep[d], -(-size // shared[d]), self.divide):
                    if self.problem.dims[d] not in self.fixed.deep:
                        yield replace(one, deep=with_value(one.deep, d, many))
        for name, order in (("outer", one.outer), ("inner", one.inner), ("top", one.top)):
            if self.fixed.order:
                break
            active = [d for d in order if sizes[d] > 1]
            rest = [d for d in order if sizes[d] == 1]
            for d in active:
                others = [other for other in active if other != d]
                for moved in ((*others, d), (d, *others)):
                    yield replace(one, **{name: (*rest, *moved)})
        yield from self._other_tiles(one)
        yield from self._other_units(one)

    def _other_tiles(self, one: Candidate) -> Iterator[Candidate]:
        room = self.problem.machine.l1 // 2
        for d, size in enumerate(self.problem.sizes):
            dim = self.problem.dims[d]
            if self.fixed.tiles(dim):
                continue
            values = tile_values(size, one.units[d], room, self.divide, everything=True)
            place = next((i for i, v in enumerate(values) if v >= one.tile[d]), len(values) - 1)
            for other in (place + 1, place - 1, place + 2):
                if 0 <= other < len(values):
                    resized = self._resized(one, d, one.units[d], values[other])
                    yield resized
                    if other > place:
                        yield from self._smaller(resized, d)

    def _smaller(self, one: Candidate, but: int) -> Iterator[Candidate]:
        """With half of the tile of another dimension, so that what is too large fits."""
        for d, tile in enumerate(one.tile):
            if d != but and tile > 1 and self.problem.dims[d] not in self.fixed.tile:
                yield self._resized(one, d, one.units[d], -(-tile // 2))

    def _other_units(self, one: Candidate) -> Iterator[Candidate]:
        """Other units along one dimension, or taken from one for another."""
        for d, size in enumerate(self.problem.sizes):
            if self.problem.dims[d] in self.fixed.units:
                continue
            left = self.problem.machine.elements // (prod(one.units) // one.units[d])
            for units in {left, one.units[d] + 1, one.units[d] - 1} & set(range(1, size + 1)):
                if units <= left and (not self.divide or size % units == 0):
                    tile = -(-min(size, one.units[d] * one.tile[d]) // units)
                    yield self._resized(one, d, units, tile)
                    if tile != one.tile[d]:
                        yield self._resized(one, d, units, one.tile[d])

    def _resized(self, one: Candidate, d: int, units: int, tile: int) -> Candidate:
        """With other units and tile of a dimension; L2 has about what it had."""
        size = self.problem.sizes[d]
        had = min(size, one.units[d] * one.tile[d] * one.holds[d])
        step = min(size, units * tile)
        steps = -(-size // step)
        holds = max(1, min(steps, had // step))
        holds = self._divisor(steps, holds) if self.divide else holds
        found = replace(
            one, units=with_value(one.units, d, units), tile=with_value(one.tile, d, tile),
            holds=with_value(one.holds, d, holds),
        )  # fmt: skip
        if not one.deep:
            return found
        shared = found.shared(self.problem)[d]
        many = -(-size // shared) if self.divide else one.in_l3(self.problem)[d] // shared
        return replace(found, deep=with_value(one.deep, d, max(1, many)))

    # ------------------------------------------------------------------------------ costs

    def _evaluate(self, one: Candidate) -> Found | None:
        known = self.evaluated.get(one)
        if known is not None:
            return known
        if not (one.fits(self.problem) and self._divides(one) and self._keeps_fixed(one)):
            return None
        layer, machine = self.problem.layer, self.problem.machine
        figures = MODELS[self.model](layer, one.levels(self.problem), machine)
        cost = cost_of(figures, self.objective, machine)
        found = self.evaluated[one] = Found(one, figures, cost)
        self.least = min(self.least, cost)
        return found

    def _divides(self, one: Candidate) -> bool:
        if not self.divide:
            return True
        array, shared = one.array(self.problem), one.shared(self.problem)
        return all(
            size % deep == 0 and deep % big == 0 and big % small == 0 and small % units == 0
            for size, deep, big, small, units in zip(
                self.problem.sizes, one.in_l3(self.problem), shared, array, one.units, strict=True
            )
        )

    def _keeps_fixed(self, one: Candidate) -> bool:
        """Whether all that a user has said is so."""
        dims, fixed = self.problem.dims, self.fixed
        pairs = (
            (fixed.units, one.units),
            (fixed.tile, one.tile),
            (fixed.shared, one.shared(self.problem)),
            (fixed.deep, one.in_l3(self.problem)),
        )
        inner = [d for d in one.inner if self.problem.sizes[d] > 1]
        return (
            all(
                said.get(dim, value) == value
                for said, values in pairs
                for dim, value in zip(dims, values, strict=True)
            )
            and all(map(fixed.allows, dims, one.units))
            and list(fixed.sorted_inside(inner, dims)) == inner
        )

    @property
    def _is_near(self) -> bool:
        """Whether there is nothing left to win."""
        return self.least <= NEAR * self.cost_bound
