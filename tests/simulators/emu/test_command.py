"""``s2s simulate --machine emu-chick`` as a user calls it."""

import json
from pathlib import Path

import pytest

from s2s.cli import main as cli
from s2s.simulators.emu import lengths
from s2s.source import work_done
from tests.simulators.emu.running import CODES, PROGRAMS

SAXPY = str(PROGRAMS / "saxpy_1d.c")


def test_the_table_has_the_columns_of_emusim(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [SAXPY, "4", "32", "5", "--machine", "emu-chick", "--set", "nodelets=4"]
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("S2S_CACHE", raising=False)
    monkeypatch.setattr(lengths, "LONG", 1)
    with work_done.followed() as parts:
        assert cli.main(["simulate", *arguments, "--stats", "migrations"]) == 0
        assert parts() == (0, 0)  # nobody knows how long it will run
        lines = capsys.readouterr().out.splitlines()
        record = tmp_path / "run.json"
        assert cli.main(["simulate", *arguments, "--json", str(record)]) == 0
        counted = json.loads(record.read_text())
        accesses = sum(sum(counted[kind]) for kind in ("loads", "stores", "atomics"))
        assert parts()[1] == accesses >= parts()[0]  # as long as the last time
    assert lines[0].split("  ") == [
        "Node ID",
        "Outbound Migrations",
        "Threads Created",
        "Threads Died",
        "Spawn Fails",
    ]
    assert [line.split()[:4] for line in lines[1:6]] == [
        ["0", "8", "4", "5"],
        ["1", "8", "0", "0"],
        ["2", "8", "0", "0"],
        ["3", "8", "0", "0"],
        ["all", "32", "4", "5"],
    ]


def test_a_graph_and_all_that_can_be_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "run.json"
    source = str(CODES / "by_hand" / "conductance.c")
    arguments = [source, "2", "--machine", "emu-chick", "--graph", "rmat:scale=5,ef=4"]
    status = cli.main(
        ["simulate", *arguments, "--stats", "all", "--json", str(record), "--", "-DFUSED"]
    )
    text = capsys.readouterr().out
    assert status == 0
    for words in (
        "conductance 0.",
        "estimated time",
        "build",
        "kernel",
        "visit(vertices[i]",
        "fitted",
    ):
        assert words in text
    counted = json.loads(record.read_text())
    assert counted["migrations"] == sum(counted["outbound"])
    assert counted["parameters"]["nodelets"]["value"] == 8
    assert {region["name"] for region in counted["regions"]} == {"build", "kernel"}


def test_the_status_is_the_programs(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text("#include <stdlib.h>\nint main(void) { exit(7); }\n")
    assert cli.main(["simulate", str(path), "--machine", "emu-chick"]) == 7


def test_numbers_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They go to another name first, and what is wrong is the user's error."""
    program = tmp_path / "p.c"
    program.write_text("int main(void) { return 0; }\n")
    target = tmp_path / "missing" / "x.json"
    arguments = [str(program), "--machine", "emu-chick", "--json", str(target)]
    assert cli.main(["simulate", *arguments]) == 1
    assert f"{target}: No such file or directory" in capsys.readouterr().err
