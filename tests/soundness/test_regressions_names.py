"""Programs in which a name once came to mean something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from tests.soundness.harness import STENCIL, check, program

_FIRST = "u[i][j] = 0.25 * (v[i-1][j] + v[i+1][j] + v[i][j-1] + v[i][j+1]);"
_HEAD = "for (int j = 1; j < m - 1; j++)"


@pytest.mark.parametrize(
    ("outer", "inner", "value"),
    [
        ("enum { K = 3 };", "enum { K = 9 };", "K * v[i-1][j]"),
        ("typedef double real;", "typedef float real;", "(real)(v[i-1][j] * 0.1)"),
        ("struct p { char c; };", "struct p { double d[3]; };", "sizeof(struct p) * v[i-1][j]"),
    ],
    ids=["enum", "typedef", "struct"],
)
def test_types_declared_in_a_region(outer: str, inner: str, value: str, tmp_path: Path) -> None:
    """Statements stay with the declaration of a type that their text may name."""
    old = f"            for (int j = 1; j < m - 1; j++)\n                {_FIRST}"
    assert old in STENCIL
    loops = STENCIL.replace(old, f"{{ {inner} {_HEAD} u[i][j] = {value}; }}")
    result = check(tmp_path, program(loops, before=outer))
    assert result.transformed, result.messages
    assert not result.different, result.different


def test_constants_of_a_callee_that_the_caller_hides(tmp_path: Path) -> None:
    before = f"""
enum {{ K = 3 }};
static void row(int i, int m, double (*u)[m], double (*v)[m])
{{ {_HEAD} u[i][j] = v[i-1][j] * K; }}
"""
    loops = "enum { K = 9 };" + STENCIL.replace(
        f"{_HEAD}\n                {_FIRST}", "{ row(i, m, u, v); u[i][0] = K; }"
    )
    assert "row(" in loops
    result = check(tmp_path, program(loops, before=before))
    assert "'K' means something else" in result.messages, result.messages
    assert not result.different, result.different


_LANES = """
void f(int n, int m, short *a, short *b, short *c, const int *restrict p, short t)
{{
    for (int i = n - 2; i > 0; i--) {{
        {{ short {name} = a[i]; a[i] = {name}; b[i] = {name} * 2 + c[i]; }}
        {then}
        a[i] = p[i]{more};
    }}
}}
"""
_AGAIN = "{ short t = a[i]; a[i] = t; b[i] = t * 2 + a[i + 2]; }"


@pytest.mark.parametrize(
    ("name", "then", "more"),
    [("t", _AGAIN, ""), ("t", "b[i] = a[i + 2];", " + t"), ("n", "c[i] = a[i + 2] * 2 + 1;", "")],
    ids=["declared twice", "hides a variable", "hides the loops' bound"],
)
def test_declarations_of_a_block(name: str, then: str, more: str, tmp_path: Path) -> None:
    """What a block declares is its own: not its neighbours', nor the new loops'."""
    path = tmp_path / "file.c"
    path.write_text(_LANES.format(name=name, then=then, more=more))
    done = transform_file(str(path), ["-O2", "-fopenmp"], Options(strict=True))
    assert "in strips" in done.text.decode()
