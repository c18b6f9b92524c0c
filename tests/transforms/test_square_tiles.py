"""Square tiles for rows against columns: when they are made; the new code does the same."""

from __future__ import annotations

import pytest

from s2s.scop.schedule import Role
from s2s.transforms.errors import NotApplicable
from s2s.transforms.square_tiles import SquareTiles
from s2s.transforms.transformed import Transformed
from tests.lifting import analysed, scop_of

ARRAYS = "static double a[256][256], b[256][256], c[256][256], odd[250][250];"
NEST = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {}"


def _run(loops: str, head: str = f"{ARRAYS} void f(int n)") -> Transformed:
    found = analysed(scop_of(f"{head} {{ {loops} }}"))
    return SquareTiles().run(found.scop, found.pruned)


@pytest.mark.parametrize(
    "statement",
    [
        "b[i][j] = a[j][i];",
        "b[j][i] = a[i][j];",
        "a[i][j] = a[i][j] * c[j][i] + b[i][j];",
        "{ b[i][j] = a[j][i]; c[j][i + 1] = a[i][j]; }",
        "b[i][j] += a[2 * j][i];",
    ],
)
def test_rows_against_columns_are_tiled(statement: str) -> None:
    target = _run(NEST.format(statement)).scop.target
    assert target is not None
    assert [d.role for d in target.dimensions[:2]] == [Role.TILE, Role.TILE]


def test_triangles_are_tiled() -> None:
    loops = "for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) a[i][j] = a[j][i] + b[i][j];"
    assert _run(loops).scop.history == ("tiled 24x24 for rows and columns",)


def test_parametric_rows_are_checked_as_the_code_runs() -> None:
    head = "void f(int n, int m, float (*restrict p)[m], float (*restrict q)[m])"
    done = _run(NEST.format("p[i][j] = q[j][i];"), head)
    assert done.scop.divisible == (("4*((1*m))", "1024"),)


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("b[i][j] = odd[j][i];", "the cache holds a column's lines"),
        ("b[i][j] = a[i][j];", "not one array along rows"),
        ("b[j][i] = a[j][i];", "not one array along rows"),
        ("b[i][j] = b[j][i] + 1;", "dependences do not allow tiles"),
        ("{ b[i + 1][j] = a[j][i] + b[i][j + 1]; }", "dependences do not allow tiles"),
    ],
)
def test_other_nests_stay(statement: str, reason: str) -> None:
    with pytest.raises(NotApplicable, match=reason):
        _run(NEST.format(statement))


def test_short_loops_stay() -> None:
    with pytest.raises(NotApplicable, match="32 iterations"):
        _run(NEST.format("b[i][j] = a[j][i];").replace("j < n", "j < 32"))
