"""Regions inside of loops that stay, of rows; and what C's operators do to negative numbers."""

import json
from pathlib import Path

import pytest

from s2s.cli import main as cli
from s2s.driver.offload import doors
from s2s.source.offload import read_manifest
from tests.driver.offload.test_devices import offload, run_natively

HERE = Path(__file__).parent


def run(out: Path, folder: Path) -> dict[str, dict[str, int]]:
    """What a run's report says of each region."""
    record = folder / "run.json"
    assert cli.main(["run", str(out), "--json", str(record)]) == 0
    return {one["region"]: one for one in json.loads(record.read_text())}


def test_products_of_rows_in_a_loop_over_layers(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    source, out = HERE / "layers.c", tmp_path / "out"
    assert offload(source, out, "--offload", "aie,clockwork").count("aie") == 2
    capfd.readouterr()
    found = run(out, tmp_path)
    assert capfd.readouterr().out == run_natively(source, tmp_path)
    taken = [r for r in read_manifest(out).regions if r.device == "aie"]
    first, second = sorted(taken, key=lambda region: region.line)
    assert found[first.name]["calls"] == 4
    # The second one gets one row to read and to write the second time: that is the host's.
    assert (found[second.name]["calls"], found[second.name]["on_host"]) == (2, 1)


def test_rows_of_like_indices_are_two(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source, out = HERE / "alike.c", tmp_path / "out"
    assert "clockwork" in offload(source, out, "--offload", "clockwork", "--offload-rule", "none")
    capfd.readouterr()
    assert [one["on_host"] for one in run(out, tmp_path).values()] == [0, 0]
    assert capfd.readouterr().out == run_natively(source, tmp_path)


def test_members_that_would_have_one_name_stay(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    source, out = HERE / "alike_members.c", tmp_path / "out"
    offload(source, out, "--offload", "clockwork", "--offload-rule", "none")
    capfd.readouterr()
    run(out, tmp_path)
    assert capfd.readouterr().out == run_natively(source, tmp_path)


def test_what_stays_is_counted_once(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A nest that stays as a whole, and one of which a device has a part."""
    source = tmp_path / "x.c"
    source.write_text(
        "static float a[4][4], b[4][4], c[4][4];\nstatic int p[3][4][4], q[3][4][4], r[4][4];\n"
        "void f(void)\n{\n    for (int i = 0; i < 4; i++)\n        for (int j = 0; j < 4; j++) {\n"
        "            c[i][j] = 0;\n"
        "            for (int k = 0; k < 4; k++) c[i][j] += a[i][k] * b[k][j];\n        }\n"
        "    for (int l = 0; l < 3; l++) {\n        for (int i = 0; i < 4; i++)\n"
        "            for (int j = 0; j < 4; j++) {\n                p[l][i][j] = 0;\n"
        "                for (int k = 0; k < 4; k++) p[l][i][j] += q[l][i][k] * r[k][j];\n"
        "            }\n        p[l][0][0] = p[l][0][0] > 9 ? 9 : p[l][0][0];\n    }\n}\n"
    )
    assert cli.main(["explain", str(source), "--offload", "aie"]) == 0
    said = capfd.readouterr().out
    assert [line.split(":")[1] for line in said.splitlines() if ": matmul:" in line] == ["5", "11"]
    assert "64 of 128 multiplications (50 %)" in said


def test_quotients_of_negative_numbers(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source, out = HERE / "rounded.c", tmp_path / "out"
    assert offload(source, out, "--offload", "clockwork")
    operations = [name for r in read_manifest(out).regions for name in r.operations]
    assert len(operations) == 5
    capfd.readouterr()
    assert all(one["on_host"] == 0 for one in run(out, tmp_path).values())
    assert capfd.readouterr().out == run_natively(source, tmp_path)


def test_a_target_that_fails_leaves_the_region(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*given: object) -> object:
        raise ValueError("no such thing")

    monkeypatch.setattr(doors, "run_door", fail)
    assert offload(HERE / "layers.c", tmp_path / "out", "--offload", "aie") == []
    said = capfd.readouterr().err
    assert "warning: product stays on the host: internal error of aie: no such thing" in said
