"""``s2s tune FILE --target clockwork`` from the command line."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

import s2s
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
    numbers, cache = tmp_path / "numbers.json", str(tmp_path / "c.sqlite")
    status = main(
        [
            "tune", str(source), "--target", "clockwork", "--param", "size=8", "--param", "macs=2",
            "--param", "io_rate=2", "--effort", "1", "--jobs", "1", "--tune-cache", cache,
            "--json", str(numbers),
        ]
    )  # fmt: skip
    assert status == 0
    records = json.loads(numbers.read_text())["records"]
    printed = capsys.readouterr().out
    given = {"size": 8, "macs": 2, "io_rate": 2}
    wide, ponds = (
        s2s.tune(source, target="clockwork", memory=memory, parameters=given, effort=1, cache=cache)
        for memory in ("wide-fetch", "ponds")
    )
    assert ponds.best.memories < wide.best.memories
    # Python gets what the command writes, from what it has remembered.
    assert pickle.loads(pickle.dumps(wide)) == wide
    for metric, value in (("total cycles", wide.best.cycles), ("memories", wide.best.memories)):
        assert value in [r["value"] for r in records if r["metric"] == metric]
    assert f"{wide.considered} schedules, {wide.simulated} simulated" in printed
    assert wide.best in wide.front and wide.best.bound <= wide.best.cycles
    assert wide.best.schedule in printed and "<table>" in wide._repr_html_()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"memory": "pond"}, "no memory is named 'pond'; did you mean 'ponds'"),
        ({"limits": {"wires": 3}}, "no limit 'wires'"),
        ({"jobs": 0}, "'jobs' is 0, not a positive number"),
        ({"target": "davinci"}, "has nothing to choose by measuring"),
        ({"target": "spatial", "objective": "time"}, "no objective is named 'time'"),
        ({"target": "spatial", "machine": "p9"}, "p9: No such file"),
    ],
)
def test_what_python_is_refused(tmp_path: Path, words: dict[str, object], said: str) -> None:
    (tmp_path / "made.cpp").write_bytes(program(BLUR).data)
    with pytest.raises(s2s.UserError, match=said):
        s2s.tune(tmp_path / "made.cpp", **{"target": "clockwork", **words})  # type: ignore[call-overload]
