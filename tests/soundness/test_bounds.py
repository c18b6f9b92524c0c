"""Bounds in memory: random programs that store to what may be the same places."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.soundness.bounds import Bounds
from tests.soundness.harness import COMMON, check

# Bounds of these programs are parameters in most functions, and change in some.
_SEEDS = (7, 10)


@pytest.mark.parametrize("seed", _SEEDS)
def test_stores_that_may_change_bounds(tmp_path: Path, seed: int) -> None:
    result = check(tmp_path, Bounds(seed).program(COMMON, functions=4))
    assert result.transformed, result.messages
    assert result.different == ""
