"""Loops with scalar accumulators, distributed and interchanged, against the source."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.soundness.harness import check, program

FORWARD = Path(__file__).with_name("scalars.c").read_text()
_LAYER = """
static double squash(double x) { return x / (1.0 + x * x); }
"""
_ROWS = (
    "double **w = (double **)malloc((n + 1) * sizeof *w), **old ="
    " (double **)malloc((n + 1) * sizeof *old); double *in = u_ + 3 * (n + 2) * (m + 2),"
    " *out = v_ + 3 * (n + 2) * (m + 2); int j, k;"
    " double sum, change; for (k = 0; k <= n; k++) {"
    " w[k] = u_ + @W@ * (m + 1); old[k] = v_ + @OLD@ * (m + 1); }"
)


@pytest.mark.parametrize(
    ("new_rows", "old_rows"),
    [("(k + 1)", "(k + 1)"), ("(k / 2 + 1)", "(k + 1)"), ("1", "(n - k + 1)")],
)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("sum = 0.0", "sum = in[0]"),
        ("sum += w[k][j] * in[k]", "sum = sum < w[k][j] ? w[k][j] : sum"),
        ("for (k = 0; k <= n; k++) {\n            sum", "for (k = n; k >= 0; k--) {\n    sum"),
        ("out[j] = squash(sum)", "sum = -sum; out[j] = sum * sum"),
        ("for (j = 1; j <= m; j++) {\n        sum", "for (j = m; j >= 1; j -= 2) {\n        sum"),
    ],
)
def test_accumulators_in_strips(
    tmp_path: Path, old: str, new: str, new_rows: str, old_rows: str
) -> None:
    """Rows may be the same memory: each column still sees its rows in the source's order."""
    assert old in FORWARD
    declare = _ROWS.replace("@W@", new_rows).replace("@OLD@", old_rows)
    text = program(FORWARD.replace(old, new), before=_LAYER, declare=declare,
                   after="free(w); free(old);")  # fmt: skip
    result = check(tmp_path, text)
    assert not result.different, result.different
    assert result.transformed, result.messages
    assert result.messages.count("permuted loops") == 2, result.messages
