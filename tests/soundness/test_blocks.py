"""Loops over blocks of parametric size: transformed where rows may replace blocks, else left."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.soundness.harness import ROWS, check, program

# A sweep and its way back over blocks of b x b; @1 and @2 stand for what the copies do.
_SWEEPS = """
    int b = @SIZE@;
#pragma omp parallel
#pragma omp master
    for (int t = 0; t < T; t++) {
        for (int jj = 0; jj < m; jj += b)
            for (int ii = 0; ii < n; ii += b)
#pragma omp task depend(in: v) depend(out: u)
            {
                int row = ii / b, i, j, first;
                double (*w)[m] = (double (*)[m])u_;
                first = row * b;
                for (i = first; i < @END_I@; i++)
                    for (j = jj; j < @END_J@; j++)
                        w[i][j] = v[i][j];
            }
        for (int jj = 0; jj < m; jj += b)
            for (int ii = 0; ii < n; ii += b)
#pragma omp task depend(inout: v) depend(in: u)
                for (int i = ii; i < @END_I@; i++)
                    for (int j = jj; j < @END_J@; j++)
                        if (i > 0 && j > 0 && i < n - 1 && j < m - 1)
                            @BACK@
    }
"""
_BACK = "v[i][j] = 0.25 * (u[i-1][j] + u[i+1][j] + u[i][j-1] + u[i][j+1]);"


def _sweeps(size: str = "4", *, clipped: bool = True, back: str = _BACK) -> str:
    ends = ("(ii + b < n ? ii + b : n)", "(jj + b > m ? m : jj + b)") if clipped else (
        "ii + b", "jj + b")  # fmt: skip
    text = _SWEEPS.replace("@SIZE@", size).replace("@BACK@", back)
    return text.replace("@END_I@", ends[0]).replace("@END_J@", ends[1])


@pytest.mark.parametrize(
    "loops",
    [
        pytest.param(_sweeps(), id="clipped"),
        pytest.param(_sweeps("n > 2 ? 3 : 1"), id="size-at-run-time"),
        pytest.param(
            "    if (n % 2 || m % 2) return;\n" + _sweeps("2", clipped=False), id="whole-blocks"
        ),
    ],
)
def test_blocks_become_rows(loops: str, tmp_path: Path) -> None:
    result = check(tmp_path, program(loops))
    assert result.transformed, result.messages
    assert not result.different, result.different


@pytest.mark.parametrize(
    ("loops", "said"),
    [
        # Blocks on the left run first: v[i - 1][j + 1] of another block is read before it is set.
        (_sweeps(back="v[i][j] = 0.5 * (v[i-1][j+1] + u[i][j]);"), "possible orders"),
        (_sweeps(back="v[i][j] = u[i][j] + 0.001 * ii;"), "step of"),
        (_sweeps().replace("jj += b", "jj -= -b"), "step of"),
        (_sweeps().replace("first = row * b", "first = row * b + 1"), "step of"),
    ],
    ids=["reordered", "block-number-used", "minus", "shifted"],
)
def test_blocks_that_stay(loops: str, said: str, tmp_path: Path) -> None:
    result = check(tmp_path, program(loops))
    assert said in result.messages, result.messages
    assert not result.different, result.different


def test_pointer_copies_are_declared_in_front(tmp_path: Path) -> None:
    """A copy's new name hides nothing of the source's own text, which stays as the other branch."""
    loops = _sweeps().replace("(*w)", "(*copy)").replace("w[i][j]", "copy[i][j]")
    declare = f"{ROWS} double copy_[4] = {{1}}, *copy = copy_;"
    result = check(tmp_path, program(loops, declare=declare, after="u[0][0] += copy[0];"))
    assert result.transformed, result.messages
    assert not result.different, result.different
    assert "(*s2s_copy)" in (tmp_path / "new_a.c").read_text()


def test_an_assertion_that_always_holds_is_no_effect(tmp_path: Path) -> None:
    loops = _sweeps().replace(
        "w[i][j] = v[i][j];", "{ assert(i < n && j < m); w[i][j] = v[i][j]; }"
    )
    result = check(tmp_path, program(loops, before="#include <assert.h>\n"))
    assert result.transformed, result.messages
    assert not result.different, result.different


def test_an_assertion_that_may_fail_stays(tmp_path: Path) -> None:
    loops = _sweeps().replace("w[i][j] = v[i][j];", "{ assert(i < 1000); w[i][j] = v[i][j]; }")
    result = check(tmp_path, program(loops, before="#include <assert.h>\n"))
    assert not result.transformed
    assert "a call may do anything" in result.messages
