"""``s2s explain`` and its choice of blocks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from s2s.cli.explanation import blocks
from s2s.driver.options import Options
from s2s.driver.transform import transform_file
from s2s.source.diagnostics import Diagnostic, Location, Severity, UserError

_HERE = Path(__file__).parent

Run = Callable[..., CompletedProcess[bytes]]

HEADED = "two regions\nx.c:1-2: first\n  S1: A[i]\nx.c:3-4: second\n  S2: 1:2-3: B\n"


@pytest.fixture(autouse=True)
def source() -> None:
    Path("x.c").write_bytes(b"int a;\nint b;\nint c;\nint d;\n")


def remark(line: int) -> Diagnostic:
    return Diagnostic(Severity.REMARK, f"line {line}", "popp", Location("x.c", line, 1, line, 4))


def test_explanation_then_remarks_on_standard_output(run: Run, driver: Any) -> None:
    driver.outcome = {"explanation": "no region", "diagnostics": (remark(2),)}
    result = run("explain", "x.c", "--", "-DN=2")
    assert result.returncode == 0
    assert result.stdout == b"no region\nx.c:2:1: remark: line 2 [popp]\nint b;\n^~~\n"
    assert result.stderr == b""
    assert driver.calls[0][:2] == ("x.c", ("-DN=2",))


def test_line_picks_a_block_and_its_remarks(run: Run, driver: Any) -> None:
    driver.outcome = {"explanation": HEADED, "diagnostics": (remark(2), remark(3))}
    said = run("explain", "x.c:4").stdout.decode()
    assert said.startswith("x.c:3-4: second\n  S2: 1:2-3: B\nx.c:3:1: remark: line 3 [popp]\n")
    assert "first" not in said and "line 2" not in said
    assert driver.calls[0][0] == "x.c"


def test_without_line_everything(run: Run, driver: Any) -> None:
    driver.outcome["explanation"] = HEADED
    assert run("explain", "x.c").stdout.decode() == HEADED


def test_line_outside_all_blocks(run: Run, driver: Any) -> None:
    driver.outcome["explanation"] = HEADED
    Path("x.c").write_bytes(b"\n" * 9)
    assert run("explain", "x.c:9").stdout == b"x.c:9: no region here\n"


def test_line_without_headings_shows_all(run: Run, driver: Any) -> None:
    driver.outcome = {"explanation": "plain\n", "diagnostics": (remark(1),)}
    assert b"plain\nx.c:1:1:" in run("explain", "x.c:4").stdout


def test_a_file_may_be_named_like_a_line(run: Run, driver: Any) -> None:
    Path("x.c:4").write_bytes(b"int x;\n")
    run("explain", "x.c:4", "--", "-xc")
    assert driver.calls[0][0] == "x.c:4"


def test_errors_go_to_standard_error(run: Run, driver: Any) -> None:
    driver.raised = UserError(Diagnostic(Severity.ERROR, "bad", "parse"))
    result = run("explain", "x.c")
    assert (result.returncode, result.stdout) == (1, b"")
    assert result.stderr == b"s2s: error: bad [parse]\n"


@pytest.mark.parametrize(("strict", "status"), [([], 0), (["--strict"], 70)])
def test_internal_error(run: Run, driver: Any, strict: list[str], status: int) -> None:
    driver.raised = RuntimeError("lost")
    result = run("explain", "x.c", *strict)
    assert result.returncode == status
    assert result.stderr == b"x.c: internal error: RuntimeError: lost\n"


def test_blocks_lose_nothing() -> None:
    for text in ("", "plain\n", HEADED, HEADED.removeprefix("two regions\n")):
        assert "".join(block.text for block in blocks(text)) == text


def test_regions_that_only_may_race_are_described() -> None:
    text = (_HERE / "explained_tasks.c").read_text()
    Path("x.c").write_text(text)
    outcome = transform_file("x.c", ["-fopenmp"], Options(explain=True))
    assert "region in function 'tasks'" in outcome.explanation
    assert "outcome: looked at for races only" in outcome.explanation
