"""Programs whose regions run on simulated devices, from the command line to the numbers."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from s2s.cli import main as cli
from s2s.source.offload import read_manifest

HERE = Path(__file__).parent


def run_natively(source: Path, folder: Path) -> str:
    program = folder / "reference"
    subprocess.run(["gcc", "-O1", "-w", str(source), "-o", str(program), "-lm"], check=True)
    return subprocess.run([program], capture_output=True, text=True, check=True).stdout


def test_one_program_on_three_devices(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source, out = HERE / "three_devices.c", tmp_path / "out"
    words = ["transform", str(source), "--offload", "aie,davinci,cgra", "-o", f"{out}/"]
    assert cli.main([*words, "--no-check"]) == 0
    assert "goes to davinci as region_3" in capfd.readouterr().err
    manifest = read_manifest(out)
    devices = [region.device for region in manifest.regions]
    assert devices == ["clockwork", "aie", "clockwork", "davinci"]
    assert [a.direction for a in manifest.region("region_1").arguments] == [
        "in", "constant", "out",
    ]  # fmt: skip
    record = tmp_path / "run.json"
    assert cli.main(["run", str(out), "--json", str(record)]) == 0
    assert capfd.readouterr().out == run_natively(source, tmp_path)
    counted = json.loads(record.read_text())
    assert [(one["calls"], one["on_host"]) for one in counted] == [(1, 0)] * 4
    assert all(one["amount"] > 0 for one in counted)
    # Without any device the program is what it was, and says once that it is alone.
    alone = subprocess.run(
        [out / "three_devices"], capture_output=True, text=True,
        env={**os.environ, "S2S_PYTHON": "/nonexistent/python"},
    )  # fmt: skip
    assert alone.stdout == run_natively(source, tmp_path)
    assert alone.stderr.count("the host runs its own text") == 4
