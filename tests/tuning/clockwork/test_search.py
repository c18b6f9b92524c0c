"""The auto-scheduler: bounds hold, the front is one, and the same search finds the same."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import pytest

from s2s.driver.designs import Steps
from s2s.simulators.amber.machine import load
from s2s.tuning.clockwork import candidates
from s2s.tuning.clockwork.bound import Bound
from s2s.tuning.clockwork.estimate import Estimate
from s2s.tuning.clockwork.limits import Limits, limits_of
from s2s.tuning.clockwork.measured import Measured, measure
from s2s.tuning.clockwork.search import Found, Plan, Search
from s2s.tuning.clockwork.space import Axis, Program, near
from s2s.tuning.clockwork.store import Store
from s2s.tuning.clockwork.unscheduled import directive_space
from tests.tuning.clockwork.sources import BLUR, TWICE, neighbours, program

LIMITS = limits_of(load())


@pytest.fixture
def _unsimulated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Designs as they are mapped, without a run: a second each."""

    def quick(steps: Steps, *, simulate: bool = True) -> Measured:
        return replace(measure(steps, simulate=False), simulated=simulate)

    monkeypatch.setattr(candidates, "measure", quick)


def searched(body: str, effort: int, cache: Path, limits: Limits = LIMITS) -> Search:
    space = directive_space(program(body, 16, 6), limits)
    search = Search(space, Plan(limits, effort=effort), Store(str(cache)), space.extents)
    search.run()
    return search


@pytest.mark.usefixtures("_unsimulated")
def test_bounds_hold_and_the_front_has_no_beaten_design(tmp_path: Path) -> None:
    search = searched(TWICE, 10_000, tmp_path / "a.sqlite", replace(LIMITS, pes=30))
    good = search.good()
    assert len(good) > 1
    for one in good:
        assert one.measured is not None
        assert one.bound.cycles <= one.measured.cycles
        assert one.bound.pes <= one.measured.pes
        if one.places in search.known.estimates:
            assert search.known.scheduled(one.places) == one.total
        assert one.measured.simulated
    assert search.known.estimates
    front = search.front()
    for one in good:
        beaten = [o for o in front if o.places != one.places and _beats(o, one)]
        assert bool(beaten) != (one.places in {o.places for o in front})
    first = search.mapped[search.space.base]
    assert front[0].total < first.total


def _beats(one: Found, other: Found) -> bool:
    a, b = one.measured, other.measured
    assert a is not None and b is not None
    mine, yours = (one.total, a.pes, a.memories), (other.total, b.pes, b.memories)
    return all(x <= y for x, y in zip(mine, yours, strict=True))


@dataclass(frozen=True)
class Lanes:
    """A space of one axis."""

    axes: tuple[Axis, ...]
    base: tuple[int, ...] = (0,)

    def values(self, places: tuple[int, ...]) -> dict[str, str]:
        raise NotImplementedError

    def program(self, places: tuple[int, ...]) -> Program:
        raise NotImplementedError


def test_as_many_as_another_number_is_next_to_every_number() -> None:
    space = Lanes((Axis(("lanes",), tuple((str(n),) for n in (0, 1, 2, 3, 4, 8))),))
    assert set(neighbours(space, (0,))) == {(1,), (2,), (4,), (5,)}
    assert set(neighbours(space, (2,))) == {(0,), (1,), (3,), (4,)}


def test_what_divides_is_near() -> None:
    space = Lanes((Axis(("tile",), tuple((str(n),) for n in (4, 5, 7, 14, 20, 28, 32))),), (5,))
    assert list(neighbours(space, (5,))) == [(3,), (4,), (6,)]
    assert list(neighbours(space, (2,))) == [(0,), (3,), (1,)]
    assert next(near(space, (5,), 0, fails=lambda places: places == (3,))) == [(2,)]


@pytest.mark.usefixtures("_unsimulated")
def test_limits_hold(tmp_path: Path) -> None:
    limits = replace(LIMITS, pes=30, streams=6)
    search = searched(BLUR, 6_000, tmp_path / "a.sqlite", limits)
    found = search.good()
    assert found
    for one in found:
        assert one.measured is not None and one.measured.pes <= 30
        assert one.bound.streams <= 6


@dataclass(frozen=True)
class Made:
    """A program that knows how many lanes it has, and no more."""

    steps: int


class Unscheduled(Lanes):
    """Each lane takes 19 PEs, and what is in all lanes takes 960 cycles in one."""

    def program(self, places: tuple[int, ...]) -> Program:
        return cast(Program, Made(int(self.axes[0].values[places[0]][0])))


class Forgetful(Store):
    """Remembers nothing."""

    def known(self, *_: object) -> None:
        return None

    def keep(self, *_: object) -> None:
        return None


def test_a_source_whose_own_schedule_is_too_large_gets_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def bound(lanes: int, _: object) -> Bound:
        return Bound(cycles=960 // lanes, runs=1, pes=19 * lanes, operations=lanes)

    def measure(lanes: int, *, simulate: bool = True) -> Measured:
        return Measured(cycles=960 // lanes, runs=1, pes=19 * lanes, simulated=simulate)

    monkeypatch.setattr(candidates, "bound", bound)
    monkeypatch.setattr(candidates, "estimate", lambda n: Estimate(960 // n, 19 * n))
    monkeypatch.setattr(candidates, "measure", measure)
    lanes = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20)
    space = Unscheduled((Axis(("rate",), tuple((str(n),) for n in lanes)),), base=(9,))
    search = Search(space, Plan(replace(LIMITS, pes=100), effort=8_000), Forgetful(""))
    (best, *_) = search.run()
    assert best.bound.pes == 5 * 19
    assert search.bounds[space.base].pes > search.limits.pes


@pytest.mark.usefixtures("_unsimulated")
def test_the_same_effort_finds_the_same_and_remembers_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = searched(BLUR, 2_000, tmp_path / "a.sqlite")
    second = searched(BLUR, 2_000, tmp_path / "b.sqlite")
    assert list(first.mapped) == list(second.mapped)
    assert list(first.measured) == list(second.measured)
    assert [f.places for f in first.front()] == [f.places for f in second.front()]

    def never(*_: object, **__: object) -> Measured:
        raise AssertionError("looked at again")

    for name in ("measure", "bound", "estimate"):
        monkeypatch.setattr(candidates, name, never)
    again = searched(BLUR, 2_000, tmp_path / "a.sqlite")
    assert again.known.work == first.known.work
    assert [f.measured for f in again.front()] == [f.measured for f in first.front()]
