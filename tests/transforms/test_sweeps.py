"""Shift and fuse: which sweeps run together, how late, and that they compute the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from s2s.transforms.errors import NotApplicable
from s2s.transforms.sweeps import Sweeps
from tests.lifting import analysed, scop_of
from tests.soundness.harness import check, program

HEAD = (
    "void f(int T, double (*restrict a)[400], double (*restrict b)[400], double (*restrict c)[400])"
)
_ROWS = "for (int i = 3; i < {n}; i++) for (int j = 3; j < 397; j++) {{ {body} }}"


def _sweep(body: str, n: int = 397) -> str:
    return _ROWS.format(n=n, body=body)


JACOBI = _sweep("b[i][j] = a[i - 1][j] + a[i][j + 1] + a[i + 1][j];") + _sweep(
    "a[i][j] = b[i - 1][j] + b[i][j - 1] + b[i + 1][j];"
)


def _history(loops: str, **options: int) -> tuple[str, ...]:
    found = analysed(scop_of(f"{HEAD} {{ for (int t = 0; t < T; t++) {{ {loops} }} }}"))
    return Sweeps(**options).run(found.scop, found.pruned).scop.history


@pytest.mark.parametrize(
    ("loops", "words"),
    [
        (JACOBI, "2 sweeps fused into 1, shifted by 0, 1"),
        (
            _sweep("b[i][j] = a[i][j];") + _sweep("c[i][j] = b[i][j - 1];", 99),
            "2 sweeps fused into 1, shifted by 0, 0",
        ),
        (
            _sweep("b[i][j] = a[i][j];") + _sweep("c[i][j] = b[i + 3][j];"),
            "2 sweeps fused into 1, shifted by 0, 3",
        ),
        (
            JACOBI + _sweep("c[i][j] = a[i + 1][j] + b[i][j];"),
            "3 sweeps fused into 1, shifted by 0, 1, 2",
        ),
        (
            "for (int j = 0; j < 400; j++) a[0][j] = 1;" + JACOBI,
            "3 sweeps fused into 2, shifted by 0, 0, 1",
        ),
        (
            _sweep("b[i][j] = a[i][j];") + _sweep("c[i][j] = b[400 - i][j];") + JACOBI,
            "4 sweeps fused into 3, shifted by 0, 0, 0, 1",
        ),
    ],
)
def test_sweeps_run_together(loops: str, words: str) -> None:
    assert _history(loops) == (words,)


@pytest.mark.parametrize(
    ("loops", "reason"),
    [
        (_sweep("b[i][j] = a[i][j];"), "there is one sweep"),
        (_sweep("b[i][j] = 1;") + _sweep("a[i][j] = 2;"), "no two sweeps over an array"),
        (_sweep("b[i][j] = a[i][j];") + _sweep("c[i][j] = b[399 - i][j];"), "no two sweeps"),
        (
            "for (int i = 1; i < 400; i++) a[0][i] = 1; for (int i = 1; i < 400; i++) b[0][i] ="
            " a[0][i];",
            "no two sweeps",
        ),
        (_sweep("if (T) b[i][j] = a[i][j];") + _sweep("c[i][j] = b[i][j];"), "condition keeps its"),
        ("\n#pragma omp parallel for\n" + JACOBI, "a construct"),
        (JACOBI.replace("i++", "i += 2"), "does not count up by one"),
    ],
)
def test_sweeps_that_stay_apart(loops: str, reason: str) -> None:
    with pytest.raises(NotApplicable, match=reason):
        _history(loops)


def test_no_shift_is_tried_beyond_the_farthest() -> None:
    loops = _sweep("b[i][j] = a[i][j];") + _sweep("c[i][j] = b[i + 2][j];")
    with pytest.raises(NotApplicable, match="no two sweeps"):
        _history(loops, farthest=1)
    assert _history(loops, farthest=2) == ("2 sweeps fused into 1, shifted by 0, 2",)


@pytest.mark.parametrize(
    "loops",
    [
        "for (int t = 0; t < T; t++) { for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1;"
        " j++) u[i][j] = v[i - 1][j] + v[i][j + 1] * 0.5 + v[i + 1][j];"
        " for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++)"
        " v[i][j] = u[i - 1][j] + u[i][j - 1] * 0.5 + u[i + 1][j]; }",
        "for (int t = 0; t < T; t++) { u[0][0] += 1;"
        " for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) u[i][j] = v[i][j] * 2.0;"
        " for (int i = 0; i < n - 2; i++) for (int j = 0; j < m; j++) v[i][j] += u[i + 2][j];"
        " for (int i = 2; i < n; i++) for (int j = 1; j < m; j++) u[i][j] += v[i - 2][j - 1]; }",
    ],
)
def test_the_new_code_does_the_same(loops: str, tmp_path: Path) -> None:
    result = check(tmp_path, program(loops), passes=("sweeps",))
    assert "sweeps fused into " in result.messages
    assert not result.different


@pytest.mark.parametrize(("rows", "changed"), [(300, False), (400, True)])
def test_only_arrays_beyond_a_cache_are_worth_it(rows: int, changed: bool, tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    loops = JACOBI.replace("397", str(rows - 3))
    source.write_text(f"{HEAD}\n{{\n    for (int t = 0; t < T; t++) {{ {loops} }}\n}}\n")
    assert transform_file(str(source), (), Options(("sweeps",), strict=True)).changed == changed
