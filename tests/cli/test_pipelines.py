"""Halide-like C++ on the command line: C with a header, explanations, refusals with a place."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., CompletedProcess[bytes]]

BLUR = Path(__file__).with_name("pipelines_blur.cpp").read_text()

CALLER = Path(__file__).with_name("pipelines.c").read_text()


@pytest.fixture(autouse=True)
def source() -> Path:
    path = Path("blur.cpp")
    path.write_text(BLUR)
    return path


@pytest.mark.parametrize("version", ["1", "2"])
def test_c_with_its_header(run: Run, version: str) -> None:
    result = run(
        *("transform", "blur.cpp", "-o", "blur.c"),
        *("--size", "out=10x12", "--param", f"version={version}"),
    )
    assert result.returncode == 0, result.stderr.decode()
    Path("caller.c").write_text(CALLER)
    flags = ["-std=c99", "-Wall", "-Werror", "-fopenmp", "-fsanitize=address,undefined"]
    subprocess.run(["gcc", *flags, "blur.c", "caller.c", "-o", "caller"], check=True)
    assert subprocess.run(["./caller"], check=False).returncode == 0


def test_standard_output_has_no_header(run: Run) -> None:
    result = run("transform", "blur.cpp", "--size", "out=10x12")
    assert b"int blur(const uint8_t *restrict in" in result.stdout
    assert not list(Path().glob("*.h"))


def test_a_directory_gets_files_of_c(run: Run) -> None:
    Path("out").mkdir()
    assert run("transform", "blur.cpp", "-o", "out/", "--size", "out=10x12").returncode == 0
    assert sorted(path.name for path in Path("out").iterdir()) == ["blur.c", "blur.h"]


def test_explain(run: Run) -> None:
    said = run("explain", "blur.cpp", "--size", "out=10x12").stdout.decode()
    assert "  in (passed): [0, +12) x [0, +14)" in said
    assert "rows (allocated): [0, +10) x " in said
    assert " in [-2, 11]:" in said  # two rows more, to warm up
    assert "proof: every value read is the one that the definitions give" in said


HARDWARE = """
            out.hw_accelerate(x, Var::outermost()).output_rate(2);
            rows.compute_root().store_in(MemoryType::GLB).coarse_grain_loop(y);
        } else {"""


def test_what_becomes_of_hardware_primitives(run: Run) -> None:
    Path("blur.cpp").write_text(
        BLUR.replace("} else {", f"}} else if (version == 4) {{{HARDWARE}", 1)
    )
    result = run("explain", "blur.cpp", "--param", "version=4")
    assert result.returncode == 0
    said = result.stdout.decode()
    assert (
        "  out.hw_accelerate(x, Var::outermost()): no effect on a processor   (line 24)\n" in said
    )
    assert "  out.output_rate(2): carried out as other directives   (line 24)\n" in said
    assert "  rows.coarse_grain_loop(y): no effect on a processor   (line 25)\n" in said
    remarks = run("transform", "blur.cpp", "--param", "version=4").stderr.decode()
    assert "blur.cpp:25:33: remark: rows.store_in(GLB) has no effect on a processor" in remarks
    assert remarks.count("has no effect on a processor") == 3
    assert "hardware primitives" not in run("explain", "blur.cpp").stdout.decode()


def test_a_level_that_does_not_exist(run: Run) -> None:
    result = run("transform", "blur.cpp", "-o", "blur.c", "--param", "version=3")
    assert result.returncode == 1
    assert b"blur.cpp:24:" in result.stderr
    assert not Path("blur.c").exists() and not Path("blur.h").exists()


@pytest.mark.parametrize(
    ("argument", "status"),
    [(("--size", "nothing=3x4"), 2), (("--size", "out=3"), 1), (("--generator", "blurr"), 1)],
)
def test_names_and_sizes_that_do_not_fit(run: Run, argument: tuple[str, str], status: int) -> None:
    result = run("transform", "blur.cpp", "-o", "blur.c", *argument)
    assert result.returncode == status, result.stderr
    assert b"error: " in result.stderr
    assert not Path("blur.c").exists()


@pytest.mark.parametrize("size", ["out", "out=", "out=0x4", "out=ax4", "=3x4"])
def test_sizes_that_are_none(run: Run, size: str) -> None:
    assert run("transform", "blur.cpp", "--size", size).returncode == 2


@pytest.mark.parametrize("sizes", [[], ["in=12x14"], ["in=12x14", "out=12"]])
def test_reductions_as_long_as_an_image(run: Run, sizes: list[str]) -> None:
    """The proof knows the sizes that the nest was made for."""
    Path("sums.cpp").write_text(
        '#include "Halide.h"\nusing namespace Halide;\nint main() { Var x("x"), xi("xi");'
        'ImageParam in(Int(32), 2, "in"); Func f("f"), out("out"); RDom r(0, in.height());'
        "f(x) += in(x, r); out(x) = f(x) + 1; f.compute_at(out, x).update().unroll(r, 2);"
        "out.split(x, x, xi, 4).output_buffer().dim(0).set_bounds(0, in.width());"
        "out.realize({12}); return 0; }\n"
    )
    arguments = [a for size in sizes for a in ("--size", size)]
    result = run("transform", "sums.cpp", *arguments)
    assert result.returncode == 0, result.stderr.decode()
    assert b"not proved" not in result.stderr
