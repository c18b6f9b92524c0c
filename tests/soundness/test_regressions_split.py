"""Programs that index-set splitting once got wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.soundness.harness import check, program

_DECLARE = """
    double (*u)[m] = (double (*)[m])u_; double (*v)[m] = (double (*)[m])v_;
    unsigned q[64]; float r[64];
    for (int j = 0; j < 64; j++) { q[j] = j * 3; r[j] = j * 0.3f; }
"""


@pytest.mark.parametrize(
    "value",
    [
        "(j == 0 ? 1 : v[i][j]) / 2",
        "3 / (j == 0 ? 2 : v[i][j] + 1)",
        "((j == 0 ? -1 : q[j]) > 5 ? 2.0 : v[i][j])",
        "(j == 0 ? v[i][j] : r[j]) * 0.1f",
    ],
)
def test_parts_of_conditions_keep_their_type(value: str, tmp_path: Path) -> None:
    """``c ? 1 : x`` is a double where ``x`` is one; ``1`` alone is not."""
    loops = f"for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) u[i][j] = {value};"
    result = check(tmp_path, program(loops, declare=_DECLARE))
    assert result.transformed, result.messages
    assert not result.different, result.different
