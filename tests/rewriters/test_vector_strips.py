"""Strips for a gcc that makes vectors of loops with a known number of iterations alone."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from s2s.source.flags import wants_known_counts

SOURCE = Path(__file__).parent / "vector_pragmas" / "strips.c"
_LOOPS = (Path(__file__).parent / "three_results.c").read_text()


def _text(source: Path, *flags: str) -> str:
    options = Options(passes=("simd",), force=True, compiler="gcc")
    return transform_file(str(source), flags, options).text.decode()


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ("-O2", True),
        ("-O3 -O2", True),
        ("-O2 -O3", False),
        ("-O1", False),
        ("", False),
        ("-Os", False),
        ("-O2 -fvect-cost-model=dynamic", False),
        ("-O2 -fno-tree-vectorize", False),
    ],
)
def test_levels_that_want_known_counts(flags: str, expected: bool) -> None:
    assert wants_known_counts(flags.split(), "gcc") == expected
    assert not wants_known_counts(flags.split(), "clang")


def test_gcc_makes_vectors_of_strips(tmp_path: Path) -> None:
    """What the compiler itself says: the source's loop stays scalar, the strip does not."""
    source, new = tmp_path / "loops.c", tmp_path / "new.c"
    source.write_text(_LOOPS)
    new.write_text(_text(source, "-O2"))
    version = subprocess.run(["gcc", "-dumpversion"], capture_output=True, text=True, check=True)
    if int(version.stdout.split(".")[0]) < 12:
        pytest.skip("gcc makes no vectors at -O2")
    said = [
        subprocess.run(
            ["gcc", "-O2", "-fopt-info-vec", "-c", str(path), "-o", str(tmp_path / "new.o")],
            capture_output=True, text=True, check=True,
        ).stderr
        for path in (source, new)
    ]  # fmt: skip
    assert "loop vectorized" not in said[0]
    assert "loop vectorized" in said[1]


@pytest.mark.parametrize("flags", [("-O3",), ("-O2", "-fopenmp"), ("-O2", "-fopenmp-simd")])
def test_no_strips_where_compilers_do_without(flags: tuple[str, ...]) -> None:
    assert "int s2s_i_at" not in _text(SOURCE, *flags)
    assert "int s2s_i_at" in _text(SOURCE, "-O2")


@pytest.mark.parametrize(
    "changed",
    [
        _LOOPS.replace("int n)", "unsigned n)").replace("i < n", "i < (int)(n & 63)"),
        "int n;" + _LOOPS.replace(", int n)", ")"),
        _LOOPS.replace("i < n", "i < 64"),
    ],
)
def test_some_loops_stay_whole(tmp_path: Path, changed: str) -> None:
    """Bounds that are known, or that others than the function's own code may set."""
    source = tmp_path / "loops.c"
    source.write_text(changed)
    text = _text(source, "-O2")
    assert "#pragma GCC ivdep" in text
    assert "int s2s_i_at" not in text
