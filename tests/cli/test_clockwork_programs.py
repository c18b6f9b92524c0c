"""Clockwork programs of others: what is wrong is said with operation, load and line."""

import json
import re
import shutil
from pathlib import Path

import pytest

from s2s.cli.main import main

HERE = Path(__file__).parent / "clockwork"
COMPUTE = str(HERE / "blur_compute.h")
WRONG = sorted((HERE / "wrong").glob("*_memory.cpp"))

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")


def expected(path: Path) -> tuple[int, str]:
    """The line and the text of the error that the file's comment says; the line may be after it."""
    for line, text in enumerate(path.read_text().splitlines(), 1):
        found = re.search(r"// error: (.*)", text)
        if found:
            return line, found[1]
    raise AssertionError(path)


def is_said(path: Path, said: str) -> None:
    line, text = expected(path)
    first = said.splitlines()[0]
    assert re.match(rf"{re.escape(str(path))}:({line}|{line + 1}):\d+: error: ", first), said
    assert text in first
    assert said.count("error:") - text.count("error:") - said.count("// error:") == 1, said


@pytest.mark.parametrize("path", WRONG, ids=lambda path: path.name.removesuffix("_memory.cpp"))
def test_what_is_wrong_is_said(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", str(path), COMPUTE, "--machine", "amber"]) == 1
    is_said(path, capsys.readouterr().err)


@pytest.mark.parametrize("path", WRONG, ids=lambda path: path.name.removesuffix("_memory.cpp"))
def test_what_is_wrong_is_said_before_a_design_is_made(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert transform(path, tmp_path) == 1
    is_said(path, capsys.readouterr().err)
    assert list(tmp_path.iterdir()) == []


def test_a_buffer_that_does_not_fit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = HERE / "transposed_memory.cpp"
    assert transform(path, tmp_path) == 1
    is_said(path, capsys.readouterr().err)


def transform(path: Path, folder: Path) -> int:
    return main(["transform", str(path), COMPUTE, "--target", "clockwork", "-o", f"{folder}/"])


def test_the_program_itself_becomes_a_design(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert transform(HERE / "blur_memory.cpp", tmp_path) == 0
    capsys.readouterr()
    record = tmp_path / "record.json"
    words = ["simulate", str(tmp_path), "--machine", "amber", "--json", str(record)]
    assert main(words) == 0
    assert "all outputs as in program order" in capsys.readouterr().out
    # Rows of 8 go in one word a cycle; the output is two rows after its first input.
    assert json.loads(record.read_text())["cycles"] == 2 * 8 + 8 * 8


def test_lanes_that_round_up_may_load_what_nobody_wrote(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (HERE / "blur_memory.cpp").read_text().replace('add_loop("blur_x1", 0, 8)', "LOOP")
    text = text.replace('add_loop("blur_x", 0, 8)', 'add_loop("blur_x", 0, 9)')
    path = tmp_path / "blur_memory.cpp"
    path.write_text(text.replace("LOOP", 'add_loop("blur_x1", 0, 9)'))
    assert main(["simulate", str(path), COMPUTE, "--machine", "amber"]) == 0
    said = "warning: blur loads copy[0, 8], which nothing wrote before; no output depends on it"
    assert said in capsys.readouterr().err
    (tmp_path / "out").mkdir()
    assert transform(path, tmp_path / "out") == 0
    assert said in capsys.readouterr().err


def test_one_of_several_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (HERE / "blur_memory.cpp").read_text()
    path = tmp_path / "blurs_memory.cpp"
    path.write_text(text + text.replace("prog blur()", "prog other()"))
    words = ["simulate", str(path), COMPUTE, "--machine", "amber"]
    assert main(words) == 1
    said = capsys.readouterr().err
    assert "has several programs; say which one: --program NAME (blur, other)" in said
    assert main([*words, "--program", "other"]) == 0
    assert main([*words, "--program", "third"]) == 1
    assert "has no program 'third' (there are: blur, other)" in capsys.readouterr().err


def test_headers_belong_to_one_memory_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    memory = str(HERE / "blur_memory.cpp")
    words = ["--target", "clockwork", "-o", f"{tmp_path}/"]
    assert main(["transform", memory, COMPUTE, COMPUTE, *words]) == 2
    assert "one memory file and its compute file at a time" in capsys.readouterr().err


def test_the_program_itself_is_right() -> None:
    assert main(["simulate", str(HERE / "blur_memory.cpp"), "--machine", "amber"]) == 0
