"""Clockwork programs of others: what is wrong is said with operation, load and line."""

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


def test_the_program_itself_is_right() -> None:
    assert main(["simulate", str(HERE / "blur_memory.cpp"), "--machine", "amber"]) == 0
