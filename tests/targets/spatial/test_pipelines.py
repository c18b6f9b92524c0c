"""Pipelines in Halide-like C++ and functions of open sizes: judged, mapped, executed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

_PROGRAMS = Path(__file__).parent / "pipelines"

Run = Callable[..., CompletedProcess[str]]

PIPELINE = (_PROGRAMS / "pipeline.cpp").read_text()
MAPPING = """\
Network n { Layer out { Type: CONV Stride { X: 2 }
  Dimensions { K: 5, C: 4, R: 3, S: 3, Y: 11, X: 21 }
  Dataflow { TemporalMap(2,2) C; SpatialMap(5,3) Y; TemporalMap(9,4) X;
             Cluster(2, P); SpatialMap(1,1) K; } } }
"""
GEMM = (_PROGRAMS / "gemm.c").read_text()


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.cpp").write_text(PIPELINE)
    Path("p.m").write_text(MAPPING)
    Path("gemm.c").write_text(GEMM)
    Path("gemm.m").write_text(
        "Network n { Layer gemm { Type: GEMM Dimensions { M: 30, N: 17, K: 64 }\n"
        "  Dataflow { SpatialMap(4,4) M; } } }\n"
    )


def test_the_rules_on_a_pipeline(run: Run) -> None:
    done = run("explain", "p.cpp", "--target", "spatial", "--size", "out=10x9x5")
    assert done.returncode == 0
    assert "R2 yes  line 12: only the dependences of the reduction into 'out'" in done.stdout
    assert "Dimensions { K: 5, C: 4, R: 3, S: 3, Y: 11, X: 21 }" in done.stdout


def test_a_pipelines_nest_is_mapped_and_executed(run: Run) -> None:
    command = ("transform", "p.cpp", "--target", "spatial", "--mapping", "p.m")
    done = run(*command, "--size", "out=10x9x5")
    assert done.returncode == 0, done.stderr
    assert "missed" not in done.stderr  # it was executed
    for line in ("for (int y_1 = 0; y_1 < 3; y_1++) {", "for (int k_fold2 = 0; k_fold2 < 3;"):
        assert line in done.stdout
    open_sizes = run(*command)
    assert open_sizes.returncode == 1
    assert "p.cpp:12:" in open_sizes.stderr
    assert "has no fixed number of iterations" in open_sizes.stderr


def test_sizes_of_a_function_are_asked_for_as_it_runs(run: Run) -> None:
    command = ("transform", "gemm.c", "--target", "spatial", "--mapping", "gemm.m")
    done = run(*command, "--size", "n=30,m=17")
    assert done.returncode == 0, done.stderr
    assert "if (n == 30 && m == 17) {" in done.stdout
    assert "} else {" in done.stdout
    assert run(*command).returncode == 1
    wrong = run(*command, "--size", "n=30,q=17")
    assert wrong.returncode == 2
    assert "'q' is no variable of a loop nest" in wrong.stderr
