"""Loops that count in narrow types and as ``while``: random programs do what they did."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.soundness.counters import Counters
from tests.soundness.harness import COMMON, check


@pytest.mark.parametrize("seed", [0, 9])
def test_counters_of_all_types(tmp_path: Path, seed: int) -> None:
    result = check(tmp_path, Counters(seed).program(COMMON))
    assert result.transformed, result.messages
    assert result.different == ""
