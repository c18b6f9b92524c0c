"""What compilers say that they vectorize."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from s2s.driver.vectorized import CannotCompileError, Kind, Report, compile_asking, letters, reports

GCC = """\
a.c: In function 'f':
a.c:3:5: warning: unused variable 'x' [-Wunused-variable]
a.c:7:23: optimized: loop vectorized using 32 byte vectors
a.c:7:23: optimized:  loop versioned for vectorization because of possible aliasing
a.c:9:10: optimized: basic block part vectorized using 16 byte vectors
a.c:12:3: optimized: loop with 2 iterations completely unrolled (header execution count 1)
dir/b.h:1:1: missed: loop vectorized
"""
CLANG = """\
a.c:7:5: remark: vectorized loop (vectorization width: 8, interleaved count: 4) [-Rpass=loop-vectorize]
    7 |     for (int i = 0; i < n; i++)
      |     ^
a.c:8:5: remark: interleaved loop (interleaved count: 2) [-Rpass=loop-vectorize]
a.c:9:5: remark: Stores SLP vectorized with cost -2 and with tree size 2 [-Rpass=slp-vectorizer]
a.c:11:14: remark: Formed a call to llvm.memcpy.p0.p0.i64() intrinsic [-Rpass=loop-idiom]
"""  # noqa: E501


def test_remarks_of_gcc() -> None:
    assert reports(GCC) == (Report("a.c", 7, Kind.LOOP), Report("a.c", 9, Kind.BLOCK))


def test_remarks_of_clang() -> None:
    assert reports(CLANG) == (
        Report("a.c", 7, Kind.LOOP),
        Report("a.c", 9, Kind.BLOCK),
        Report("a.c", 11, Kind.LIBRARY),
    )


def test_one_letter_for_several_remarks() -> None:
    assert letters([]) == "-"
    assert letters(reports(CLANG)) == "V"
    assert letters(reports(CLANG)[1:]) == "s"
    assert letters(reports(CLANG)[2:]) == "m"


LOOPS = Path(__file__).with_name("vectorized.c").read_text()


@pytest.fixture(params=["gcc", "clang"])
def compiler(request: pytest.FixtureRequest) -> str:
    name = str(request.param)
    if not shutil.which(name):
        pytest.skip(f"no {name}")
    return name


def test_a_compiler_is_asked(compiler: str, tmp_path: Path) -> None:
    source = tmp_path / "loops.c"
    source.write_text(LOOPS)
    found = compile_asking(compiler, ["-O3"], str(source), str(tmp_path / "loops.o"))
    assert [(r.line, r.kind) for r in found] == [(4, Kind.LOOP)]
    assert not compile_asking(compiler, ["-O1"], str(source), str(tmp_path / "loops.o"))


def test_a_file_that_does_not_compile(compiler: str, tmp_path: Path) -> None:
    source = tmp_path / "bad.c"
    source.write_text("int f(void) { return no; }\n")
    with pytest.raises(CannotCompileError, match="error: "):
        compile_asking(compiler, [], str(source), str(tmp_path / "bad.o"))


def test_a_compiler_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(CannotCompileError, match="gcc-of-nobody: No such file"):
        compile_asking("gcc-of-nobody", [], "a.c", str(tmp_path / "a.o"))
