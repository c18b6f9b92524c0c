"""Sequential time loops: which of them are tiled along time, and why others are not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from s2s.analyses import legality
from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from s2s.scop.schedule import Role
from s2s.transforms.errors import NotApplicable
from s2s.transforms.popp import Popp
from s2s.transforms.transformed import Transformed
from tests.lifting import analysed, scop_of
from tests.soundness.harness import STENCIL, check, program

_HEAD = (
    "void f(int T, int n, int m, double (*restrict a)[{m}], double (*restrict b)[{m}],"
    " double *restrict u, double *restrict v, double (*restrict g)[{m}][{m}])"
)
_ROWS = "for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) "
_JACOBI = _ROWS + "b[i][j] = a[i - 1][j] + a[i][j + 1] + a[i + 1][j];"
_BACK = _ROWS + "a[i][j] = b[i][j];"
_EDGES = "for (int j = 0; j < m; j++) { a[0][j] = a[1][j]; a[n - 1][j] = a[n - 2][j]; }"
_LINES = (
    "for (int i = 1; i < n - 1; i++) v[i] = u[i - 1] + u[i + 1];"
    " for (int i = 1; i < n - 1; i++) u[i] = v[i];"
)


def _run(step: str, m: str = "m", *, parallel: bool = False) -> Transformed:
    text = f"{_HEAD.format(m=m)} {{ for (int t = 0; t < T; t++) {{ {step} }} }}"
    found = analysed(scop_of(text))
    done = Popp(parallel=parallel).run(found.scop, found.pruned)
    assert legality.check(done.scop, found.pruned) is None
    return done


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (_JACOBI + _BACK, "fused, skewed and tiled 16x8"),
        (_EDGES + _JACOBI + _BACK, "fused, skewed and tiled 16x8"),
        ("for (int i = 0; i < n; i++) a[i][m - 1] = t;" + _JACOBI + _BACK, "fused, skewed"),
        ("a[0][1] = t;" + _JACOBI + _BACK, "fused, skewed and tiled 16x8"),
        (_LINES, "fused, skewed and tiled 32x1024"),
        ("u[0] = u[n - 2];" + _LINES, "no 2 loops can be permuted"),
        (
            _ROWS + "g[(t + 1) % 2][i][j] = g[t % 2][i - 1][j] + g[t % 2][i + 1][j];",
            "skewed and tiled 16x8",
        ),
        (_ROWS + "a[i][j] = a[i][j] * 0.5 + b[i - 1][j];", "did not read|left beside"),
        (_ROWS + "a[i][j] = a[i - 1][j] + a[i][j - 1];", "wait for each other"),
        (_JACOBI + "for (int j = 1; j < m; j++) for (int i = 1; i < n; i++) a[i][j] = b[i][j];",
         "does not walk along memory"),
        (_JACOBI + _BACK + _ROWS + "u[0] += a[i][j];", "wait for each other|walk along memory"),
        ("u[t] = 1;", "there are no loops inside"),
    ],
)  # fmt: skip
def test_sequential_time_loops(step: str, words: str) -> None:
    try:
        assert words in _run(step).scop.history[0]
    except NotApplicable as problem:
        assert any(part in str(problem) for part in words.split("|"))


def test_parallel_text_and_its_serial_elision_have_one_schedule() -> None:
    marked = "\n#pragma omp parallel for\n"
    serial = _run(_JACOBI + _BACK, parallel=True).scop
    declared = _run(marked + _JACOBI + marked + _BACK).scop
    assert serial.history == declared.history
    assert serial.target is not None
    assert declared.target is not None
    assert serial.target.dimensions == declared.target.dimensions
    for name, item in serial.target.maps.items():
        assert item.is_equal(declared.target.maps[name])


def test_tiles_run_one_after_another_unless_threads_are_asked_for() -> None:
    for parallel in (False, True):
        target = _run(_LINES, parallel=parallel).scop.target
        assert target is not None
        tiles = [d for d in target.dimensions if d.role is Role.TILE]
        assert any(d.parallelism.waits for d in tiles) is parallel


@pytest.mark.parametrize("parallel", [False, True])
def test_lines_are_cut_at_the_ends_of_tiles(parallel: bool, tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text(f"{_HEAD.format(m=9)} {{ for (int t = 0; t < T; t++) {{ {_LINES} }} }}\n")
    options = Options(("popp",), strict=True, parallel=parallel)
    text = transform_file(str(source), ["-fopenmp"], options).text.decode()
    assert text.count("for (int i = (int)s2s_i_begin; i <= s2s_i_end; i++)") == 2
    assert ("ordered depend(sink" in text) is parallel
    few = replace(options, passes=("popp:line-sizes=8x16",), force=True)
    assert transform_file(str(source), ["-fopenmp"], few).changed


def test_the_new_code_of_a_sequential_stencil_does_the_same(tmp_path: Path) -> None:
    loops = STENCIL.replace("#pragma omp parallel for", "")
    assert "pragma" not in loops
    result = check(tmp_path, program(loops), passes=("popp:sizes=3x2",))
    assert "tiled 3x2" in result.messages
    assert not result.different


_CROSS = _ROWS + "b[i][j] = a[i - 1][j] + a[1 + i][j] + a[i][j - 1] + a[i][j] + a[i][j + 1];"


@pytest.mark.parametrize("parallel", [False, True])
def test_rows_that_read_the_same_run_in_pairs(parallel: bool, tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    step = f"{_CROSS} {_BACK}"
    source.write_text(f"{_HEAD.format(m='m')} {{ for (int t = 0; t < T; t++) {{ {step} }} }}\n")
    options = Options(("popp",), strict=True, parallel=parallel)
    text = " ".join(transform_file(str(source), ["-fopenmp"], options).text.decode().split())
    assert "b[i][j] = a[i - 1][j] + s2s_a_0 + a[i][j - 1] + s2s_a_1 + a[i][j + 1];" in text
    assert "b[i][j] = s2s_a_1 + a[1 + i][j] + a[i][j - 1] + s2s_a_0 + a[i][j + 1];" in text
    few = replace(options, passes=("popp:pair-gain=2",))
    assert "s2s_a_0" not in transform_file(str(source), ["-fopenmp"], few).text.decode()


def test_what_caches_hold_is_left_to_copies(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    step = f"{_JACOBI} {_BACK}"
    source.write_text(f"{_HEAD.format(m='m')} {{ for (int t = 0; t < T; t++) {{ {step} }} }}\n")
    text = transform_file(str(source), (), Options(strict=True)).text.decode()
    assert text.index("tiled 16x8") < text.index("exchange roles") < text.rindex("} else {")
    alone = transform_file(str(source), (), Options(("popp",), strict=True)).text.decode()
    assert "exchange roles" not in alone


@pytest.mark.parametrize(
    ("kind", "kept"),
    [("static ", True), ("", False), ("static inline ", False), ("inline static ", False)],
)
def test_static_functions_with_tiles_stay_functions(kind: str, kept: bool, tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    body = f"{{ for (int t = 0; t < T; t++) {{ {_JACOBI} {_BACK} }} }}"
    source.write_text(f"static int g(void) {{ return 1; }}\n{kind}{_HEAD.format(m='m')} {body}\n")
    text = transform_file(str(source), (), Options(("popp",), strict=True)).text.decode()
    assert "tiled 16x8" in text
    assert text.count("__attribute__((noinline))\nstatic void f(") == kept
    assert text.count("noinline") == kept
