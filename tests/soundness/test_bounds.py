"""Bounds in memory: random programs that store to what may be the same places."""

from __future__ import annotations

from pathlib import Path

from tests.soundness.bounds import EXPRESSIONS, Bounds
from tests.soundness.harness import COMMON, check

# Where bounds were taken for parameters whatever is stored, these would print something else.
_SEEDS = (7, 10)


def test_stores_that_may_change_bounds(tmp_path: Path) -> None:
    results = [check(tmp_path, Bounds(seed).program(COMMON, functions=4)) for seed in _SEEDS]
    assert [result.different for result in results] == [""] * len(_SEEDS)
    assert any(result.transformed for result in results), results[-1].messages


def test_bounds_of_products_and_quotients(tmp_path: Path) -> None:
    result = check(tmp_path, Bounds(2, 4 * EXPRESSIONS).program(COMMON, functions=5))
    assert result.transformed, result.messages
    assert result.different == ""
