"""Variables of which new code once had one for all threads."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.soundness.harness import ROWS, check, program

_LOOPS = """
    for (int t = 0; t < T; t++) {
#pragma omp parallel for private(j, half)
        for (int i = 1; i < n - 1; i++) {
            half = i * 0.5;
            for (j = 1; j < m - 1; j++)
                u[i][j] = 0.25 * (v[i-1][j] + v[i+1][j]) + half;
        }
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i][j] = u[i][j] + 0.01 * u[i-1][j];
    }
"""


@pytest.mark.parametrize("after", ["", "u[0][0] = j + half;"], ids=["dead", "live"])
def test_counters_of_loops_kept_whole_are_private(after: str, tmp_path: Path) -> None:
    declare = f"{ROWS} int j = 3; double half = 7;"
    result = check(tmp_path, program(_LOOPS, declare=declare, after=after))
    assert result.transformed, result.messages
    assert not result.different, result.different
    assert "int j;" in (tmp_path / "new_a.c").read_text()
