"""Loops with minima and maxima as bounds, tiled by hand among them, against the original."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.soundness.harness import ROWS, check, program

_MACROS = """
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((b) >= (a) ? (b) : (a))
struct shape { int rows, columns; };
"""

_LOOPS = {
    "tiles": """
    for (int ii = 0; ii < n; ii += 8)
        for (int kk = 0; kk < m; kk += 4)
            for (int i = ii; i < MIN(ii + 8, n); i++)
                for (int j = 0; j < m; j++)
                    for (int k = kk; k < MIN(kk + 4, m); k++)
                        u[i][j] += v[i][k] * v[k][j];
    """,
    "tiles that are closed": """
    for (int jj = 0; jj <= m - 1; jj += 5)
        for (long i = 0; i < n; i++)
            for (int j = jj; j <= MIN(m - 1, jj + 4); j++)
                for (long k = 0; k < m; k++)
                    u[i][j] += v[i][k] * v[k][j];
    """,
    "a band below columns": """
    struct shape s = {n, m};
    for (int j = 0; j < MIN(s.rows, s.columns); j++)
        for (int i = MAX(0, j - T); i <= MIN(n - 1, j + 2); i++)
            u[i][j] += v[i][j] * 2.0;
    """,
    "anti-diagonals": """
    for (int d = 2; d < n + m - 1; d++)
        for (int i = MAX(1, d - m + 1); i <= MIN(n - 1, d - 1); i++)
            u[i][d - i] = 0.5 * (u[i - 1][d - i] + u[i][d - i - 1]);
    """,
    "a choice that is no extreme": """
    for (int j = 0; j < m; j++)
        for (int i = T > 30 ? 1 : j; i < (j < 3 ? n : m < n ? m : 1); i++)
            u[i][j] += v[i][j] * 2.0;
    """,
}


@pytest.mark.parametrize("name", _LOOPS)
def test_bounds_that_are_chosen(name: str, tmp_path: Path) -> None:
    result = check(tmp_path, program(_LOOPS[name], before=_MACROS, declare=ROWS))
    assert result.transformed, result.messages
    assert not result.different, result.different


def test_loops_over_tiles_stay_outside(tmp_path: Path) -> None:
    """A loop over tiles touches nothing new by itself: that does not make it a good inner loop."""
    result = check(tmp_path, program(_LOOPS["tiles"], before=_MACROS, declare=ROWS))
    assert "loops (ii, kk, i, k, j), unrolled and jammed 'i' by 4 and 'k' by 4" in result.messages
