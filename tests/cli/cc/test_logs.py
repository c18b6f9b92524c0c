"""The logs that a build leaves in S2S_LOG_DIR."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from s2s.cli import cc_settings
from s2s.source.diagnostics import UsageError

if TYPE_CHECKING:
    from tests.cli.cc.conftest import Workplace

MAIN = "int main(void) { int value; value = 1; return value - 1; }\n"
PLAIN = "int f(void) { return 3; }\n"


def logs(place: Workplace) -> list[dict[str, Any]]:
    files = sorted((place.path / "logs").iterdir())
    assert all(file.name.endswith(".json") for file in files)
    return [json.loads(file.read_bytes()) for file in files]


@pytest.mark.parametrize(
    ("kind", "state", "reason"),
    [
        ("change", "changed", ""),
        ("nothing", "unchanged", ""),
        ("broken", "fell back", "the transformed text does not compile"),
        ("internal", "failed", "internal error: ZeroDivisionError()"),
        ("user", "failed", "not transformed: bad input"),
        ("abort", "failed", "did not end well"),
    ],
)
def test_what_became_of_a_unit(place: Workplace, kind: str, state: str, reason: str) -> None:
    """Whatever it is, a fall-back is said on standard error, too."""
    place.write(a_c=MAIN)
    done = place.cc("gcc -c a.c", FAKE=kind, S2S_LOG_DIR=str(place.path / "logs"))
    assert done.returncode == 0
    (log,) = logs(place)
    assert (log["schema"], log["version"]) == ("s2s-unit-log", 1)
    assert (log["state"], log["unit"]) == (state, str(place.path / "a.c"))
    assert reason in log["reason"]
    assert log["command"] == ["gcc", "-c", "a.c"]
    assert bool(log["edits"]) == (kind in ("change", "broken"))
    assert bool(done.stderr) == (state in ("fell back", "failed"))


def test_a_new_text_is_told_by_its_edits(place: Workplace) -> None:
    place.write(a_c=MAIN)
    place.cc("gcc -c a.c", S2S_LOG_DIR=str(place.path / "logs"))
    (log,) = logs(place)
    (edit,) = log["edits"]
    assert (edit["line"], edit["end_line"]) == (1, 2)
    assert log["diagnostics"][0]["text"] == "rewritten"
    assert log["seconds"]["compile"] > 0


def test_commands_that_are_left_alone_say_why(place: Workplace) -> None:
    place.write(a_c=MAIN)
    done = place.cc("gcc --coverage -c a.c", S2S_LOG_DIR=str(place.path / "logs"))
    place.cc("gcc -E a.c", S2S_LOG_DIR=str(place.path / "logs"))  # makes no object
    (log,) = logs(place)
    assert log["state"] == "left alone" and "--coverage" in log["reason"]
    assert not done.stderr


def test_an_unknown_compiler_is_said(place: Workplace) -> None:
    place.write(a_c=MAIN)
    done = place.cc("true -c a.c", S2S_LOG_DIR=str(place.path / "logs"))
    assert "'true' is no compiler like gcc or clang" in done.stderr
    assert [log["state"] for log in logs(place)] == ["left alone"]


def test_no_two_units_share_a_log(place: Workplace) -> None:
    """Of one name in two folders, of two commands, at the same time."""
    place.write(a_c=MAIN, sub__a_c=MAIN)
    commands = ["gcc -c a.c", "gcc -c sub/a.c -o sub/a.o", "gcc -DX -c a.c -o x.o"]
    with ThreadPoolExecutor() as pool:
        folder = str(place.path / "logs")
        list(pool.map(lambda command: place.cc(command, S2S_LOG_DIR=folder), commands))
    assert sorted(" ".join(log["command"]) for log in logs(place)) == sorted(commands)


def test_a_folder_that_cannot_be_written_is_said(place: Workplace) -> None:
    place.write(a_c=MAIN)
    (place.path / "logs").touch()
    done = place.cc("gcc -c a.c", S2S_LOG_DIR=str(place.path / "logs"))
    assert done.returncode == 0
    assert done.stderr.startswith("s2s cc: S2S_LOG_DIR=")


def test_the_folder_has_an_absolute_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("S2S_LOG_DIR", "logs")
    with pytest.raises(UsageError, match="no absolute path"):
        cc_settings.read_settings([])


@pytest.mark.parametrize(("text", "state"), [(PLAIN, "no loops"), (None, "unchanged")])
def test_remembered_units_are_logged_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str | None, state: str
) -> None:
    """Into the folder of that build, without another look at them."""
    from tests.cli.cc.test_remembered import QUIET, Build

    (tmp_path / "b").mkdir()
    build = Build(tmp_path / "b", tmp_path / "cache", monkeypatch)
    build.write("a.c", text or QUIET)
    for folder, remembered in (("one", False), ("two", True)):
        monkeypatch.setenv("S2S_LOG_DIR", str(tmp_path / folder))
        looks = build("gcc", "-c", "a.c")
        (path,) = (tmp_path / folder).iterdir()
        log = json.loads(path.read_bytes())
        assert (log["state"], log["remembered"]) == (state, remembered)
        assert looks == int(state == "unchanged" and not remembered)


def test_logs_are_as_their_schema_says(place: Workplace) -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    from importlib.resources import files

    from tests.cli.reports.logs import log

    schema = files("s2s.cli.reports") / "assets" / "unit-log.schema.json"
    check = jsonschema.Draft202012Validator(json.loads(schema.read_text()))
    place.write(a_c=MAIN, b_c=PLAIN)
    for source, kind in (("a.c", "change"), ("b.c", "nothing"), ("a.c", "broken")):
        place.cc(f"gcc -D{kind} -c {source}", FAKE=kind, S2S_LOG_DIR=str(place.path / "logs"))
    written = logs(place)
    assert len(written) == 3
    for values in (*written, log(place.path / "c.c")):  # and what other tests take for one
        check.validate(values)
    with pytest.raises(jsonschema.ValidationError):
        check.validate({**written[0], "state": "gone"})
