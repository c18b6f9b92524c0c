"""Nests that are no perfect ones, made such: what is said, and the values of what comes out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from s2s.targets.spatial.nests import Judged, judged_nests
from tests.lifting import parse_text
from tests.targets.spatial.programs import execute

_PROGRAMS = Path(__file__).parent / "made"

Run = Callable[..., CompletedProcess[str]]

SOURCE = (_PROGRAMS / "source.c").read_text()
MAIN = (_PROGRAMS / "main.c").read_text()
MAPPING = """\
Network n {
  Layer filter { Type: CONV Stride { X: 2 } Dimensions { K: 1, C: 1, R: 3, S: 3, Y: 26, X: 49 }
    Dataflow { SpatialMap(7,5) Y; TemporalMap(16,14) X; } }
  Layer product { Type: GEMM Dimensions { M: 24, N: 48, K: 56 }
    Dataflow { SpatialMap(5,5) M; TemporalMap(16,16) K; Cluster(3, P); SpatialMap(7,7) N; } }
  Layer downwards { Type: CONV Dimensions { K: 24, C: 56, R: 1, S: 1, Y: 1, X: 1 }
    Dataflow { SpatialMap(7,7) K; TemporalMap(9,9) C; } }
  Layer vector { Type: CONV Dimensions { K: 24, C: 56, R: 1, S: 1, Y: 1, X: 1 }
    Dataflow { SpatialMap(5,5) C; TemporalMap(16,16) K; } }
  Layer flipped { Type: CONV Dimensions { K: 1, C: 1, R: 1, S: 5, Y: 1, X: 36 }
    Dataflow { SpatialMap(3,3) X'; TemporalMap(2,2) S; } }
  Layer spread { Type: CONTRACTION Dimensions { i: 12, k: 56 }
    Computation { o(i) += a(2*i + 1, k) * b(k); }
    Dataflow { SpatialMap(5,5) i; TemporalMap(16,16) k; } }
  Layer pool { Type: POOL Stride { X: 2 Y: 2 } Dimensions { C: 1, R: 3, S: 3, Y: 25, X: 55 }
    Dataflow { SpatialMap(5,5) X'; TemporalMap(2,2) S; } }
}
"""


def test_made_nests_compute_the_same(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("f.c").write_text(SOURCE)
    Path("f.m").write_text(MAPPING)
    done = run("transform", "f.c", "--target", "spatial", "--mapping", "f.m")
    assert done.returncode == 0, done.stderr
    assert "'sum' is an array of 576 values; 3 nests in place of one, from line 5 on" in done.stderr
    assert "made conformable: the condition is a maximum or minimum; 'most' is acc" in done.stderr
    assert "made conformable: w[4 - r] is copied to s2s_w[r]" in done.stderr
    assert "made conformable: out[2 * i - 1] is copied to s2s_out[(i - 1)]" in done.stderr
    assert "'sum' is accumulated in out[y][x]; 2 nests in place of one" in done.stderr
    assert execute(tmp_path, "before", SOURCE + MAIN) == execute(
        tmp_path, "after", done.stdout + MAIN
    )


def only(text: str) -> Judged:
    (nest,) = judged_nests(parse_text(text))
    return nest


def test_statements_keep_their_places_where_pointers_may_overlap() -> None:
    for first, end in (("void vector", "void flipped"), ("void flipped", "void spread")):
        text = SOURCE[SOURCE.index(first) : SOURCE.index(end)]
        assert only(text).made is not None
        assert only(text.replace("restrict ", "")).made is None


def test_a_value_that_a_later_statement_leaves_keeps_the_nest() -> None:
    text = (_PROGRAMS / "value_left.c").read_text()
    assert only(text).made is None


def test_a_scalar_that_iterations_pass_on_keeps_the_nest() -> None:
    text = (_PROGRAMS / "passed_on.c").read_text()
    assert only(text).made is None


TILED = (_PROGRAMS / "tiled.c").read_text()


def test_a_nest_that_was_tiled_by_hand_is_a_mapping(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.c").write_text(TILED)
    done = run("explain", "t.c", "--target", "spatial", "--", "-fopenmp")
    assert done.returncode == 0, done.stderr
    wanted = """\
      Dimensions { M: 30, N: 48, K: 64 }
      Dataflow {
        TemporalMap(32,32) K;
        SpatialMap(8,8) M;
        Cluster(1, P);
        TemporalMap(8,8) N;
      }
"""
    assert wanted in done.stdout


def test_what_is_wrong_with_a_made_nest_is_said_at_the_sources(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("f.c").write_text((_PROGRAMS / "wrong.c").read_text())
    Path("f.m").write_text(
        "Network n { Layer both { Type: CONTRACTION Dimensions { i: 5, j: 6, k: 7 }\n"
        "  Computation { o(i) += a(i, j, k) * a(i, j, k); }\n"
        "  Dataflow { TemporalMap(1,1) k; SpatialMap(2,2) j; TemporalMap(5,5) i; } } }\n"
    )
    done = run("transform", "f.c", "--target", "spatial", "--mapping", "f.m")
    assert done.returncode == 1
    assert done.stderr.startswith("f.c:2:3: error: the mapping adds up floating-point numbers")
