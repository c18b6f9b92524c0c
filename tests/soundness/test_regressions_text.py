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
