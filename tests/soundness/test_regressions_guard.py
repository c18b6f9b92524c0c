"""Guards that once let new code run where it must not."""

from __future__ import annotations

from pathlib import Path

from tests.soundness.harness import check, program

_TASKS = """
static void rows(int n, int m, double *u, double *v)
{
    for (int i = 1; i < n - 1; i++) {
#pragma omp task depend(in: v[i - 1], v[i], v[i + 1]) depend(out: u[i])
        u[i] = v[i - 1] + 0.5 * v[i + 1];
    }
}
"""
_CALLS = """
#pragma omp parallel
#pragma omp single
    for (int t = 0; t < T; t++) {
        rows(n, m, u_, v_);
        rows(m, n, v_, u_);
    }
"""


def test_sizes_that_are_alternatives_do_not_hide_aliases(tmp_path: Path) -> None:
    """``sizes || sizes && disjoint`` is true for arrays that overlap."""
    result = check(tmp_path, program(_CALLS, before=_TASKS, declare="(void)0;"))
    assert "distributed tasks" in result.messages, result.messages
    assert not result.different, result.different
    condition = (tmp_path / "new_a.c").read_text().partition("if (")[2]
    assert condition.startswith("("), condition[:200]
