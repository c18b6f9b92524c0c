"""Text that s2s once could not read."""

from __future__ import annotations

from pathlib import Path

from tests.soundness.harness import check, program

_MACROS = """
#define FOR(i, n) for (int i = 0; i < (n); i++)
#define BODY u[i][j] = u[i][j] * 0.5 + v[i][j];
#define NEST FOR(j, m) FOR(i, n) BODY
"""


def test_loops_whose_end_comes_from_a_macro(tmp_path: Path) -> None:
    loops = "FOR(j, m) FOR(i, n) { BODY }\nFOR(j, m) FOR(i, n) BODY\nNEST\n"
    result = check(tmp_path, program(loops, before=_MACROS))
    assert "the end of a statement is not where it is expected" in result.messages
    assert not result.different, result.different


def test_declarations_under_conditional_compilation(tmp_path: Path) -> None:
    """A statement that begins inside of ``#else`` and ends behind ``#endif`` cannot move."""
    loops = """
    for (int t = 0; t < T; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++) {
#ifdef FAST
            float c = 0.1;
#else
            double c = 0.1;
#endif
            for (int j = 1; j < m - 1; j++) u[i][j] = c * v[i-1][j];
        }
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) v[i][j] = u[i][j];
    }
"""
    result = check(tmp_path, program(loops))
    assert "conditional compilation overlaps a statement" in result.messages, result.messages
    assert not result.different, result.different
