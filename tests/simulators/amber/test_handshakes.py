"""Designs with handshakes: streams that stand still, and queues that are too short."""

import json
import shutil
from pathlib import Path

import pytest

from s2s.cli.main import main

SOURCE = Path(__file__).resolve().parents[3] / "benchmarks" / "clockwork" / "cascade.cpp"

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")


def test_streams_stand_still_and_short_queues_stop(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sizes = ["width=8", "height=6", "tiles_x=1", "tiles_y=1", "rate=1", "glb=false"]
    words = [word for size in sizes for word in ("--param", size)]
    out, record = tmp_path / "out", tmp_path / "record.json"
    command = ["transform", str(SOURCE), "--target", "clockwork", "--no-check", *words]
    assert main([*command, "--clockwork-memory", "ready-valid", "-o", f"{out}/"]) == 0
    run = ["simulate", str(out), "--machine", "amber"]
    assert main([*run, "--stalls", "30", "--json", str(record)]) == 0
    counted = json.loads(record.read_text())
    assert counted["handshakes"]["cycles"] > counted["cycles"] == 12 * 10
    assert all(q["longest"] <= q["capacity"] for q in counted["handshakes"]["queues"])

    design = out / "cascade_handshakes.json"
    table = json.loads(design.read_text())
    row = max(table["queues"], key=lambda queue: queue["capacity"])
    assert row["capacity"] == 2 * 12 + 2 + 1  # two rows and two words come before it is taken
    row["capacity"] = 6
    design.write_text(json.dumps(table))
    capsys.readouterr()
    assert main(run) == 1
    said = capsys.readouterr().err
    assert "deadlock in cycle " in said
    assert f"'{row['from']}' waits for room in its queue of 6 words to port '{row['port']}'" in said
