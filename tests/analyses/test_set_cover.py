"""The integer program against all subsets."""

from __future__ import annotations

import resource
from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s.analyses import set_cover
from s2s.analyses.set_cover import minimum_cover

ITEMS = list(range(7))
constraints_ = st.lists(st.frozensets(st.sampled_from(ITEMS), min_size=1), max_size=7)
weights_ = st.lists(st.integers(1, 9), min_size=len(ITEMS), max_size=len(ITEMS))


def least(constraints: list[frozenset[int]], weights: dict[int, int]) -> int:
    subsets = chain.from_iterable(combinations(ITEMS, n) for n in range(len(ITEMS) + 1))
    return min(
        sum(weights[i] for i in chosen)
        for chosen in subsets
        if all(c & set(chosen) for c in constraints)
    )


@settings(max_examples=60, deadline=None)
@given(constraints_, weights_)
def test_nothing_cheaper_meets_all_constraints(
    constraints: list[frozenset[int]], listed: list[int]
) -> None:
    weights = dict(zip(ITEMS, listed, strict=True))
    chosen = minimum_cover(constraints, weights)
    assert all(c & set(chosen) for c in constraints)
    assert sum(weights[i] for i in chosen) == least(constraints, weights)


def _spent() -> float:
    """The processor's time of this process and of those that have ended: solvers may be such."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def test_a_ring_of_constraints_goes_to_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    ring = [frozenset((i, (i + 1) % 5)) for i in range(5)]
    asked: list[object] = []
    program = set_cover._integer_program

    def noted(constraints: list[frozenset[int]], weights: dict[int, int]) -> tuple[int, ...]:
        asked.append(constraints)
        return program(constraints, weights)

    monkeypatch.setattr(set_cover, "_integer_program", noted)
    assert len(minimum_cover(ring, dict.fromkeys(range(5), 150))) == 3
    assert asked
    times = []
    for _ in range(5):
        start = _spent()
        minimum_cover(ring, dict.fromkeys(range(5), 150))
        times.append(_spent() - start)
    assert min(times) < 0.05


def test_without_a_solver_a_cover_is_found_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    import pulp

    def fail(*_: object, **__: object) -> None:
        raise pulp.PulpSolverError("no such program")

    monkeypatch.setattr(pulp.LpProblem, "solve", fail)
    ring = [frozenset((i, (i + 1) % 5)) for i in range(5)]
    chosen = minimum_cover(ring, {0: 9, 1: 1, 2: 1, 3: 1, 4: 1})
    assert all(c & set(chosen) for c in ring)
    assert 0 not in chosen


def test_without_cbc_highs_finds_a_cheapest_cover(monkeypatch: pytest.MonkeyPatch) -> None:
    import pulp

    monkeypatch.delattr(pulp, "PULP_CBC_CMD")
    monkeypatch.setattr(set_cover, "_greedy", lambda *_: pytest.fail("no solver was found"))
    ring = [frozenset((i, (i + 1) % 5)) for i in range(5)]
    chosen = minimum_cover(ring, {0: 9, 1: 4, 2: 3, 3: 4, 4: 9})
    assert all(c & set(chosen) for c in ring)
    assert sum({0: 9, 1: 4, 2: 3, 3: 4, 4: 9}[i] for i in chosen) == 16


def test_an_empty_constraint_cannot_be_met() -> None:
    with pytest.raises(ValueError, match="empty"):
        minimum_cover([frozenset()], {})
