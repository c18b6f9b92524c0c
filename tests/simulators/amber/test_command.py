"""``s2s simulate --machine amber`` as a user calls it: images, raw words, traces, memory files."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from s2s.cli.main import main
from s2s.source import work_done
from tests.simulators.amber.netlists import blur, product
from tests.simulators.amber.test_designs import blurred, random

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")


def test_images_in_and_out(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    pixels = (random(12, 20) >> 8).astype(np.uint8)
    image.fromarray(pixels).save(tmp_path / "in.png")
    blur(20, 12).write(tmp_path)
    words = ["--input", str(tmp_path / "in.png"), "--output", str(tmp_path / "out.png")]
    with work_done.followed() as parts:
        assert main(["simulate", str(tmp_path), "--machine", "amber", *words]) == 0
        cycles, every = parts()
    assert cycles == every > 20 * 12  # what time left is told from
    assert (np.array(image.open(tmp_path / "out.png")) == blurred(pixels.astype(np.uint16))).all()


def test_larger_arrays_are_cut_and_smaller_ones_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    blur(20, 12).write(tmp_path)
    image = random(30, 40)
    np.save(tmp_path / "in.npy", image)
    words = ["simulate", str(tmp_path), "--machine", "amber", "--input", str(tmp_path / "in.npy")]
    assert main([*words, "--output", f"result={tmp_path / 'out.raw'}"]) == 0
    raw = np.fromfile(tmp_path / "out.raw", "<u2").reshape(10, 18)
    assert (raw == blurred(image[:12, :20])).all()
    np.save(tmp_path / "in.npy", image[:11])
    assert main(words) == 1
    assert "in.npy: is an array of 11x40, 'image' needs 12x20" in capsys.readouterr().err


def test_a_memory_file_runs_in_program_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    product(12, 4).write(tmp_path)
    a, b = random(12, 12), random(12, 12).T
    np.save(tmp_path / "a.npy", a)
    np.save(tmp_path / "b.npy", b)
    files = [str(tmp_path / "product_memory.cpp"), str(tmp_path / "product_compute.h")]
    words = ["--input", f"b={tmp_path / 'b.npy'}", "--input", str(tmp_path / "a.npy")]
    out = str(tmp_path / "c.npy")
    assert main(["simulate", *files, *words, "--output", out]) == 0
    assert "no schedule, so no cycles" in capsys.readouterr().out
    assert (np.load(out) == (a.astype(np.int64) @ b.astype(np.int64)).astype(np.uint16)).all()
    assert main(["simulate", *files, "--machine", "amber", "--trace", out]) == 2
    assert "'--trace' has no effect for a memory file" in capsys.readouterr().err


def test_made_up_words_are_the_same_each_time(tmp_path: Path) -> None:
    blur(20, 12).write(tmp_path)
    found = []
    for seed in ("1", "1", "2"):
        out = tmp_path / "out.npy"
        words = ["--seed", seed, "--output", str(out)]
        assert main(["simulate", str(tmp_path), "--machine", "amber", *words]) == 0
        found.append(out.read_bytes())
    assert found[0] == found[1] != found[2]


def test_a_trace_has_a_row_for_each_operation_and_port(tmp_path: Path) -> None:
    blur(20, 12).write(tmp_path)
    trace = tmp_path / "trace.json"
    assert main(["simulate", str(tmp_path), "--machine", "amber", "--trace", str(trace)]) == 0
    events = json.loads(trace.read_text())["traceEvents"]
    names = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
    kernel = [e for e in events if e["ph"] == "X" and names[e["tid"]] == "k0 op0"]
    assert [(e["ts"], e["dur"]) for e in kernel] == [(42 + 20 * y, 18) for y in range(10)]
    assert {"in0", "rows0 in0", "rows0 out1"} <= set(names.values())


def test_numbers_of_the_machine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blur(20, 12).write(tmp_path)
    words = ["simulate", str(tmp_path), "--machine", "amber"]
    record = tmp_path / "record.json"
    assert main([*words, "--set", "pes=10", "--json", str(record)]) == 0
    assert "the design takes 19 PEs, the array has 10" in capsys.readouterr().err
    numbers = json.loads(record.read_text())["numbers"]
    assert numbers["pes"] == {"value": 10, "status": "assumed", "source": "the command line"}
    assert main([*words, "--set", "wings=2"]) == 1
    assert "amber has no number 'wings'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["--input", "nothing=x.npy"], "no input is named 'nothing' (there are: image)"),
        (["--output", "x.gif"], "x.gif: no format has this name's end"),
        (["--input", "none.npy"], "none.npy: No such file or directory"),
    ],
)
def test_files_that_cannot_be(
    words: list[str], text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    blur(20, 12).write(tmp_path)
    assert main(["simulate", str(tmp_path), "--machine", "amber", *words]) == 1
    assert text in capsys.readouterr().err


def test_a_folder_without_a_design(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", str(tmp_path), "--machine", "amber"]) == 1
    assert "has no design (NAME_design.json) and no memory file" in capsys.readouterr().err


def test_without_a_compiler(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    blur(20, 12).write(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["simulate", str(tmp_path), "--machine", "amber"]) == 1
    assert "needs a C++ compiler (package 'g++')" in capsys.readouterr().err


def test_options_of_another_machine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", str(tmp_path), "--machine", "amber", "--profile"]) == 2
    assert "'--profile' has no effect with '--machine amber'" in capsys.readouterr().err
