"""One line for each region with its root cause, a summary, and filters."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from s2s.cli.main import main
from s2s.cli.root_causes import Filter, Regions, root_cause
from s2s.source.diagnostics import Diagnostic, Location, Severity, UsageError

_PROGRAM = "\n" + Path(__file__).with_name("root_causes.c").read_text()


def _said(folder: Path, capsys: pytest.CaptureFixture[str], *options: str) -> list[str]:
    source = folder / "x.c"
    source.write_text(_PROGRAM)
    assert main(["transform", str(source), "-o", str(folder / "y.c"), "--force", *options]) == 0
    return capsys.readouterr().err.replace(f"{folder}/", "").splitlines()


def test_a_line_for_each_region_and_one_for_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = _said(tmp_path, capsys)
    assert [line.partition(": ")[0] for line in said[:-1]] == ["x.c:6:5", "x.c:12:25", "x.c:19:29"]
    assert "remark: permuted loops" in said[0]
    assert said[1].endswith("call to 'f' may write any array [effects]")
    assert "'p[1]' may change while the loops run" in said[2]
    assert said[-1].startswith("s2s: 1 of 3 regions changed; 1 call to 'f' may write any array")
    assert "first at x.c:12" in said[-1]


def test_everything_with_lines_and_notes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = _said(tmp_path, capsys, "-v")
    assert any(": note: " in line for line in said) and any("^~" in line for line in said)
    assert not any("regions changed" in line for line in said)


def test_filters_by_kind_pass_and_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert len(_said(tmp_path, capsys, "--show", "remark")) == 1
    assert all("[effects]" in line for line in _said(tmp_path, capsys, "--show", "effects"))
    lines = _said(tmp_path, capsys, "--show", "missed,16-22")
    assert lines and all(15 < int(line.split(":")[1]) < 23 for line in lines)


def test_a_filter_that_is_none() -> None:
    with pytest.raises(UsageError, match="'4x' is no kind"):
        Filter.read("popp,4x")


def test_a_filter_takes_regions_that_begin_in_its_lines() -> None:
    place = Location("x.c", 10, 1, 20, 2)
    said = Diagnostic(Severity.MISSED, "no", "popp", place)
    assert Filter.read("12").wants(said) and not Filter.read("21").wants(said)
    assert Filter.read("popp,jam").wants(said) and not Filter.read("remark").wants(said)


def test_json_is_complete_and_has_no_text_options(tmp_path: Path) -> None:
    source = tmp_path / "x.c"
    source.write_text(_PROGRAM)
    assert main(["transform", str(source), "--remarks=json", "-v"]) == 2


def test_reasons_that_need_nothing_are_no_causes() -> None:
    place = Location("x.c", 3, 1, 9, 2)
    idle = Diagnostic(Severity.MISSED, "there are no tasks", "popp", place, needless=True)
    note = Diagnostic(Severity.NOTE, "bound of 'k' is not affine", "lift", place)
    assert root_cause([idle]) is None
    cause = root_cause([replace(idle, notes=(note,))])
    assert cause is not None and (cause.text, cause.severity) == (note.text, Severity.MISSED)
    regions = Regions()
    assert list(regions.condensed([idle])) == []
    assert regions.summary() == "0 of 1 region changed; 1 with nothing to gain"
