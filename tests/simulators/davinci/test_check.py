"""What the checker finds, and what it leaves: programs by hand, each with one defect."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from s2s.cli.main import main

HERE = Path(__file__).parent
DEFECTS = sorted((HERE / "defects").glob("*.cce.c"))
CLEAN = sorted((HERE / "clean").glob("*.cce.c"))


@pytest.mark.parametrize("path", DEFECTS, ids=lambda path: path.name.split(".")[0])
def test_a_defect_is_found_at_its_line(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match = re.match(r"// expect: (\d+) ([\w-]+)\n", path.read_text())
    assert match is not None
    assert main(["check", str(path)]) == 1
    said = re.findall(
        r"^[^\n]*\.cce\.c:(\d+):\d+: \w+: .*\[([\w-]+)\]$", capsys.readouterr().err, re.M
    )
    assert (match[1], match[2]) in said
    assert {line for line, kind in said if kind == match[2]} == {match[1]}


@pytest.mark.parametrize("path", CLEAN, ids=lambda path: path.name.split(".")[0])
def test_nothing_is_said_of_what_is_right(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(path)]) == 0
    assert capsys.readouterr().err == ""


def test_an_overflow_comes_with_the_buffers_and_their_lines(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["check", str(HERE / "defects" / "overflow-of-ub.cce.c")]) == 1
    said = capsys.readouterr().err
    assert "a: bytes 0 to 2047 of the unified buffer, lines 13 to 17" in said


def test_sarif_has_what_is_found(tmp_path: Path) -> None:
    log = tmp_path / "log.sarif"
    assert main(["check", str(HERE / "defects" / "deadlock.cce.c"), "--sarif", str(log)]) == 1
    assert '"deadlock"' in log.read_text()


def test_another_machine_is_not_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "x.c", "--machine", "emu-chick"]) == 2
    assert "not checked" in capsys.readouterr().err
