"""Loop reversal: what keeps its order, what runs backwards, and that it computes the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from s2s.transforms.errors import NotApplicable
from s2s.transforms.reverse import Reverse
from tests.lifting import analysed, scop_of
from tests.soundness.harness import check, program

HEAD = "void f(int n, int m, double *restrict a, double *restrict b, double (*restrict c)[m])"
ROW = "for (int i = 0; i < n; i++) {}"
NEST = "for (int i = 1; i < n; i++) for (int j = 1; j < m; j++) {}"


def _history(loops: str, depth: int = 1) -> tuple[str, ...]:
    found = analysed(scop_of(f"{HEAD} {{ {loops} }}"))
    return Reverse(depth).run(found.scop, found.pruned).scop.history


@pytest.mark.parametrize(
    ("loops", "depth", "reason"),
    [
        (ROW.format("a[i + 1] = a[i] + b[i];"), 1, "the loop over 'i' has to come before another"),
        (ROW.format("a[i] = a[i + 1] + b[i];"), 1, "the loop over 'i' has to come before another"),
        (ROW.format("a[0] = b[i];"), 1, "the loop over 'i' has to come before another"),
        (NEST.format("c[i][j] = c[i][j - 1];"), 2, "the loop over 'j' has to come before another"),
        (NEST.format("c[i][j] = c[i - 1][j + 1];"), 1, "the loop over 'i' has to come before"),
        (ROW.format("a[i] = b[i];"), 2, "there is no loop at depth 2"),
        ("\n#pragma omp parallel for\n" + ROW.format("a[i] = b[i];"), 1, "'parallel' keeps its"),
    ],
)
def test_what_keeps_its_order(loops: str, depth: int, reason: str) -> None:
    with pytest.raises(NotApplicable, match=reason):
        _history(loops, depth)


@pytest.mark.parametrize(
    ("loops", "depth", "name"),
    [
        (ROW.format("a[i] = b[i];"), 1, "i"),
        (ROW.format("a[i] += b[i] * a[i];"), 1, "i"),
        ("for (int k = n; k > 3; k -= 2) a[k] = b[k];", 1, "k"),
        (NEST.format("c[i][j] = c[i][j - 1];"), 1, "i"),
        (NEST.format("c[i][j] = c[i - 1][j];"), 2, "j"),
    ],
)
def test_what_runs_backwards(loops: str, depth: int, name: str) -> None:
    assert _history(loops, depth) == (f"the loop over '{name}' runs backwards",)


@pytest.mark.parametrize(
    ("loops", "depth"),
    [
        ("for (int i = 0; i < n; i++) u_[i] = v_[i] * 2.0;", 1),
        ("for (int i = n; i > 1; i -= 3) u_[i] = v_[i] + u_[i];", 1),
        ("for (int i = 1; i < n; i++) for (int j = 1; j < m; j++) u[i][j] = u[i][j - 1];", 1),
        ("for (int i = 1; i < n; i++) for (int j = 1; j < i && j < m; j++) u[i][j] += v[i][j];", 2),
        ("for (int i = 0; i < n; i++) { u[i][0] = i; for (int j = 1; j < m; j++) "
         "{ u[i][j] = v[i][j]; v[i][j] = j * 0.5; } u[i][1] += 1.0; }", 2),
    ],
)  # fmt: skip
def test_the_new_code_does_the_same(loops: str, depth: int, tmp_path: Path) -> None:
    result = check(tmp_path, program(loops), passes=(f"reverse:depth={depth}",))
    assert "runs backwards [reverse]" in result.messages
    assert not result.different


@pytest.mark.parametrize(
    "loops",
    [
        "for (int i = 1; i < n; i++) a[i] = a[i - 1] * 0.5;",
        "double s = 0; for (int i = 0; i < n; i++) s += a[i]; b[0] = s;",
        "int rand(void); for (int i = 0; i < n; i++) a[i] = rand();",
        "int i = 0; while (i < n) { a[i] = b[i]; i++; }",
        "a[0] = b[0];",
    ],
)
def test_other_programs_are_left_as_they_are(loops: str, tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text(f"{HEAD}\n{{\n    {loops}\n}}\n")
    assert not transform_file(str(source), (), Options(("reverse",), strict=True)).changed
