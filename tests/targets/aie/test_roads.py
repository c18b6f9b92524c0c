"""``s2s transform --target aie``: C and Halide give one kernel; host code packs for it."""

import subprocess
from pathlib import Path

import pytest

from s2s.cli import main as cli
from tests.places import BENCHMARKS

_HERE = Path(__file__).parent

VYASA = BENCHMARKS / "vyasa"
TYPES = [word for name in "IWO" for word in ("--param", f"{name}.type=int16")]


def transformed(*arguments: str) -> int:
    return cli.main(["transform", "--target", "aie", "--remarks", "none", *arguments])


def test_both_roads_give_the_same_kernel(tmp_path: Path) -> None:
    halide, c = str(tmp_path / "halide.cc"), str(tmp_path / "c.cc")
    size = ["--size", "x=256,y=16,I=264x18"]
    numbers = ["--size", "x=256,y=16,width=264,R=3,S=3"]
    assert transformed(str(VYASA / "conv2d.cpp"), *size, *TYPES, "-o", halide) == 0
    assert transformed(str(VYASA / "conv2d.c"), *numbers, "-o", c) == 0
    assert Path(halide).read_text() == Path(c).read_text()
    assert "chess_prepare_for_pipelining" in Path(c).read_text()


CASES = {
    "sizes that no vector divides": (16, "R=3,S=2,x=37,y=5,width=43"),
    "one row": (16, "R=5,S=1,x=64,y=1,width=72"),
    "32 bits": (32, "R=4,S=4,x=24,y=3,width=32"),
}


@pytest.mark.parametrize("name", CASES)
def test_the_packed_kernel_computes_what_the_program_does(name: str, tmp_path: Path) -> None:
    bits, size = CASES[name]
    kernel, source = tmp_path / "kernel.cc", str(VYASA / "conv2d.c")
    flags = [f"-DBITS={bits}"]
    assert transformed(source, "--size", size, "-o", str(kernel), "--", *flags) == 0
    flags += [f"-D{word}" for word in size.split(",")]
    main = tmp_path / "main.cc"
    main.write_text(MAIN)
    gxx = ["g++", "-std=c++17", "-O1", "-w"]
    objects = [tmp_path / "kernel.o", tmp_path / "main.o"]
    # The header of the intrinsics is written beside the kernel.
    subprocess.run([*gxx, "-c", kernel, "-o", objects[0]], check=True)
    flags += [f"-I{VYASA}", f"-I{tmp_path}"]
    subprocess.run([*gxx, *flags, "-c", main, "-o", objects[1]], check=True)
    program = tmp_path / "program"
    subprocess.run(["g++", *objects, "-o", program], check=True)
    assert subprocess.run([program], check=False).returncode == 0


MAIN = "\n" + Path(__file__).with_name("roads_main.c").read_text()


def test_explain_shows_the_steps(capsys: pytest.CaptureFixture[str]) -> None:
    size = "R=3,S=2,x=64,y=4,width=72"
    assert cli.main(["explain", str(VYASA / "conv2d.c"), "--target", "aie", "--size", size]) == 0
    text = capsys.readouterr().out
    assert "sum I(x + r, y + s) * W(r, s)" in text and "mapping: vector x" in text


SCHEDULED = Path(__file__).with_name("roads.cpp").read_text()


@pytest.mark.parametrize(
    ("schedule", "mapping"),
    [
        ("O.vectorize(x, 16).split(y, y, yi, 3).unroll(yi);", "vector x, order yx, jam y3"),
        ("O.vectorize(x, 16).reorder(y, x);", "vector x, order xy"),
        ("O.vectorize(y, 16);", "vector y"),
    ],
)
def test_directives_choose_the_mapping(
    schedule: str, mapping: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "scheduled.cpp"
    source.write_text(SCHEDULED.replace("SCHEDULE", schedule))
    size = ["--size", "x=64,y=48,I=72x50"]
    assert cli.main(["transform", str(source), "--target", "aie", *size]) == 0
    assert f"({mapping}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("void f(float *a, float *b) { for (int i = 0; i < 9; i++) a[i] += *b * b[i]; }", "float"),
        ("void f(int *a, int *b, int n) { for (int i = 0; i < n; i++) a[i] += b[i] * b[0]; }",
         "'n' is not known"),
        ("int f(int a) { return a; }", "no function with a loop nest"),
    ],
)  # fmt: skip
def test_refusals_are_errors_with_a_place(
    text: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "f.c"
    source.write_text(text)
    assert cli.main(["transform", str(source), "--target", "aie"]) == 1
    said = capsys.readouterr().err
    assert reason in said and "f.c:1:" in said


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--size", "m=5"), "--size: 'm' is no integer"),
        (("--size", "nosuch=5"), "--size: 'nosuch' is no variable of a function with loops"),
        (("--size", "n=5x6"), "--size: 'n' is one integer"),
        (("--param", "n=five"), "--param: 'n' is one integer"),
    ],
)
def test_sizes_of_what_has_none_are_refused(
    words: tuple[str, str], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, kernel = tmp_path / "x.c", tmp_path / "x.cc"
    source.write_text((_HERE / "no_sizes.c").read_text())
    assert transformed(str(source), *words, "-o", str(kernel)) == 2
    assert reason in capsys.readouterr().err
    assert not kernel.exists()
    assert transformed(str(source), "--size", "n=5", "-o", str(kernel)) == 0
