"""``s2s tune FILE --target clockwork`` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from s2s.cli.main import main
from s2s.driver.designs import algorithm_of
from s2s.targets.clockwork.options import MEMORIES
from s2s.transforms.clockwork.fit_memories import KINDS
from s2s.tuning.clockwork.space import Program
from tests.tuning.clockwork.sources import BLUR, program


def test_a_source_without_a_schedule_gets_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, result = tmp_path / "made.cpp", tmp_path / "tuned.cpp"
    own = program(BLUR, 12, 6)
    source.write_bytes(own.data)
    cache = str(tmp_path / "cache.sqlite")
    numbers, plot = tmp_path / "n.json", tmp_path / "p.svg"
    status = main(
        [
            "tune", str(source), "--target", "clockwork", "--size", "output=12x6", "--jobs", "1",
            "--effort", "3000", "--tune-cache", cache, "-o", str(result),
            "--json", str(numbers), "--plot", str(plot), "--limit", "pes=40",
        ]
    )  # fmt: skip
    assert status == 0
    said = capsys.readouterr().out
    assert "within 40 PEs" in said and "fastest:" in said
    records = json.loads(numbers.read_text())["records"]
    assert {r["metric"] for r in records} >= {"total cycles", "bound", "pes", "memories"}
    bounds = [r["value"] for r in records if r["metric"] == "bound"]
    totals = [r["value"] for r in records if r["metric"] == "total cycles"]
    assert all(b <= t for b, t in zip(bounds, totals, strict=True))
    assert plot.stat().st_size > 1000
    for line in said.split("\n\n")[-1].strip().splitlines():
        assert line in result.read_text()
    made = Program(str(result), result.read_bytes()).steps.pipeline
    found = {n: f for n, f in algorithm_of(made).items() if not n.endswith("_im")}
    assert found.keys() == algorithm_of(own.steps.pipeline).keys()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--limit", "wires=3"], "no limit 'wires'; there are pes, memories, streams, words"),
        (["--param", "rate=2"], "'rate' is no parameter of this program"),
        ([], "give --size output=WxH"),
    ],
)
def test_what_is_refused(
    options: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "made.cpp"
    source.write_bytes(program(BLUR).data)
    assert main(["tune", str(source), "--target", "clockwork", *options]) == 1
    assert said in capsys.readouterr().err


def test_options_of_other_targets_have_no_effect(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tune", "a.cpp", "--limit", "pes=3"]) == 2
    assert "'--limit' has no effect without '--target clockwork'" in capsys.readouterr().err


def test_kinds_of_memories_are_those_of_the_array_and_are_what_designs_have(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert set(MEMORIES) == set(KINDS)
    source = Path(__file__).resolve().parents[2] / "benchmarks" / "clockwork" / "gemm.cpp"
    tiles = {}
    for kind in ("wide-fetch", "ponds"):
        numbers = tmp_path / f"{kind}.json"
        status = main(
            [
                "tune", str(source), "--target", "clockwork", "--clockwork-memory", kind,
                "--param", "size=8", "--param", "macs=2", "--param", "io_rate=2", "--effort", "1",
                "--jobs", "1", "--tune-cache", str(tmp_path / "c.sqlite"), "--json", str(numbers),
            ]
        )  # fmt: skip
        assert status == 0
        records = json.loads(numbers.read_text())["records"]
        tiles[kind] = min(r["value"] for r in records if r["metric"] == "memories")
    assert tiles["ponds"] < tiles["wide-fetch"]
