"""Loops with scalar accumulators, distributed and interchanged, against the source."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.soundness.harness import check, program

# Fixed distances between rows, so that the same pointers make square arrays.
SQUARE = (
    "enum { W = 40 }; double (*restrict u)[W] = (double (*)[W])calloc(W * W, 8);"
    " double (*restrict v)[W] = (double (*)[W])calloc(W * W, 8); int N = n + m, i, j, k;"
    " for (i = 0; i < W; i++) for (j = 0; j < W; j++) {"
    " u[i][j] = u_[(i * 7 + j) % 60] + (i == j ? 9 : 0); v[i][j] = v_[(i + j * 5) % 60]; }"
)
AFTER = 'show("U", u, W * W * 8); show("V", v, W * W * 8); free(u); free(v);'

LU = """
    for (i = 0; i < N; i++) {
#pragma omp parallel for private(k, sum)
        for (j = i; j < N; j++) {
            sum = u[i][j];
            for (k = 0; k < i; k++) sum -= u[i][k] * u[k][j];
            u[i][j] = sum;
        }
#pragma omp parallel for private(k, sum)
        for (j = i + 1; j < N; j++) {
            sum = u[j][i];
            for (k = 0; k < i; k++) sum -= u[j][k] * u[k][i];
            u[j][i] = sum / u[i][i];
        }
    }
"""
PRODUCT = """
#pragma omp parallel for private(j, k, sum)
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++) {
            sum = 0.125;
            for (k = 0; k < N; k++) sum += v[i][k] * v[k][j];
            u[i][j] = sum - u[i][j];
        }
"""
TRANSPOSED = """
    for (i = 0; i < N; i++) {
#pragma omp parallel for private(k) reduction(+:sum)
        for (j = 0; j < N; j++) {
            sum = i;
            for (k = N - 1; k >= 0; k--) sum = sum * v[k][i] + v[k][j];
            u[i][j] = sum;
        }
    }
"""


def _run(tmp_path: Path, loops: str, *flags: str, kind: str = "double") -> str:
    text = program(
        loops, declare=f"{SQUARE} {kind} sum;", after=AFTER,
        call="sweep(n % 20, m, T, u_, v_);",
    )  # fmt: skip
    result = check(tmp_path, text, *flags)
    assert not result.different, result.different
    assert result.transformed, result.messages
    return result.messages


@pytest.mark.parametrize("loops", [LU, TRANSPOSED], ids=["lu", "transposed"])
def test_accumulators_in_elements(tmp_path: Path, loops: str) -> None:
    assert "loops to" in _run(tmp_path, loops)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("sum = u[i][j];", "sum = 1.0;"),
        ("sum = u[i][j];", "sum = v[j][i] / 2;"),
        ("u[i][j] = sum;", "u[i][j] = sum * 0.5;"),
        ("sum -= u[i][k] * u[k][j];", "sum = u[i][k] - sum;"),
        ("sum / u[i][i]", "sum - v[j][i]"),
        ("for (k = 0; k < i; k++) sum -= u[i][k]", "for (k = i - 1; k >= 0; k--) sum -= u[i][k]"),
        ("sum -= u[j][k] * u[k][i]", "sum *= 1 + u[j][k] * u[k][i]"),
        ("sum -= u[j][k] * u[k][i]", "sum = sum > u[k][i] ? sum : u[k][i]"),
        ("for (j = i + 1; j < N", "for (j = i + 2; j < N"),
        ("sum -= u[j][k]", "sum -= u[j][k + 1]"),
        ("k < i; k++) sum -= u[j]", "k <= i; k++) sum -= u[j]"),
        ("k < i; k++) sum -= u[i]", "k < j; k++) sum -= v[i]"),
    ],
)
def test_variants_of_a_decomposition(tmp_path: Path, old: str, new: str) -> None:
    """Whatever is done with them: the results stay the same."""
    assert old in LU
    text = program(
        LU.replace(old, new), declare=f"{SQUARE} double sum;", after=AFTER,
        call="sweep(n % 20, m, T, u_, v_);",
    )  # fmt: skip
    result = check(tmp_path, text)
    assert not result.different, result.different


FORWARD = """
#pragma omp parallel for private(k) reduction(+:sum) schedule(static)
    for (j = 1; j <= m; j++) {
        sum = 0.0;
        for (k = 0; k <= n; k++) {
            sum += w[k][j] * in[k];
        }
        out[j] = squash(sum);
    }
#pragma omp parallel for private(k, change) firstprivate(n, m)
    for (j = 1; j <= m; j++) {
        for (k = 0; k <= n; k++) {
            change = 0.3 * out[j] * in[k] + 0.25 * old[k][j];
            w[k][j] += change;
            old[k][j] = change;
        }
    }
"""
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
