"""Designs nearby: no neighbour of what is found is better, and what fits comes first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st

from s2s.simulators.amber.machine import load
from s2s.tuning.clockwork import candidates
from s2s.tuning.clockwork.bound import Bound
from s2s.tuning.clockwork.candidates import Candidates
from s2s.tuning.clockwork.descent import FITTING, POWERS, _Way, descend
from s2s.tuning.clockwork.effects import Effects
from s2s.tuning.clockwork.estimate import Estimate
from s2s.tuning.clockwork.limits import limits_of
from s2s.tuning.clockwork.measured import Measured
from s2s.tuning.clockwork.space import Axis, Places, Space
from s2s.tuning.clockwork.store import Store
from tests.tuning.clockwork.sources import neighbours

MEMORIES = 20


@dataclass(frozen=True)
class Here:
    """A program that knows where it is, and no more."""

    steps: Places


@dataclass(frozen=True)
class Grid:
    """A space with made-up designs: cycles, how far the bound is below them, memory tiles."""

    sizes: tuple[int, ...]
    designs: dict[Places, tuple[int, int, int]]
    base: Places = (0, 0)
    off: int = 8
    """Eighths of its memory tiles that a design's estimate has."""

    @property
    def axes(self) -> tuple[Axis, ...]:
        return tuple(
            Axis((f"a{k}",), tuple((str(v + 1),) for v in range(size)))
            for k, size in enumerate(self.sizes)
        )

    def program(self, places: Places) -> Here:
        return Here(places)

    def known(self) -> Candidates:
        limits = limits_of(load()).with_values({"memories": MEMORIES})
        found = Candidates(cast(Space, self), cast(Store, Forgetful()), limits)
        found.look(self.each, [self.base])
        return found

    def each(self, function: object, arguments: Iterable[tuple[Any, ...]]) -> list[object]:
        """What a step would say of each."""
        return [self._say(function, here.steps) for here, _ in arguments]

    def _say(self, function: object, places: Places) -> object:
        cycles, less, memories = self.designs[places]
        if function is candidates._bound_of:
            return Bound(cycles=cycles - less, runs=1)
        if function is candidates._estimate_of:
            return Estimate(cycles, memories=memories * self.off // 8)
        assert function is candidates._mapped_of
        return Measured(cycles=cycles, runs=1, memories=memories)


class Forgetful:
    """Remembers nothing."""

    def known(self, *_: object) -> None:
        return None

    def keep(self, *_: object) -> None:
        return None


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    sizes = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    design = st.tuples(st.integers(50, 400), st.integers(0, 40), st.integers(1, 60))
    places = list(product(*map(range, sizes)))
    return Grid(sizes, {p: draw(design) for p in places})


@given(grids())
def test_no_neighbour_is_better(grid: Grid) -> None:
    known = grid.known()
    found = descend(known, grid.each, grid.base, lambda: False)

    def costs(places: Places) -> tuple[int, int]:
        cycles, _, memories = grid.designs[places]
        return max(0, memories - MEMORIES), cycles

    for other in neighbours(cast(Space, grid), found):
        assert costs(found) <= costs(other)
    assert known.work > 0 and found in known.mapped


def test_what_is_too_large_may_be_passed() -> None:
    """Tiles that have to shrink before twice the products are worth it, as in layers."""
    sizes = (4, 2)
    designs: dict[Places, tuple[int, int, int]] = {
        (tile, products): (1000 // (1 + products) + 10 * tile, 100, 40 // (1 + tile))
        for tile, products in product(*map(range, sizes))
    }
    grid = Grid(sizes, designs)
    assert descend(grid.known(), grid.each, (0, 0), lambda: False) == (1, 1)


def test_what_is_mapped_corrects_estimates() -> None:
    """Estimates of half the tiles lead to a design that does not fit, and from there to one."""
    designs: dict[Places, tuple[int, int, int]] = {
        (tile, 0): (100 + 10 * tile, 10, 40 - 5 * tile) for tile in range(6)
    }
    grid = Grid((6, 1), designs, off=4)
    known = grid.known()
    assert descend(known, grid.each, (0, 0), lambda: False) == (4, 0)
    assert len(known.mapped) < len(designs)


def test_time_ends_it() -> None:
    grid = Grid((3, 3), {p: (100 - 10 * sum(p), 0, 1) for p in product(range(3), range(3))})
    assert descend(grid.known(), grid.each, (0, 0), lambda: True) == (0, 0)


def test_what_fits_at_the_price_of_few_cycles_comes_first() -> None:
    """A tile too many: half the products would fit as well, and so do fewer lanes of the output."""
    designs: dict[Places, tuple[int, int, int]] = {
        (0, 0): (1000, 500, 21),
        (1, 0): (1900, 500, 11),
        (0, 1): (1100, 500, 20),
        (1, 1): (1950, 500, 10),
    }
    grid = Grid((2, 2), designs)
    assert descend(grid.known(), grid.each, (0, 0), lambda: False) == (0, 1)


def test_axes_are_compared_where_nothing_fits() -> None:
    """However little is too much, what fits in the fewest cycles is taken."""
    designs: dict[Places, tuple[int, int, int]] = {
        (0, 0): (100, 90, 21),
        (1, 0): (390, 90, 20),
        (0, 1): (380, 90, 20),
        (1, 1): (900, 90, 19),
    }
    grid = Grid((2, 2), designs)
    assert descend(grid.known(), grid.each, (0, 0), lambda: False) == (0, 1)


def test_steps_that_were_better_elsewhere_are_tried_first() -> None:
    """What each axis does to cycles and tiles does not depend on the others: few are looked at."""
    sizes = (6, 6, 6, 6)
    designs: dict[Places, tuple[int, int, int]] = {
        (a, b, tile, slow): (
            24_000 * (50 + tile + 20 * slow) // (50 * (1 + a) * (1 + b)),
            100,
            12 * (1 + a) * (1 + b) // (1 + tile),
        )
        for a, b, tile, slow in product(*map(range, sizes))
    }
    grid = Grid(sizes, designs, base=(0, 0, 0, 0))
    known = grid.known()
    found = descend(known, grid.each, grid.base, lambda: False, patience=False)
    fitting = [cycles for cycles, _, memories in designs.values() if memories <= MEMORIES]
    assert designs[found][0] == min(fitting)
    assert len(known.bounds) < len(designs) // 15


def test_two_steps_may_make_up_for_each_other() -> None:
    """Each alone is too large or takes twice the cycles; both together are a little better."""
    sizes = (2, 2)
    designs: dict[Places, tuple[int, int, int]] = {
        (0, 0): (1000, 500, 20),
        (1, 0): (500, 250, 40),
        (0, 1): (2000, 1000, 10),
        (1, 1): (960, 480, 20),
    }
    grid = Grid(sizes, designs)
    assert descend(grid.known(), grid.each, (0, 0), lambda: False, patience=False) == (1, 1)


class Products(Grid):
    """With as many PEs as memory tiles."""

    def _say(self, function: object, places: Places) -> object:
        found: Any = super()._say(function, places)
        return replace(found, pes=self.designs[places][2])


def test_products_keep_their_number_in_another_shape() -> None:
    """Rows of 8 and columns of 6 in a cycle, and a third number that costs nothing."""
    sizes = (12, 12, 2)
    designs: dict[tuple[int, ...], tuple[int, int, int]] = {
        (a, b, c): (100_000 // ((a + 1) * (b + 1)), 0, (a + 1) * (b + 1))
        for a, b, c in product(*map(range, sizes))
    }
    base = (7, 5, 0)
    grid = Products(sizes, designs, base=base)
    known = grid.known()
    known.look(grid.each, [(3, 5, 0), (7, 5, 1)])
    assert not list(Effects(known).reshaped(base))  # columns may cost nothing, too
    known.look(grid.each, [(7, 2, 0)])
    assert list(Effects(known).reshaped(base)) == [(3, 11, 0)]
    known.look(grid.each, [(3, 11, 0)])
    one = Effects(known).predicted_of_both((7, 5, 1), (3, 11, 1))
    assert one is not None and (one.total, one.pes) == (100_000 // 48, 48)


def test_another_shape_may_need_a_second_step() -> None:
    """Rows of 8 and columns of 4 are too large; 4 and 8 fit, and need twice the streams."""
    sizes = (8, 8, 2)
    designs: dict[Places, tuple[int, int, int]] = {}
    for a, b, streams in product(*map(range, sizes)):
        times = 100 if streams else 200 if b > a else 102
        made = (a + 1) * (b + 1)
        designs[a, b, streams] = (300 * times // made, 0, 10 * (made + a + streams))
    grid = Products(sizes, designs, base=(7, 3, 0))
    known = grid.known()
    known.limits = replace(known.limits, pes=360, memories=400)
    way = _Way(known, grid.each, grid.base, Effects(known))
    way.follow(POWERS[0], lambda: False)
    assert (3, 7, 0) in way.visited and (3, 7, 1) not in way.visited
    way.follow_shapes(lambda: False)
    assert (3, 7, 1) in way.visited and not way.within
    assert way.best(FITTING) == (3, 7, 1)


def test_a_step_that_changed_nothing_tells_nothing() -> None:
    """Lanes as another number says: where that number is the same, nothing changes."""
    designs: dict[Places, tuple[int, int, int]] = {
        (0, 0): (1000, 500, 20),
        (1, 0): (1200, 500, 20),
        (0, 1): (900, 500, 20),
        (1, 1): (1200, 500, 20),
    }
    grid = Grid((2, 2), designs)
    known = grid.known()
    known.look(grid.each, designs)
    one = Effects(known).predicted((1, 0), 1, 1)
    assert one is not None and one.total == 700 * 400 // 500
