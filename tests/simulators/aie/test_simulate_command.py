"""``s2s simulate --machine aie1``: data in and out, checks, messages."""

import contextlib
import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from s2s.cli import main as cli
from s2s.source import work_done

_PROGRAMS = Path(__file__).parent / "simulate_command"

KERNEL = (_PROGRAMS / "kernel.c").read_text()


@pytest.fixture
def kernel(tmp_path: Path) -> Path:
    path = tmp_path / "scale.cc"
    path.write_text(KERNEL)
    return path


def simulate(*words: object) -> int:
    return cli.main(["simulate", "--machine", "aie1", *map(str, words), "--", "-DFAR=1"])


def test_files_go_in_and_out(
    kernel: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a = np.arange(32) - 10
    np.savez(tmp_path / "in.npz", a=a)
    (tmp_path / "w.txt").write_text("3, -1\n" + "0 " * 14)
    words = ["--inputs", tmp_path / "in.npz", "--input", f"w={tmp_path / 'w.txt'}"]
    words += ["--value", "shift=1", "--output", f"b={tmp_path / 'b.npy'}", "--check"]
    words += ["--outputs", tmp_path / "out.npz", "--json", tmp_path / "out.json"]
    assert simulate(kernel, *words) == 0
    wanted = (3 * a[:16] - a[1:17]) >> 1
    np.testing.assert_array_equal(np.load(tmp_path / "b.npy"), wanted)
    with np.load(tmp_path / "out.npz") as archive:
        assert archive.files == ["b"]
    report = json.loads((tmp_path / "out.json").read_text())
    assert report["kernel"] == "scale" and report["multiplications"] == 32
    said = capsys.readouterr().out
    assert "out   int16 b[16]" in said
    assert "compared with the kernel as g++ compiles it: b (16 elements)\n" in said
    assert report["compared"] == ["compared with the kernel as g++ compiles it: b (16 elements)"]


def test_checks_need_no_header_of_the_vendor(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "scale.cc"
    path.write_text('#include <adf.h>\n#include "aie_api/utils/print.hpp"\n' + KERNEL)
    assert simulate(path, "--value", "shift=1", "--check") == 0
    assert "compared with" in capsys.readouterr().out
    (tmp_path / "wrong.cc").write_text(KERNEL.replace("return", "") + "int broken() { return x; }")
    words = ["--function", "scale", "--value", "shift=1", "--check"]
    assert simulate(tmp_path / "wrong.cc", *words) == 1
    assert "on the host: " in capsys.readouterr().err


def test_random_inputs_are_those_of_the_seed(
    kernel: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = []
    for seed in (1, 1, 2):
        assert simulate(kernel, "--value", "shift=9", "--seed", seed) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1] != texts[2]


def test_a_difference_is_an_error(
    kernel: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    np.save(tmp_path / "b.npy", np.zeros(16, np.int16))
    assert simulate(kernel, "--value", "shift=0", "--expect", f"b={tmp_path / 'b.npy'}") == 1
    assert "'b' differs in 16 of 16 elements, first in element 0" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ([], "the kernel takes a number 'shift': '--value shift=NUMBER'"),
        (["--value", "shift=70"], "scale.cc:7:1: error: a shift of 70 is not within -1 .. 62"),
        (["--value", "size=7"], "the kernel has no 'size', only a, b, shift, w"),
        (["--value", "shift"], "'shift' is not NAME=NUMBER"),
        (["--value", "shift=1", "--input", "a=missing.npy"], "missing.npy: "),
        (["--function", "other"], "there is no function 'other'"),
        (["--value", "shift=1", "--assume", "speed=3"], "the machine has no number 'speed'"),
        (["--value", "shift=1", "--assume", "loop.setup=x"], "'x' is no value of a machine's"),
    ],
)
def test_errors(
    kernel: Path, words: list[str], text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert simulate(kernel, *words) == 1
    assert text in capsys.readouterr().err


def test_what_is_nested_too_deeply_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "deep.cc"
    path.write_text(f"int x = {'1 + ' * 4000}1;\nvoid f(int *a) {{ a[0] = x; }}\n")
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(1000)  # as it is where nothing was transformed before
    try:
        assert simulate(path) == 1
    finally:
        sys.setrecursionlimit(limit)
    assert "deep.cc: nested too deeply to be read" in capsys.readouterr().err


def test_inputs_that_do_not_fit(
    kernel: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for values, text in (
        (np.zeros(31, np.int16), "'a' has 32 elements, 31 are given"),
        (np.full(32, 40000), "the numbers given do not fit 'int16'"),
        (np.full(32, 0.5), "the numbers given are no integers"),
    ):
        np.save(tmp_path / "a.npy", values)
        given = ["--value", "shift=1", "--input", f"a={tmp_path / 'a.npy'}"]
        assert simulate(kernel, *given) == 1
        assert text in capsys.readouterr().err


def test_arrays_of_unknown_extents(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "copy.c"
    path.write_text("void copy(int8_t *a, int8_t *b) { for (int i = 0; i < 7; i++) b[i] = a[i]; }")
    assert simulate(path, "--check") == 0
    said = capsys.readouterr().out
    assert re.search(r"in    int8 a\[7\] crc32 \w+ \(as far as the kernel goes\)", said)
    assert "out   int8 b[7]" in said
    for size in ("a=7", "9"):
        assert simulate(path, "--size", size) == 0
        assert "out   int8 b[7]" in capsys.readouterr().out


def test_arrays_of_the_file_are_inputs_and_outputs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "static.cc"
    path.write_text((_PROGRAMS / "arrays.c").read_text())
    np.save(tmp_path / "a.npy", np.arange(16))
    out = tmp_path / "b.npy"
    assert simulate(path, "--input", f"a={tmp_path / 'a.npy'}", "--output", f"b={out}") == 0
    assert np.load(out).tolist() == list(range(15, -1, -1))
    assert simulate(path, "--check") == 0
    assert "t[16]" not in capsys.readouterr().out


LOOP = (_PROGRAMS / "loop.c").read_text()


def profile(path: Path, *words: object) -> dict[str, Any]:
    report = path.with_suffix(".json")
    assert simulate(path, "--profile", "--json", report, *words) == 0
    found: dict[str, Any] = json.loads(report.read_text())
    return found


def test_the_profile_has_the_iterations_that_ran(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "loop.cc"
    path.write_text(LOOP)
    with work_done.followed() as parts:
        short, long = (profile(path, "--value", f"n={n}") for n in (16, 48))
        assert parts() == (1, 1)  # loops that are scheduled, after the iterations
    (loop,) = long["loops"]
    assert (loop["line"], loop["trips"], loop["entries"], loop["pipelined"]) == (2, 48, 1, True)
    assert long["cycles"] - short["cycles"] == 32 * loop["interval"]
    assert long["macs_per_cycle"] == long["multiplications"] / long["cycles"]
    said = capsys.readouterr().out
    assert f"cycles {long['cycles']}: " in said and "of 32" in said and "bound by" in said


def test_other_numbers_of_the_machine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "loop.cc"
    path.write_text(LOOP)
    slow = profile(path, "--value", "n=16", "--assume", "loop.setup=106")
    assert slow["cycles"] == profile(path, "--value", "n=16", "--parameters")["cycles"] + 100
    assert slow["parameters"]["loop.setup"]["status"] == "assumed"
    said = capsys.readouterr().out
    assert "  loop.setup = 106" not in said and "  loop.setup = 6 [fitted]" in said


def test_the_report_goes_to_a_stream_of_text(kernel: Path) -> None:
    with contextlib.redirect_stdout(io.StringIO()) as text:
        assert simulate(kernel, "--value", "shift=1") == 0
    assert "kernel scale on aie1" in text.getvalue()
