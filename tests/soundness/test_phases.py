"""Tasks that become parallel loops, under conditions that depend on data."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.soundness.harness import check, program

# A blocked elimination on single elements: what `table` points to decides which tasks there are.
_BEFORE = """
static void first(double *d) { *d = 0.5 * *d + 0.25; }
static void side(const double *d, double *x) { *x -= 0.1 * *d; }
static void inner(const double *r, const double *c, double *x) { *x -= 0.01 * *r * *c; }
static double *fresh(void)
{ double *p = (double *)calloc(1, sizeof *p); if (!p) exit(9); return p; }
static void sweep(int n, int m, int T, double *u_, double *v_);
"""

_TABLE = """
    double **table = (double **)malloc((size_t)(n * n + 1) * sizeof *table);
    for (int k = 0; k < n * n; k++) table[k] = k % 3 == 1 && k / n != k % n ? NULL : &u_[k];
"""
_BACK = """
    for (int k = 0; k < n * n; k++) { if (table[k]) v_[k] += *table[k]; }
    free(table);
"""

_ELIMINATION = """
#pragma omp parallel
#pragma omp single
    {
    for (int k = 0; k < n; k++) {
#pragma omp task depend(inout: table[k * n + k])
        first(table[k * n + k]);
        for (int j = k + 1; j < n; j++)
            if (table[k * n + j] != NULL) {
#pragma omp task depend(in: table[k * n + k]) depend(inout: table[k * n + j])
                side(table[k * n + k], table[k * n + j]);
            }
        for (int i = k + 1; i < n; i++)
            if (table[i * n + k] != NULL) {
#pragma omp task depend(in: table[k * n + k]) depend(inout: table[i * n + k])
                side(table[k * n + k], table[i * n + k]);
            }
        for (int i = k + 1; i < n; i++)
            if (table[i * n + k] != NULL)
                for (int j = k + 1; j < n; j++)
                    if (table[k * n + j] != NULL) {
                        if (table[i * n + j] == NULL) table[i * n + j] = fresh();
#pragma omp task depend(in: table[i * n + k], table[k * n + j]) depend(inout: table[i * n + j])
                        inner(table[i * n + k], table[k * n + j], table[i * n + j]);
                    }
    }
#pragma omp taskwait
    }
"""


def _elimination(loops: str) -> str:
    return program(loops, before=_BEFORE, declare=_TABLE, after=_BACK)


def test_elimination_by_phases(tmp_path: Path) -> None:
    result = check(tmp_path, _elimination(_ELIMINATION))
    assert "distributed tasks to 3 parallel loops" in result.messages, result.messages
    assert not result.different, result.different


@pytest.mark.parametrize(
    "tag", ["inout: table[i * n + k]", "inout: table[i * n + j]"], ids=["column", "inner"]
)
def test_tags_decide_what_is_parallel(tag: str, tmp_path: Path) -> None:
    """A tag that all tasks of a phase write orders them."""
    result = check(tmp_path, _elimination(_ELIMINATION.replace(tag, f"{tag}, n")))
    assert "distributed tasks to 2 parallel loops" in result.messages, result.messages
    assert not result.different, result.different


# The condition's input is set between the evaluation and a guarded statement.
_STALE = """
#pragma omp parallel
#pragma omp single
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n; i++)
            if (u_[i] > 0.5) {
                u_[i] = @SET@;
#pragma omp task depend(inout: v_[i])
                v_[i] += 0.5 * v_[i] + u_[i];
            }
#pragma omp taskwait
    }
"""


@pytest.mark.parametrize("value", ["0.25", "u_[i] + 0.001", "u_[i] - 0.2"])
def test_a_condition_is_not_evaluated_too_late(value: str, tmp_path: Path) -> None:
    loops = _STALE.replace("@SET@", value)
    result = check(tmp_path, program(loops, declare="(void)m;"))
    assert not result.different, result.different


@pytest.mark.parametrize(
    "guarded",
    [
        "if (u_[i] > 0.5) { if (v_[i] < 0.9) {\n#pragma omp task depend(inout: w[i])\n"
        "w[i] += 1; } }",
        "if (u_[i] > 0.5 || v_[i] < 0.1)\n#pragma omp task depend(inout: w[i])\n"
        "{ double x = u_[i]; w[i] = x * x; w[i] += 0.5; }",
        "if (u_[i] > 0.5)\n#pragma omp task depend(inout: w[i])\nfor (int j = 0; j < m; j++) "
        "w[i] += v_[j];",
    ],
    ids=["nested", "compound", "loop"],
)
def test_forms_of_guarded_tasks(guarded: str, tmp_path: Path) -> None:
    loops = f"""
#pragma omp parallel
#pragma omp single
    for (int t = 0; t < T; t++) {{
        for (int i = 1; i < n; i++)
            {guarded}
    }}
"""
    declare = "double *w = (double *)calloc((size_t)n + 1, sizeof *w);"
    after = "for (int i = 0; i < n; i++) u_[i] += w[i]; free(w);"
    result = check(tmp_path, program(loops, declare=declare, after=after))
    assert result.transformed, result.messages
    assert not result.different, result.different
